// Row bases of large components: the ranks of integer matrices, the decision of the dense matrix,
// ladders and lattices of known mobility, rows that are redundant or nearly so.
#include "trammel/constraint/rank/sparse_row_basis.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "tests/support/exact_rank.hpp"
#include "tests/support/how_many.hpp"
#include "trammel/base/linear_algebra.hpp"
#include "trammel/constraint/rank/basis_by_components.hpp"

namespace trammel::sparse_row_basis_test {
namespace {

RowScales scales_of(const Eigen::MatrixXd& J) {
  RowScales scales;
  scales.natural = J.rowwise().norm().cwiseMax(1e-300);
  scales.rounding = scales.uncertainty =
      8 * std::numeric_limits<double>::epsilon() * scales.natural;
  return scales;
}
std::vector<Eigen::MatrixXd> inertia_of(const SparseRows& J, double ratio = 1) {
  std::vector<Eigen::MatrixXd> blocks;
  for (const MatrixComponent& component : J.components()) {
    const auto n = std::ssize(component.columns);
    blocks.push_back(Eigen::VectorXd::LinSpaced(n, 1, ratio).asDiagonal().toDenseMatrix());
  }
  return blocks;
}

class EveryComponentOfIntegers : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(seeds, EveryComponentOfIntegers, testing::Range(1, 1 + how_many(300)));

TEST_P(EveryComponentOfIntegers, has_its_exact_rank_and_dependent_sets) {
  const IntegerMatrix exact = random_integer_matrix(GetParam());
  const Eigen::MatrixXd J = as_doubles(exact);
  const SparseRows rows = SparseRows::of(J);
  const RowBasis basis = basis_by_components(rows, inertia_of(rows, 30), scales_of(J),
                                             {.with_singular_values = true, .most_dense_rows = 0});
  EXPECT_EQ(basis.rank(), exact_rank(exact));
  EXPECT_EQ(exact_rank(rows_of(exact, basis.rows)), basis.rank());
  EXPECT_TRUE(basis.undecided.empty());
  EXPECT_TRUE(std::ranges::is_sorted(basis.pivots, std::ranges::greater()));
  EXPECT_TRUE(std::ranges::is_sorted(basis.singular, std::ranges::greater()));
}

// k squares on a rail: square i has its own slide and those of its neighbors.
struct Ladder {
  explicit Ladder(int k, double scale = 1) : J(Eigen::MatrixXd::Zero(2 * k, 2 * k + 1)) {
    Random random(k);
    for (int i = 0; i < 2 * k; ++i)
      for (int f = i / 2 * 2; f < i / 2 * 2 + 3; ++f)
        J(i, f) = (i % 4 < 2 ? scale : 1) * (random() + (f == i ? 2 : 0));
  }
  RowBasis decide(const RowScales& scales, double* error = nullptr) const {
    const SparseRows rows = SparseRows::of(J);
    return basis_by_components(rows, inertia_of(rows, 5), scales, {.error = error});
  }
  Eigen::MatrixXd J;
};

TEST(LargeComponent, counts_a_doubled_row_once) {
  Ladder ladder(40);
  ASSERT_GT(ladder.J.rows(), most_dense_rows);
  EXPECT_EQ(ladder.decide(scales_of(ladder.J)).rank(), 80);
  const Eigen::MatrixXd single = ladder.J;
  ladder.J.resize(83, single.cols());
  ladder.J << single, 3 * single.row(7), single.row(20) - single.row(21),
      Eigen::RowVectorXd::Zero(single.cols());
  const RowBasis basis = ladder.decide(scales_of(ladder.J));
  EXPECT_EQ(basis.rank(), 80);
  EXPECT_TRUE(basis.undecided.empty());
  const std::vector<DependentSet> sets = dependent_sets(SparseRows::of(ladder.J), basis);
  ASSERT_EQ(sets.size(), 3u);
  std::size_t doubled = 0, combined = 0;
  for (const DependentSet& set : sets) {
    Eigen::RowVectorXd sum = Eigen::RowVectorXd::Zero(single.cols());
    for (std::size_t k = 0; k < set.rows.size(); ++k)
      sum += set.weights[k] * ladder.J.row(set.rows[k]);
    EXPECT_LT(sum.norm(), 1e-13);
    doubled += set.rows == std::vector{7, 80} ? 1 : 0;
    combined += set.rows == std::vector{20, 21, 81} ? 1 : 0;
  }
  EXPECT_EQ(doubled, 1u);
  EXPECT_EQ(combined, 1u);
}

// A row off its neighbor by a relative distance: dependent where that is below its rounding bound,
// independent where it is a thousand times above, undecided between. The bounds are chosen so that
// the three are apart by decades.
TEST(LargeComponent, decides_a_nearly_dependent_row_by_its_bound) {
  for (const double scale : {1.0, 1e-6, 1e6}) {
    Ladder ladder(40, scale);
    const Eigen::MatrixXd single = ladder.J;
    for (const double far : {1e-15, 1e-11, 1e-7}) {
      ladder.J = Eigen::MatrixXd::Zero(81, single.cols() + 1);
      ladder.J.leftCols(single.cols()) << single, single.row(30);
      ladder.J(80, single.cols()) = far * single.row(30).norm();  // of no other row
      RowScales scales = scales_of(ladder.J);
      scales.rounding = scales.uncertainty = 1e-13 * scales.natural;
      const RowBasis basis = ladder.decide(scales);
      const int pairs =
          int(std::ranges::count(basis.rows, 30) + std::ranges::count(basis.rows, 80));
      if (far < 1e-13) {
        EXPECT_EQ(basis.rank(), 80);
        EXPECT_EQ(pairs, 1);
        EXPECT_TRUE(basis.undecided.empty());
      } else if (far < 1e-9) {
        EXPECT_EQ(basis.rank(), 80);
        ASSERT_EQ(basis.undecided.size(), 1u);
        EXPECT_GT(basis.undecided[0].length, basis.undecided[0].bound);
      } else {
        EXPECT_EQ(basis.rank(), 81);
        EXPECT_EQ(pairs, 2);
      }
    }
  }
}

// Nearly dependent as a whole, although no row is close to another one: the certificate fails, or
// finds it. A ring of rows a_i = e_i - (1 + d_i) e_(i+1), whose determinant is 1 - prod (1 + d_i).
TEST(LargeComponent, finds_a_dependence_of_all_rows) {
  for (const double off : {0.0, 1e-3}) {
    const int n = 90;
    Eigen::MatrixXd J = Eigen::MatrixXd::Zero(n, n);
    for (int i = 0; i < n; ++i) {
      J(i, i) = 1;
      J(i, (i + 1) % n) = -1;
    }
    J(n - 1, 0) -= off;
    const SparseRows rows = SparseRows::of(J);
    const RowBasis basis = basis_by_components(rows, inertia_of(rows), scales_of(J));
    EXPECT_EQ(basis.rank(), off == 0 ? n - 1 : n);
    EXPECT_TRUE(basis.undecided.empty());
    if (off > 0) continue;
    const std::vector<DependentSet> sets = dependent_sets(rows, basis);
    ASSERT_EQ(sets.size(), 1u);
    ASSERT_EQ(int(sets[0].rows.size()), n);  // the sum of all rows is zero
    for (const double weight : sets[0].weights) EXPECT_NEAR(std::abs(weight), 1, 1e-12);
  }
}

TEST(LargeComponent, has_the_relative_error_of_the_dense_matrix) {
  const Ladder ladder(40);
  const RowScales scales = scales_of(ladder.J);
  double sparse = 0;
  const RowBasis basis = ladder.decide(scales, &sparse);
  const SparseRows rows = SparseRows::of(ladder.J);
  double dense = 0;
  basis_by_components(rows, inertia_of(rows, 5), scales,
                      {.error = &dense, .most_dense_rows = 1000});
  EXPECT_EQ(basis.rank(), 80);
  // an estimate of the smallest singular value, from above
  EXPECT_LT(sparse, dense * (1 + 1e-6));
  EXPECT_GT(sparse, 0.75 * dense);
}

}  // namespace
}  // namespace trammel::sparse_row_basis_test
