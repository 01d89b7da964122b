#pragma once

#include <string>
#include <vector>

#include "trammel/dynamics/inputs.hpp"
#include "trammel/dynamics/workspace.hpp"

namespace trammel {

// Classification of the constraints J v + b = 0: holonomic or nonholonomic, scleronomic or
// rheonomic, catastatic or acatastatic.
//
// Constraints are holonomic if they follow from conditions on positions: joints, points, rods and
// couplings do. Wheels do if the distribution of allowed velocities is integrable, by Frobenius'
// condition [Saha 1991, section 3.1]: the Lie bracket of any two allowed velocity fields is again
// allowed. Prescribed motions depend on time: they are rheonomic, and acatastatic, since b is not
// zero.
struct ConstraintNature {
  bool is_holonomic = true;
  bool is_rheonomic = false;
  bool is_catastatic = true;
  std::vector<std::string> of_place;  // nonholonomic rows; empty if the system is holonomic
  std::vector<std::string> of_time;   // names of the joints driven by motion
};

// Evaluated at a closed state and, if it seems holonomic there, at a second state nearby;
// velocities are ignored. Lie brackets are computed by motions along two fields, forward and back:
// cost quadratic in the mobility of a component of the constraint Jacobian (a set of constraints
// that share no joint with others), linear in their number.
[[nodiscard]] Status constraint_nature(const Model& model, const State& state, Workspace& workspace,
                                       ConstraintNature& out);

}  // namespace trammel
