// Constraint wrenches of loop joints: the unit wrenches in the moving frame M that do no work on
// any motion of the joint, and the alignment of frames by which constant ones are recognized.
#pragma once

#include <cmath>
#include <initializer_list>
#include <numbers>

#include "trammel/spatial/motion.hpp"
#include "trammel/spatial/rotation.hpp"

namespace trammel {

// Axes of the two frames of a loop joint that must be aligned, if its rows are constant in M.
enum class RowAlignment { none, z, all };

// The k-th unit wrench: moments about x y z, then forces along x y z.
template <Scalar S> Force<S> unit_force(int k) {
  Force<S> F;
  S* const component[] = {&F.moment.x, &F.moment.y, &F.moment.z,
                          &F.force.x,  &F.force.y,  &F.force.z};
  *component[k] = 1.0;
  return F;
}
// Writes unit wrenches; returns their number.
template <Scalar S> int put_units(std::initializer_list<int> units, Force<S>* out) {
  int count = 0;
  for (const int k : units) out[count++] = unit_force<S>(k);
  return count;
}

// The angle, moved by whole turns to within half a turn of `near`.
inline double nearest_turn(double angle, double near) {
  return near + std::remainder(angle - near, 2 * std::numbers::pi);
}
// Angle of the rotation about z nearest to R, within half a turn of `near`.
inline double turn_about_z_in(const Mat3<double>& R, double near) {
  return nearest_turn(std::atan2(R.x.y - R.y.x, R.x.x + R.y.y), near);
}

}  // namespace trammel
