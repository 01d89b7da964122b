// Prescribed planar motion of a vehicle: position and heading over time.
#pragma once

#include <span>
#include <vector>

#include "trammel/simulate/inputs/profile.hpp"

namespace trammel {

// World axes [m, rad, s].
struct PlanarMotion {
  double x = 0, y = 0, yaw = 0;
  double x_rate = 0, y_rate = 0, yaw_rate = 0;
  double x_acceleration = 0, y_acceleration = 0, yaw_acceleration = 0;
};
// The same in vehicle axes: velocity components, and the time derivatives of these components.
struct VehicleMotion {
  double yaw_rate = 0, x_rate = 0, y_rate = 0;
  double yaw_acceleration = 0, x_change = 0, y_change = 0;
};
VehicleMotion in_vehicle_axes(const PlanarMotion& motion);

// Planar path over 0 <= time <= duration [s]: position [m] and yaw [rad] in world axes, with their
// first and second derivatives.
class PlanarPath {
 public:
  // Heading by `yaw`.
  PlanarPath(Profile x, Profile y, Profile yaw, double duration);
  // Heading along the path; `forward`: angle from the vehicle's x axis to its forward direction. At
  // rest the heading is the limit before or after. Throws std::invalid_argument, with time and
  // angle, where the path turns on the spot or has a corner, which no rolling vehicle can follow.
  PlanarPath(Profile x, Profile y, double duration, double forward);

  PlanarMotion at(double time) const;
  double duration() const { return duration_; }

  PlanarPath with_yaw(Profile yaw) const { return {x_, y_, std::move(yaw), duration_}; }

 private:
  Jet tangent(double time) const;
  double direction(double time) const;
  bool is_at_rest(const Jet& x, const Jet& y) const;

  Profile x_, y_, yaw_;
  double duration_, forward_ = 0;
  std::vector<double> winding_;  // direction at each sample, unwrapped
};

// Circle about the origin, from (radius, 0) through `angle` with a quintic profile, heading along
// the path; the yaw begins at zero if the vehicle's forward direction is its y axis [Saha 1991,
// (4.30), (4.31)].
PlanarPath circle_path(double radius, double angle, double duration, double forward);

// From rest at (x_start, y_start) along y, over a smooth curve to x_end, and along y to rest: the
// speed along y is constant except for the cycloidal start and stop [Saha 1991, (4.53), (4.54)].
struct TwoStraights {
  double x_start = 2.32, x_end = -2.32, y_start = -2.75;
  double speed = 0.12;                               // along y [m/s]
  double start_up = 15, curve = 30, slow_down = 15;  // [s]
  double over() const { return start_up + curve + slow_down; }
};
PlanarPath two_straights_path(const TwoStraights& way, double forward);

// Straight line with a cycloidal profile from rest to rest, constant heading.
PlanarPath straight_path(double x_end, double y_end, double duration, double yaw);

// Spline through points, with a yaw for each; without yaw the heading is along the path.
PlanarPath path_through(std::span<const double> times, std::span<const double> x,
                        std::span<const double> y, std::span<const double> yaw, double forward);

// A point at which the polyline through the points turns by 45 degrees or more; the spline rounds
// it.
struct RoundedCorner {
  double time = 0, angle = 0;  // [s], [rad]; positive to the left
  double deviation = 0;        // largest distance from the polyline, between its neighbor points
                               // [m]
};
std::vector<RoundedCorner> rounded_corners(std::span<const double> times, std::span<const double> x,
                                           std::span<const double> y);

}  // namespace trammel
