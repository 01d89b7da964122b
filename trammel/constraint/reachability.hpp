#pragma once

#include <string>
#include <vector>

#include "trammel/dynamics/inputs.hpp"
#include "trammel/dynamics/workspace.hpp"

namespace trammel {

// Which positions can be reached, however few the ways to move?
//
// Where rows hold velocities and no positions, as those of wheels, going along two ways to move,
// there and back, may lead to where neither leads by itself: a car is parked so. The growth vector
// tells how it goes [seed 001, section 3.1]:
//
//   D0 = span of the ways f,  D(k+1) = Dk + [f, Dk],  [f, g] = (dg/dq) f - (df/dq) g
//
// Its last dimension is how many dimensions of positions are reached. If these are no more than the
// ways to move, all rows are holonomic; if they are fewer than the dimensions that loops and floors
// leave, the wheels hold that many positions, like joints do (Frobenius, Chow).
struct Reachability {
  int freedoms = 0;       // ways to move for an instant (degrees of freedom)
  int configuration = 0;  // dimensions of the positions that holonomic rows leave
  std::vector<int> growth;
  int reachable = 0;  // the last of growth
  int hidden = 0;     // relations between positions that wheels hold: configuration - reachable
  bool is_complete = true;  // false: brackets of `deepest` ways still lead on; there may be more
  static constexpr int deepest = 6;
};

// At a closed state; its velocities make no difference, joints driven by motion count as free. By
// differences of differences: each level takes some six times as long as the one before, two
// levels a few milliseconds. At special positions, where brackets vanish, growth is slower.
[[nodiscard]] Status reachability(const Model& model, const State& state, Workspace& workspace,
                                  Reachability& out);

// What is one row of the constraints, j v + b = 0, by itself?
struct RowNature {
  std::string name;
  // The rate of a function of position and time: dj/dq symmetric, db/dq = dj/dt. Rows that hold a
  // position are told in axes that move with the mechanism, so that they are such rates at closed
  // positions only; there they are compared with the slope of what they hold.
  bool is_exact = true;
  // Exact when multiplied by some function of position: j ^ dj = 0. Rows that are not may still be
  // integrable as a set: reachability() decides that.
  bool is_integrable = true;
  bool is_rheonomic = false;  // time is in it
  bool is_catastatic = true;  // without b: being at rest keeps it
  // Largest entry of dj/dq - (dj/dq)^T, or of the difference from the slope; of a row of length
  // one, slides measured in the mechanism's length.
  double asymmetry = 0;
};
// At a closed state; one entry for each row, in the order of row_names.
[[nodiscard]] Status row_natures(const Model& model, const State& state, Workspace& workspace,
                                 std::vector<RowNature>& out);

}  // namespace trammel
