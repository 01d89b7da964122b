#include "trammel/constraint/assembly/projection.hpp"

#include "trammel/base/linear_algebra.hpp"
#include "trammel/constraint/assembly/assembly.hpp"
#include "trammel/constraint/assembly/recursive_projection.hpp"
#include "trammel/constraint/equations/dense_rows.hpp"
#include "trammel/constraint/equations/violations.hpp"
#include "trammel/constraint/rank/basis_by_components.hpp"
#include "trammel/constraint/rank/rank_by_qr.hpp"
#include "trammel/constraint/solver/constrained_dynamics.hpp"
#include "trammel/constraint/solver/dense_solvers.hpp"
#include "trammel/dynamics/mass_matrix_blocks.hpp"
#include "trammel/dynamics/matrices.hpp"
#include "trammel/dynamics/workspace_buffers.hpp"

namespace trammel {

namespace {

// Violation that counts as zero: a few rounding errors of the mechanism's size.
constexpr double projected_violation = 1e-13;
// Violations are norms over all rows: above this number of rows their limits grow with its root.
constexpr double few_rows = 100;

class Projector {
 public:
  Projector(const char* context, const Model& model, Workspace& workspace,
            const PrescribedLoopMotion& loops, bool is_recursive)
      : context_(context),
        model_(model),
        workspace_(workspace),
        loops_(loops),
        rows_(model),
        is_recursive_(is_recursive),
        share_(std::sqrt(std::max(1.0, rows_.count() / few_rows))) {
    rows_.follow(model, loops);
  }

  // nonholonomic rows do not constrain a position
  Status decide_for_position(const State& state, const RowBasis* given) {
    bool are_all_holonomic = true;
    for (int k = 0; k < rows_.count(); ++k) are_all_holonomic &= rows_.is_holonomic(k);
    return decide(state, are_all_holonomic ? given : nullptr, true);
  }
  Status decide(const State& state, const RowBasis* given, bool for_position = false) {
    if (given != nullptr && !is_recursive_) {
      basis_ = *given;
      return {};
    }
    State there = state;
    std::fill(there.v.begin(), there.v.end(), 0.0);
    if (Status status = assemble_position(model_, there, workspace_, {.nudges = 0}); !status)
      return Status::failure(std::string(context_) + ": " + status.message());
    rows_.follow(model_, {});  // the way to a prescribed position is no error of the rows
    evaluate(there.q, there.v);
    rows_.follow(model_, loops_);
    if (is_recursive_) return decide_by_components(given, for_position);
    set_metric(there.q);
    Eigen::MatrixXd J = rows_.jacobian();
    if (for_position)
      for (int k = 0; k < rows_.count(); ++k)
        if (!rows_.is_holonomic(k)) J.row(k).setZero();
    basis_ = rank_by_qr(J, M_, rows_.scales());
    return {};
  }

  bool can_recur() const { return recursion_ != nullptr; }

  Status project_position(State& state) {
    if (!is_recursive_) set_metric(state.q);
    const std::vector<double> start = state.q;
    std::vector<double> q = start, gone(state.v.size());
    const double length = model_.characteristic_length();
    for (int step = 0; step < 50; ++step) {
      evaluate(q, workspace_->zero);
      difference(model_, start, q, gone);
      const Eigen::VectorXd x = as_vector(gone);
      // of all steps that satisfy the linearized rows, the one with the least total displacement
      ConstrainedSolution least;
      if (Status status = is_recursive_ ? step_recursively(start, q, gone, least)
                                        : solve(-M_ * x, -rows_.error(), least);
          !status)
        return status;
      const double largest = max_abs(least.a);
      const bool is_closed =
          weighted(rows_.error()).norm() <= share_ * projected_violation * (1 + length);
      if (is_closed && largest <= 1e-9 * (1e-3 + max_abs(x))) break;
      const std::vector<double> from = q;
      integrate(model_, from, as_span(largest > 0.5 ? 0.5 / largest * least.a : least.a), q);
    }
    evaluate(q, workspace_->zero);
    if (weighted(rows_.error()).norm() > share_ * 1e-10 * length)
      return Status::failure(
          std::string(context_) + ": " + widest_gap(model_, rows_) +
          " after 50 Newton steps: the state is too far from the constraint manifold, assemble it "
          "first");
    state.q = q;
    return {};
  }

  Status project_velocity(State& state) {
    if (!is_recursive_) set_metric(state.q);
    evaluate(state.q, state.v);
    const double open = weighted(rows_.error()).norm();
    if (open > share_ * 1e-6 * model_.characteristic_length())
      return Status::failure(
          std::string(context_) + ": " + widest_gap(model_, rows_) +
          ": project the position or assemble the state first, which closes the loops");
    if (is_recursive_) return change_recursively(state);
    ConstrainedSolution least;
    if (Status status = solve(Eigen::VectorXd::Zero(model_.nv()), -rows_.rate(), least); !status)
      return status;
    for (std::size_t k = 0; k < state.v.size(); ++k) state.v[k] += least.a[Eigen::Index(k)];
    return {};
  }

