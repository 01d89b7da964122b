// A number over time with three derivatives: what paths are made of. Where a Signal is cubic, these
// are as smooth as the vehicles need that follow them.
#pragma once

#include <functional>
#include <span>

namespace trammel {

struct Jet {
  double value = 0, rate = 0, acceleration = 0, jerk = 0;
};

using Profile = std::function<Jet(double time)>;

Profile constant_profile(double value);
// From rest to rest, beginning at `start`, over > 0; before it is `from`, after it is `to`.
Profile quintic_profile(double from, double to, double start,
                        double over);  // 10 s^3 - 15 s^4 + 6 s^5
Profile cycloidal_profile(double from, double to, double start,
                          double over);  // s - sin(2 pi s) / 2 pi
// A way that begins at rest, goes on steadily with `speed` from start_up on, and comes to rest over
// the last slow_down of `over`: rates are half a cosine [seed 001, 3.10].
struct Cruise {
  double from = 0, speed = 0, start_up = 0, steady = 0, slow_down = 0;
  double over() const { return start_up + steady + slow_down; }
};
Profile cruise_profile(const Cruise& cruise);
// Through points, times increasing, at least two: piecewise of fifth degree, with rates and
// accelerations continuous and zero at both ends, as the cubic spline through them has them.
Profile spline_profile(std::span<const double> times, std::span<const double> values);
// outer(inner(time)): `outer` is a profile of a way, not of time.
Profile along(const Profile& outer, const Profile& inner);

}  // namespace trammel
