#include "trammel/model/build/spanning_tree.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <queue>
#include <tuple>
#include <utility>

namespace trammel {

namespace {

// Union-find: union by size, path halving.
class Groups {
 public:
  explicit Groups(int n) : parent_(std::size_t(n)), size_(std::size_t(n), 1) {
    std::iota(parent_.begin(), parent_.end(), 0);
  }
  int find(int i) {
    while (parent_[std::size_t(i)] != i) {
      int& up = parent_[std::size_t(i)];
      i = up = parent_[std::size_t(up)];
    }
    return i;
  }
  // Returns false if both were in one group already.
  bool unite(int i, int j) {
    i = find(i), j = find(j);
    if (i == j) return false;
    if (size(i) < size(j)) std::swap(i, j);
    parent_[std::size_t(j)] = i;
    size_[std::size_t(i)] += size(j);
    return true;
  }
  int size(int group) const { return size_[std::size_t(group)]; }

 private:
  std::vector<int> parent_, size_;
};

std::vector<int> by_preference(std::span<const Edge> edges) {
  std::vector<int> order(edges.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, {}, [&](int k) {
    const Edge& edge = edges[std::size_t(k)];
    const int rank = edge.dofs == 0 ? 0 : edge.dofs == 6 ? 1 : 2;  // fixed, free, others
    return std::tuple(edge.is_cut, rank, edge.dofs, !edge.is_driven);
  });
  return order;
}

// Tree edges at each body: those of body i are edge[start[i]] .. edge[start[i + 1]].
struct Incidence {
  std::vector<int> start, edge;
};

Incidence incidence(int bodies, std::span<const Edge> edges, const std::vector<bool>& is_in_tree) {
  Incidence result;
  result.start.assign(std::size_t(bodies) + 1, 0);
  const auto each_end = [&](auto&& visit) {
    for (std::size_t k = 0; k < edges.size(); ++k)
      if (is_in_tree[k])
        for (const int body : {edges[k].parent, edges[k].child}) visit(std::size_t(body), int(k));
  };
  each_end([&](std::size_t body, int) { ++result.start[body + 1]; });
  std::partial_sum(result.start.begin(), result.start.end(), result.start.begin());

  result.edge.resize(std::size_t(result.start.back()));
  std::vector<int> next = result.start;
  each_end([&](std::size_t body, int k) { result.edge[std::size_t(next[body]++)] = k; });
  return result;
}

// Traversal from ground outward; among the reachable edges, the first of the description is next.
std::vector<SpanningTree::Step> walk_outward(int bodies, std::span<const Edge> edges,
                                             const std::vector<bool>& is_in_tree) {
  const Incidence at = incidence(bodies, edges, is_in_tree);
  std::vector<bool> is_placed(std::size_t(bodies), false);
  std::priority_queue<int, std::vector<int>, std::greater<>> within_reach;
  const auto place = [&](int body) {
    is_placed[std::size_t(body)] = true;
    for (int k = at.start[std::size_t(body)]; k < at.start[std::size_t(body) + 1]; ++k) {
      const Edge& edge = edges[std::size_t(at.edge[std::size_t(k)])];
      const int other = edge.parent == body ? edge.child : edge.parent;
      if (!is_placed[std::size_t(other)]) within_reach.push(at.edge[std::size_t(k)]);
    }
  };

  std::vector<SpanningTree::Step> steps;
  place(0);
  while (!within_reach.empty()) {
    const int k = within_reach.top();
    within_reach.pop();
    const Edge& edge = edges[std::size_t(k)];
    const bool is_reversed = is_placed[std::size_t(edge.child)];
    steps.push_back({k, is_reversed, is_reversed ? edge.child : edge.parent,
                     is_reversed ? edge.parent : edge.child});
    place(steps.back().outboard);
  }
  return steps;
}

}  // namespace

SpanningTree find_spanning_tree(int bodies, std::span<const Edge> edges) {
  // an edge between two connected bodies closes a loop
  Groups groups(bodies);
  std::vector<bool> is_in_tree(edges.size());
  for (const int k : by_preference(edges)) {
    const Edge& edge = edges[std::size_t(k)];
    is_in_tree[std::size_t(k)] = groups.unite(edge.parent, edge.child);
  }

  SpanningTree tree;
  tree.outward = walk_outward(bodies, edges, is_in_tree);
  for (std::size_t k = 0; k < edges.size(); ++k)
    if (!is_in_tree[k]) tree.loops.push_back(int(k));

  // groups without ground, each once
  std::vector<bool> is_listed(std::size_t(bodies), false);
  is_listed[std::size_t(groups.find(0))] = true;
  for (int body = 1; body < bodies; ++body) {
    const int group = groups.find(body);
    if (!is_listed[std::size_t(group)]) tree.islands.push_back({body, groups.size(group)});
    is_listed[std::size_t(group)] = true;
  }
  return tree;
}

}  // namespace trammel
