#include "trammel/constraint/solver/dense_solvers.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "trammel/base/linear_algebra.hpp"

namespace trammel {

namespace {

constexpr std::array<std::pair<ConstraintSolver, std::string_view>, 7> names{
    {{ConstraintSolver::automatic, "automatic"},
     {ConstraintSolver::schur, "schur"},
     {ConstraintSolver::star, "star"},
     {ConstraintSolver::cluster, "cluster"},
     {ConstraintSolver::null_space, "null_space"},
     {ConstraintSolver::kkt, "kkt"},
     {ConstraintSolver::sparse, "sparse"}}};

Status singular(ConstraintSolver solver) {
  return Status::failure("solver '" + to_string(solver) +
                         "': give a body that moves there a mass, or constrain it: the mass matrix "
                         "is singular (no inertia) along a motion");
}

Eigen::VectorXd spread(const Eigen::VectorXd& lambda, const RowBasis& basis) {
  Eigen::VectorXd all = Eigen::VectorXd::Zero(basis.count);
  for (int k = 0; k < basis.rank(); ++k) all[basis.rows[std::size_t(k)]] = lambda[k];
  return all;
}

// Data of one solve. Matrices are tested with Llt::is_regular: rounding can leave a dof without
// inertia a pivot of 1e-33.
struct Problem {
  const Eigen::MatrixXd& M;
  Eigen::MatrixXd J;  // independent rows only
  const Eigen::VectorXd& f;
  Eigen::VectorXd gamma;
};

Status schur(const Problem& problem, Eigen::VectorXd& a, Eigen::VectorXd& lambda) {
  const Llt M(problem.M);
  if (!M.is_regular()) return singular(ConstraintSolver::schur);
  // lambda by least squares on K = L^-1 J^T: K^T K is never formed
  const Eigen::MatrixXd K = M.solve_lower(problem.J.transpose());
  const Eigen::VectorXd free = M.solve_lower(problem.f);
  const Eigen::VectorXd rhs = problem.gamma - K.transpose() * free;
  lambda = Qr(K).solve_normal(rhs);
  a = M.solve_upper(free + K * lambda);
  return {};
}

Status by_complement(const Problem& problem, const Eigen::MatrixXd& T, Eigen::VectorXd& a,
                     Eigen::VectorXd& lambda) {
  const OrthogonalDecomposition J(problem.J);
  const Eigen::VectorXd particular = J.solve(problem.gamma);
  if (T.cols() > 0) {
    const Llt reduced(T.transpose() * problem.M * T);
    if (!reduced.is_regular()) return singular(ConstraintSolver::null_space);
    a = particular + T * reduced.solve(T.transpose() * (problem.f - problem.M * particular));
  } else {
    a = particular;
  }
  lambda = OrthogonalDecomposition(problem.J.transpose()).solve(problem.M * a - problem.f);
  return {};
}

// Orthonormal rows, J^T = Q R: near a singular pose two rows are nearly equal, and pivots of J
// itself would be as small as the square of their difference. The matrix is then singular only
// where a motion that the rows allow has no inertia.
Status kkt(const Problem& problem, Eigen::VectorXd& a, Eigen::VectorXd& lambda) {
  const Eigen::Index n = problem.M.rows(), m = problem.J.rows();
  const Qr rows(problem.J.transpose());
  const Eigen::MatrixXd Q = rows.thin_q(), R = rows.r();
  // blocks of equal size, or units would choose the pivots
  const double size = std::max(max_abs(problem.M), std::numeric_limits<double>::min());
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(n + m, n + m);
  matrix.topLeftCorner(n, n) = problem.M / size;
  matrix.topRightCorner(n, m) = Q;
  matrix.bottomLeftCorner(m, n) = Q.transpose();
  Eigen::VectorXd rhs(n + m);
  rhs.head(n) = problem.f / size;
  for (Eigen::Index k = 0; k < m; ++k)  // R^-T gamma
    rhs[n + k] = (problem.gamma[k] - R.col(k).head(k).dot(rhs.segment(n, k))) / R(k, k);
  const FullPivotLu lu(matrix);
  if (!lu.is_invertible()) return singular(ConstraintSolver::kkt);
  Eigen::VectorXd x = lu.solve(rhs);
  x += lu.solve(rhs - matrix * x);
  a = x.head(n);
  lambda = -size * solve_upper_triangular(R, x.tail(m));
  return {};
}

}  // namespace

std::string to_string(ConstraintSolver solver) {
  for (const auto& [which, name] : names)
    if (which == solver) return std::string(name);
  return {};
}
std::optional<ConstraintSolver> solver_named(std::string_view name) {
  for (const auto& [which, its_name] : names)
    if (its_name == name) return which;
  return std::nullopt;
}

Eigen::MatrixXd null_space_of(const Eigen::MatrixXd& J) {
  const Eigen::Index n = J.cols(), r = J.rows();
  if (r == 0) return Eigen::MatrixXd::Identity(n, n);
  return Qr(J.transpose()).q().rightCols(n - r);
}
Eigen::MatrixXd null_space_basis(const Eigen::MatrixXd& J, const RowBasis& basis) {
  return null_space_of(independent_rows(J, basis));
}

Status solve_constrained_dense(ConstraintSolver solver, const Eigen::MatrixXd& M,
                               const Eigen::MatrixXd& J, const Eigen::VectorXd& f,
                               const Eigen::VectorXd& gamma, const RowBasis& basis,
                               ConstrainedSolution& out) {
  if (basis.rank() == 0) {  // no independent row: a tree
    const Llt inertia(M);
    if (!inertia.is_regular()) return singular(solver);
    out = {inertia.solve(f), Eigen::VectorXd::Zero(basis.count), solver};
    return {};
  }
  Problem problem{M, independent_rows(J, basis), f, Eigen::VectorXd(basis.rank())};
  for (int k = 0; k < basis.rank(); ++k) problem.gamma[k] = gamma[basis.rows[std::size_t(k)]];
  Eigen::VectorXd lambda;
  Status status;
  out.taken = solver == ConstraintSolver::automatic ? ConstraintSolver::schur : solver;
  switch (out.taken) {
    case ConstraintSolver::null_space:
      status = by_complement(problem, null_space_basis(J, basis), out.a, lambda);
      break;
    case ConstraintSolver::kkt: status = kkt(problem, out.a, lambda); break;
    default: status = schur(problem, out.a, lambda);
  }
  if (!status.ok() && solver == ConstraintSolver::automatic) {
    out.taken = ConstraintSolver::kkt;
    status = kkt(problem, out.a, lambda);
  }
  if (!status.ok()) return status;
  out.lambda = spread(lambda, basis);
  return {};
}

}  // namespace trammel
