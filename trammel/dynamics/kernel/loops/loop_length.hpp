// Length of a loop along its bodies: a bound of the lever arms of its constraint forces. That of
// the whole mechanism says nothing of one among thousands of loops, which may stand far from the
// origin.
#pragma once

#include <algorithm>

#include "trammel/dynamics/kernel/loops/elimination_schedule.hpp"
#include "trammel/model/build/parameters.hpp"
#include "trammel/model/model.hpp"

namespace trammel::kernel {

// From the point of a constraint on one body over the joints of the tree to that on the other one,
// with slides at 0; for a loop joint or a rod. At most the characteristic length of the model,
// which is also that of other constraints. O(bodies of the loop).
inline double loop_length(const Model& model, const EliminationSchedule::RowGroup& group) {
  using Kind = EliminationSchedule::ConstraintKind;
  const double most = model.characteristic_length();
  struct PointOnBody {
    int body;
    Vec3<double> p;
  } a{group.parent, {}}, b{group.child, {}};
  double length = 0;
  if (group.kind == Kind::closure) {
    a.p = model.numbers().closures[std::size_t(group.which)].X_PF.p;
    b.p = model.numbers().closures[std::size_t(group.which)].X_CM.p;
  } else if (group.kind == Kind::rod) {
    a.p = model.numbers().rods[std::size_t(group.which)].on_parent;
    b.p = model.numbers().rods[std::size_t(group.which)].on_child;
    length = model.numbers().rods[std::size_t(group.which)].length;
  } else {
    return most;
  }
  while (a.body != b.body) {
    PointOnBody& outer = a.body > b.body ? a : b;
    length += norm(outer.p);
    outer.p = model.numbers().bodies[std::size_t(outer.body)].X_PF.p;
    outer.body = model.bodies()[std::size_t(outer.body)].parent;
  }
  length += norm(a.p - b.p);
  return length > 0 ? std::min(length, most) : most;
}

}  // namespace trammel::kernel
