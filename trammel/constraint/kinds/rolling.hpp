// Rolling constraints of a wheel, an omni wheel, a ball or a knife edge on the ground, at a state.
//
// The contact point of the wheel has no velocity relative to the ground: one row along the normal
// (height, holonomic), one across the wheel and, unless it is a knife edge, one along the rolling
// direction; these two are nonholonomic [Yesiloglu 2007, section 3.14, the minimal form]. The
// rollers of an omni wheel roll freely across their axes: instead of the two it has one row, along
// the axis of the roller in contact [Saha 1991, section 3.8]. A ball has no axis: its tangential
// rows are along the ground's x and y. On a terrain the ground is the tangent plane at the contact
// point and turns as the wheel rolls (terrain_contact.hpp).
#pragma once

#include <vector>

#include "trammel/constraint/kinds/constraint_block.hpp"

namespace trammel {

struct RollingRow {
  const char* name;
  bool is_holonomic;
};
std::vector<RollingRow> rolling_rows(const Wheel& wheel);

template <Scalar S> struct BasicRollingAt {
  Vec3<S> contact;       // contact point, in world axes
  Vec3<S> direction[3];  // of each row: the ground's force on the wheel, in world axes
  // Residuals of each row in position, velocity and acceleration.
  S error[3] = {}, rate[3] = {}, acceleration[3] = {};
  // Omni wheel: rolling speed of the roller in contact on the ground, and its time derivative.
  S roller_speed = {}, roller_acceleration = {};
  bool is_flat = false;  // the axle is along the normal: no rolling direction, rows undefined
  bool is_lost = false;  // the terrain is curved more than the wheel: no contact point
};
using RollingAt = BasicRollingAt<double>;
template <Scalar S>
BasicRollingAt<S> evaluate_wheel(const Model& model, int wheel,
                                 const BasicKinematics<S>& kinematics);

// Constraint block of a wheel, an omni wheel, a ball or a knife edge.
struct WheelBlock {
  int wheel = 0;  // index in Model::wheels()

  static std::vector<WheelBlock> all(const Model& model);
  std::string owner(const Model& model) const;
  std::vector<RowTraits> rows(const Model& model) const;
  std::vector<BodyId> bodies(const Model& model) const;
  template <Scalar S> void evaluate(const BlockInput<S>& input, EvaluatedRows<S>& out) const;
};

}  // namespace trammel
