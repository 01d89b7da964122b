#pragma once

#include <string>
#include <vector>

#include "trammel/dynamics/inputs.hpp"
#include "trammel/dynamics/workspace.hpp"

namespace trammel {

// How do the constraints J v + b = 0 depend on where the mechanism has been, and on time?
//
// They are holonomic if they follow from conditions on positions: joints, points, rods and
// couplings do; wheels do where the ways to move form a family of surfaces, which is decided by
// Frobenius' condition [seed 001, section 3.1]: the bracket of any two ways to move is a way to
// move. Time enters by planned motions: then they are rheonomic, and acatastatic, for b is not
// zero.
struct ConstraintNature {
  bool is_holonomic = true;
  bool is_rheonomic = false;
  bool is_catastatic = true;
  std::vector<std::string> of_place;  // rows that hold no position, where they are not holonomic
  std::vector<std::string> of_time;   // what is planned, by name
};

// At a closed state and at one beside it; its velocities make no difference. Brackets are found by
// going along two ways, there and back: cost about the square of the ways to move, and dense.
[[nodiscard]] Status constraint_nature(const Model& model, const State& state, Workspace& workspace,
                                       ConstraintNature& out);

}  // namespace trammel
