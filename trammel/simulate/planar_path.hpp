// How a vehicle is to move over a floor: where it is and where it faces, at every moment.
#pragma once

#include <span>
#include <vector>

#include "trammel/simulate/profile.hpp"

namespace trammel {

// In world axes [m, rad, s].
struct PlanarMotion {
  double x = 0, y = 0, yaw = 0;
  double x_rate = 0, y_rate = 0, yaw_rate = 0;
  double x_acceleration = 0, y_acceleration = 0, yaw_acceleration = 0;
};
// The same as a vehicle feels it: velocities along its own axes, and how these numbers change.
struct VehicleMotion {
  double yaw_rate = 0, x_rate = 0, y_rate = 0;
  double yaw_acceleration = 0, x_change = 0, y_change = 0;
};
VehicleMotion seen_from_vehicle(const PlanarMotion& motion);

class PlanarPath {
 public:
  // Faces where `yaw` says.
  PlanarPath(Profile x, Profile y, Profile yaw, double duration);
  // Faces where it goes; `forward`: angle from the vehicle's x axis to the way it faces. Where it
  // rests, it faces as it will, or did. Throws std::invalid_argument where it turns on the spot or
  // round a corner, which nothing that rolls can follow, with the time and the angle.
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
  std::vector<double> winding_;  // directions sample after sample, without jumps
};

// Round the origin, beginning at (radius, 0), by `angle` with a quintic sweep, facing along; the
// vehicle's yaw begins at zero if it faces along its y axis [seed 001, (4.30), (4.31)].
PlanarPath circle_path(double radius, double angle, double duration, double forward);

// From rest at (x_start, y_start) along y, over a smooth curve to x_end, and along y to rest: the
// speed along y is steady but for the cycloidal start and stop [seed 001, (4.53), (4.54)].
struct TwoStraights {
  double x_start = 2.32, x_end = -2.32, y_start = -2.75;
  double speed = 0.12;                               // along y [m/s]
  double start_up = 15, curve = 30, slow_down = 15;  // [s]
  double over() const { return start_up + curve + slow_down; }
};
PlanarPath two_straights_path(const TwoStraights& way, double forward);

// Straight, cycloidal from rest to rest, facing always the same way.
PlanarPath straight_path(double x_end, double y_end, double duration, double yaw);

// Through points; with a yaw for each, or facing along if none is given.
PlanarPath path_through(std::span<const double> times, std::span<const double> x,
                        std::span<const double> y, std::span<const double> yaw, double forward);

// A point at which the lines between points turn by 45 degrees or more: the path does not, it goes
// round beside them.
struct RoundedCorner {
  double time = 0, angle = 0;  // [s], [rad]; to the left is positive
  double beside = 0;           // the most, from the point before it to the point behind it [m]
};
std::vector<RoundedCorner> rounded_corners(std::span<const double> times, std::span<const double> x,
                                           std::span<const double> y);

}  // namespace trammel
