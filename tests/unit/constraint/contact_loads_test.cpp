// Minimum-norm contact loads against the best of all sets of unloaded contacts.
#include "trammel/constraint/forces/min_norm_contact_loads.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <limits>
#include <optional>
#include <random>

namespace trammel::contact_loads_test {
namespace {

// Minimizes |forces + Z z| with nonnegative loads: every subset of the first `loads` entries is set
// to zero once (KKT conditions), and the shortest feasible result wins.
std::optional<Eigen::VectorXd> best_of_all(const Eigen::VectorXd& forces, const Eigen::MatrixXd& Z,
                                           int loads) {
  const Eigen::Index w = Z.cols();
  std::optional<Eigen::VectorXd> best;
  double least = std::numeric_limits<double>::infinity();
  for (int set = 0; set < 1 << loads; ++set) {
    std::vector<int> unloaded;
    for (int k = 0; k < loads; ++k)
      if (set >> k & 1) unloaded.push_back(k);
    const auto m = Eigen::Index(unloaded.size());
    Eigen::MatrixXd K = Eigen::MatrixXd::Zero(w + m, w + m);
    Eigen::VectorXd rhs(w + m);
    K.topLeftCorner(w, w) = Z.transpose() * Z;
    rhs.head(w) = -Z.transpose() * forces;
    for (Eigen::Index k = 0; k < m; ++k) {
      K.row(w + k).head(w) = Z.row(unloaded[std::size_t(k)]);
      K.col(w + k).head(w) = Z.row(unloaded[std::size_t(k)]);
      rhs[w + k] = -forces[unloaded[std::size_t(k)]];
    }
    const Eigen::VectorXd x = forces + Z * K.completeOrthogonalDecomposition().solve(rhs).head(w);
    if (x.head(loads).minCoeff() < -1e-9 || x.norm() >= least) continue;
    bool is_zero = true;
    for (const int k : unloaded) is_zero &= std::abs(x[k]) < 1e-9;
    if (!is_zero) continue;
    least = x.norm();
    best = x;
  }
  return best;
}

class EveryContactLoad : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(seeds, EveryContactLoad, testing::Range(1, 201));

TEST_P(EveryContactLoad, is_the_least_without_pulling) {
  std::mt19937 engine(static_cast<unsigned>(GetParam()));
  std::uniform_real_distribution<double> number(-1, 1);
  const int loads = 4, n = 6;
  const Eigen::Index ways = 2 + GetParam() % 2;
  const auto random = [&] { return number(engine); };
  const Eigen::MatrixXd Z = Eigen::MatrixXd::NullaryExpr(n, ways, random);
  const Eigen::VectorXd forces = Eigen::VectorXd::NullaryExpr(n, random);
  std::vector<bool> is_load(std::size_t(n), false);
  std::fill_n(is_load.begin(), loads, true);
  const Eigen::VectorXd found = min_norm_contact_loads(forces, Z, is_load);
  const std::optional<Eigen::VectorXd> best = best_of_all(forces, Z, loads);
  if (best) {
    EXPECT_GE(found.head(loads).minCoeff(), 0);
    EXPECT_LT((found - *best).norm(), 1e-7);
  } else {
    // no nonnegative loads: the least ones
    EXPECT_LT((Z.transpose() * found).norm(), 1e-9);
  }
}

// A weight on four wheels at the corners of a square, at (x, y) in units of half its side: the
// least loads are (1 +- x +- y) / 4 and all that one pattern adds. They can be nonnegative as long
// as the weight is above the square, |x| <= 1 and |y| <= 1, and jump where it leaves it: the least
// loads pull there from |x| + |y| = 1 on.
TEST(ContactLoads, have_margins_that_are_continuous_where_the_loads_jump) {
  const Eigen::MatrixXd Z = Eigen::Vector4d(1, -1, 1, -1);
  const std::vector<bool> is_load(4, true);
  const double y = 0.6, step = 1e-3;
  Eigen::VectorXd before, loads_before;
  double largest_jump = 0;
  for (double x = -0.2; x < 1.3; x += step) {
    const Eigen::VectorXd least = Eigen::Vector4d(1 + x + y, 1 + x - y, 1 - x - y, 1 - x + y) / 4;
    Eigen::VectorXd margins;
    const Eigen::VectorXd loads = min_norm_contact_loads(least, Z, is_load, &margins);
    for (Eigen::Index k = 0; k < 4; ++k) EXPECT_EQ(margins[k] < 0, loads[k] < 0) << x << ' ' << k;
    if (std::abs(x - 1) > 1e-9) { EXPECT_EQ(loads.minCoeff() < 0, x > 1) << x; }
    if (before.size() > 0) {
      // the interval along the unit pattern (1 -1 1 -1) / 2 is 1 - max(x, y) wide
      EXPECT_LT((margins - before).lpNorm<Eigen::Infinity>(), 1.5 * step) << x;
      largest_jump = std::max(largest_jump, (loads - loads_before).lpNorm<Eigen::Infinity>());
    }
    before = margins;
    loads_before = loads;
  }
  EXPECT_GT(largest_jump, 0.1);
}

}  // namespace
}  // namespace trammel::contact_loads_test
