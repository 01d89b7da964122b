// Pseudo joints: a joint with drive = "locked" is a cut through a link that is held shut, and what
// holds it is the internal stress there [seed 000, section 3.13].
#pragma once

#include <string>

#include "trammel/constraint/rank_plan.hpp"
#include "trammel/dynamics/inputs.hpp"
#include "trammel/dynamics/workspace.hpp"

namespace trammel {

// What do locked joints hold, and are they placed so that it can be told? Letting go is asked of
// those of the tree alone: locked joints that close loops stay held.
struct LockedJoints {
  std::vector<int> freedoms;    // the locked ones
  Eigen::VectorXd effort;       // what holds each [N m], [N]: as `reactions` has it along them
  std::vector<bool> is_unique;  // or a choice: a self-stress that nothing in the motion tells
  // If all were let go: how each would accelerate without effort, and how more for a unit of effort
  // in each (the seed's d4). Loops stay closed. Where this is singular, locked joints depend on
  // each other, or stand where nothing gives.
  Eigen::VectorXd released;
  Eigen::MatrixXd gives;
  int rank = 0;                        // of `gives`
  std::vector<std::string> immovable;  // let go, they would not move: the loops hold them anyway
  std::vector<std::string> dependent;  // sets that hold the same: "elbow, wrist"
  // Of joints that close loops: the locked ones among closure_nv, and the same of them.
  std::vector<int> loop_freedoms;
  Eigen::VectorXd loop_effort;
  std::vector<bool> loop_is_unique;
};
// Efforts from inputs.tau; inputs.a of joints driven by motion. A model without locked joints has
// an empty answer. Dense.
[[nodiscard]] Status locked_joints(const Model& model, const State& state, const Inputs& inputs,
                                   Workspace& workspace, LockedJoints& out);

}  // namespace trammel
