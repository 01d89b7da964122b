// Selection of independent rows for every call (IncrementalRowSelector): exact ranks, preference of
// the given order, and when the selection is beyond doubt.
#include "trammel/constraint/rank/incremental_row_selector.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tests/support/exact_rank.hpp"
#include "tests/support/how_many.hpp"

namespace trammel::incremental_row_selector_test {
namespace {

std::vector<int> in_order(Eigen::Index n) {
  std::vector<int> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  return order;
}
IncrementalRowSelector chosen(const Eigen::MatrixXd& J, const Eigen::VectorXd& natural,
                              const std::vector<int>& order, int most) {
  IncrementalRowSelector selector;
  selector.prefer(order, int(J.cols()));
  selector.choose(J, natural, most);
  return selector;
}
// Rows that could be 1 long, all of them, in the order given or in that of the matrix.
IncrementalRowSelector chosen(const Eigen::MatrixXd& J, std::vector<int> order = {}) {
  if (order.empty()) order = in_order(J.rows());
  return chosen(J, Eigen::VectorXd::Ones(J.rows()), order, int(J.rows()));
}

class EverySelection : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(seeds, EverySelection, testing::Range(1, 1 + how_many(300)));

TEST_P(EverySelection, has_as_many_independent_rows_as_there_are) {
  const IntegerMatrix exact = random_integer_matrix(GetParam());
  const int rank = exact_rank(exact);
  Random random(GetParam() + 8000);
  std::vector<int> order = in_order(Eigen::Index(exact.size()));
  std::ranges::shuffle(order, random.engine);
  std::vector<int> first;
  for (const double scale : {1.0, 1e-12, 1e12}) {
    const Eigen::MatrixXd J = scale * as_doubles(exact);
    Eigen::VectorXd natural = J.rowwise().norm();
    const IncrementalRowSelector all = chosen(J, natural, order, int(J.rows()));
    EXPECT_EQ(all.rank(), rank);
    EXPECT_EQ(exact_rank(rows_of(exact, all.rows())), rank);
    EXPECT_TRUE(std::ranges::is_sorted(all.rows()));
    // 8 rows, growth of elimination below 100: rounding
    EXPECT_LT(all.left(), 1e-13);
    if (rank > 0) {
      EXPECT_GT(all.weakest(), 1e-4);  // integers: no pivot is small by chance
      EXPECT_TRUE(all.is_sure());
    }
    if (first.empty()) first = all.rows();
    EXPECT_EQ(all.rows(), first);  // the same at every scale
    // fewer than there are: independent all the same, and no longer beyond doubt
    if (rank < 2) continue;
    const IncrementalRowSelector some = chosen(J, natural, order, rank - 1);
    EXPECT_EQ(exact_rank(rows_of(exact, some.rows())), rank - 1);
    EXPECT_FALSE(some.is_sure());
  }
}

// Of x, y and x + y any two are independent: the first two in the order are selected.
TEST(IncrementalRowSelector, prefers_the_rows_that_come_first) {
  Eigen::MatrixXd J(3, 2);
  J << 1, 0, 0, 1, 1, 1;
  EXPECT_EQ(chosen(J, {0, 1, 2}).rows(), (std::vector{0, 1}));
  EXPECT_EQ(chosen(J, {2, 0, 1}).rows(), (std::vector{0, 2}));
  EXPECT_EQ(chosen(J, {1, 2, 0}).rows(), (std::vector{1, 2}));
}

// A row with a residual below 5 % of its scale waits until the others had their turn.
TEST(IncrementalRowSelector, takes_a_weak_row_only_if_no_other_is_left) {
  Eigen::MatrixXd J(3, 2);
  J << 1, 0, 1, 0.04, 0, 1;
  EXPECT_EQ(chosen(J).rows(), (std::vector{0, 2}));
  EXPECT_EQ(chosen(J).weakest(), 1);
  J(1, 1) = 0.06;
  EXPECT_EQ(chosen(J).rows(), (std::vector{0, 1}));
  EXPECT_NEAR(chosen(J).weakest(), 0.06, 1e-15);
  // without another one
  J(1, 1) = 0.04;
  const IncrementalRowSelector both = chosen(J.topRows(2));
  EXPECT_EQ(both.rows(), (std::vector{0, 1}));
  EXPECT_NEAR(both.weakest(), 0.04, 1e-15);
  EXPECT_TRUE(both.is_sure());
  // of two weak rows the stronger one
  J << 1, 0, 1, 0.02, 1, 0.03;
  EXPECT_EQ(chosen(J).rows(), (std::vector{0, 2}));
  EXPECT_NEAR(chosen(J).weakest(), 0.03, 1e-15);
}

TEST(IncrementalRowSelector, a_residual_is_relative_to_the_scale_of_its_row) {
  Eigen::MatrixXd J(3, 2);
  J << 1, 0, 1, 1, 0, 1;
  Eigen::VectorXd natural(3);
  natural << 1, 1, 1;
  EXPECT_EQ(chosen(J, natural, {0, 1, 2}, 3).rows(), (std::vector{0, 1}));
  natural[1] = 100;  // a row that could be a hundred times as long: 1 % is weak
  EXPECT_EQ(chosen(J, natural, {0, 1, 2}, 3).rows(), (std::vector{0, 2}));
}

// (1, 0) and (1, d): rounding, a weak pivot, a strong one.
TEST(IncrementalRowSelector, is_sure_of_rounding_and_of_strong_pivots_only) {
  const auto at = [](double d) {
    Eigen::MatrixXd J(2, 2);
    J << 1, 0, 1, d;
    return chosen(J);
  };
  for (const double d : {0.0, 1e-15, 9e-13}) {
    EXPECT_EQ(at(d).rank(), 1) << d;
    EXPECT_EQ(at(d).left(), d) << d;
    EXPECT_TRUE(at(d).is_sure()) << d;
  }
  for (const double d : {2e-12, 1e-8, 9e-5}) {
    EXPECT_EQ(at(d).rank(), 2) << d;
    EXPECT_EQ(at(d).weakest(), d) << d;
    EXPECT_FALSE(at(d).are_strong()) << d;
    EXPECT_FALSE(at(d).is_sure()) << d;
  }
  for (const double d : {2e-4, 0.5}) {
    EXPECT_EQ(at(d).rank(), 2) << d;
    EXPECT_TRUE(at(d).is_sure()) << d;
  }
}

TEST(IncrementalRowSelector, selects_no_more_than_asked) {
  const Eigen::MatrixXd J = Eigen::MatrixXd::Identity(3, 3);
  for (const int most : {0, 1, 2, 3}) {
    const IncrementalRowSelector some = chosen(J, Eigen::VectorXd::Ones(3), {2, 0, 1}, most);
    EXPECT_EQ(some.rank(), most);
    EXPECT_EQ(some.left(), most < 3 ? 1 : 0);
    EXPECT_EQ(some.is_sure(), most == 3);
  }
  EXPECT_EQ(chosen(J, Eigen::VectorXd::Ones(3), {2, 0, 1}, 1).rows(), std::vector{2});
}

TEST(IncrementalRowSelector, no_rows_no_dofs_and_rows_of_zeros) {
  IncrementalRowSelector none;
  EXPECT_FALSE(none.has_order());
  none.prefer({}, 3);
  none.choose(Eigen::MatrixXd(0, 3), Eigen::VectorXd(0), 0);
  EXPECT_EQ(none.rank(), 0);
  EXPECT_TRUE(none.is_sure());
  const IncrementalRowSelector still = chosen(Eigen::MatrixXd(2, 0));
  EXPECT_TRUE(still.has_order());
  EXPECT_EQ(still.rank(), 0);
  EXPECT_EQ(still.left(), 0);
  // a scale of 0 has nothing to divide by
  const IncrementalRowSelector zero =
      chosen(Eigen::MatrixXd::Zero(2, 2), Eigen::VectorXd::Zero(2), {0, 1}, 2);
  EXPECT_EQ(zero.rank(), 0);
  EXPECT_TRUE(zero.is_sure());
}

// A selector is used again at every state: nothing of an earlier selection is left.
TEST(IncrementalRowSelector, an_earlier_selection_leaves_nothing_behind) {
  Eigen::MatrixXd weak(2, 2), strong = Eigen::MatrixXd::Identity(2, 2);
  weak << 1, 0, 1, 1e-6;
  IncrementalRowSelector selector;
  selector.prefer({0, 1}, 2);
  selector.choose(weak, Eigen::VectorXd::Ones(2), 2);
  EXPECT_FALSE(selector.is_sure());
  selector.choose(strong, Eigen::VectorXd::Ones(2), 2);
  EXPECT_EQ(selector.rows(), (std::vector{0, 1}));
  EXPECT_EQ(selector.weakest(), 1);
  EXPECT_TRUE(selector.is_sure());
}

// Wherever it stands: a comparison with it must not hide it.
TEST(IncrementalRowSelector, is_never_sure_of_a_row_that_is_no_number) {
  for (int row = 0; row < 3; ++row)
    for (int column = 0; column < 2; ++column) {
      Eigen::MatrixXd J(3, 2);
      J << 1, 0, 0, 1, 0, 0;
      EXPECT_TRUE(chosen(J).is_sure());
      J(row, column) = std::nan("");
      EXPECT_FALSE(chosen(J).is_sure()) << row << " " << column;
    }
}

}  // namespace
}  // namespace trammel::incremental_row_selector_test
