// Which joints carry the bodies, and which only close loops?
//
// Kruskal's algorithm: joints are taken in order of preference, and one whose two bodies are
// already connected closes a loop. Preferred are joints the user did not mark `cut`, then fixed
// ones, then free ones (six freedoms: a cut there has no equations and loses coordinates), those
// with few freedoms (a cut where much is free leaves few equations), then driven ones (their
// coordinates should be part of the state), then those said first. Of joints alike, one said last
// is the last to be taken, so appending a body never moves a cut. O(n log n), no recursion.
#pragma once

#include <span>
#include <vector>

namespace trammel {

// A joint as an edge between two bodies; body 0 is ground.
struct Edge {
  int parent = 0, child = 0;
  int freedoms = 1;
  bool is_cut = false;
  bool is_driven = false;
};

struct SpanningTree {
  struct Step {
    int edge = 0;
    bool is_reversed = false;  // walked from child to parent
    int inboard = 0, outboard = 0;
  };
  // Bodies that no way of joints connects to ground.
  struct Island {
    int first = 0;  // its first body
    int size = 0;   // how many bodies
  };
  // The edges that carry bodies: each after the one that carries it, otherwise in the order said.
  std::vector<Step> outward;
  std::vector<int> loops;  // the edges that close loops, in the order said
  std::vector<Island> islands;
};

SpanningTree find_spanning_tree(int bodies, std::span<const Edge> edges);

}  // namespace trammel
