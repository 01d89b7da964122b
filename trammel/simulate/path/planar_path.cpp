#include "trammel/simulate/path/planar_path.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

namespace trammel {

namespace {

constexpr double pi = std::numbers::pi;
// Number of samples of the direction, and the turn [rad] from one sample to the next that counts as
// a corner.
constexpr int looks = 4000;
constexpr double corner = 0.25;

// blend polynomial 35 s^4 - 84 s^5 + 70 s^6 - 20 s^7, constant outside [0, 1]
Jet septic(double s) {
  if (s <= 0) return {0, 0, 0, 0};
  if (s >= 1) return {1, 0, 0, 0};
  const double r = 1 - s;
  return {s * s * s * s * (35 + s * (-84 + s * (70 - 20 * s))), 140 * s * s * s * r * r * r,
          420 * s * s * r * r * (1 - 2 * s), 840 * s * r * (1 - 5 * s + 5 * s * s)};
}

}  // namespace

VehicleMotion in_vehicle_axes(const PlanarMotion& m) {
  const double c = std::cos(m.yaw), s = std::sin(m.yaw);
  const double x = c * m.x_rate + s * m.y_rate, y = -s * m.x_rate + c * m.y_rate;
  return {m.yaw_rate,
          x,
          y,
          m.yaw_acceleration,
          c * m.x_acceleration + s * m.y_acceleration + m.yaw_rate * y,
          -s * m.x_acceleration + c * m.y_acceleration - m.yaw_rate * x};
}

PlanarPath::PlanarPath(Profile x, Profile y, Profile yaw, double duration)
    : x_(std::move(x)), y_(std::move(y)), yaw_(std::move(yaw)), duration_(duration) {}

PlanarPath::PlanarPath(Profile x, Profile y, double duration, double forward)
    : x_(std::move(x)), y_(std::move(y)), duration_(duration), forward_(forward) {
  for (int k = 0; k <= looks; ++k) {
    const double time = duration * k / looks, now = direction(time);
    if (k == 0) {
      winding_.push_back(now);
      continue;
    }
    const double turned = std::remainder(now - winding_.back(), 2 * pi);
    if (std::abs(turned) > corner)
      throw std::invalid_argument(fmt::format(
          "the path has a corner of {:.3g} deg at t = {:.4g} s, which no vehicle that faces along "
          "it can follow; round it, or give the vehicle a yaw of its own",
          turned * 180 / pi, time));
    winding_.push_back(winding_.back() + turned);
  }
}

bool PlanarPath::is_at_rest(const Jet& x, const Jet& y) const {
  // at most as fast as it is one tick before or after
  const double tick = 1e-6 * duration_;
  return std::hypot(x.rate, y.rate) <= tick * std::hypot(x.acceleration, y.acceleration) +
                                           tick * tick * std::hypot(x.jerk, y.jerk);
}

double PlanarPath::direction(double time) const {
  const Jet x = x_(time), y = y_(time);
  if (!is_at_rest(x, y)) return std::atan2(y.rate, x.rate);
  // limit of the direction at rest: v = a dt or j dt^2 / 2
  const double push = std::hypot(x.acceleration, y.acceleration);
  if (push > 1e-6 * duration_ * std::hypot(x.jerk, y.jerk)) {
    const double sign = time < duration_ / 2 ? 1 : -1;
    return std::atan2(sign * y.acceleration, sign * x.acceleration);
  }
  return std::atan2(y.jerk, x.jerk);
}

Jet PlanarPath::tangent(double time) const {
  const double inside = std::clamp(time, 0.0, duration_);
  const auto look = std::size_t(std::lround(inside / duration_ * looks));
  const double near = winding_[look];
  const double direct = near + std::remainder(direction(inside) - near, 2 * pi);
  const Jet x = x_(time), y = y_(time);
  if (is_at_rest(x, y)) return {direct - forward_, 0, 0, 0};
  const double square = x.rate * x.rate + y.rate * y.rate;
  const double bend = x.rate * y.acceleration - y.rate * x.acceleration;
  const double rate = bend / square;
  const double bend_rate = x.rate * y.jerk - y.rate * x.jerk;
  const double square_rate = 2 * (x.rate * x.acceleration + y.rate * y.acceleration);
  return {direct - forward_, rate, (bend_rate - rate * square_rate) / square, 0};
}

PlanarMotion PlanarPath::at(double time) const {
  const Jet x = x_(time), y = y_(time), yaw = yaw_ ? yaw_(time) : tangent(time);
  return {x.value,  y.value,        yaw.value,      x.rate,          y.rate,
          yaw.rate, x.acceleration, y.acceleration, yaw.acceleration};
}

PlanarPath circle_path(double radius, double angle, double duration, double forward) {
  const Profile sweep = quintic_profile(0, angle, 0, duration);
  const Profile x = along(
      [=](double a) -> Jet {
        const double c = radius * std::cos(a), s = radius * std::sin(a);
        return {c, -s, -c, s};
      },
      sweep);
  const Profile y = along(
      [=](double a) -> Jet {
        const double c = radius * std::cos(a), s = radius * std::sin(a);
        return {s, c, -s, -c};
      },
      sweep);
  const double facing = (angle < 0 ? -pi / 2 : pi / 2) - forward;
  const Profile yaw = [=](double time) -> Jet {
    Jet jet = sweep(time);
    jet.value += facing;
    return jet;
  };
  return {x, y, yaw, duration};
}

PlanarPath two_straights_path(const TwoStraights& way, double forward) {
  const Profile y = cruise_profile({.from = way.y_start,
                                    .speed = way.speed,
                                    .start_up = way.start_up,
                                    .steady = way.curve,
                                    .slow_down = way.slow_down});
  const double bend_start = way.y_start + way.speed * way.start_up / 2,
               over = way.speed * way.curve;
  const double x_start = way.x_start, aside = way.x_end - way.x_start;
  const Profile x = along(
      [=](double at_y) -> Jet {
        const Jet s = septic((at_y - bend_start) / over);
        return {x_start + aside * s.value, aside * s.rate / over,
                aside * s.acceleration / (over * over), aside * s.jerk / (over * over * over)};
      },
      y);
  return {x, y, way.over(), forward};
}

PlanarPath straight_path(double x_end, double y_end, double duration, double yaw) {
  return {cycloidal_profile(0, x_end, 0, duration), cycloidal_profile(0, y_end, 0, duration),
          constant_profile(yaw), duration};
}

PlanarPath path_through(std::span<const double> times, std::span<const double> x,
                        std::span<const double> y, std::span<const double> yaw, double forward) {
  if (times.size() < 2)
    throw std::invalid_argument(
        fmt::format("a path has {} points; give two or more", times.size()));
  if (x.size() != times.size() || y.size() != times.size() ||
      (!yaw.empty() && yaw.size() != times.size()))
    throw std::invalid_argument(
        fmt::format("a path has {} times, {} x, {} y and {} yaw; give as many of each",
                    times.size(), x.size(), y.size(), yaw.size()));
  if (times[0] != 0)
    throw std::invalid_argument(
        fmt::format("the path begins at t = {:.6g} s; let it begin at 0", times[0]));
  for (std::size_t k = 0; k < times.size(); ++k) {
    if (k > 0 && !(times[k] > times[k - 1]))
      throw std::invalid_argument(fmt::format(
          "point {} of the path is at t = {:.6g} s, not after the one before; let times increase",
          k + 1, times[k]));
    for (const double number : {times[k], x[k], y[k], yaw.empty() ? 0.0 : yaw[k]})
      if (!std::isfinite(number))
        throw std::invalid_argument(
            fmt::format("point {} of the path has the number {}; give finite ones", k + 1, number));
  }
  if (yaw.empty())
    return {spline_profile(times, x), spline_profile(times, y), times.back(), forward};
  return {spline_profile(times, x), spline_profile(times, y), spline_profile(times, yaw),
          times.back()};
}

std::vector<RoundedCorner> rounded_corners(std::span<const double> times, std::span<const double> x,
                                           std::span<const double> y) {
  std::vector<RoundedCorner> found;
  const Profile on_x = spline_profile(times, x), on_y = spline_profile(times, y);
  // distance of a point from the segment from point k to the next
  const auto distance = [&](double px, double py, std::size_t k) {
    const double dx = x[k + 1] - x[k], dy = y[k + 1] - y[k], square = dx * dx + dy * dy;
    const double along = ((px - x[k]) * dx + (py - y[k]) * dy) / std::max(square, 1e-300);
    const double part = std::clamp(along, 0.0, 1.0);
    return std::hypot(px - x[k] - part * dx, py - y[k] - part * dy);
  };
  for (std::size_t k = 1; k + 1 < times.size(); ++k) {
    const double before_x = x[k] - x[k - 1], before_y = y[k] - y[k - 1];
    const double behind_x = x[k + 1] - x[k], behind_y = y[k + 1] - y[k];
    const double angle = std::atan2(before_x * behind_y - before_y * behind_x,
                                    before_x * behind_x + before_y * behind_y);
    // exactly 45 degrees count, in spite of rounding
    if (std::abs(angle) < 0.999999 * pi / 4) continue;
    RoundedCorner rounded{times[k], angle, 0};
    for (int i = 0; i <= 400; ++i) {
      const double time = times[k - 1] + (times[k + 1] - times[k - 1]) * i / 400;
      const double px = on_x(time).value, py = on_y(time).value;
      rounded.deviation =
          std::max(rounded.deviation, std::min(distance(px, py, k - 1), distance(px, py, k)));
    }
    found.push_back(rounded);
  }
  return found;
}

}  // namespace trammel
