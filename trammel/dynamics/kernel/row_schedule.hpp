// In which order a sweep takes the rows of a model's constraints: found once for a model, made of
// plain numbers, the same for every instruction set.
//
// Rows travel inward with the articulated inertias. A row is felt at a body (an entry) until the
// body's joint has given way, and then at its parent. Where all of a row that is left is felt at
// one body, its multiplier can be solved for there and its row disappears into that body's inertia:
// a stage. What stages there are is what tells the roads apart.
#pragma once

#include <utility>
#include <vector>

#include "trammel/spatial/motion.hpp"

namespace trammel::kernel {

struct RowSchedule {
  // `given`: rows that the caller works out, of whatever kind.
  enum class Holder { closure, rod, coupling, freedom, given };
  // Which directions of the two frames of a closure must agree.
  enum class Alignment { none, z, all };

  // The rows of one constraint: they travel together, side by side in registers.
  struct Bundle {
    Holder holder = Holder::closure;
    int which = 0;  // of Model::closures(), rods(), couplings(), or the freedom
    // Of a closure: what its rows are in M's axes, whatever its coordinates. Those that are solved
    // for, then those that depend on other rows and are only watched.
    std::vector<Force<double>> kept, watched;
    int rows = 1;  // that are solved for
    Alignment alignment = Alignment::none;
    int parent = 0, child = 0;                // bodies of the tree
    int parent_entry = -1, child_entry = -1;  // none on ground
    std::vector<std::pair<int, int>> ends;    // of given rows: bodies and the entries there
    bool is_locked = false;                   // of a freedom
  };
  struct Entry {
    int bundle = 0;
    int inboard = -1;             // the entry at the parent; none on ground
    bool inboard_is_new = false;  // nothing was written there before
    bool is_new = false;          // nothing arrives from beyond: begins at zero
    int gain = 0;                 // where its gains begin, one for each freedom of the body
    int direct_begin = 0, direct_end = 0;
  };
  // A row that is a sum of coordinates acts on a freedom without a wrench.
  struct Direct {
    int gain = 0;
    int factor = -1;  // of Numbers::coupling_factors; none: 1
  };
  // Two gains at the same freedom: what couples two bundles.
  struct Meeting {
    int gain_a, gain_b;
  };
  struct Part {
    int bundle = 0;
    int entry = -1;           // at the place of the stage; none if it is not felt there
    std::vector<int> pivots;  // the rows that are solved for here
    std::vector<int> rest;    // those that travel on
  };
  struct Block {
    int a = 0, b = 0;  // parts, a <= b
    std::vector<Meeting> meetings;
    // what an earlier stage left of this block
    int from_stage = -1, from_a = 0, from_b = 0;
  };
  struct Stage {
    int place = 0;  // a body, or ground
    std::vector<Part> parts;
    std::vector<Block> blocks;
  };

  std::vector<Bundle> bundles;
  std::vector<Entry> entries;
  std::vector<Direct> directs;
  std::vector<Stage> stages;  // in the order in which they are come to
  struct Visit {
    int body = 0;
    int entry_begin = 0, entry_end = 0, stage_begin = 0, stage_end = 0;
  };
  std::vector<Visit> inward;   // every body, each before its parent
  int ground_stage_begin = 0;  // those that are left for the end
  int gains = 0;
};

}  // namespace trammel::kernel
