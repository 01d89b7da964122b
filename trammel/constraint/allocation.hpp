#pragma once

#include <string>
#include <utility>
#include <vector>

#include "trammel/constraint/constrained_dynamics.hpp"

namespace trammel {

// What is said of the drives beside what the model says. Drives have the names of their freedoms,
// "left", "wrist[2]".
struct AllocationOptions {
  // Efforts cost weight times effort squared; 1 where none is given, above zero.
  std::vector<std::pair<std::string, double>> weights = {};
  // From -limit to limit [N m, N]; those of the model where none is given.
  std::vector<std::pair<std::string, double>> limits = {};
  bool heeds_model_limits = true;
  // Drives that give nothing: switched off, or failed. Any, as long as the others do the motion.
  std::vector<std::string> idle = {};
};

struct Allocation {
  DriveEfforts efforts;
  std::vector<std::string> at_limit;  // drives that give all they can
  double cost = 0;                    // the sum of weight times effort squared
  // Where it fails because limits are too tight: how much more each of those would need.
  double lacking = 0;
};

// Which efforts of the drives does the motion inputs.a take, if there are more drives than ways to
// move, and each gives only so much? The cheapest within limits (seed 001, section 3.9: minimum
// norm, weighted, limited, with drives that failed); one answer always, continuous as the motion
// goes on, with corners where a limit is met.
//
// Fails where limits are too tight, naming the drives that lack and how much; where the idle ones
// are missed, naming the joint that cannot be moved so. Throws std::invalid_argument for a drive
// that is not there. Dense.
[[nodiscard]] Status allocate_efforts(const Model& model, const State& state, const Inputs& inputs,
                                      Workspace& workspace, Allocation& out,
                                      const AllocationOptions& options = {});

}  // namespace trammel
