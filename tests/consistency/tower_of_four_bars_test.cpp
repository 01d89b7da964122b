// High towers of loops: each loop's rows are found independent at any height, and the recursion
// keeps its digits, by comparison with an independent planar recursion in long double.
#include "tests/support/tower_of_four_bars.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "trammel/constraint/solver/constrained_dynamics.hpp"
#include "trammel/constraint/solver/freeze_rank.hpp"

namespace trammel::tower_of_four_bars_test {
namespace {

struct Case {
  int loops;
  double turn;          // of the whole tower, about no coordinate axis [rad]
  double swing, speed;  // deviation of the cranks from 60 degrees, and their rates [rad, rad/s]
};

class TowerOfFourBars : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(heights, TowerOfFourBars,
                         testing::Values(Case{8, 0.5, 0.3, 1}, Case{1024, 0, 0, 0},
                                         Case{1024, 0.5, 0.2, 1}, Case{4096, 0.5, 0.2, 1}),
                         [](const auto& tested) {
                           const Case& c = tested.param;
                           return fmt::format("{}{}{}", c.loops, c.turn > 0 ? "_turned" : "",
                                              c.speed > 0 ? "_moving" : "");
                         });

TEST_P(TowerOfFourBars, accelerates_as_a_chain_of_links) {
  const auto [loops, turn, swing, speed] = GetParam();
  const Model model = build_model(tower_of_four_bars(loops, {turn, 0.7 * turn, -0.4 * turn}));
  Workspace workspace(model);
  ASSERT_EQ(generic_rank(model, workspace), 2 * loops);
  State state = neutral_state(model);
  std::vector<double> angles, rates;
  const auto dof = [&](const char* joint, int k) {
    return std::size_t(model[*model.find_joint(fmt::format("{}{}", joint, k))].v_start);
  };
  for (int k = 0; k < loops; ++k) {
    const double angle = swing * std::sin(1 + 2.3 * k), rate = speed * std::cos(2 + 1.7 * k);
    for (const auto& [joint, sign] : {std::pair("left", 1), {"right", 1}, {"knee", -1}}) {
      state.q[dof(joint, k)] = sign * angle;
      state.v[dof(joint, k)] = sign * rate;
    }
    angles.push_back(angle + std::acos(0.5));
    rates.push_back(rate);
  }
  // this solver or none: a dense one would take minutes
  ConstrainedAnswer answer;
  const Status status =
      constrained_dynamics(model, state, {}, workspace, answer, ConstraintSolver::cluster);
  ASSERT_TRUE(status.ok()) << status.message();
  const std::vector<long double> expected = tower_accelerations(angles, rates);
  double largest = 0, off = 0;
  for (int k = 0; k < loops; ++k) {
    const double theta = double(expected[std::size_t(k)]);
    largest = std::max(largest, std::abs(theta));
    off = std::max({off, std::abs(answer.a[Eigen::Index(dof("left", k))] - theta),
                    std::abs(answer.a[Eigen::Index(dof("right", k))] - theta),
                    std::abs(answer.a[Eigen::Index(dof("knee", k))] + theta)});
  }
  // forces on the lowest links are sums over the tower, and cancel in its accelerations but for
  // a rounding error of each link
  EXPECT_LT(off, 2.2e-16 * 10 * (10 + 3 * loops) * largest);
}

}  // namespace
}  // namespace trammel::tower_of_four_bars_test
