// From what was said of a joint to what the sweeps know of it.
#pragma once

#include "trammel/joint/joint.hpp"
#include "trammel/model/description.hpp"

namespace trammel {

int freedoms(const JointDescription& joint);
int coordinates(const JointDescription& joint);

// Does it turn about a point, with a quaternion for its coordinates?
inline bool has_quaternion(JointKind kind) {
  return kind == JointKind::spherical || kind == JointKind::free;
}
// Is it, turned to z, the same joint from its far side when the axis is flipped?
inline bool flips_when_reversed(JointKind kind) {
  return kind == JointKind::revolute || kind == JointKind::prismatic || kind == JointKind::screw ||
         kind == JointKind::cylindrical;
}

// Known by its code if it is exactly about or along x, y or z whatever the parameters.
Compound::Step step_of(const JointStep& step);
inline bool is_oblique(Compound::Step step) { return step >= Compound::Step::turn_oblique; }

// Of any kind but fixed, which the sweeps do not know.
Joint make_joint(const JointDescription& joint, bool is_reversed);
int constant_count(const Joint& joint);

}  // namespace trammel
