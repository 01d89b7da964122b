// Independence of rows on the joints passed so far, against Gram-Schmidt of all eliminated rows:
// random rows, dofs and eliminations in every order, also of dofs passed after an elimination.
#include "trammel/constraint/solver/passed_rows.hpp"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <algorithm>
#include <numeric>

#include "tests/support/how_many.hpp"
#include "tests/support/random_robot.hpp"

namespace trammel::passed_rows_test {
namespace {

class EveryOrderOfDofs : public testing::TestWithParam<int> {
 protected:
  EveryOrderOfDofs() : random(GetParam()) {
    const int m = 3 + random.below(20), n = 4 + random.below(30);
    J = Eigen::MatrixXd::Zero(m, n);
    for (int i = 0; i < m; ++i) {
      const int first = random.below(n), width = 1 + random.below(5);
      for (int k = first; k < std::min(n, first + width); ++k) J(i, k) = random();
      if (i > 1 && random.below(4) == 0) J.row(i) = random() * J.row(i - 1) - J.row(i - 2);
    }
    passed.assign(std::size_t(n), false);
  }
  Eigen::VectorXd passed_part(int row) const {
    Eigen::VectorXd x = J.row(row).transpose();
    for (Eigen::Index k = 0; k < x.size(); ++k)
      if (!passed[std::size_t(k)]) x[k] = 0;
    return x;
  }
  // Gram-Schmidt, twice: what remains of the row's passed part.
  double remains(int row, const std::vector<int>& others) const {
    std::vector<Eigen::VectorXd> basis;
    const auto without = [&](Eigen::VectorXd x) {
      for (int twice = 0; twice < 2; ++twice)
        for (const Eigen::VectorXd& e : basis) x -= e.dot(x) * e;
      return x;
    };
    for (const int other : others)
      if (const Eigen::VectorXd x = without(passed_part(other)); x.norm() > 1e-12 * J.norm())
        basis.push_back(x.normalized());
    return without(passed_part(row)).norm();
  }
  Random random;
  Eigen::MatrixXd J;
  std::vector<bool> passed;
};
INSTANTIATE_TEST_SUITE_P(seeds, EveryOrderOfDofs, testing::Range(1, 1 + how_many(300)));

TEST_P(EveryOrderOfDofs, finds_the_rows_that_are_independent_of_all_eliminated_ones) {
  const SparseRows rows = SparseRows::of(J);
  std::vector<int> waiting(std::size_t(J.rows())), eliminated;
  std::iota(waiting.begin(), waiting.end(), 0);
  PassedRows of(rows, waiting);
  std::vector<int> dofs(std::size_t(J.cols()));
  std::iota(dofs.begin(), dofs.end(), 0);
  std::ranges::shuffle(dofs, random.engine);
  int tested = 0;
  for (const int dof : dofs) {
    of.pass(dof);
    passed[std::size_t(dof)] = true;
    if (waiting.empty() || (dof != dofs.back() && random.below(2) == 0)) continue;
    // some of the waiting rows, as a group
    std::ranges::shuffle(waiting, random.engine);
    std::vector<int> group(waiting.begin(),
                           waiting.begin() + 1 + random.below(std::min(3, int(waiting.size()))));
    const std::vector<int> found = of.independent(group, 1e-3);
    std::vector<int> before = eliminated, expected;
    for (std::size_t k = 0; k < group.size(); ++k) {
      const double left = remains(group[k], before), least = 1e-3 * J.row(group[k]).norm();
      if (std::abs(left - least) < 1e-9 * least) return;  // either is right
      if (!(left > least)) continue;
      before.push_back(group[k]);
      expected.push_back(int(k));
    }
    ASSERT_EQ(found, expected) << "dof " << dof;
    ++tested;
    if (random.below(3) == 0) continue;
    for (const int k : found) {
      of.eliminate(group[std::size_t(k)]);
      eliminated.push_back(group[std::size_t(k)]);
      std::erase(waiting, group[std::size_t(k)]);
    }
  }
  EXPECT_GT(tested, 0);
}

}  // namespace
}  // namespace trammel::passed_rows_test
