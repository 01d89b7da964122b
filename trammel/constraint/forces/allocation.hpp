#pragma once

#include <string>
#include <utility>
#include <vector>

#include "trammel/constraint/solver/constrained_dynamics.hpp"

namespace trammel {

// Weights, limits and failures of drives, in addition to the model's. Drives have the names of
// their dofs: "left", "wrist.wz".
struct AllocationOptions {
  // Cost of a drive: weight * effort^2. Weights are above zero; 1 where none is given.
  std::vector<std::pair<std::string, double>> weights = {};
  // Efforts lie in [-limit, limit] [N m, N]; the model's effort limits where none is given.
  std::vector<std::pair<std::string, double>> limits = {};
  bool heeds_model_limits = true;  // false: the model's effort limits are ignored
  // Drives with zero effort (switched off or failed). The other drives must suffice for the motion.
  std::vector<std::string> idle = {};
};

// Result of control allocation: efforts of all drives [N m or N] and their weighted cost. On
// failure only `lacking` has a value.
struct Allocation {
  DriveEfforts efforts;
  std::vector<std::string> at_limit;  // drives at their effort limit
  double cost = 0;                    // sum of weight * effort^2
  // On failure by limits: the amount by which the limits of these drives must at least be raised.
  double lacking = 0;
};

// Control allocation (effort distribution) for the motion inputs.a of a mechanism with more drives
// than degrees of freedom: the efforts of least weighted cost within their limits, by the QP of
// effort_qp [Saha 1991, section 3.9: minimum norm, weighted, limited, with failed drives]. The
// solution is unique and continuous along a motion, with breakpoints where a limit becomes active.
//
// Fails if the limits are too tight, naming the drives and the effort they lack; and if the acting
// drives cannot produce the motion, naming the joint that moves most in it. Throws
// std::invalid_argument for an unknown drive. Dense.
[[nodiscard]] Status allocate_efforts(const Model& model, const State& state, const Inputs& inputs,
                                      Workspace& workspace, Allocation& out,
                                      const AllocationOptions& options = {});

}  // namespace trammel