 private:
  Status decide_by_components(const RowBasis* given, bool for_position) {
    SparseRows J = rows_.sparse_jacobian();
    for (int k = 0; k < J.rows() && for_position; ++k)
      if (!rows_.is_holonomic(k)) std::ranges::fill(J.values(k), 0.0);
    if (given != nullptr) {
      basis_ = *given;
    } else {
      MassMatrixBlocks inertia;
      inertia.evaluate(model_, workspace_->kinematics);
      std::vector<Eigen::MatrixXd> blocks;
      for (const MatrixComponent& component : J.components())
        blocks.push_back(inertia.block(model_, workspace_->kinematics, component.columns));
      basis_ = basis_by_components(J, blocks, rows_.scales());
    }
    recursion_ = RecursiveProjection::make(model_, basis_, J);
    return {};
  }
  // As solve(-M x, -c) with M at the start. M here is that of the last positions; at the minimum,
  // where the step is zero, there is no difference.
  Status step_recursively(std::span<const double> start, std::span<const double> q,
                          std::span<const double> x, ConstrainedSolution& out) {
    const KernelInput<double, double> input{model_, model_.numbers()};
    std::vector<double> f(x.size(), 0.0), still(x.size(), 0.0);
    if (std::ranges::any_of(x, [](double moved) { return moved != 0; })) {
      const auto efforts = [&](std::span<const double> a, std::span<double> tau) {
        kernel::kernels().inverse_dynamics(input, start, workspace_->zero, a, *workspace_, tau);
      };
      efforts(x, f);
      efforts(workspace_->zero, still);
      for (std::size_t k = 0; k < f.size(); ++k) f[k] = still[k] - f[k];
    }
    out.a.resize(model_.nv());
    return recursion_->step_position(model_, q, f, {out.a.data(), x.size()}) ? Status() : weak();
  }
  // Twice: the second change removes what cancellation left of the first.
  Status change_recursively(State& state) {
    std::vector<double> d(state.v.size()), v = state.v;
    for (int pass = 0; pass < 2; ++pass) {
      if (!recursion_->step_velocity(model_, state.q, v, d)) return weak();
      for (std::size_t k = 0; k < v.size(); ++k) v[k] += d[k];
    }
    state.v = v;
    return {};
  }
  Status weak() const {
    return Status::failure(std::string(context_) + ": the rows are nearly dependent here");
  }
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
  bool is_recursive_;
  double share_;
  RowBasis basis_;
  Eigen::MatrixXd M_;
  std::unique_ptr<RecursiveProjection> recursion_;
};

// Dense matrices of fewer coordinates than this are faster than a new elimination schedule.
constexpr int few_dofs = 60;

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

namespace internal {

Status project_position(const Model& model, State& state, Workspace& workspace,
                        const RowBasis* basis, const PrescribedLoopMotion& loops,
                        Projection method) {
  const char* const context = "project_position";
  if (Status status = check(context, model, state, workspace); !status) return status;
  if (!model.has_constraints()) return {};
  const auto project = [&](bool is_recursive) {
    Projector projector(context, model, workspace, loops, is_recursive);
    if (Status status = projector.decide_for_position(state, basis); !status) return status;
    if (is_recursive && !projector.can_recur())
      return Status::failure(std::string(context) + ": no recursive solver has these rows");
    return projector.project_position(state);
  };
  if (method == Projection::recursive ||
      (method == Projection::automatic && model.nv() > few_dofs && loops.q.empty())) {
    Status status = project(true);
    if (status.ok() || method == Projection::recursive) return status;
  }
  return project(false);
}

Status project_velocity(const Model& model, State& state, Workspace& workspace,
                        const RowBasis* basis, const PrescribedLoopMotion& loops,
                        Projection method) {
  const char* const context = "project_velocity";
  if (Status status = check(context, model, state, workspace); !status) return status;
  if (!model.has_constraints() && !model.has_prescribed_joints()) return {};
  const auto project = [&](bool is_recursive) {
    Projector projector(context, model, workspace, loops, is_recursive);
    if (Status status = projector.decide(state, basis); !status) return status;
    if (is_recursive && !projector.can_recur())
      return Status::failure(std::string(context) + ": no recursive solver has these rows");
    return projector.project_velocity(state);
  };
  if (method == Projection::recursive ||
      (method == Projection::automatic && model.nv() > few_dofs && loops.v.empty())) {
    Status status = project(true);
    if (status.ok() || method == Projection::recursive) return status;
  }
  return project(false);
}

}  // namespace internal

Status project_position(const Model& model, State& state, Workspace& workspace,
                        const RowBasis* basis, const PrescribedLoopMotion& loops) {
  return internal::project_position(model, state, workspace, basis, loops,
                                    internal::Projection::automatic);
}

Status project_velocity(const Model& model, State& state, Workspace& workspace,
                        const RowBasis* basis, const PrescribedLoopMotion& loops) {
  return internal::project_velocity(model, state, workspace, basis, loops,
                                    internal::Projection::automatic);
}

}  // namespace trammel
