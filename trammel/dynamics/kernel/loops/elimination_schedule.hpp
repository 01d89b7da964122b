// Elimination schedule of the constraint rows of a model: the order in which the inward pass solves
// for their Lagrange multipliers. Computed once per model, of plain numbers, the same for every
// instruction set.
//
// Constraint wrenches are propagated inward together with the articulated inertias. A row acts on a
// body (an entry) until the body's joint is eliminated, and then on its parent. When all that is
// left of a row acts on a single body, its multiplier can be eliminated there and the row is
// absorbed by that body's inertia: a stage. The constraint solvers (schur, star, cluster) differ in
// their stages only.
#pragma once

#include <utility>
#include <vector>

#include "trammel/joint/loop_rows.hpp"

namespace trammel::kernel {

struct EliminationSchedule {
  // Kind of the owner of the rows. `given`: rows of any kind, evaluated by the caller.
  enum class ConstraintKind { closure, rod, coupling, dof, given };
  // Directions of the two frames of a loop joint that must be aligned.
  using Alignment = RowAlignment;

  // Group of rows of one constraint: they are propagated together, side by side in registers.
  struct RowGroup {
    ConstraintKind kind = ConstraintKind::closure;
    int which = 0;  // index in Model::closures(), rods(), couplings(), or the dof
    // Loop joints: constraint wrenches in M's axes, constant for all coordinates. First the rows
    // that are solved for, then the redundant rows, which are only monitored.
    std::vector<Force<double>> kept, watched;
    int rows = 1;  // number of rows solved for
    Alignment alignment = Alignment::none;
    int parent = 0, child = 0;                // bodies of the tree
    int parent_entry = -1, child_entry = -1;  // -1 on ground
    std::vector<std::pair<int, int>> ends;    // given rows: bodies and the entries there
    bool is_locked = false;                   // rows of a dof: locked, not prescribed
  };
  struct Entry {
    int group = 0;
    int inboard = -1;             // entry at the parent; -1 on ground
    bool inboard_is_new = false;  // nothing was written there before
    bool is_new = false;          // no contribution from outboard: starts at zero
    int gain = 0;                 // index of its first gain, one for each dof of the body
    int direct_begin = 0, direct_end = 0;
  };
  // A row that is a sum of coordinates acts on a degree of freedom directly, without a wrench.
  struct Direct {
    int gain = 0;
    int factor = -1;  // index in coupling_factors of the model; -1: factor 1
  };
  // Two gains at the same degree of freedom: coupling of two row groups in L.
  struct Meeting {
    int gain_a, gain_b;
  };
  struct Part {
    int group = 0;
    int entry = -1;           // at the place of the stage; -1 if it does not act there
    std::vector<int> pivots;  // rows that are eliminated here
    std::vector<int> rest;    // rows that are propagated further
  };
  struct Block {
    int a = 0, b = 0;  // parts, a <= b
    std::vector<Meeting> meetings;
    // position of this block in an earlier stage that left it behind
    int from_stage = -1, from_a = 0, from_b = 0;
  };
  struct Stage {
    int place = 0;  // a body, or ground
    std::vector<Part> parts;
    std::vector<Block> blocks;
  };

  std::vector<RowGroup> groups;
  std::vector<Entry> entries;
  std::vector<Direct> directs;
  std::vector<Stage> stages;  // in the order of elimination
  struct Visit {
    int body = 0;
    int entry_begin = 0, entry_end = 0, stage_begin = 0, stage_end = 0;
  };
  std::vector<Visit> inward;   // every body, each before its parent
  int ground_stage_begin = 0;  // the stages after all bodies, on ground
  int gains = 0;
};

}  // namespace trammel::kernel
