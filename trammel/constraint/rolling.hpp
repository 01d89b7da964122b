// A wheel, a ball or a knife edge on its floor, at a state.
//
// The point of the wheel that touches the floor does not move against it: a row along the normal,
// which holds the height and is holonomic, one across the wheel, and, unless it is a knife edge,
// one along the way it rolls; these two are not [seed 000, section 3.14, the minimal form]. The
// rollers of an omni wheel give way across their axes: it has one row, along the axis of the roller
// that touches [seed 001, section 3.8]. A ball has no axis: its rows are along the floor's x and y.
#pragma once

#include <vector>

#include "trammel/dynamics/stages.hpp"

namespace trammel {

struct RollingRow {
  const char* name;
  bool is_holonomic;
};
std::vector<RollingRow> rolling_rows(const Wheel& wheel);

struct RollingAt {
  Vec3<double> contact;       // where it touches, in the world
  Vec3<double> direction[3];  // of each row, in world axes: of the floor's force on the wheel
  // By how much position, velocity and acceleration miss each row.
  double error[3] = {}, rate[3] = {}, acceleration[3] = {};
  bool is_flat = false;  // the axis is along the normal: it cannot roll, and no row means anything
};
RollingAt look_at_wheel(const Model& model, int wheel, const Kinematics& kinematics);

}  // namespace trammel
