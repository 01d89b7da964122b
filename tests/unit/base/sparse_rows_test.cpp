// Sparse matrices by rows: products against dense ones, and components against a search along the
// entries.
#include "trammel/base/sparse_rows.hpp"

#include <gtest/gtest.h>

#include "tests/support/how_many.hpp"
#include "tests/support/random_robot.hpp"

namespace trammel::sparse_rows_test {
namespace {

class EverySparseMatrix : public testing::TestWithParam<int> {
 protected:
  EverySparseMatrix() {
    Random random(GetParam());
    dense = Eigen::MatrixXd::Zero(random.below(12), random.below(12));
    for (double& entry : dense.reshaped())
      if (random.below(6) == 0) entry = random();
    x = Eigen::VectorXd::Random(dense.cols());
    y = Eigen::VectorXd::Random(dense.rows());
    sparse = SparseRows::of(dense);
  }
  Eigen::MatrixXd dense;
  Eigen::VectorXd x, y;
  SparseRows sparse;
};
INSTANTIATE_TEST_SUITE_P(seeds, EverySparseMatrix, testing::Range(1, 1 + how_many(200)));

TEST_P(EverySparseMatrix, has_the_products_of_the_dense_one) {
  EXPECT_EQ(sparse.dense(), dense);
  EXPECT_TRUE((sparse * x).isApprox(dense * x, 1e-14) || dense.size() == 0 || (dense * x).isZero());
  EXPECT_LE((sparse * x - dense * x).norm(), 1e-14);
  EXPECT_LE((sparse.transpose_times(y) - dense.transpose() * y).norm(), 1e-14);
  for (int row = 0; row < sparse.rows(); ++row) {
    EXPECT_NEAR(sparse.norm(row), dense.row(row).norm(), 1e-15);
    for (int column = 0; column < sparse.cols(); ++column)
      EXPECT_EQ(sparse(row, column), dense(row, column));
  }
}

// Entries outside of the blocks are zero, and no block can be divided.
TEST_P(EverySparseMatrix, is_block_diagonal_in_its_components) {
  double inside = 0;
  std::vector<int> rows, columns;
  for (const MatrixComponent& component : sparse.components()) {
    const Eigen::MatrixXd block = sparse.block(component.rows, component.columns);
    EXPECT_EQ(block, dense(component.rows, component.columns));
    inside += block.cwiseAbs().sum();
    rows.insert(rows.end(), component.rows.begin(), component.rows.end());
    columns.insert(columns.end(), component.columns.begin(), component.columns.end());
    // from the first row along the entries: everything is reached
    std::vector<char> row_met(component.rows.size()), column_met(component.columns.size());
    row_met[0] = 1;
    for (std::size_t pass = 0; pass < rows.size() + columns.size(); ++pass)
      for (Eigen::Index i = 0; i < block.rows(); ++i)
        for (Eigen::Index j = 0; j < block.cols(); ++j)
          if (block(i, j) != 0 && (row_met[std::size_t(i)] || column_met[std::size_t(j)]))
            row_met[std::size_t(i)] = column_met[std::size_t(j)] = 1;
    EXPECT_EQ(std::ranges::count(row_met, 0) + std::ranges::count(column_met, 0), 0);
  }
  EXPECT_NEAR(inside, dense.cwiseAbs().sum(), 1e-13);
  for (std::vector<int>* list : {&rows, &columns}) {
    std::ranges::sort(*list);
    EXPECT_EQ(std::ranges::adjacent_find(*list), list->end()) << "in one component only";
  }
  for (int row = 0; row < sparse.rows(); ++row)
    EXPECT_EQ(sparse.component_of_row(row) < 0, dense.row(row).isZero(0));
  for (int column = 0; column < sparse.cols(); ++column)
    EXPECT_EQ(sparse.component_of_column(column) < 0, dense.col(column).isZero(0));
}

}  // namespace
}  // namespace trammel::sparse_rows_test
