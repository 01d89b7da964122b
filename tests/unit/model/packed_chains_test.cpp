#include "trammel/model/simd/packed_chains.hpp"

#include <gtest/gtest.h>

#include "trammel/model/build/builder.hpp"
#include "trammel/model/build/parameters.hpp"
#include "trammel/model/traversal.hpp"

namespace trammel::packed_chains_test {
namespace {

// A trunk of `trunk` bodies, the first free, the others on revolute joints; chains of the given
// lengths are attached to its last one.
Model tree(int trunk, const std::vector<int>& chains, JointKind odd = JointKind::revolute) {
  Description description("tree");
  int bodies = 0;
  const auto hang = [&](const std::string& parent, JointKind kind) {
    const std::string name = "b" + std::to_string(++bodies);
    const double x = 0.1 * bodies;
    description.body(
        name,
        {.mass = 1 + x, .com = {x, -x, 2 * x}, .inertia = {0.5, 0.01 * x, 0.02, 0.6, -0.03, 0.7}});
    description.joint("j" + std::to_string(bodies), kind, parent, name,
                      {.at = {{x, 0.2, 0.3}, {x, 0.4, -x}}, .axis = {0.0, 0.6, 0.8}});
    return name;
  };
  std::string last = "ground";
  for (int k = 0; k < trunk; ++k) last = hang(last, k == 0 ? JointKind::free : JointKind::revolute);
  for (const int length : chains) {
    std::string parent = last;
    for (int k = 0; k < length; ++k) parent = hang(parent, k == 0 ? odd : JointKind::revolute);
  }
  return build_model(description);
}

std::vector<std::pair<int, int>> runs(const std::vector<BodyRun>& found) {
  std::vector<std::pair<int, int>> pairs;
  for (const BodyRun& run : found) pairs.push_back({run.first, run.count});
  return pairs;
}
using Runs = std::vector<std::pair<int, int>>;

TEST(PackedChains, are_chains_of_hinges_that_end_free) {
  const Model model = tree(2, {3, 4, 3});
  const PackedChains& limbs = model.numbers().packed_chains;
  EXPECT_EQ(runs(limbs.packed_chains), (Runs{{3, 3}, {6, 4}, {10, 3}}));
  EXPECT_EQ(runs(limbs.trunk), (Runs{{1, 2}}));
  EXPECT_EQ(limbs.steps, 4);
}

// The first joint of a chain may be of any kind: the part outboard of it is a packed chain.
TEST(PackedChains, begin_after_the_last_joint_that_is_no_hinge) {
  const PackedChains limbs = tree(1, {4, 4, 4}, JointKind::universal).numbers().packed_chains;
  EXPECT_EQ(runs(limbs.packed_chains), (Runs{{3, 3}, {7, 3}, {11, 3}}));
  EXPECT_EQ(runs(limbs.trunk), (Runs{{1, 2}, {6, 1}, {10, 1}}));
}

TEST(PackedChains, are_no_longer_than_a_register) {
  const PackedChains limbs = tree(1, {9, 12, 8}).numbers().packed_chains;
  EXPECT_EQ(runs(limbs.packed_chains), (Runs{{3, 8}, {15, 8}, {23, 8}}));
  EXPECT_EQ(limbs.steps, 8);
}

TEST(PackedChains, are_none_where_that_would_not_pay) {
  EXPECT_TRUE(tree(1, {7}).numbers().packed_chains.empty());
  EXPECT_TRUE(tree(1, {4, 4}).numbers().packed_chains.empty());
  EXPECT_TRUE(tree(0, {8}).numbers().packed_chains.empty());
  EXPECT_TRUE(tree(3, {}).numbers().packed_chains.empty());
  EXPECT_EQ(runs(tree(3, {}).numbers().packed_chains.trunk), (Runs{{1, 3}}));
  // one much longer than the others would delay them
  EXPECT_EQ(runs(tree(1, {8, 2, 2, 2}).numbers().packed_chains.packed_chains),
            (Runs{{10, 2}, {12, 2}, {14, 2}}));
}

TEST(PackedChains, are_at_most_as_many_as_a_register_has_lanes) {
  const PackedChains limbs = tree(1, {2, 3, 3, 3, 3, 3, 3, 3, 3}).numbers().packed_chains;
  EXPECT_EQ(limbs.packed_chains.size(), std::size_t(PackedChains::most));
  EXPECT_EQ(limbs.packed_chains.front().first, 4);  // the shortest is part of the trunk
  EXPECT_EQ(runs(limbs.trunk), (Runs{{1, 3}}));
}

TEST(PackedChains, keep_the_numbers_of_their_bodies_in_both_orders) {
  const Model model = tree(2, {3, 4, 3});
  const PackedChains& limbs = model.numbers().packed_chains;
  for (int limb = 0; limb < 3; ++limb)
    for (int step = 0; step < 4; ++step) {
      const bool is_there = step < limbs.packed_chains[std::size_t(limb)].count;
      const double of_step = limbs.of_step(step)[(PackedChains::inertia)*PackedChains::most + limb];
      const double of_chain =
          limbs.of_chain(limb)[(PackedChains::inertia)*PackedChains::longest + step];
      if (!is_there) {
        EXPECT_EQ(of_step, 0);
        EXPECT_EQ(of_chain, 0);
        EXPECT_EQ(limbs.of_step(step)[(PackedChains::count - 1) * PackedChains::most + limb], 1);
        EXPECT_EQ(limbs.of_chain(limb)[(PackedChains::count - 1) * PackedChains::longest + step],
                  0);
        continue;
      }
      const auto& [X_PF, inertia] =
          model.numbers().bodies[std::size_t(limbs.packed_chains[std::size_t(limb)].first + step)];
      EXPECT_EQ(of_step, inertia.mass);
      EXPECT_EQ(of_chain, inertia.mass);
      const auto at = [&](int number) {
        EXPECT_EQ(limbs.of_step(step)[number * PackedChains::most + limb],
                  limbs.of_chain(limb)[number * PackedChains::longest + step]);
        return limbs.of_chain(limb)[number * PackedChains::longest + step];
      };
      EXPECT_EQ(at(PackedChains::rotation + 5), X_PF.R.y.z);
      EXPECT_EQ(at(PackedChains::place + 2), X_PF.p.z);
      EXPECT_EQ(at(PackedChains::inertia + 2), inertia.first_moment.y);
      EXPECT_EQ(at(PackedChains::inertia + 8), inertia.rotational.yz);
    }
}

// A body and its last child share a slot; bodies whose slots are needed at the same time do not.
TEST(Slots, are_shared_along_a_branch) {
  const Model model = tree(2, {3, 4, 3});
  const std::span<const Body> bodies = model.bodies();
  for (std::size_t i = 1; i < bodies.size(); ++i) {
    const Body& parent = bodies[std::size_t(bodies[i].parent)];
    EXPECT_EQ(bodies[i].parent_slot, parent.slot);
    EXPECT_EQ(bodies[i].slot == parent.slot, bodies[i].is_last_child) << i;
  }
  EXPECT_NE(bodies[3].slot, bodies[6].slot);
  EXPECT_NE(bodies[3].slot, bodies[10].slot);
}

}  // namespace
}  // namespace trammel::packed_chains_test
