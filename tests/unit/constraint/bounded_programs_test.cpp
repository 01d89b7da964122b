// Quadratic programs with bounds against the best of all active sets: every entry free, at its
// lower or at its upper bound.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <limits>
#include <optional>
#include <random>

#include "trammel/constraint/assembly/bounded_least_squares.hpp"
#include "trammel/constraint/forces/effort_qp.hpp"

namespace trammel::bounded_programs_test {
namespace {

struct Program {
  Eigen::MatrixXd A;
  Eigen::VectorXd b, weights, center, lower, upper;
};

// Minimizes sum of weight (x - center)^2 with A x = b inside the bounds.
std::optional<Eigen::VectorXd> best_of_all(const Program& p) {
  const Eigen::Index n = p.A.cols(), m = p.A.rows();
  std::optional<Eigen::VectorXd> best;
  double least = std::numeric_limits<double>::infinity();
  int sets = 1;
  for (Eigen::Index k = 0; k < n; ++k) sets *= 3;
  for (int set = 0; set < sets; ++set) {
    Eigen::MatrixXd K = Eigen::MatrixXd::Zero(n + m, n + m);
    Eigen::VectorXd r(n + m);
    K.bottomLeftCorner(m, n) = p.A;
    K.topRightCorner(n, m) = p.A.transpose();
    r.tail(m) = p.b;
    for (Eigen::Index k = 0, code = set; k < n; ++k, code /= 3) {
      if (code % 3 != 0) K.row(k).setZero();
      K(k, k) = code % 3 == 0 ? p.weights[k] : 1;
      r[k] = code % 3 == 0 ? p.weights[k] * p.center[k] : code % 3 == 1 ? p.lower[k] : p.upper[k];
    }
    const Eigen::VectorXd x = K.completeOrthogonalDecomposition().solve(r).head(n);
    const double cost = p.weights.dot((x - p.center).cwiseAbs2());
    if ((p.A * x - p.b).norm() > 1e-9 || ((x - p.lower).array() < -1e-9).any() ||
        ((p.upper - x).array() < -1e-9).any() || cost >= least)
      continue;
    least = cost;
    best = x;
  }
  return best;
}

// A feasible program: b belongs to a point inside the bounds; the center is mostly outside.
Program random_program(int seed) {
  std::mt19937 engine(static_cast<unsigned>(seed));
  std::uniform_real_distribution<double> number(-1, 1);
  const Eigen::Index n = 2 + seed % 4, m = 1 + seed % 2;
  const auto random = [&](Eigen::Index size) {
    Eigen::VectorXd x(size);
    for (double& entry : x) entry = number(engine);
    return x;
  };
  Program p;
  p.A.resize(m, n);
  for (Eigen::Index k = 0; k < n; ++k) p.A.col(k) = random(m);
  p.lower = -0.6 * Eigen::VectorXd::Ones(n) + 0.3 * random(n);
  p.upper = 0.6 * Eigen::VectorXd::Ones(n) + 0.3 * random(n);
  const Eigen::VectorXd share = 0.5 * (Eigen::VectorXd::Ones(n) + 0.95 * random(n));
  p.b = p.A * (p.lower + share.cwiseProduct(p.upper - p.lower));
  p.weights = Eigen::VectorXd::Ones(n) + 0.9 * random(n);
  p.center = 2 * random(n);
  return p;
}

class EveryBoundedProgram : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(seeds, EveryBoundedProgram, testing::Range(1, 201));

TEST_P(EveryBoundedProgram, effort_qp_finds_the_least_cost) {
  Program p = random_program(GetParam());
  p.center.setZero();
  const std::optional<Eigen::VectorXd> best = best_of_all(p);
  ASSERT_TRUE(best);
  const EffortQp found = effort_qp(
      {.A = p.A, .needed = p.b, .weights = p.weights, .lower = p.lower, .upper = p.upper});
  ASSERT_EQ(found.verdict, EffortQp::Verdict::found);
  EXPECT_LT((found.effort - *best).norm(), 1e-8);  // weights from 0.1 to 1.9, random rows
}

TEST_P(EveryBoundedProgram, bounded_step_is_the_nearest) {
  Program p = random_program(GetParam());
  p.weights.setOnes();
  const std::optional<Eigen::VectorXd> best = best_of_all(p);
  ASSERT_TRUE(best);
  std::vector<Bound> bounds;
  for (int k = 0; k < int(p.lower.size()); ++k) bounds.push_back({k, p.lower[k], p.upper[k]});
  const Eigen::VectorXd step = bounded_step(p.A, p.b, p.center, bounds);
  EXPECT_LT((p.A * step - p.b).norm(), 1e-8);
  EXPECT_LT((step - *best).norm(), 1e-7);
}

}  // namespace
}  // namespace trammel::bounded_programs_test
