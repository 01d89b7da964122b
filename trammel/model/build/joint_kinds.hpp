// Conversion of joint descriptions to the Joint types of the recursive algorithms.
#pragma once

#include "trammel/joint/joint.hpp"
#include "trammel/model/description/description.hpp"

namespace trammel {

int dofs(const JointDescription& joint);
int coordinates(const JointDescription& joint);

// The joint has a rotation about a point, with a quaternion among its coordinates.
inline bool has_quaternion(JointKind kind) {
  return kind == JointKind::spherical || kind == JointKind::free;
}
// After its axis is rotated to z, the joint traversed from child to parent is the same joint with
// the axis flipped.
inline bool flips_when_reversed(JointKind kind) {
  return kind == JointKind::revolute || kind == JointKind::prismatic || kind == JointKind::screw ||
         kind == JointKind::cylindrical;
}

// The code of a step; a step is axis-aligned only if its axis is exactly x, y or z for all
// parameters.
Compound::Step step_of(const JointStep& step);
inline bool is_oblique(Compound::Step step) { return step >= Compound::Step::turn_oblique; }

// For every kind but fixed, which the recursive algorithms do not have.
Joint make_joint(const JointDescription& joint, bool is_reversed);
int constant_count(const Joint& joint);

}  // namespace trammel
