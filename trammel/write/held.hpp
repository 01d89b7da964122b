// Joints that keep a mechanism near a place of ground, for pictures and their cameras.
#pragma once

#include <algorithm>

#include "trammel/model/description/joint_table.hpp"
#include "trammel/model/model.hpp"

namespace trammel {

// Whether a joint to ground keeps a point of its body near ground: not those of vehicles and of
// floating bodies.
inline bool holds_point(const NamedJoint& joint) {
  const JointTraits of = traits(joint.kind);
  const auto slides =
      std::count(of.dofs.kind.begin(), of.dofs.kind.begin() + of.dofs.count, DofKind::slide);
  return joint.nv < 3 || (of.axes != JointAxes::per_motion && slides < 2);
}

// Whether nothing keeps the mechanism near a place: a vehicle or a floating body, which may travel
// far.
inline bool travels(const Model& model) {
  const auto is_held = [&](BodyId a, BodyId b) {
    return (model[a].tree_body == 0) != (model[b].tree_body == 0);
  };
  const auto holds = [&](const NamedJoint& joint) {
    return is_held(joint.parent, joint.child) && holds_point(joint);
  };
  return std::ranges::none_of(model.joints(), holds) &&
         std::ranges::none_of(
             model.closures(),
             [&](const Closure& one) { return !one.named && is_held(one.parent, one.child); }) &&
         std::ranges::none_of(model.rods(),
                              [&](const Rod& rod) { return is_held(rod.parent, rod.child); });
}

}  // namespace trammel
