#include "trammel/model/build/spanning_tree.hpp"

#include <gtest/gtest.h>

namespace trammel::spanning_tree_test {
namespace {

std::vector<int> edges_of(const SpanningTree& tree) {
  std::vector<int> edges;
  for (const auto& step : tree.outward) edges.push_back(step.edge);
  return edges;
}
using Order = std::vector<int>;

// ground 0, crank 1, coupler 2, rocker 3
std::vector<Edge> four_bar() { return {{0, 1}, {1, 2}, {2, 3}, {3, 0}}; }

TEST(SpanningTree, of_equal_joints_the_last_one_closes_the_loop) {
  const SpanningTree tree = find_spanning_tree(4, four_bar());
  EXPECT_EQ(tree.loops, Order{3});
  EXPECT_EQ(edges_of(tree), (Order{0, 1, 2}));
}

TEST(SpanningTree, the_joint_with_most_dofs_closes_the_loop) {
  std::vector<Edge> edges = four_bar();
  edges[1].dofs = 3;
  edges[2].dofs = 2;
  EXPECT_EQ(find_spanning_tree(4, edges).loops, Order{1});
}

TEST(SpanningTree, a_free_joint_is_cut_only_where_it_is_marked_or_welded) {
  std::vector<Edge> edges = four_bar();
  edges[3].dofs = 6;
  edges[1].dofs = 3;
  EXPECT_EQ(find_spanning_tree(4, edges).loops, Order{1});
  edges[3].is_cut = true;
  EXPECT_EQ(find_spanning_tree(4, edges).loops, Order{3});
  EXPECT_EQ(find_spanning_tree(2, std::vector<Edge>{{0, 1, 6}, {0, 1, 0}}).loops, Order{0});
}

TEST(SpanningTree, of_equally_free_joints_an_undriven_one_closes_the_loop) {
  std::vector<Edge> edges = four_bar();
  edges[3].is_driven = edges[2].is_driven = true;
  EXPECT_EQ(find_spanning_tree(4, edges).loops, Order{1});
}

TEST(SpanningTree, a_joint_marked_cut_closes_the_loop_whatever_else) {
  std::vector<Edge> edges = four_bar();
  edges[0].is_cut = edges[0].is_driven = true;
  edges[2].dofs = 5;
  EXPECT_EQ(find_spanning_tree(4, edges).loops, Order{0});
}

TEST(SpanningTree, a_joint_marked_cut_in_no_loop_is_kept) {
  EXPECT_TRUE(find_spanning_tree(3, std::vector<Edge>{{0, 1, 1, true}, {1, 2}}).loops.empty());
}

TEST(SpanningTree, appending_a_body_never_moves_a_cut) {
  std::vector<Edge> edges = four_bar();
  edges[1].dofs = 3;
  const Order before = find_spanning_tree(4, edges).loops;
  for (const int parent : {0, 1, 2, 3}) {
    std::vector<Edge> longer = edges;
    longer.push_back({parent, 4, 0, false, true});
    EXPECT_EQ(find_spanning_tree(5, longer).loops, before);
  }
}

TEST(SpanningTree, a_joint_may_stand_before_its_parent_joint) {
  // order: hand on arm, arm on ground, tool on ground
  const SpanningTree tree = find_spanning_tree(4, std::vector<Edge>{{1, 2}, {0, 1}, {0, 3}});
  EXPECT_EQ(edges_of(tree), (Order{1, 0, 2}));
}

TEST(SpanningTree, a_joint_with_parent_outboard_is_reversed) {
  const SpanningTree tree = find_spanning_tree(3, std::vector<Edge>{{1, 0}, {1, 2}});
  ASSERT_EQ(tree.outward.size(), 2u);
  EXPECT_TRUE(tree.outward[0].is_reversed);
  EXPECT_EQ(tree.outward[0].inboard, 0);
  EXPECT_EQ(tree.outward[0].outboard, 1);
  EXPECT_FALSE(tree.outward[1].is_reversed);
}

TEST(SpanningTree, bodies_without_a_path_to_ground_are_reported_once_a_group) {
  const SpanningTree tree = find_spanning_tree(6, std::vector<Edge>{{0, 1}, {4, 2}, {2, 5}});
  ASSERT_EQ(tree.islands.size(), 2u);
  EXPECT_EQ(tree.islands[0].first, 2);
  EXPECT_EQ(tree.islands[0].size, 3);
  EXPECT_EQ(tree.islands[1].first, 3);
  EXPECT_EQ(tree.islands[1].size, 1);
}

TEST(SpanningTree, two_joints_between_the_same_bodies_are_a_loop) {
  const SpanningTree tree = find_spanning_tree(2, std::vector<Edge>{{0, 1, 2}, {1, 0, 1}});
  EXPECT_EQ(tree.loops, Order{0});
  EXPECT_TRUE(tree.outward[0].is_reversed);
}

TEST(SpanningTree, a_mechanism_of_ground_alone_has_no_joints) {
  EXPECT_TRUE(find_spanning_tree(1, {}).outward.empty());
}

}  // namespace
}  // namespace trammel::spanning_tree_test
