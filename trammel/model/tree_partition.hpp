// Partition of a tree for several threads: a trunk, and pieces that hang from it and share no body.
//
// A body whose subtree is larger than a piece is part of the trunk, and so are its children: all
// children of a body then lie in the trunk or all in one piece, and sums over children keep their
// order. Subtrees on ground belong to pieces as a whole. The partition depends on the tree alone.
#pragma once

#include <algorithm>
#include <vector>

#include "trammel/model/model.hpp"
#include "trammel/model/simd/packed_chains.hpp"

namespace trammel {

struct TreePartition {
  std::vector<BodyRun> trunk;                // outward
  std::vector<std::vector<BodyRun>> pieces;  // each outward
};

// No pieces if the tree is small, or if most of it would be trunk, as in a single chain.
TreePartition tree_partition(const Model& model);

// Number of bodies of a piece, and the fewest of a tree that is divided: below, waking up a thread
// takes about as long as the work.
inline constexpr int fewest_in_piece = 128, fewest_divided = 1024;
inline int bodies_of_piece(int bodies) {
  constexpr int most_pieces = 64;
  return std::max(fewest_in_piece, bodies / most_pieces);
}

// Appends a body to the last run if it follows it.
inline void append(int body, std::vector<BodyRun>& runs) {
  if (!runs.empty() && runs.back().end() == body)
    ++runs.back().count;
  else
    runs.push_back({body, 1});
}

}  // namespace trammel
