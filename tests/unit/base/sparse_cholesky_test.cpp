// Sparse Cholesky decomposition against the dense one, and its growth on grids.
#include "trammel/base/sparse_cholesky.hpp"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "tests/support/how_many.hpp"
#include "tests/support/random_robot.hpp"
#include "trammel/base/linear_algebra.hpp"

namespace trammel::sparse_cholesky_test {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// Blocks, cliques of them, and the same matrix dense.
struct Blocks {
  std::vector<int> sizes;
  std::vector<std::vector<int>> cliques;
  int rows = 0;

  int start(int block) const { return std::accumulate(sizes.begin(), sizes.begin() + block, 0); }
  // Fills both matrices with a Gram matrix of `width` columns per clique.
  Eigen::MatrixXd fill(SparseCholesky& sparse, int width, Random& random) const {
    Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(rows, rows);
    sparse.set_zero();
    for (std::size_t c = 0; c < cliques.size(); ++c) {
      std::vector<int> at;
      for (const int block : cliques[c])
        for (int i = 0; i < sizes[std::size_t(block)]; ++i) at.push_back(start(block) + i);
      RowMajor Y(Eigen::Index(at.size()), width);
      for (double& entry : Y.reshaped()) entry = random();
      sparse.add_gram(c, Y.data(), width);
      const Eigen::MatrixXd gram = Y * Y.transpose();
      for (std::size_t i = 0; i < at.size(); ++i)
        for (std::size_t j = 0; j < at.size(); ++j)
          dense(at[i], at[j]) += gram(Eigen::Index(i), Eigen::Index(j));
    }
    return dense;
  }
};

Blocks random_blocks(Random& random) {
  Blocks out;
  const int n = 1 + random.below(30);
  for (int k = 0; k < n; ++k) {
    out.sizes.push_back(1 + random.below(6));
    out.cliques.push_back({k});  // so that the matrix is regular
  }
  for (int c = 0; c < n; ++c) {
    std::vector<int> clique(static_cast<std::size_t>(n));
    std::iota(clique.begin(), clique.end(), 0);
    std::ranges::shuffle(clique, random.engine);
    clique.resize(std::size_t(std::min(n, 1 + random.below(4))));
    out.cliques.push_back(clique);
  }
  out.rows = out.start(n);
  return out;
}

class EverySparseDefiniteMatrix : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(seeds, EverySparseDefiniteMatrix, testing::Range(1, 1 + how_many(200)));

TEST_P(EverySparseDefiniteMatrix, has_the_solution_of_the_dense_one) {
  Random random(GetParam());
  const Blocks blocks = random_blocks(random);
  SparseCholesky sparse(blocks.sizes, blocks.cliques);
  ASSERT_EQ(sparse.rows(), blocks.rows);
  for (int again = 0; again < 2; ++again) {  // the analysis serves many matrices
    const Eigen::MatrixXd dense = blocks.fill(sparse, 8, random);
    EXPECT_GT(sparse.factor(), 1e-9);
    const Eigen::VectorXd b = Eigen::VectorXd::Random(blocks.rows);
    Eigen::VectorXd x = b;
    sparse.solve({x.data(), std::size_t(x.size())});
    // backward stable: rounding of the matrix times the solution
    EXPECT_LT((dense * x - b).norm(), 1e-13 * (dense.norm() * x.norm() + b.norm()));
    for (std::size_t k = 0; k < blocks.sizes.size(); ++k)
      EXPECT_EQ(sparse.start(int(k)), blocks.start(int(k)));
  }
}

// One clique of two blocks with a common row: the second pivot of that row is rounding.
TEST(SparseCholesky, reports_a_singular_matrix_and_stays_finite) {
  SparseCholesky sparse({2, 1}, {{0, 1}});
  const double rows[] = {1, 0, 0, 1, 3, 4};  // the third is a sum of the others
  sparse.add_gram(0, rows, 2);
  EXPECT_LT(sparse.factor(), 1e-14);
  std::vector<double> x{1, 2, 3};
  sparse.solve(x);
  for (const double value : x) EXPECT_TRUE(std::isfinite(value));
  sparse.set_zero();
  EXPECT_EQ(sparse.factor(), 0);
}

TEST(SparseCholesky, has_blocks_without_neighbors_and_none_at_all) {
  SparseCholesky none({}, {});
  EXPECT_EQ(none.rows(), 0);
  EXPECT_EQ(none.factor(), 1);
  none.solve({});
  SparseCholesky apart({1, 1}, {{1}, {0}, {}});
  const double two = 2, three = 3;
  apart.add_gram(0, &two, 1);
  apart.add_gram(1, &three, 1);
  EXPECT_EQ(apart.factor(), 1);
  std::vector<double> x{18, 12};
  apart.solve(x);
  EXPECT_DOUBLE_EQ(x[0], 2);
  EXPECT_DOUBLE_EQ(x[1], 3);
}

// Growth exponents between two sizes, by counts of the analysis. Nested dissection has 1.5 and 1
// (times a logarithm) in the plane, 2 and 4/3 in space [George 1973]; dense matrices 3 and 2.
TEST(SparseCholesky, grows_with_grids_as_nested_dissection_does) {
  const auto grid = [](int n, int layers) {
    std::vector<std::vector<int>> cliques;
    const auto at = [&](int i, int j, int k) { return (k * n + j) * n + i; };
    for (int k = 0; k < layers; ++k)
      for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i) {
          if (i > 0) cliques.push_back({at(i, j, k), at(i - 1, j, k)});
          if (j > 0) cliques.push_back({at(i, j, k), at(i, j - 1, k)});
          if (k > 0) cliques.push_back({at(i, j, k), at(i, j, k - 1)});
        }
    return SparseCholesky(std::vector<int>(std::size_t(n * n * layers), 3), cliques);
  };
  const auto exponent = [](double a, double b, double ratio) {
    return std::log(b / a) / std::log(ratio);
  };
  const SparseCholesky plane[] = {grid(24, 1), grid(96, 1)};
  EXPECT_LT(exponent(plane[0].operations(), plane[1].operations(), 16), 1.65);
  EXPECT_LT(exponent(double(plane[0].numbers()), double(plane[1].numbers()), 16), 1.25);
  const SparseCholesky space[] = {grid(6, 6), grid(12, 12)};
  EXPECT_LT(exponent(space[0].operations(), space[1].operations(), 8), 2.3);
  EXPECT_LT(exponent(double(space[0].numbers()), double(space[1].numbers()), 8), 1.6);
}

}  // namespace
}  // namespace trammel::sparse_cholesky_test
