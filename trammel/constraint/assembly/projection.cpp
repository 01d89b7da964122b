#include "trammel/constraint/assembly/projection.hpp"

#include "trammel/base/linear_algebra.hpp"
#include "trammel/constraint/assembly/assembly.hpp"
#include "trammel/constraint/equations/dense_rows.hpp"
#include "trammel/constraint/equations/violations.hpp"
#include "trammel/constraint/rank/rank_by_qr.hpp"
#include "trammel/constraint/solver/constrained_dynamics.hpp"
#include "trammel/constraint/solver/dense_solvers.hpp"
#include "trammel/dynamics/matrices.hpp"
#include "trammel/dynamics/workspace_buffers.hpp"

namespace trammel {

namespace {

// Violation that counts as zero: a few rounding errors of the mechanism's size.
constexpr double projected_violation = 1e-13;

class Projector {
 public:
  Projector(const char* context, const Model& model, Workspace& workspace,
            const PrescribedLoopMotion& loops)
      : context_(context), model_(model), workspace_(workspace), loops_(loops), rows_(model) {
    rows_.follow(model, loops);
  }

  // nonholonomic rows do not constrain a position
  Status decide_for_position(const State& state, const RowBasis* given) {
    bool are_all_holonomic = true;
    for (int k = 0; k < rows_.count(); ++k) are_all_holonomic &= rows_.is_holonomic(k);
    return decide(state, are_all_holonomic ? given : nullptr, true);
  }
  Status decide(const State& state, const RowBasis* given, bool for_position = false) {
    if (given != nullptr) {
      basis_ = *given;
      return {};
    }
    State there = state;
    std::fill(there.v.begin(), there.v.end(), 0.0);
    if (Status status = assemble_position(model_, there, workspace_, {.nudges = 0}); !status)
      return Status::failure(std::string(context_) + ": " + status.message());
    set_metric(there.q);
    rows_.follow(model_, {});  // the way to a prescribed position is no error of the rows
    evaluate(there.q, there.v);
    rows_.follow(model_, loops_);
    Eigen::MatrixXd J = rows_.jacobian();
    if (for_position)
      for (int k = 0; k < rows_.count(); ++k)
        if (!rows_.is_holonomic(k)) J.row(k).setZero();
    basis_ = rank_by_qr(J, M_, rows_.scales());
    return {};
  }

  Status project_position(State& state) {
    set_metric(state.q);
    const std::vector<double> start = state.q;
    std::vector<double> q = start, gone(state.v.size());
    const double length = model_.characteristic_length();
    for (int step = 0; step < 50; ++step) {
      evaluate(q, workspace_->zero);
      difference(model_, start, q, gone);
      const Eigen::VectorXd x = as_vector(gone);
      // of all steps that satisfy the linearized rows, the one with the least total displacement
      ConstrainedSolution least;
      if (Status status = solve(-M_ * x, -rows_.error(), least); !status) return status;
      const double largest = max_abs(least.a);
      const bool is_closed = weighted(rows_.error()).norm() <= projected_violation * (1 + length);
      if (is_closed && largest <= 1e-9 * (1e-3 + max_abs(x))) break;
      const std::vector<double> from = q;
      integrate(model_, from, as_span(largest > 0.5 ? 0.5 / largest * least.a : least.a), q);
    }
    evaluate(q, workspace_->zero);
    if (weighted(rows_.error()).norm() > 1e-10 * length)
      return Status::failure(
          std::string(context_) + ": " + widest_gap(model_, rows_) +
          " after 50 Newton steps: the state is too far from the constraint manifold, assemble it "
          "first");
    state.q = q;
    return {};
  }

  Status project_velocity(State& state) {
    set_metric(state.q);
    evaluate(state.q, state.v);
    const double open = weighted(rows_.error()).norm();
    if (open > 1e-6 * model_.characteristic_length())
      return Status::failure(
          std::string(context_) + ": " + widest_gap(model_, rows_) +
          ": project the position or assemble the state first, which closes the loops");
    ConstrainedSolution least;
    if (Status status = solve(Eigen::VectorXd::Zero(model_.nv()), -rows_.rate(), least); !status)
      return status;
    for (std::size_t k = 0; k < state.v.size(); ++k) state.v[k] += least.a[Eigen::Index(k)];
    return {};
  }

 private:
  void set_metric(std::span<const double> q) {
    M_.resize(model_.nv(), model_.nv());
    kernel::kernels().mass_matrix({model_, model_.numbers()}, q, *workspace_, span_of(M_));
  }
  void evaluate(std::span<const double> q, std::span<const double> v) {
    kernel::kernels().kinematics({model_, model_.numbers()}, q, v, workspace_->zero, *workspace_,
                                 workspace_->kinematics);
    rows_.evaluate(model_, workspace_->kinematics, q, v, workspace_->zero, {});
  }
  Eigen::VectorXd weighted(Eigen::VectorXd errors) const {
    for (int k = 0; k < rows_.count(); ++k)
      if (rows_.is_turn(k)) errors[k] *= model_.characteristic_length();
    return errors;
  }
  Status solve(const Eigen::VectorXd& f, const Eigen::VectorXd& gamma, ConstrainedSolution& out) {
    const Status status = solve_constrained_dense(ConstraintSolver::automatic, M_, rows_.jacobian(),
                                                  f, gamma, basis_, out);
    return status.ok() ? status : Status::failure(std::string(context_) + ": " + status.message());
  }

  const char* context_;
  const Model& model_;
  Workspace& workspace_;
  PrescribedLoopMotion loops_;
  ConstraintRows rows_;
  RowBasis basis_;
  Eigen::MatrixXd M_;
};

Status check(const char* context, const Model& model, const State& state, Workspace& workspace) {
  expects_same_model(context, workspace, model);
  if (state.q.size() != std::size_t(model.nq()) || state.v.size() != std::size_t(model.nv()))
    throw std::invalid_argument(fmt::format(
        "{}: the state has {} positions and {} velocities, the model has nq = {}, nv = {}", context,
        state.q.size(), state.v.size(), model.nq(), model.nv()));
  for (const std::vector<double>* x : {&state.q, &state.v})
    for (const double value : *x)
      if (!std::isfinite(value))
        return Status::failure(
            fmt::format("{}: the state is not finite: give it finite numbers", context));
  return answerable(context, model, Constraints::honored, Forces::apart);
}

}  // namespace

Status project_position(const Model& model, State& state, Workspace& workspace,
                        const RowBasis* basis, const PrescribedLoopMotion& loops) {
  const char* const context = "project_position";
  if (Status status = check(context, model, state, workspace); !status) return status;
  if (!model.has_constraints()) return {};
  Projector projector(context, model, workspace, loops);
  if (Status status = projector.decide_for_position(state, basis); !status) return status;
  return projector.project_position(state);
}

Status project_velocity(const Model& model, State& state, Workspace& workspace,
                        const RowBasis* basis, const PrescribedLoopMotion& loops) {
  const char* const context = "project_velocity";
  if (Status status = check(context, model, state, workspace); !status) return status;
  if (!model.has_constraints() && !model.has_prescribed_joints()) return {};
  Projector projector(context, model, workspace, loops);
  if (Status status = projector.decide(state, basis); !status) return status;
  return projector.project_velocity(state);
}

}  // namespace trammel
