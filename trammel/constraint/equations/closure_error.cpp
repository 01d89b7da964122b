#include "trammel/constraint/equations/closure_error.hpp"

#include <algorithm>
#include <cmath>

#include "trammel/constraint/equations/constraint_rows.hpp"
#include "trammel/dynamics/kernel/dispatch/table.hpp"
#include "trammel/dynamics/workspace_buffers.hpp"

namespace trammel {

ClosureError closure_error(const Model& model, const State& state, Workspace& workspace) {
  ClosureError error;
  if (!model.has_constraints()) return error;
  ConstraintRows rows(model);
  kernel::kernels().kinematics({model, model.numbers()}, state.q, state.v, workspace->zero,
                               *workspace, workspace->kinematics);
  rows.evaluate(model, workspace->kinematics, state.q, state.v, workspace->zero, {});
  for (int k = 0; k < rows.prescribed_start(); ++k) {
    const double unit = rows.is_turn(k) ? model.characteristic_length() : 1.0;
    error.position = std::max(error.position, unit * std::abs(rows.error()[k]));
    error.velocity = std::max(error.velocity, unit * std::abs(rows.rate()[k]));
  }
  return error;
}

}  // namespace trammel
