#include "trammel/constraint/system/constraint_evaluation.hpp"

#include "trammel/base/linear_algebra.hpp"
#include "trammel/constraint/assembly/assembly.hpp"
#include "trammel/constraint/rank/rank_by_qr.hpp"
#include "trammel/constraint/rank/row_condition.hpp"
#include "trammel/dynamics/kernel/dispatch/table.hpp"
#include "trammel/dynamics/matrices.hpp"
#include "trammel/dynamics/workspace_buffers.hpp"

namespace trammel {

namespace {

// Violation, relative to the characteristic length, below which the state itself decides the rank.
constexpr double closed_tolerance = 1e-11;

RowBasis basis_of(const ConstraintRows& rows, Eigen::Index count, const Eigen::MatrixXd& M,
                  const ConstraintEvaluation::DecideOptions& options) {
  const Eigen::MatrixXd J = rows.jacobian().topRows(count);
  RowScales scales = rows.scales();
  for (Eigen::VectorXd* each : {&scales.natural, &scales.rounding, &scales.uncertainty})
    each->conservativeResize(count);
  const RowBasis basis = options.values == Singular::computed
                             ? rank_with_singular_values(J, M, scales)
                             : rank_by_qr(J, M, scales);
  if (options.error != nullptr) *options.error = relative_error(J, M, scales, basis);
  return basis;
}

}  // namespace

void ConstraintEvaluation::evaluate(const Model& model, std::span<const double> q,
                                    std::span<const double> v, Workspace& workspace) {
  kernel::kernels().kinematics({model, model.numbers()}, q, v, workspace->zero, *workspace,
                               workspace->kinematics);
  rows.evaluate(model, workspace->kinematics, q, v, workspace->zero, {});
}

void ConstraintEvaluation::evaluate_with_inertia(const Model& model, const State& state,
                                                 Workspace& workspace) {
  evaluate(model, state.q, state.v, workspace);
  kernel::kernels().mass_matrix({model, model.numbers()}, state.q, *workspace, span_of(M));
}

Status ConstraintEvaluation::decide(const Model& model, const State& state, Workspace& workspace,
                                    const DecideOptions& options, RowBasis& basis) {
  const auto m = Eigen::Index(options.count < 0 ? rows.count() : options.count);
  evaluate(model, state.q, state.v, workspace);
  if (options.frozen_rank < 0 && rows.error().size() > 0 &&
      max_abs(rows.error()) > closed_tolerance * model.characteristic_length()) {
    State closed = state;
    if (Status status = assemble_position(model, closed, workspace, {.nudges = 0}); !status)
      return status;
    evaluate(model, closed.q, closed.v, workspace);
    Eigen::MatrixXd M_closed(model.nv(), model.nv());
    kernel::kernels().mass_matrix({model, model.numbers()}, closed.q, *workspace,
                                  span_of(M_closed));
    basis = basis_of(rows, m, M_closed, options);
    return {};
  }
  kernel::kernels().mass_matrix({model, model.numbers()}, state.q, *workspace, span_of(M));
  basis = basis_of(rows, m, M, options);
  if (options.frozen_rank >= 0 && options.count < 0 && basis.rank() > options.frozen_rank)
    basis.rows.resize(std::size_t(options.frozen_rank));
  return {};
}

}  // namespace trammel
