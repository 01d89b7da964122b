// Threads of a workspace for one large state: the thread pool, and the partition of the tree.
//
// A kernel that is given them visits the pieces of the partition on several threads, and the trunk
// on one. Every number is computed by the same operations in the same order as on one thread, so
// results are bitwise the same.
#pragma once

#include <vector>

#include "trammel/base/workers.hpp"
#include "trammel/dynamics/kernel/pivot.hpp"
#include "trammel/model/tree_partition.hpp"

namespace trammel::internal {

struct Threads {
  Threads(const Model& model, int count)
      : workers(count), tree(tree_partition(model)), pivots(tree.pieces.size()) {}

  // Calls work(runs, index) for the bodies of each piece.
  template <class Work> void each_piece(const Work& work) {
    workers.share(int(tree.pieces.size()), [&](int piece, int) {
      work(std::span<const BodyRun>(tree.pieces[std::size_t(piece)]), std::size_t(piece));
    });
  }

  Workers workers;
  TreePartition tree;
  std::vector<Pivots> pivots;  // per piece: results of forward dynamics
};

// Whether a kernel has threads, and a tree that is divided.
template <class Input> bool has_pieces(const Input& input) {
  return input.threads != nullptr && !input.threads->tree.pieces.empty();
}

// Calls work(k) for k from 0 to count - 1, on the threads if there are any. The calls must not
// depend on each other.
template <class Work> void each_of(Threads* threads, std::size_t count, const Work& work) {
  if (threads != nullptr && count > 1)
    threads->workers.share(int(count), [&](int k, int) { work(std::size_t(k)); });
  else
    for (std::size_t k = 0; k < count; ++k) work(k);
}

}  // namespace trammel::internal
