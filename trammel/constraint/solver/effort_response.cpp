#include "trammel/constraint/solver/effort_response.hpp"

#include <utility>

#include "trammel/base/linear_algebra.hpp"
#include "trammel/dynamics/workspace_buffers.hpp"

namespace trammel {

EffortResponse::Unloaded::Unloaded(const Model& of)
    : model(of), numbers(of.numbers()), workspace(of) {
  numbers.gravity = {};
  numbers.passive.clear();
}

EffortResponse::EffortResponse(const Model& model, std::span<const double> q,
                               const ConstraintRows& rows, const RowBasis& basis)
    : unloaded_(std::make_unique<Unloaded>(model)),
      q_(q.begin(), q.end()),
      zero_(std::size_t(model.nv())) {
  if (!model.has_constraints()) return;
  rows_ = std::make_unique<ConstraintRows>(rows);
  solver_ =
      RecursiveSolver::make(model, basis, rows.sparse_jacobian(), ConstraintSolver::automatic);
}

std::optional<EffortResponse> EffortResponse::make(const Model& model, std::span<const double> q,
                                                   const ConstraintRows& rows,
                                                   const RowBasis& basis, const Eigen::VectorXd& a,
                                                   const Eigen::VectorXd& f) {
  // A solver that does not fit the state is wrong by as much as a itself; rounding is less, also
  // times the condition of the mass matrix (1e9 for a row of a thousand four-bars).
  constexpr double tolerance = 1e-4;
  std::optional<EffortResponse> out;
  out.emplace(EffortResponse(model, q, rows, basis));
  Eigen::VectorXd found;
  if (!(*out)(f, found) || !(max_abs(Eigen::VectorXd(found - a)) <= tolerance * max_abs(a)))
    return std::nullopt;
  return out;
}

bool EffortResponse::operator()(const Eigen::VectorXd& f, Eigen::VectorXd& a) {
  const KernelInput<double, double> input{unloaded_->model, unloaded_->numbers};
  const std::span<const double> efforts{f.data(), zero_.size()};
  a.resize(f.size());
  const std::span<double> out{a.data(), zero_.size()};
  if (!rows_) {
    const Pivots pivots =
        kernel::kernels().forward_dynamics(input, q_, zero_, efforts, *unloaded_->workspace, out);
    return pivots.weak_dof == Pivots::none && a.allFinite();
  }
  if (!solver_) return false;
  return solver_->responds(input, q_, zero_, efforts, *rows_, std::exchange(is_moved_, true), out);
}

}  // namespace trammel
