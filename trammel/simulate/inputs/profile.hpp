// Scalar function of time with three derivatives, a coordinate of a planar path. Smoother than
// Signal, which is piecewise cubic: vehicles that follow a path need continuous accelerations.
#pragma once

#include <functional>
#include <span>

namespace trammel {

struct Jet {
  double value = 0, rate = 0, acceleration = 0, jerk = 0;
};

// Profile: value and derivatives at a time [s], for every time.
using Profile = std::function<Jet(double time)>;

// The same value at all times, with zero derivatives.
Profile constant_profile(double value);
// From rest to rest, beginning at `start`, over > 0; constant `from` before and `to` after.
Profile quintic_profile(double from, double to, double start,
                        double over);  // 10 s^3 - 15 s^4 + 6 s^5
Profile cycloidal_profile(double from, double to, double start,
                          double over);  // s - sin(2 pi s) / 2 pi
// Starts from rest, has constant `speed` from start_up on, and comes to rest within the last
// slow_down of `over`; the rate is half a cosine wave in between [Saha 1991, 3.10].
struct Cruise {
  double from = 0, speed = 0, start_up = 0, steady = 0, slow_down = 0;
  double over() const { return start_up + steady + slow_down; }
};
Profile cruise_profile(const Cruise& cruise);
// Interpolation of points, times increasing, at least two: piecewise quintic, with continuous rates
// and accelerations that are those of the cubic spline through the points, and zero at both ends.
Profile spline_profile(std::span<const double> times, std::span<const double> values);
// Composition outer(inner(time)): `outer` is a function of the value of `inner`, not of time.
Profile along(const Profile& outer, const Profile& inner);

}  // namespace trammel
