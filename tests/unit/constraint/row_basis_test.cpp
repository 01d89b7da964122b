// Rank decisions (row_basis.hpp): matrices whose rank is known exactly, at all scales, and pairs of
// rows whose distance is a chosen multiple of the rounding bound. Equation numbers:
// docs/theory/rank.md.
#include "trammel/constraint/rank/row_basis.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/support/exact_rank.hpp"
#include "tests/support/how_many.hpp"
#include "trammel/constraint/rank/rank_by_qr.hpp"
#include "trammel/constraint/rank/row_condition.hpp"

namespace trammel::row_basis_test {
namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();
constexpr double qr_bound = 32 * eps;  // of the triangular solve and the reflections, (5)

// Each row as long as it could be; error bounds are the same part of the length of every row.
RowScales scales_of(const Eigen::MatrixXd& J, double error = 8 * eps) {
  RowScales scales{J.rowwise().norm(), {}, {}};
  for (double& length : scales.natural)
    if (length == 0) length = 1;
  scales.rounding = scales.uncertainty = error * scales.natural;
  return scales;
}
RowScales of_length_one(Eigen::Index rows, double rounding, double uncertainty) {
  return {Eigen::VectorXd::Ones(rows), Eigen::VectorXd::Constant(rows, rounding),
          Eigen::VectorXd::Constant(rows, uncertainty)};
}
std::vector<int> sorted(std::vector<int> rows) {
  std::ranges::sort(rows);
  return rows;
}
int above_tolerance(const RowBasis& basis) {
  return int(std::ranges::count_if(basis.singular, [&](double s) { return s > basis.tolerance; }));
}

const Eigen::MatrixXd no_inertia;  // K = J^T

// Row scales: powers of ten from 1e-12 to 1e12, a different one for each row.
class EveryIntegerMatrix : public testing::TestWithParam<int> {
 protected:
  const IntegerMatrix exact = random_integer_matrix(GetParam());
  const int rank = exact_rank(exact);
};
INSTANTIATE_TEST_SUITE_P(seeds, EveryIntegerMatrix, testing::Range(1, 1 + how_many(300)));

TEST_P(EveryIntegerMatrix, has_its_exact_rank_at_all_scales) {
  Random random(GetParam() + 7000);
  for (const bool is_mixed : {false, true})
    for (const double scale : {1e-12, 1e-3, 1.0, 1e12}) {
      Eigen::MatrixXd J = scale * as_doubles(exact);
      if (is_mixed)
        for (Eigen::Index k = 0; k < J.rows(); ++k) J.row(k) *= std::pow(10, random.below(13) - 6);
      Eigen::MatrixXd M = Eigen::MatrixXd::Zero(J.cols(), J.cols());  // of a tree of light to heavy
      for (Eigen::Index k = 0; k < M.rows(); ++k) M(k, k) = std::pow(10, random.below(7) - 3);
      for (const Eigen::MatrixXd& inertia : {no_inertia, M}) {
        const RowBasis basis = rank_by_qr(J, inertia, scales_of(J));
        EXPECT_EQ(basis.rank(), rank);
        EXPECT_EQ(basis.count, int(J.rows()));
        EXPECT_EQ(basis.redundant(), int(J.rows()) - rank);
        EXPECT_EQ(exact_rank(rows_of(exact, basis.rows)), rank);  // and these are independent
        EXPECT_TRUE(basis.undecided.empty());
        const RowBasis also = rank_with_singular_values(J, inertia, scales_of(J));
        EXPECT_EQ(also.rows, basis.rows);
        EXPECT_EQ(above_tolerance(also), rank);
        EXPECT_TRUE(std::ranges::is_sorted(also.singular, std::greater<>()));
      }
    }
}

TEST_P(EveryIntegerMatrix, has_dependent_sets_that_sum_to_zero) {
  const Eigen::MatrixXd J = as_doubles(exact);
  const RowBasis basis = rank_by_qr(J, no_inertia, scales_of(J));
  const Eigen::MatrixXd sets = dependent_sets(J, basis);
  ASSERT_EQ(sets.rows(), J.rows());
  ASSERT_EQ(sets.cols(), J.rows() - rank);
  EXPECT_EQ(independent_rows(J, basis), J(basis.rows, Eigen::all));
  if (sets.cols() == 0) return;
  // entries up to 32; coefficients come from a least-squares solution of condition below 1e3
  EXPECT_LT((sets.transpose() * J).lpNorm<Eigen::Infinity>(), 1e-11);
  for (Eigen::Index k = 0; k < sets.cols(); ++k)
    EXPECT_EQ(sets.col(k).lpNorm<Eigen::Infinity>(), 1);
  // one redundant row in each set, a different one in each
  std::vector<int> redundant;
  for (int row = 0; row < basis.count; ++row)
    if (std::ranges::find(basis.rows, row) == basis.rows.end()) redundant.push_back(row);
  for (std::size_t k = 0; k < redundant.size(); ++k)
    for (std::size_t row = 0; row < redundant.size(); ++row)
      EXPECT_EQ(sets(redundant[row], Eigen::Index(k)) != 0, row == k);
}

TEST(RowBasis, no_rows_and_no_dofs) {
  for (const auto& [rows, dofs] : {std::pair{0, 3}, {3, 0}, {0, 0}}) {
    const Eigen::MatrixXd J(rows, dofs);
    const RowScales scales = of_length_one(rows, eps, eps);
    for (const RowBasis& basis :
         {rank_by_qr(J, Eigen::MatrixXd::Identity(dofs, dofs), scales),
          rank_with_singular_values(J, Eigen::MatrixXd::Identity(dofs, dofs), scales)}) {
      EXPECT_EQ(basis.rank(), 0);
      EXPECT_EQ(basis.count, rows);
      EXPECT_EQ(basis.redundant(), rows);
      EXPECT_EQ(basis.least(), 1);
      EXPECT_TRUE(basis.undecided.empty());
      EXPECT_EQ(relative_error(J, Eigen::MatrixXd::Identity(dofs, dofs), scales, basis), 0);
      EXPECT_EQ(independent_rows(J, basis).rows(), 0);
    }
  }
}

// A row of zeros restricts nothing, whatever its scale, and is no undecided case.
TEST(RowBasis, rows_of_zeros) {
  Eigen::MatrixXd J = Eigen::MatrixXd::Zero(4, 3);
  for (const double natural : {0.0, 1e-12, 1.0, 1e12}) {
    RowScales scales = of_length_one(4, 8 * eps * natural, 8 * eps * natural);
    scales.natural.setConstant(natural);
    const RowBasis none = rank_with_singular_values(J, no_inertia, scales);
    EXPECT_EQ(none.rank(), 0);
    EXPECT_EQ(none.redundant(), 4);
    EXPECT_TRUE(none.undecided.empty());
  }
  J(2, 1) = 1;
  const RowBasis one = rank_by_qr(J, no_inertia, scales_of(J));
  EXPECT_EQ(one.rows, std::vector<int>{2});
  EXPECT_TRUE(one.undecided.empty());
}

// As the second hinge of a door: all rows are rounding, none of them is the largest "pivot".
TEST(RowBasis, rows_of_rounding_only) {
  Eigen::MatrixXd J(3, 2);
  J << 3e-17, -1e-16, 8e-17, 2e-17, -5e-17, 9e-17;
  const RowBasis basis = rank_with_singular_values(J, no_inertia, of_length_one(3, eps, eps));
  EXPECT_EQ(basis.rank(), 0);
  EXPECT_EQ(basis.least(), 1);
  EXPECT_TRUE(basis.undecided.empty());
  EXPECT_EQ(above_tolerance(basis), 0);
}

TEST(RowBasis, equal_opposite_and_multiple_rows) {
  Eigen::MatrixXd J(5, 3);
  J << 1, 2, -1, 1, 2, -1, -1, -2, 1, 4, 8, -4, 0, 1, 0;
  const RowBasis basis = rank_by_qr(J, no_inertia, scales_of(J));
  EXPECT_EQ(basis.rank(), 2);
  EXPECT_NE(std::ranges::find(basis.rows, 4), basis.rows.end());  // depends on no other row
}

// Rows (1, 0) and (1, d), each known to e: after one of them, the other has the remainder d and the
// bound B = 2 (32 eps + e), because it is subtracted once (6).
TEST(RowBasis, below_the_bound_between_and_above_a_thousand_bounds) {
  for (const double e : {1e-14, 1e-12, 1e-9, 1e-7})
    for (const double scale : {1e-12, 1.0, 1e12}) {
      const double B = 2 * (qr_bound + e);
      const auto at = [&](double d) {
        Eigen::MatrixXd J(2, 2);
        J << 1, 0, 1, d;
        RowScales scales = of_length_one(2, e * scale, e * scale);
        scales.natural *= scale;
        return rank_by_qr(scale * J, no_inertia, scales);
      };
      for (const double part : {0.0, 0.1, 0.9}) {
        const RowBasis dependent = at(part * B);
        EXPECT_EQ(dependent.rank(), 1) << e << " " << part;
        EXPECT_TRUE(dependent.undecided.empty()) << e << " " << part;
      }
      for (const double times : {1.1, 30.0, 900.0}) {
        const RowBasis between = at(times * B);
        EXPECT_EQ(between.rank(), 1) << e << " " << times;
        ASSERT_EQ(between.undecided.size(), 1u) << e << " " << times;
        EXPECT_EQ(sorted({between.rows[0], between.undecided[0].row}), (std::vector{0, 1}));
        // d is rounded to eps as the difference of two numbers near 1
        EXPECT_NEAR(between.undecided[0].length, times * B, 1e-3 * times * B + 4 * eps);
        EXPECT_NEAR(between.undecided[0].bound, B, 1e-3 * B);
      }
      for (const double times : {1100.0, 1e5}) {
        const RowBasis independent = at(times * B);
        EXPECT_EQ(independent.rank(), 2) << e << " " << times;
        EXPECT_TRUE(independent.undecided.empty()) << e << " " << times;
      }
    }
}

// The constraint violation of the state counts for "independent" only: a row that it may explain
// stays dependent, but is reported, since rounding does not explain it.
TEST(RowBasis, constraint_violation_never_makes_a_row_independent) {
  const auto at = [](double d) {
    Eigen::MatrixXd J(2, 2);
    J << 1, 0, 1, d;
    return rank_by_qr(J, no_inertia, of_length_one(2, eps, 1e-6));
  };
  EXPECT_TRUE(at(33 * eps).undecided.empty());
  for (const double d : {1e-12, 1e-6, 1e-3}) {
    const RowBasis basis = at(d);
    EXPECT_EQ(basis.rank(), 1) << d;
    ASSERT_EQ(basis.undecided.size(), 1u) << d;
    EXPECT_NEAR(basis.undecided[0].bound, 2 * 33 * eps, eps) << d;
  }
  EXPECT_EQ(at(3e-3).rank(), 2);
}

// Rows (1, 0) and (1, d), masses 1 and m^2: in the metric the second has the remainder d / m, and
// the error e of its light coordinate is e / m.
TEST(RowBasis, error_of_a_light_coordinate_grows_with_the_metric) {
  const double m = 1e-4, e = 1e-12;
  Eigen::MatrixXd M = Eigen::MatrixXd::Identity(2, 2);
  M(1, 1) = m * m;
  const auto at = [&](double remainder) {
    Eigen::MatrixXd J(2, 2);
    J << 1, 0, 1, remainder * m;
    return rank_by_qr(J, M, of_length_one(2, e, e));
  };
  EXPECT_TRUE(at(0.5 * e / m).undecided.empty());
  for (const double times : {5.0, 500.0}) {
    const RowBasis between = at(times * e / m);
    EXPECT_EQ(between.rank(), 1) << times;
    ASSERT_EQ(between.undecided.size(), 1u) << times;
    EXPECT_NEAR(between.undecided[0].bound, e / m, 0.1 * e / m) << times;
  }
  EXPECT_EQ(at(3000 * e / m).rank(), 2);
}

// The longest row is the first pivot. If its own bound is too large, another one takes its place.
TEST(RowBasis, an_uncertain_pivot_is_set_aside) {
  Eigen::MatrixXd J(3, 2);
  J << 0, 1, 0.5, 0, 0, 0.25;
  RowScales scales = of_length_one(3, eps, eps);
  scales.uncertainty[0] = 1;
  const RowBasis basis = rank_by_qr(J, no_inertia, scales);
  EXPECT_EQ(sorted(basis.rows), (std::vector{1, 2}));
  EXPECT_TRUE(basis.undecided.empty());  // row 0 is four times row 2
}

// Unit rows at an angle: singular values sqrt(1 +- cos). With masses m, n the angle is that of the
// rows divided by sqrt m, sqrt n, whose lengths are restored.
TEST(RowBasis, singular_values_of_two_rows) {
  for (const double angle : {1.5, 0.3, 1e-3, 1e-5})
    for (const double m : {1.0, 1e-4, 1e6})
      for (const double scale : {1e-9, 1.0, 1e9}) {
        Eigen::MatrixXd J(2, 2), M(2, 2);
        J << scale, 0, scale * std::cos(angle), scale * std::sin(angle);
        M << m, 0, 0, 1;
        const RowBasis basis = rank_with_singular_values(J, M, scales_of(J));
        ASSERT_EQ(basis.rank(), 2);
        const double weighted = std::atan2(std::sin(angle), std::cos(angle) / std::sqrt(m));
        // 1 - cos = 2 sin^2 of half the angle
        const double most = std::sqrt(2) * std::cos(weighted / 2);
        const double least = std::sqrt(2) * std::sin(weighted / 2);
        EXPECT_NEAR(basis.singular[0], std::max(most, least), 1e-14);
        EXPECT_NEAR(basis.singular[1], std::min(most, least), 1e-14);
        EXPECT_NEAR(basis.least(), std::min(most, least) / std::max(most, least), 1e-14);
      }
}

// |bounds| / smallest singular value: sqrt 2 (32 eps + e) / (sqrt 2 sin of half the angle).
TEST(RowBasis, relative_error_of_two_rows) {
  for (const double angle : {1.5, 0.3, 1e-3})
    for (const double e : {1e-15, 1e-9}) {
      Eigen::MatrixXd J(2, 2);
      J << 1, 0, std::cos(angle), std::sin(angle);
      const RowScales scales = of_length_one(2, 0.1 * e, e);
      const RowBasis basis = rank_by_qr(J, no_inertia, scales);
      ASSERT_EQ(basis.rank(), 2);
      const double expected = (qr_bound + e) / std::sin(angle / 2);
      EXPECT_NEAR(relative_error(J, Eigen::MatrixXd::Identity(2, 2), scales, basis), expected,
                  1e-10 * expected);  // eps over the smallest angle
    }
}

}  // namespace
}  // namespace trammel::row_basis_test
