// A wheel, a ball or a knife edge on its floor, at a state.
//
// The point of the wheel that touches the floor does not move against it: a row along the normal,
// which holds the height and is holonomic, one across the wheel, and, unless it is a knife edge,
// one along the way it rolls; these two are not [seed 000, section 3.14, the minimal form]. The
// rollers of an omni wheel give way across their axes: it has one row, along the axis of the roller
// that touches [seed 001, section 3.8]. A ball has no axis: its rows are along the floor's x and y.
// On a terrain the floor is that where the wheel stands, and turns as it rolls on (footing.hpp).
#pragma once

#include <vector>

#include "trammel/dynamics/stages.hpp"

namespace trammel {

struct RollingRow {
  const char* name;
  bool is_holonomic;
};
std::vector<RollingRow> rolling_rows(const Wheel& wheel);

template <Scalar S> struct BasicRollingAt {
  Vec3<S> contact;       // where it touches, in the world
  Vec3<S> direction[3];  // of each row, in world axes: of the floor's force on the wheel
  // By how much position, velocity and acceleration miss each row.
  S error[3] = {}, rate[3] = {}, acceleration[3] = {};
  // Of an omni wheel: how fast the roller that touches rolls on the floor, and how that changes.
  S roller_speed = {}, roller_acceleration = {};
  bool is_flat = false;  // the axis is along the normal: it cannot roll, and no row means anything
  bool is_lost = false;  // the terrain is curved more than the wheel: it stands nowhere
};
using RollingAt = BasicRollingAt<double>;
template <Scalar S>
BasicRollingAt<S> look_at_wheel(const Model& model, int wheel,
                                const BasicKinematics<S>& kinematics);

}  // namespace trammel
