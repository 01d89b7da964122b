// Solvers of the constrained equations of motion, M a = f + J^T lambda, J a = gamma, for
// accelerations a and multipliers lambda. All solvers give the same solution.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <string_view>

#include "trammel/base/status.hpp"
#include "trammel/constraint/rank/row_basis.hpp"

namespace trammel {

enum class ConstraintSolver {
  automatic,
  schur,       // Schur complement: J M^-1 J^T lambda = gamma - J M^-1 f
  star,        // the same; rows of each arm eliminated at the body that all arms hold
  cluster,     // the same; rows of each loop eliminated at the body that carries it
  null_space,  // null space: v = T u, J T = 0, T^T M T u' = T^T (f - M a_p), Saha's orthogonal
               // complement [Saha 1991]
  kkt,         // KKT matrix [M J^T; J 0]: M may be singular, but not on the motions J allows
  sparse       // Schur complement in maximal coordinates, sparse (sparse_solver.hpp)
};
std::string to_string(ConstraintSolver solver);
std::optional<ConstraintSolver> solver_named(std::string_view name);

// Solution of the constrained equations of motion: accelerations a (nv), multipliers lambda (per
// row), and the solver that computed them.
struct ConstrainedSolution {
  Eigen::VectorXd a, lambda;  // lambda of all rows; zero for rows outside the basis
  ConstraintSolver taken = ConstraintSolver::automatic;
};

// Dense solvers for any rows and row basis: null_space, kkt, otherwise schur; automatic: schur,
// then kkt if M is singular. `f`: efforts minus bias. Fails if M (schur), T^T M T (null_space) or
// the KKT matrix is singular.
[[nodiscard]] Status solve_constrained_dense(ConstraintSolver solver, const Eigen::MatrixXd& M,
                                             const Eigen::MatrixXd& J, const Eigen::VectorXd& f,
                                             const Eigen::VectorXd& gamma, const RowBasis& basis,
                                             ConstrainedSolution& out);

// Null-space basis of the rows in the basis: J T = 0, orthonormal columns.
Eigen::MatrixXd null_space_basis(const Eigen::MatrixXd& J, const RowBasis& basis);
// The same of independent rows: J has full row rank.
Eigen::MatrixXd null_space_of(const Eigen::MatrixXd& J);

}  // namespace trammel
