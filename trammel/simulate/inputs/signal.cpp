#include "trammel/simulate/inputs/signal.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include <fmt/format.h>

namespace trammel {

namespace {

void expect_duration(const char* signal, double over) {
  if (!(over > 0))
    throw std::invalid_argument(
        fmt::format("{}: it lasts {} s: give a time above 0", signal, over));
}

void expect_points(const char* signal, std::span<const double> times,
                   std::span<const double> values) {
  if (times.empty() || times.size() != values.size())
    throw std::invalid_argument(
        fmt::format("{}: {} times and {} values: give a value for each, "
                    "and at least one",
                    signal, times.size(), values.size()));
  for (std::size_t k = 0; k + 1 < times.size(); ++k)
    if (!(times[k] < times[k + 1]))
      throw std::invalid_argument(fmt::format("{}: times go from {} to {}: put them in order",
                                              signal, times[k], times[k + 1]));
}

// Pseudo-random number k of a seed, uniform in [0, 1): the mixing function of SplitMix64
// [Steele, Lea, Flood 2014].
double uniform(std::uint64_t seed, std::uint64_t k) {
  std::uint64_t x = seed * 0xD1B54A32D192ED03u + (k + 1) * 0x9E3779B97F4A7C15u;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return double((x ^ (x >> 31)) >> 11) * 0x1p-53;
}

}  // namespace

Signal Signal::constant(double value) {
  Signal signal;
  signal.before_ = value;
  return signal;
}

Signal Signal::step(double from, double to, double at) {
  Signal signal = constant(from);
  signal.pieces_ = {{at, {to, 0, 0, 0}}};
  return signal;
}

Signal Signal::ramp(double from, double to, double start, double over) {
  expect_duration("ramp", over);
  Signal signal = constant(from);
  signal.pieces_ = {{start, {from, (to - from) / over, 0, 0}}, {start + over, {to, 0, 0, 0}}};
  return signal;
}

Signal Signal::sine(double amplitude, double frequency, double phase, double offset) {
  Signal signal = constant(offset);
  if (amplitude != 0) signal.waves_ = {{amplitude, frequency, phase}};
  return signal;
}

Signal Signal::speed(double rate, double from) {
  Signal signal = constant(from);
  signal.speed_ = rate;
  return signal;
}

Signal Signal::noise(double rms, double low, double high, double offset, std::uint64_t seed) {
  if (!(low >= 0 && low < high))
    throw std::invalid_argument(
        fmt::format("noise: the band is {} to {} Hz: give 0 <= low < high", low, high));
  constexpr int count = 64;
  Signal signal = constant(offset);
  if (rms == 0) return signal;
  for (int k = 0; k < count; ++k) {
    const auto number = 2 * std::uint64_t(k);
    const double at = (k + uniform(seed, number)) / count;
    // a sine of amplitude a has the mean square a^2 / 2, and those of different frequencies add up
    signal.waves_.push_back({rms * std::sqrt(2.0 / count), low + at * (high - low),
                             2 * std::numbers::pi * uniform(seed, number + 1)});
  }
  return signal;
}

Signal Signal::pulse(double from, double to, double at, double over) {
  expect_duration("pulse", over);
  Signal signal = step(from, to, at);
  signal.pieces_.push_back({at + over, {from, 0, 0, 0}});
  return signal;
}

Signal Signal::rest_to_rest(double from, double to, double start, double over) {
  expect_duration("rest_to_rest", over);
  const double d = to - from;
  Signal signal = constant(from);
  signal.pieces_ = {{start, {from, 0, 3 * d / (over * over), -2 * d / (over * over * over)}},
                    {start + over, {to, 0, 0, 0}}};
  return signal;
}

Signal Signal::table(std::span<const double> times, std::span<const double> values) {
  expect_points("table", times, values);
  Signal signal = constant(values[0]);
  for (std::size_t k = 0; k + 1 < times.size(); ++k)
    signal.pieces_.push_back(
        {times[k], {values[k], (values[k + 1] - values[k]) / (times[k + 1] - times[k]), 0, 0}});
  signal.pieces_.push_back({times.back(), {values.back(), 0, 0, 0}});
  return signal;
}

Signal Signal::spline(std::span<const double> times, std::span<const double> values) {
  expect_points("spline", times, values);
  const std::size_t n = times.size();
  Signal signal = constant(values[0]);
  if (n > 1) {
    // rates at the points for continuous accelerations: a tridiagonal system, solved by elimination
    // from the first point to the last
    std::vector<double> rate(n), factor(n);
    for (std::size_t k = 1; k + 1 < n; ++k) {
      const double h0 = times[k] - times[k - 1], h1 = times[k + 1] - times[k];
      const double right =
          3 * ((values[k] - values[k - 1]) / (h0 * h0) + (values[k + 1] - values[k]) / (h1 * h1));
      const double pivot = 2 * (1 / h0 + 1 / h1) - factor[k - 1] / h0;
      factor[k] = 1 / h1 / pivot;
      rate[k] = (right - rate[k - 1] / h0) / pivot;
    }
    for (std::size_t k = n - 1; k-- > 1;) rate[k] -= factor[k] * rate[k + 1];
    for (std::size_t k = 0; k + 1 < n; ++k) {
      const double h = times[k + 1] - times[k], slope = (values[k + 1] - values[k]) / h;
      signal.pieces_.push_back({times[k],
                                {values[k], rate[k], (3 * slope - 2 * rate[k] - rate[k + 1]) / h,
                                 (rate[k] + rate[k + 1] - 2 * slope) / (h * h)}});
    }
  }
  signal.pieces_.push_back({times.back(), {values.back(), 0, 0, 0}});
  return signal;
}

Signal::Value Signal::at(double time) const {
  Value now{before_};
  const auto after = std::upper_bound(pieces_.begin(), pieces_.end(), time,
                                      [](double t, const Piece& piece) { return t < piece.start; });
  if (after != pieces_.begin()) {
    const auto& [start, c] = *(after - 1);
    const double s = time - start;
    now = {c[0] + s * (c[1] + s * (c[2] + s * c[3])), c[1] + s * (2 * c[2] + s * 3 * c[3]),
           2 * c[2] + 6 * c[3] * s};
  }
  now.value += speed_ * time;
  now.rate += speed_;
  for (const auto& [amplitude, frequency, phase] : waves_) {
    const double w = 2 * std::numbers::pi * frequency, angle = w * time + phase;
    now.value += amplitude * std::sin(angle);
    now.rate += amplitude * w * std::cos(angle);
    now.acceleration -= amplitude * w * w * std::sin(angle);
  }
  return now;
}

std::vector<double> Signal::breakpoints() const {
  std::vector<double> times;
  for (const Piece& piece : pieces_) times.push_back(piece.start);
  return times;
}

}  // namespace trammel
