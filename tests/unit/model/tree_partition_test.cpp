#include "trammel/model/tree_partition.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "trammel/model/build/builder.hpp"

namespace trammel::tree_partition_test {
namespace {

// A tree of hinged bodies; parent(k) < k is a body from 1, or 0: ground.
Model tree(int bodies, const std::function<int(int)>& parent) {
  Description description("tree");
  for (int k = 1; k <= bodies; ++k) {
    const std::string name = fmt::format("b{}", k);
    description.body(name, {.mass = 1.0, .inertia = {1.0, 0, 0, 1.0, 0, 1.0}});
    const int p = parent(k);
    description.joint(fmt::format("j{}", k), JointKind::revolute,
                      p > 0 ? fmt::format("b{}", p) : "ground", name, {});
  }
  return build_model(std::move(description));
}

// Per body: the piece it is in, -1: trunk. Checks that each is in one place.
std::vector<int> places(const Model& model, const TreePartition& partition) {
  std::vector<int> place(model.bodies().size(), -2);
  const auto put = [&](const std::vector<BodyRun>& runs, int where) {
    int last = 0;
    for (const BodyRun& run : runs)
      for (int i = run.first; i < run.end(); ++i) {
        EXPECT_EQ(place[std::size_t(i)], -2) << "body " << i << " is in two places";
        EXPECT_GT(i, last) << "not outward";
        last = i;
        place[std::size_t(i)] = where;
      }
  };
  put(partition.trunk, -1);
  for (std::size_t k = 0; k < partition.pieces.size(); ++k) put(partition.pieces[k], int(k));
  for (std::size_t i = 1; i < place.size(); ++i) EXPECT_NE(place[i], -2) << "body " << i;
  return place;
}

// Pieces share no body, and a sum over the children of a body is made in one place.
void expect_sound(const Model& model, const TreePartition& partition) {
  ASSERT_GE(partition.pieces.size(), 2U);
  const std::vector<int> place = places(model, partition);
  std::vector<int> of_children(place.size(), -2);
  std::size_t divided = 0;
  for (std::size_t i = 1; i < place.size(); ++i) {
    const auto parent = std::size_t(model.bodies()[i].parent);
    divided += place[i] >= 0 ? 1 : 0;
    if (parent == 0) continue;
    EXPECT_TRUE(place[parent] < 0 || place[i] == place[parent]) << "body " << i;
    if (of_children[parent] == -2) of_children[parent] = place[i];
    EXPECT_EQ(of_children[parent], place[i]) << "children of body " << parent;
  }
  EXPECT_GE(2 * divided, place.size() - 1);
}

TEST(TreePartition, of_trees_and_forests_has_pieces_that_share_no_body) {
  const auto heap = [](int k) { return k / 2; };
  const auto fours = [](int k) { return k % 4 == 1 ? 0 : k - 1; };
  const auto interleaved = [](int k) { return k <= 50 ? 0 : k - 50; };
  // arms of 40 bodies on every tenth body of a chain of 100
  const auto comb = [](int k) {
    return k <= 100 ? k - 1 : (k - 101) % 40 == 0 ? (k - 101) / 4 : k - 1;
  };
  for (const auto& parent : std::vector<std::function<int(int)>>{heap, fours, interleaved, comb}) {
    const Model model = tree(3000, parent);
    expect_sound(model, tree_partition(model));
  }
}

TEST(TreePartition, of_a_small_tree_and_of_a_single_chain_has_no_pieces) {
  EXPECT_TRUE(tree_partition(tree(200, [](int k) { return k / 2; })).pieces.empty());
  EXPECT_TRUE(tree_partition(tree(3000, [](int k) { return k - 1; })).pieces.empty());
}

}  // namespace
}  // namespace trammel::tree_partition_test
