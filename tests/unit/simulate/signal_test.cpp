// Signals: values, derivatives, breakpoints, invalid input.
#include "trammel/simulate/inputs/signal.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <stdexcept>
#include <vector>

namespace trammel::signal_test {
namespace {

constexpr double pi = std::numbers::pi;

TEST(signal, is_worth_what_its_name_says) {
  EXPECT_EQ(Signal().at(3).value, 0);
  EXPECT_EQ(Signal::constant(2).at(-1).value, 2);
  const Signal step = Signal::step(1, 4, 2);
  EXPECT_EQ(step.at(std::nextafter(2.0, 0.0)).value, 1);
  EXPECT_EQ(step.at(2).value, 4);  // right-continuous
  const Signal ramp = Signal::ramp(1, 5, 2, 4);
  EXPECT_EQ(ramp.at(1).value, 1);
  EXPECT_EQ(ramp.at(3).value, 2);
  EXPECT_EQ(ramp.at(3).rate, 1);
  EXPECT_EQ(ramp.at(7).value, 5);
  EXPECT_EQ(ramp.at(7).rate, 0);
  const Signal pulse = Signal::pulse(0, 3, 1, 0.5);
  EXPECT_EQ(pulse.at(0.9).value, 0);
  EXPECT_EQ(pulse.at(1.2).value, 3);
  EXPECT_EQ(pulse.at(1.5).value, 0);
  EXPECT_NEAR(Signal::sine(2, 0.5, pi / 6, 1).at(0).value, 2, 1e-15);
  EXPECT_NEAR(Signal::sine(2, 0.5, 0, 1).at(0.5).value, 3, 1e-15);
  const Signal table = Signal::table(std::vector{0.0, 1.0, 3.0}, std::vector{1.0, 2.0, 0.0});
  EXPECT_EQ(table.at(-1).value, 1);
  EXPECT_EQ(table.at(0.5).value, 1.5);
  EXPECT_EQ(table.at(2).value, 1);
  EXPECT_EQ(table.at(9).value, 0);
}

TEST(signal, goes_from_rest_to_rest) {
  const Signal move = Signal::rest_to_rest(1, 3, 2, 4);
  EXPECT_EQ(move.at(2).value, 1);
  EXPECT_EQ(move.at(2).rate, 0);
  EXPECT_DOUBLE_EQ(move.at(4).value, 2);
  const Signal::Value end = move.at(std::nextafter(6.0, 0.0));
  EXPECT_NEAR(end.value, 3, 1e-14);
  EXPECT_NEAR(end.rate, 0, 1e-14);
  // 6 (to - from) / over^2 at the start, its negative at the end
  EXPECT_DOUBLE_EQ(move.at(2).acceleration, 6 * 2 / 16.0);
  EXPECT_NEAR(end.acceleration, -6 * 2 / 16.0, 1e-14);
}

TEST(signal, rates_are_rates) {
  const std::vector<double> times{0, 0.4, 1, 1.7}, values{1, -1, 2, 0.5};
  for (const Signal& signal : {Signal::ramp(0, 2, 0.1, 1.3), Signal::sine(0.7, 1.3, 0.2, 1),
                               Signal::rest_to_rest(0, 1, 0, 2), Signal::spline(times, values)})
    for (const double t : {0.2, 0.55, 0.9, 1.2}) {
      const double h = 1e-4;
      const Signal::Value before = signal.at(t - h), now = signal.at(t), after = signal.at(t + h);
      // differences of second order: h^2 times a third derivative of some hundreds
      EXPECT_NEAR((after.value - before.value) / (2 * h), now.rate, 1e-5);
      EXPECT_NEAR((after.rate - before.rate) / (2 * h), now.acceleration, 1e-5);
    }
}

TEST(signal, a_spline_is_smooth_through_its_points_and_rests_at_its_ends) {
  const std::vector<double> times{0, 0.4, 1, 1.7, 2}, values{1, -1, 2, 0.5, 0.7};
  const Signal spline = Signal::spline(times, values);
  for (std::size_t k = 0; k < times.size(); ++k)
    EXPECT_NEAR(spline.at(times[k]).value, values[k], 1e-14);
  for (std::size_t k = 1; k + 1 < times.size(); ++k) {
    const Signal::Value left = spline.at(std::nextafter(times[k], 0.0)),
                        right = spline.at(times[k]);
    EXPECT_NEAR(left.rate, right.rate, 1e-11);
    EXPECT_NEAR(left.acceleration, right.acceleration, 1e-11);
  }
  EXPECT_EQ(spline.at(0).rate, 0);
  EXPECT_NEAR(spline.at(std::nextafter(2.0, 0.0)).rate, 0, 1e-13);
}

TEST(signal, breakpoints_of_each_kind) {
  EXPECT_TRUE(Signal::sine(1, 1, 0, 0).breakpoints().empty());
  EXPECT_EQ(Signal::ramp(0, 1, 2, 3).breakpoints(), (std::vector{2.0, 5.0}));
  EXPECT_EQ(Signal::pulse(0, 1, 1, 0.5).breakpoints(), (std::vector{1.0, 1.5}));
}

TEST(signal, refuses_what_makes_no_sense) {
  const auto told = [](auto make) -> std::string {
    try {
      (void)make();
    } catch (const std::invalid_argument& mistake) { return mistake.what(); }
    return "nothing";
  };
  const std::vector<double> two{0, 1}, back{1, 0}, one{1};
  EXPECT_EQ(told([&] { return Signal::ramp(0, 1, 0, 0); }),
            "ramp: it lasts 0 s: give a time above 0");
  EXPECT_EQ(told([&] { return Signal::pulse(0, 1, 0, -1); }),
            "pulse: it lasts -1 s: give a time above 0");
  EXPECT_EQ(told([&] { return Signal::table(two, one); }),
            "table: 2 times and 1 values: give a value for each, and at least one");
  EXPECT_EQ(told([&] { return Signal::spline(back, two); }),
            "spline: times go from 1 to 0: put them in order");
}

TEST(signal, a_speed_is_a_straight_line_without_breakpoints) {
  const Signal speed = Signal::speed(2, 1);
  EXPECT_EQ(speed.at(-3).value, -5);
  EXPECT_EQ(speed.at(4).value, 9);
  EXPECT_EQ(speed.at(4).rate, 2);
  EXPECT_EQ(speed.at(4).acceleration, 0);
  EXPECT_TRUE(speed.breakpoints().empty());
}

TEST(signal, noise_has_its_mean_and_mean_square_and_stays_in_its_band) {
  const double rms = 3, low = 2, high = 5, offset = 1;
  const Signal noise = Signal::noise(rms, low, high, offset, 42);
  // averages over a long time; lines are 3/64 Hz apart on average, resolved within 4000 s
  const double duration = 4000, step = 0.02;
  const int count = int(duration / step);
  double mean = 0, square = 0;
  const double outside[] = {0.5, 1.9, 5.1, 9};
  double in_phase[4] = {}, across[4] = {};
  for (int k = 0; k < count; ++k) {
    const double t = (k + 0.5) * step, x = noise.at(t).value - offset;
    mean += x / count;
    square += x * x / count;
    for (int f = 0; f < 4; ++f) {
      in_phase[f] += 2 * x * std::cos(2 * pi * outside[f] * t) / count;
      across[f] += 2 * x * std::sin(2 * pi * outside[f] * t) / count;
    }
  }
  // a line at distance d in frequency leaves at most amplitude / (pi d duration) in an average:
  // 64 lines of 0.53 at 0.1 Hz or more leave 0.03; two lines closer than 1/duration are unlikely
  EXPECT_NEAR(mean, 0, 1e-3);
  EXPECT_NEAR(square, rms * rms, 0.02 * rms * rms);
  for (int f = 0; f < 4; ++f) EXPECT_LT(std::hypot(in_phase[f], across[f]), 0.03) << outside[f];
}

TEST(signal, noise_is_a_function_of_its_seed_and_of_time_alone) {
  const Signal noise = Signal::noise(1, 0, 4, 0, 7), same = Signal::noise(1, 0, 4, 0, 7),
               other = Signal::noise(1, 0, 4, 0, 8);
  for (const double t : {100.0, 0.0, 3.7, 100.0}) {
    EXPECT_EQ(noise.at(t).value, same.at(t).value);
    EXPECT_NE(noise.at(t).value, other.at(t).value);
  }
  EXPECT_TRUE(noise.breakpoints().empty());
}

TEST(signal, noise_has_the_derivatives_of_its_value) {
  const Signal noise = Signal::noise(2, 0.5, 3, 1, 1);
  const double h = 1e-5;
  for (double t = -1; t < 5; t += 0.37) {
    const Signal::Value before = noise.at(t - h), now = noise.at(t), after = noise.at(t + h);
    // central differences: h^2/6 of the third derivative, (2 pi 3)^3 * 2 * 3 at most, is 7e-7
    EXPECT_NEAR(now.rate, (after.value - before.value) / (2 * h), 1e-6);
    EXPECT_NEAR(now.acceleration, (after.rate - before.rate) / (2 * h), 2e-5);
  }
}

TEST(signal, noise_without_a_band_is_refused) {
  EXPECT_THROW((void)Signal::noise(1, 3, 3, 0, 0), std::invalid_argument);
  EXPECT_THROW((void)Signal::noise(1, -1, 3, 0, 0), std::invalid_argument);
}

}  // namespace
}  // namespace trammel::signal_test
