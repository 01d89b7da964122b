// Dense constraint rows of a model at one state. Internal to the constraint module.
#pragma once

#include "trammel/constraint/equations/constraint_rows.hpp"
#include "trammel/dynamics/eval_context.hpp"
#include "trammel/dynamics/kernel/dispatch/table.hpp"
#include "trammel/dynamics/workspace_buffers.hpp"

namespace trammel {

inline Eigen::Map<const Eigen::VectorXd> as_vector(std::span<const double> x) {
  return {x.data(), Eigen::Index(x.size())};
}
inline std::span<const double> as_span(const Eigen::VectorXd& x) {
  return {x.data(), std::size_t(x.size())};
}

// Evaluates the rows at the context's state with zero accelerations, except the prescribed ones:
// rows.acceleration() is then -gamma.
inline void evaluate_rows(const EvalContext& context, Workspace& workspace, ConstraintRows& rows) {
  kernel::kernels().kinematics(context.unloaded_input(), context.q(), context.v(), context.zero(),
                               *workspace, workspace->kinematics);
  // loop joints driven by motion have zero acceleration unless inputs.loop_a is given
  const std::vector<double> steady(std::size_t(context.model().loop_nv()));
  const std::span<const double> loop_a = context.inputs().loop_a;
  rows.evaluate(context.model(), workspace->kinematics, context.q(), context.v(), context.zero(),
                context.inputs().a, loop_a.empty() ? std::span<const double>(steady) : loop_a);
}

// Weight of each dof: 1 for a rotation, 1 / characteristic length for a slide, so that they
// compare.
inline Eigen::VectorXd dof_weights(const Model& model, const Positions& positions) {
  Eigen::VectorXd weights(model.nv());
  for (int f = 0; f < model.nv(); ++f) {
    const Vec3<double>& w = positions.axes[std::size_t(f)].angular;
    weights[f] = dot(w, w) > 0.25 ? 1 : 1 / model.characteristic_length();
  }
  return weights;
}

}  // namespace trammel
