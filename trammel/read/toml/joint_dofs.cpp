#include "trammel/read/toml/joint_dofs.hpp"

#include "trammel/model/build/joint_kinds.hpp"

namespace trammel {

namespace {

using MotionKind = JointStep::Kind;

std::vector<MotionKind> steps_of(const JointDescription& joint) {
  const MotionKind turn = MotionKind::turn, slide = MotionKind::slide;
  switch (joint.kind) {
    case JointKind::fixed: return {};
    case JointKind::revolute:
    case JointKind::screw: return {turn};
    case JointKind::prismatic: return {slide};
    case JointKind::cylindrical: return {turn, slide};
    case JointKind::universal: return {turn, turn};
    case JointKind::spherical: return {turn, turn, turn};
    case JointKind::planar: return {slide, slide, turn};
    case JointKind::free: return {turn, turn, turn, slide, slide, slide};
    case JointKind::compound: break;
  }
  std::vector<MotionKind> steps;
  for (const JointStep& step : joint.options.motions) steps.push_back(step.kind);
  return steps;
}

}  // namespace

DofDimensions dof_dimensions(const JointDescription& joint) {
  DofDimensions of;
  for (const MotionKind step : steps_of(joint)) {
    const bool is_turn = step == MotionKind::turn;
    of.position.push_back(is_turn ? dimension::angle : dimension::length);
    of.velocity.push_back(is_turn ? dimension::angular_velocity : dimension::velocity);
    of.effort.push_back(is_turn ? dimension::torque : dimension::force);
    of.stiffness.push_back(is_turn ? dimension::angular_stiffness : dimension::stiffness);
    of.damping.push_back(is_turn ? dimension::angular_damping : dimension::damping);
  }
  of.coordinate = of.position;
  if (has_quaternion(joint.kind)) {
    of.coordinate.assign(4, dimension::none);
    if (joint.kind == JointKind::free) of.coordinate.resize(7, dimension::length);
  }
  return of;
}

}  // namespace trammel
