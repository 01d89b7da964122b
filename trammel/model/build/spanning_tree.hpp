// Spanning tree of the graph of bodies and joints: which joints are tree joints, and which close
// loops.
//
// Kruskal's algorithm: joints are taken in order of preference, and a joint whose two bodies are
// already connected closes a loop. Order: joints not marked `cut`, then fixed ones, then free ones
// (six dof: a cut there has no equations and loses coordinates), then those with few dof (a cut at
// many dof leaves few equations), then driven ones (their coordinates should be part of the state),
// then the order of the description. Among equal joints the last of the description is taken last,
// so appending a body never moves a cut. O(n log n), no recursion.
#pragma once

#include <span>
#include <vector>

namespace trammel {

// A joint as an edge between two bodies; body 0 is ground.
struct Edge {
  int parent = 0, child = 0;
  int dofs = 1;
  bool is_cut = false;
  bool is_driven = false;
};

struct SpanningTree {
  struct Step {
    int edge = 0;
    bool is_reversed = false;  // traversed from child to parent
    int inboard = 0, outboard = 0;
  };
  // Bodies that no joints connect to ground.
  struct Island {
    int first = 0;  // its first body
    int size = 0;   // number of bodies
  };
  // Tree edges: each after its inboard edge, otherwise in the order of the description.
  std::vector<Step> outward;
  std::vector<int> loops;  // the edges that close loops, in the order of the description
  std::vector<Island> islands;
};

SpanningTree find_spanning_tree(int bodies, std::span<const Edge> edges);

}  // namespace trammel
