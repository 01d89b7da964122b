#include "trammel/constraint/system/sparse_projection.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "trammel/constraint/solver/projection_steps.hpp"
#include "trammel/dynamics/workspace_buffers.hpp"

namespace trammel {

namespace {

// Rows are weak where the decomposition has lost more digits, as of forward dynamics.
constexpr double weak = 1e-9;
// As of the recursive solver: residuals are sums over all constraints.
constexpr double few_constraints = 16;

double share_of(const Model& model) {
  const double constraints = double(model.closures().size() + model.rods().size() +
                                    model.frame_constraints().size() + model.couplings().size());
  return std::max(1.0, constraints / few_constraints);
}

class SparseProjection {
 public:
  SparseProjection(const Model& model, State& state, Workspace& workspace,
                   ConstraintEvaluation& evaluation, SparseSolver& solver)
      : model_(model),
        state_(state),
        workspace_(workspace),
        evaluation_(evaluation),
        solver_(solver) {
    evaluation_.correction.setZero(model.nv());
  }

  bool close_positions(double violation) {
    using Next = ProjectionSteps::Next;
    const ProjectionSteps steps{std::min(1.0, model_.characteristic_length()), share_of(model_),
                                violation, false};
    double before = std::numeric_limits<double>::infinity();
    for (int step = 0;; ++step) {
      evaluate();
      kernel::ConstraintResiduals residuals;
      residuals.error = rows().error().squaredNorm();
      if (residuals.error > steps.enough() && residuals.error < 1 && !solve(rows().error()))
        return false;
      const Next next = steps.next(residuals, as_span(evaluation_.correction), step, before);
      if (next == Next::fail) return false;
      if (next == Next::closed) return true;
      before = residuals.error;
      std::vector<double>& q = evaluation_.corrected;
      q.resize(state_.q.size());
      integrate(model_, state_.q, as_span(evaluation_.correction), q);
      state_.q.swap(q);
      if (next == Next::last_step) {
        evaluate();
        return true;
      }
    }
  }

  // After close_positions().
  bool change_velocities() {
    if (!solve(rows().rate()) || !evaluation_.correction.allFinite()) return false;
    for (std::size_t f = 0; f < state_.v.size(); ++f)
      state_.v[f] += evaluation_.correction[Eigen::Index(f)];
    return true;
  }

 private:
  const ConstraintRows& rows() const { return evaluation_.rows; }
  void evaluate() { evaluation_.evaluate(model_, state_.q, state_.v, workspace_); }
  // The change that removes a violation to first order.
  bool solve(const Eigen::VectorXd& violation) {
    evaluation_.right_side = -violation;
    return solver_
               .solve(model_, workspace_->kinematics, rows(), workspace_->zero,
                      evaluation_.right_side, evaluation_.correction, evaluation_.multipliers)
               .ok() &&
           solver_.weakest_pivot() > weak;
  }

  const Model& model_;
  State& state_;
  Workspace& workspace_;
  ConstraintEvaluation& evaluation_;
  SparseSolver& solver_;
};

}  // namespace

bool project_sparse(const Model& model, State& state, Workspace& workspace,
                    ConstraintEvaluation& evaluation, SparseSolver& solver, double violation) {
  SparseProjection projection(model, state, workspace, evaluation, solver);
  return projection.close_positions(violation) && projection.change_velocities();
}

}  // namespace trammel
