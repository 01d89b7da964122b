// Dense solvers of the constrained equations of motion: closed forms, and which one is used where
// the mass matrix is singular.
#include "trammel/constraint/solver/dense_solvers.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace trammel::dense_solvers_test {
namespace {

constexpr ConstraintSolver dense[] = {ConstraintSolver::automatic, ConstraintSolver::schur,
                                      ConstraintSolver::null_space, ConstraintSolver::kkt};

RowBasis basis_of(std::vector<int> rows, int count) {
  RowBasis basis;
  basis.rows = std::move(rows);
  basis.count = count;
  return basis;
}

// Two carts on a rail, with a bar between them: a = (f1 + f2)/(m1 + m2), and the bar's force moves
// the second one with it.
struct Carts {
  Carts(double m1, double m2, double f1, double f2, double relative = 0) {
    M << m1, 0, 0, m2;
    J << 1, -1;
    f << f1, f2;
    gamma << relative;  // a1 - a2
  }
  Status solve(ConstraintSolver solver, ConstrainedSolution& out) const {
    return solve_constrained_dense(solver, M, J, f, gamma, basis_of({0}, 1), out);
  }
  Eigen::MatrixXd M{2, 2}, J{1, 2};
  Eigen::VectorXd f{2}, gamma{1};
};

TEST(DenseSolvers, names) {
  for (const ConstraintSolver solver :
       {ConstraintSolver::automatic, ConstraintSolver::schur, ConstraintSolver::star,
        ConstraintSolver::cluster, ConstraintSolver::null_space, ConstraintSolver::kkt,
        ConstraintSolver::sparse})
    EXPECT_EQ(solver_named(to_string(solver)), solver);
  EXPECT_EQ(to_string(ConstraintSolver::null_space), "null_space");
  EXPECT_FALSE(solver_named("Schur"));
  EXPECT_FALSE(solver_named(""));
}

TEST(DenseSolvers, have_the_solution_of_two_carts_at_all_scales) {
  for (const double mass : {1e-12, 1e-3, 1.0, 1e12})
    for (const double force : {1e-12, 1.0, 1e12})
      for (const double m2 : {1e-3, 1.0, 1e3})
        for (const ConstraintSolver solver : dense) {
          const double m1 = mass, f1 = 3 * force, f2 = -force, unit = force / mass;
          const double relative = 0.5 * unit;
          ConstrainedSolution found;
          const Status status = Carts(m1, m2 * mass, f1, f2, relative).solve(solver, found);
          ASSERT_TRUE(status.ok()) << status.message();
          // (m1 + m2) a2 = f1 + f2 - m1 (a1 - a2)
          const double a2 = (f1 + f2 - m1 * relative) / (m1 + m2 * mass), a1 = a2 + relative;
          // lambda is the difference of numbers up to 3 force, or masses times accelerations
          EXPECT_NEAR(found.a[0], a1, 1e-12 * unit) << to_string(solver);
          EXPECT_NEAR(found.a[1], a2, 1e-12 * unit) << to_string(solver);
          EXPECT_NEAR(found.lambda[0], m1 * a1 - f1, 1e-11 * force) << to_string(solver);
          EXPECT_EQ(found.taken,
                    solver == ConstraintSolver::automatic ? ConstraintSolver::schur : solver);
        }
}

// A massless second cart: M is singular, but not on the motion that the bar allows.
TEST(DenseSolvers, take_kkt_where_the_mass_matrix_is_singular) {
  const Carts carts(2, 0, 3, 1);
  for (const ConstraintSolver solver :
       {ConstraintSolver::automatic, ConstraintSolver::null_space, ConstraintSolver::kkt}) {
    ConstrainedSolution found;
    const Status status = carts.solve(solver, found);
    ASSERT_TRUE(status.ok()) << status.message();
    EXPECT_NEAR(found.a[0], 2, 1e-14);
    EXPECT_NEAR(found.a[1], 2, 1e-14);
    EXPECT_NEAR(found.lambda[0], 1, 1e-14);  // 0 a2 = f2 - lambda
    EXPECT_EQ(found.taken, solver == ConstraintSolver::automatic ? ConstraintSolver::kkt : solver);
  }
  ConstrainedSolution none;
  const std::string message = carts.solve(ConstraintSolver::schur, none).message();
  EXPECT_NE(message.find("solver 'schur': give a body that moves there a mass"), std::string::npos)
      << message;
}

// Both carts are massless: the motion of the pair has no inertia, and no solver has a solution.
TEST(DenseSolvers, fail_where_an_allowed_motion_has_no_inertia) {
  Carts carts(0, 0, 3, 1);
  carts.M(0, 0) = carts.M(1, 1) = 1;  // inertia of the difference only: a1 - a2
  carts.M(0, 1) = carts.M(1, 0) = -1;
  for (const ConstraintSolver solver : dense) {
    ConstrainedSolution none;
    const std::string message = carts.solve(solver, none).message();
    EXPECT_NE(message.find("the mass matrix is singular"), std::string::npos)
        << to_string(solver) << ": " << message;
  }
}

TEST(DenseSolvers, without_independent_rows_solve_the_tree) {
  for (const ConstraintSolver solver : dense) {
    Carts carts(2, 4, 3, 1);
    ConstrainedSolution found;
    ASSERT_TRUE(solve_constrained_dense(solver, carts.M, Eigen::MatrixXd::Zero(3, 2), carts.f,
                                        Eigen::VectorXd::Zero(3), basis_of({}, 3), found)
                    .ok());
    EXPECT_DOUBLE_EQ(found.a[0], 1.5);
    EXPECT_DOUBLE_EQ(found.a[1], 0.25);
    EXPECT_EQ(found.lambda, Eigen::VectorXd::Zero(3));
    carts.M(1, 1) = 0;
    EXPECT_FALSE(solve_constrained_dense(solver, carts.M, Eigen::MatrixXd(0, 2), carts.f,
                                         Eigen::VectorXd(0), basis_of({}, 0), found)
                     .ok());
  }
}

// The bar twice: its force is on the row of the basis, and the other row has none.
TEST(DenseSolvers, give_redundant_rows_no_multiplier) {
  Carts carts(2, 4, 3, 1);
  Eigen::MatrixXd twice(2, 2);
  twice << 1, -1, 1, -1;
  for (const int kept : {0, 1})
    for (const ConstraintSolver solver : dense) {
      ConstrainedSolution found;
      ASSERT_TRUE(solve_constrained_dense(solver, carts.M, twice, carts.f, Eigen::VectorXd::Zero(2),
                                          basis_of({kept}, 2), found)
                      .ok());
      EXPECT_NEAR(found.a[0], 4.0 / 6, 1e-15);
      EXPECT_NEAR(found.lambda[kept], 2 * 4.0 / 6 - 3, 1e-14);
      EXPECT_EQ(found.lambda[1 - kept], 0);
    }
}

// As many rows as coordinates: the motion is prescribed, and the multipliers are what it takes.
TEST(DenseSolvers, without_a_degree_of_freedom) {
  Eigen::MatrixXd M(2, 2), J(2, 2);
  M << 2, 1, 1, 3;
  J << 1, 0, 0, 2;
  const Eigen::VectorXd f{{1, -1}}, gamma{{0.5, 3}};  // a = (0.5, 1.5)
  for (const ConstraintSolver solver : dense) {
    ConstrainedSolution found;
    ASSERT_TRUE(solve_constrained_dense(solver, M, J, f, gamma, basis_of({0, 1}, 2), found).ok());
    EXPECT_NEAR(found.a[0], 0.5, 1e-14);
    EXPECT_NEAR(found.a[1], 1.5, 1e-14);
    EXPECT_NEAR(found.lambda[0], 2 * 0.5 + 1.5 - 1, 1e-13);
    EXPECT_NEAR(found.lambda[1], (0.5 + 3 * 1.5 + 1) / 2, 1e-13);
  }
}

TEST(DenseSolvers, without_coordinates) {
  for (const ConstraintSolver solver : dense) {
    ConstrainedSolution found;
    ASSERT_TRUE(solve_constrained_dense(solver, Eigen::MatrixXd(0, 0), Eigen::MatrixXd(5, 0),
                                        Eigen::VectorXd(0), Eigen::VectorXd::Zero(5),
                                        basis_of({}, 5), found)
                    .ok());
    EXPECT_EQ(found.a.size(), 0);
    EXPECT_EQ(found.lambda.size(), 5);
  }
}

TEST(DenseSolvers, null_space_basis_is_orthonormal_and_annihilated) {
  Eigen::MatrixXd J(3, 4);
  J << 1, 2, 0, -1, 2, 4, 0, -2, 0, 1, 1e6, 0;  // the second row is redundant
  const RowBasis basis = basis_of({2, 0}, 3);
  const Eigen::MatrixXd T = null_space_basis(J, basis);
  ASSERT_EQ(T.cols(), 2);
  EXPECT_LT((T.transpose() * T - Eigen::MatrixXd::Identity(2, 2)).norm(), 1e-14);
  EXPECT_LT((J.row(0) * T).norm(), 1e-14);
  EXPECT_LT((J.row(2) * T).norm(), 1e6 * 1e-15);
  EXPECT_EQ(null_space_basis(J, basis_of({}, 3)), Eigen::MatrixXd::Identity(4, 4));
}

}  // namespace
}  // namespace trammel::dense_solvers_test
