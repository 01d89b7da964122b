#include "trammel/dynamics/kernel/simd/dof_groups.hpp"

#include <gtest/gtest.h>

#include "tests/support/random_robot.hpp"

namespace trammel::dof_groups_test {
namespace {

// Counts visits of each pair of degrees of freedom of which one is inboard of (or equal to) the
// other.
struct Meetings {
  const kernel::DofGroups& groups;
  std::vector<std::vector<int>>& times;  // index: outboard, inboard

  void meet_itself(int g) const {
    for (int i = 0; i < groups[g].count; ++i)
      for (int j = 0; j <= i; ++j) met(groups[g].first + i, groups[g].first + j);
  }
  void meet(int outer, int inner, int inner_count) const {
    for (int i = 0; i < groups[outer].count; ++i)
      for (int j = 0; j < inner_count; ++j) met(groups[outer].first + i, groups[inner].first + j);
  }
  void met(int outer, int inner) const { ++times[std::size_t(outer)][std::size_t(inner)]; }
};

void expect_each_pair_once(const Model& model, int width) {
  const std::size_t n = std::size_t(model.nv());
  std::vector<std::vector<int>> times(n, std::vector<int>(n)), expected = times;
  for (std::size_t i = 0; i < n; ++i)
    for (int j = int(i); j >= 0; j = model.inboard_dofs()[std::size_t(j)])
      expected[i][std::size_t(j)] = 1;
  const kernel::DofGroups groups(model, width);
  groups.visit(Meetings{groups, times});
  EXPECT_EQ(times, expected) << model.name() << ", groups of " << width;
}

class EveryTree : public testing::TestWithParam<int> {};

TEST_P(EveryTree, pairs_on_one_way_meet_once_and_others_never) {
  // long paths, too: several groups in series are visited together
  for (const int bodies : {1, 4, 30, 90})
    for (const int width : {1, 2, 3, 8})
      expect_each_pair_once(RandomRobot(GetParam(), {.bodies = bodies}).model, width);
}
INSTANTIATE_TEST_SUITE_P(seeds, EveryTree, testing::Range(1, 11));

TEST(DofGroups, pairs_of_a_chain_meet_once) {
  for (const int bodies : {7, 8, 9, 31, 32, 33, 70}) {
    Description description("chain");
    for (int i = 1; i <= bodies; ++i) {
      description.body("b" + std::to_string(i), {.mass = 1.0});
      description.joint("j" + std::to_string(i), JointKind::revolute,
                        i == 1 ? "ground" : "b" + std::to_string(i - 1), "b" + std::to_string(i),
                        {});
    }
    const Model model = build_model(description);
    for (const int width : {1, 2, 8}) expect_each_pair_once(model, width);
  }
}

}  // namespace
}  // namespace trammel::dof_groups_test
