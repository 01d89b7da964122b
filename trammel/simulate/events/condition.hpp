// Condition numbers of the constraint rows and of the projected inertia. Internal to this module.
#pragma once

#include "trammel/dynamics/workspace.hpp"
#include "trammel/model/state.hpp"

namespace trammel {

// 1 at best, infinite at a singularity. Independent of units: rotations count in radians,
// translations in the characteristic length of the mechanism.
struct ConditionNumbers {
  // Mass-weighted constraint rows: from the singular values of RowBasis, for the independent rows.
  // Grows as rows approach linear dependence. 1: no loops.
  double rows = 1;
  // Inertia along the motions that loops and prescribed motions allow: N^T M N with N orthonormal.
  // 1: at most one degree of freedom.
  double inertia = 1;
};
[[nodiscard]] Status condition(const Model& model, const State& state, Workspace& workspace,
                               ConditionNumbers& out);

}  // namespace trammel
