#include "trammel/simulate/inputs/profile.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

namespace trammel {

namespace {

constexpr double pi = std::numbers::pi;

// from + (to - from) shape(s), s = (time - start) / over, constant outside [0, 1]
template <class Shape>
Profile rest_to_rest(double from, double to, double start, double over, const Shape& shape) {
  return [=](double time) -> Jet {
    if (time <= start)
      return {from, 0, 0, time == start ? (to - from) * shape(0.0).jerk / std::pow(over, 3) : 0};
    if (time >= start + over)
      return {to, 0, 0,
              time == start + over ? (to - from) * shape(1.0).jerk / std::pow(over, 3) : 0};
    const Jet s = shape((time - start) / over);
    const double way = to - from;
    return {from + way * s.value, way * s.rate / over, way * s.acceleration / (over * over),
            way * s.jerk / (over * over * over)};
  };
}

// Rates at the points of the cubic spline with zero rates at the ends: a tridiagonal system, solved
// by forward elimination and back substitution.
std::vector<double> spline_rates(std::span<const double> times, std::span<const double> values) {
  const std::size_t n = times.size();
  std::vector<double> rates(n, 0.0), next(n, 0.0);  // rate k = rates[k] - next[k] rate k+1
  for (std::size_t k = 1; k + 1 < n; ++k) {
    const double before = times[k] - times[k - 1], after = times[k + 1] - times[k];
    const double needed = 3 * ((values[k] - values[k - 1]) / (before * before) +
                               (values[k + 1] - values[k]) / (after * after));
    const double pivot = 2 / before + 2 / after - next[k - 1] / before;
    next[k] = 1 / after / pivot;
    rates[k] = (needed - rates[k - 1] / before) / pivot;
  }
  for (std::size_t k = n - 1; k-- > 1;) rates[k] -= next[k] * rates[k + 1];
  return rates;
}

}  // namespace

Profile constant_profile(double value) {
  return [=](double) -> Jet { return {value, 0, 0, 0}; };
}

Profile quintic_profile(double from, double to, double start, double over) {
  return rest_to_rest(from, to, start, over, [](double s) -> Jet {
    return {s * s * s * (10 + s * (-15 + 6 * s)), 30 * s * s * (1 - s) * (1 - s),
            60 * s * (1 - s) * (1 - 2 * s), 60 * (1 + 6 * s * (s - 1))};
  });
}

Profile cycloidal_profile(double from, double to, double start, double over) {
  return rest_to_rest(from, to, start, over, [](double s) -> Jet {
    const double a = 2 * pi * s;
    return {s - std::sin(a) / (2 * pi), 1 - std::cos(a), 2 * pi * std::sin(a),
            4 * pi * pi * std::cos(a)};
  });
}

Profile cruise_profile(const Cruise& cruise) {
  // first half of a cosine wave, from rest to the speed
  const auto up = [](double speed, double over, double time) -> Jet {
    const double w = pi / over, a = w * time;
    return {speed / 2 * (time - std::sin(a) / w), speed / 2 * (1 - std::cos(a)),
            speed / 2 * w * std::sin(a), speed / 2 * w * w * std::cos(a)};
  };
  return [=](double time) -> Jet {
    const auto& [from, speed, start_up, steady, slow_down] = cruise;
    const double end = from + speed * (start_up / 2 + steady + slow_down / 2);
    if (time < 0) return {from, 0, 0, 0};
    if (time > cruise.over()) return {end, 0, 0, 0};
    if (time < start_up) {
      Jet jet = up(speed, start_up, time);
      jet.value += from;
      return jet;
    }
    if (time <= start_up + steady)
      return {from + speed * (start_up / 2 + (time - start_up)), speed, 0, 0};
    // the same, reversed in time
    const Jet jet = up(speed, slow_down, cruise.over() - time);
    return {end - jet.value, jet.rate, -jet.acceleration, jet.jerk};
  };
}

Profile spline_profile(std::span<const double> times, std::span<const double> values) {
  const std::size_t n = times.size();
  // rates and accelerations at the points are those of the cubic spline with ends at rest
  const std::vector<double> rates = spline_rates(times, values);
  std::vector<double> accelerations(n, 0.0);
  for (std::size_t k = 1; k + 1 < n; ++k) {
    const double after = times[k + 1] - times[k];
    accelerations[k] =
        (6 * (values[k + 1] - values[k]) / after - 4 * rates[k] - 2 * rates[k + 1]) / after;
  }

  struct Piece {
    double start, over;
    std::array<double, 6> c;  // of s = (time - start) / over
  };
  std::vector<Piece> pieces;
  for (std::size_t k = 0; k + 1 < n; ++k) {
    const double h = times[k + 1] - times[k];
    const double y0 = values[k], d0 = rates[k] * h, a0 = accelerations[k] * h * h;
    const double way = values[k + 1] - y0, d1 = rates[k + 1] * h, a1 = accelerations[k + 1] * h * h;
    pieces.push_back({times[k],
                      h,
                      {y0, d0, a0 / 2, 10 * way - 6 * d0 - 4 * d1 - 1.5 * a0 + a1 / 2,
                       -15 * way + 8 * d0 + 7 * d1 + 1.5 * a0 - a1,
                       6 * way - 3 * d0 - 3 * d1 - a0 / 2 + a1 / 2}});
  }
  return [pieces, last = values[n - 1], end = times[n - 1]](double time) -> Jet {
    if (time < pieces.front().start) return {pieces.front().c[0], 0, 0, 0};
    if (time > end) return {last, 0, 0, 0};
    auto piece = std::upper_bound(pieces.begin(), pieces.end(), time,
                                  [](double t, const Piece& p) { return t < p.start; });
    --piece;
    const double h = piece->over, s = (time - piece->start) / h;
    const auto& c = piece->c;
    return {c[0] + s * (c[1] + s * (c[2] + s * (c[3] + s * (c[4] + s * c[5])))),
            (c[1] + s * (2 * c[2] + s * (3 * c[3] + s * (4 * c[4] + s * 5 * c[5])))) / h,
            (2 * c[2] + s * (6 * c[3] + s * (12 * c[4] + s * 20 * c[5]))) / (h * h),
            (6 * c[3] + s * (24 * c[4] + s * 60 * c[5])) / (h * h * h)};
  };
}

Profile along(const Profile& outer, const Profile& inner) {
  return [=](double time) -> Jet {
    const Jet way = inner(time), f = outer(way.value);
    const double v = way.rate;
    return {f.value, f.rate * v, f.acceleration * v * v + f.rate * way.acceleration,
            f.jerk * v * v * v + 3 * f.acceleration * v * way.acceleration + f.rate * way.jerk};
  };
}

}  // namespace trammel
