// Minimum-norm efforts within limits (QP), checked by the optimality conditions.
#include "trammel/constraint/forces/effort_qp.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <limits>
#include <random>

#include "tests/support/capability.hpp"

namespace trammel::effort_qp_test {
namespace {

using Eigen::MatrixXd, Eigen::VectorXd;

// Karush-Kuhn-Tucker (KKT) conditions: W u = A^T y + (multipliers of limits), which point inward
// and are nonzero only at limits.
void expect_least(const EffortProblem& problem, const EffortQp& found) {
  const Eigen::Index n = problem.A.cols();
  ASSERT_EQ(found.verdict, EffortQp::Verdict::found);
  EXPECT_LT((problem.A * found.effort - problem.needed).norm(),
            1e-10 * (1 + problem.needed.norm()));
  std::vector<bool> at_limit(std::size_t(n), false);
  for (const int k : found.at_lower) {
    at_limit[std::size_t(k)] = true;
    EXPECT_NEAR(found.effort[k], problem.lower[k], 1e-10);
  }
  for (const int k : found.at_upper) {
    at_limit[std::size_t(k)] = true;
    EXPECT_NEAR(found.effort[k], problem.upper[k], 1e-10);
  }
  for (Eigen::Index k = 0; k < n; ++k) {
    EXPECT_GE(found.effort[k], problem.lower[k] - 1e-10);
    EXPECT_LE(found.effort[k], problem.upper[k] + 1e-10);
  }
  const VectorXd slope = problem.weights.cwiseProduct(found.effort);
  // multipliers of A and of the active limits in one system
  const auto limits = Eigen::Index(found.at_lower.size() + found.at_upper.size());
  MatrixXd N = MatrixXd::Zero(n, problem.A.rows() + limits);
  N.leftCols(problem.A.rows()) = problem.A.transpose();
  Eigen::Index column = problem.A.rows();
  for (const int k : found.at_lower) N(k, column++) = 1;
  for (const int k : found.at_upper) N(k, column++) = -1;
  const VectorXd multipliers = N.completeOrthogonalDecomposition().solve(slope);
  EXPECT_LT((N * multipliers - slope).norm(), 1e-9 * (1 + slope.norm()));
  for (Eigen::Index k = problem.A.rows(); k < N.cols(); ++k) EXPECT_GE(multipliers[k], -1e-9);
}

EffortProblem random_problem(int seed) {
  std::mt19937 random{std::uint32_t(seed)};
  std::normal_distribution<double> any;
  std::uniform_real_distribution<double> positive(0.2, 3);
  const int rows = 1 + seed % 4, n = rows + 1 + seed % 5;
  EffortProblem out{MatrixXd::NullaryExpr(rows, n, [&] { return any(random); }),
                    VectorXd::Zero(rows),
                    VectorXd::NullaryExpr(n, [&] { return positive(random); }),
                    VectorXd::NullaryExpr(n, [&] { return -positive(random); }),
                    VectorXd::NullaryExpr(n, [&] { return positive(random); })};
  // a feasible problem: efforts within limits
  const VectorXd inside = VectorXd::NullaryExpr(n, [&] { return 0.95 * positive(random) / 3; });
  VectorXd u(n);
  for (int k = 0; k < n; ++k)
    u[k] = any(random) > 0 ? inside[k] * out.upper[k] : inside[k] * out.lower[k];
  out.needed = out.A * u;
  return out;
}

TEST(effort_qp, is_the_least_within_limits) {
  int limited = 0;
  for (int seed = 1; seed <= 400; ++seed) {
    SCOPED_TRACE(seed);
    const EffortProblem problem = random_problem(seed);
    const EffortQp found = effort_qp(problem);
    expect_least(problem, found);
    limited += found.at_lower.size() + found.at_upper.size() > 0 ? 1 : 0;
  }
  EXPECT_GT(limited, 100);  // some limits were active
}

// [Saha 1991, section 3.9]: L (L^T L)^-1 w, and with weights W^-1 L (L^T W^-1 L)^-1 w.
TEST(effort_qp, without_limits_is_the_formula_of_minimum_norm) {
  shows({"S-32", "effort_qp"});
  std::mt19937 random(3);
  std::normal_distribution<double> any;
  for (int n = 3; n < 8; ++n) {
    const MatrixXd L = MatrixXd::NullaryExpr(n, 3, [&] { return any(random); });
    const VectorXd w = VectorXd::NullaryExpr(3, [&] { return any(random); });
    const VectorXd weights = VectorXd::NullaryExpr(n, [&] { return 0.5 + std::abs(any(random)); });
    const EffortQp plain = effort_qp({.A = L.transpose(), .needed = w});
    const VectorXd norm = L * (L.transpose() * L).inverse() * w;
    EXPECT_LT((plain.effort - norm).norm(), 1e-11 * (1 + norm.norm()));
    EXPECT_LT((L.transpose() * plain.effort - w).norm(), 1e-12 * (1 + w.norm()));
    const MatrixXd light = weights.cwiseInverse().asDiagonal();
    const EffortQp weighted = effort_qp({.A = L.transpose(), .needed = w, .weights = weights});
    const VectorXd other = light * L * (L.transpose() * light * L).inverse() * w;
    EXPECT_LT((weighted.effort - other).norm(), 1e-11 * (1 + other.norm()));
    // all other efforts of the same effect have a larger norm
    const MatrixXd fighting = L.transpose().fullPivLu().kernel();
    if (n > 3) {
      for (Eigen::Index k = 0; k < fighting.cols(); ++k)
        for (const double much : {-0.3, 0.1})
          EXPECT_GT((plain.effort + much * fighting.col(k)).norm(), plain.effort.norm());
    }
  }
}

// u = (2, 20, 2) without limits. The first effort violates u_1 <= 1 by 1, the second u_2 >= 20.9 by
// less, and is limited later; then u_1 + u_3 = 204 - 209 = -5, and the limit of the first is left.
TEST(effort_qp, gives_up_a_limit_that_another_one_makes_idle) {
  const double none = std::numeric_limits<double>::infinity();
  const EffortQp found = effort_qp({.A = Eigen::RowVector3d(1, 10, 1),
                                    .needed = VectorXd::Constant(1, 204.0),
                                    .lower = Eigen::Vector3d(-none, 20.9, -none),
                                    .upper = Eigen::Vector3d(1, none, none)});
  ASSERT_EQ(found.verdict, EffortQp::Verdict::found);
  EXPECT_LT((found.effort - Eigen::Vector3d(-2.5, 20.9, -2.5)).norm(), 1e-11);
  EXPECT_EQ(found.at_lower, (std::vector<int>{1}));
  EXPECT_TRUE(found.at_upper.empty());
}

TEST(effort_qp, tells_how_much_limits_lack) {
  // two parallel efforts must give 3 together, each is limited to 1: half a unit is lacking for
  // each
  const EffortQp found = effort_qp({.A = MatrixXd::Ones(1, 2),
                                    .needed = VectorXd::Constant(1, 3.0),
                                    .lower = VectorXd::Constant(2, -1.0),
                                    .upper = VectorXd::Constant(2, 1.0)});
  EXPECT_EQ(found.verdict, EffortQp::Verdict::exceeds_limits);
  EXPECT_NEAR(found.lacking, 0.5, 1e-10);
  EXPECT_NEAR(found.effort[0], 1.5, 1e-9);
  // a weak one and a strong one: the strong one is at its limit
  const EffortQp uneven = effort_qp({.A = MatrixXd::Ones(1, 2),
                                     .needed = VectorXd::Constant(1, 3.0),
                                     .lower = Eigen::Vector2d(-0.1, -2.0),
                                     .upper = Eigen::Vector2d(0.1, 2.0)});
  EXPECT_NEAR(uneven.lacking, 0.45, 1e-10);
  EXPECT_EQ(uneven.at_upper, (std::vector<int>{0, 1}));
}

TEST(effort_qp, tells_what_no_effort_does) {
  MatrixXd A(2, 1);
  A << 1, 0;
  const EffortQp found = effort_qp({.A = A, .needed = Eigen::Vector2d(1, 2)});
  EXPECT_EQ(found.verdict, EffortQp::Verdict::out_of_reach);
  EXPECT_NEAR(found.uncontrollable_modes[1], 2, 1e-14);
  EXPECT_NEAR(found.uncontrollable_modes[0], 0, 1e-14);
  // also a small part; only rounding is nothing
  for (const double part : {1e-4, 1e-8, 1e-13})
    EXPECT_EQ(effort_qp({.A = A, .needed = Eigen::Vector2d(1, part)}).verdict,
              part > 1e-9 ? EffortQp::Verdict::out_of_reach : EffortQp::Verdict::found)
        << part;
}

}  // namespace
}  // namespace trammel::effort_qp_test
