// Least-squares solutions by components against the dense decomposition.
#include "trammel/base/component_least_squares.hpp"

#include <gtest/gtest.h>

#include "tests/support/how_many.hpp"
#include "tests/support/random_robot.hpp"

namespace trammel::component_least_squares_test {
namespace {

class EverySparseSystem : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(seeds, EverySparseSystem, testing::Range(1, 1 + how_many(100)));

// Redundant and undetermined systems, rows and columns chosen in any order.
TEST_P(EverySparseSystem, has_the_minimum_norm_solution_of_the_dense_one) {
  Random random(GetParam());
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(1 + random.below(12), 1 + random.below(12));
  for (double& entry : A.reshaped())
    if (random.below(5) == 0) entry = random();
  if (A.rows() > 2) A.row(2) = A.row(0);
  const auto some = [&](Eigen::Index of) {
    std::vector<int> list;
    for (int k = 0; k < int(of); ++k)
      if (random.below(4) > 0) list.push_back(k);
    std::ranges::shuffle(list, random.engine);
    return list;
  };
  const std::vector<int> rows = some(A.rows()), columns = some(A.cols());
  const Eigen::MatrixXd B = Eigen::MatrixXd::Random(std::ssize(rows), 2);
  const Eigen::MatrixXd X = ComponentLeastSquares(SparseRows::of(A), rows, columns).solve(B);
  const Eigen::MatrixXd dense = least_squares(A(rows, columns), B);
  ASSERT_EQ(X.rows(), std::ssize(columns));
  ASSERT_EQ(X.cols(), 2);
  EXPECT_LE(max_abs(X - dense), 1e-9 * (1 + max_abs(dense)));
}

}  // namespace
}  // namespace trammel::component_least_squares_test
