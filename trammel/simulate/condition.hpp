// How near is it to a pose where its equations have no single answer? For this room only.
#pragma once

#include "trammel/dynamics/workspace.hpp"
#include "trammel/model/state.hpp"

namespace trammel {

// Condition numbers: 1 at best, infinite where it is singular. Neither depends on units: turns
// count in radians, slides in the mechanism's characteristic length.
struct ConditionNumbers {
  // Of the rows that hold loops together, as inertia sees them (the singular values of RankPlan,
  // those of the independent rows): where it grows, rows come to depend on each other. 1: no loops.
  double rows = 1;
  // Of the inertia that is felt along the motions that loops and plans leave: N^T M N with N
  // orthonormal. 1: it can move in at most one way.
  double inertia = 1;
};
[[nodiscard]] Status condition(const Model& model, const State& state, Workspace& workspace,
                               ConditionNumbers& out);

}  // namespace trammel
