// Constraint block of a point that stays on a curve: the origin of the second frame (of the child)
// on a curve c(s) in the first frame F (of the parent). A cam with a pointed follower, a pin in a
// slot, a bead on a wire.
//
// With the point x in F's axes, s(x) is the parameter of the nearest point of the curve,
//
//   f(s, x) = (x - c(s)) . c'(s) = 0 ,   ds/dt = c' . dx/dt / D ,   D = c' . c' - (x - c) . c''
//
// found anew at every state among all points of the curve: no row depends on the history. The two
// rows are along the normals of the curve there, n1 = r x t / |r x t| and n2 = t x n1, with the
// tangent t and a fixed direction r that no tangent is parallel to (the normal of a plane curve: n2
// is then r, and in a planar mechanism the row along it is redundant):
//
//   n . (x - c) ,   n . dx/dt ,   n . d2x/dt2 + n' . dx/dt ,   n' = dn/ds ds/dt
//
// The last term is the centripetal acceleration by the curvature and, with r x t, the torsion.
#pragma once

#include "trammel/constraint/kinds/constraint_block.hpp"

namespace trammel {

struct PointOnCurveBlock {
  int constraint = 0;  // index in Model::frame_constraints()

  static std::vector<PointOnCurveBlock> all(const Model& model);
  std::string owner(const Model& model) const;
  std::vector<RowTraits> rows(const Model& model) const;
  std::vector<BodyId> bodies(const Model& model) const;
  template <Scalar S> void evaluate(const BlockInput<S>& input, EvaluatedRows<S>& out) const;
};

}  // namespace trammel
