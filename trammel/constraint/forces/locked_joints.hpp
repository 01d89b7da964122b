// Pseudo joints: a joint with drive = "locked" is a cut through a link that is kept rigid; its
// constraint force is the internal stress of the link there [Yesiloglu 2007, section 3.13].
#pragma once

#include <string>

#include "trammel/constraint/rank/row_basis.hpp"
#include "trammel/dynamics/inputs.hpp"
#include "trammel/dynamics/workspace.hpp"

namespace trammel {

// Constraint forces of locked joints, and whether their placement determines them. The release
// analysis (released, gives) covers locked joints of the tree only; locked loop joints stay locked.
struct LockedJoints {
  std::vector<int> dofs;        // locked dofs of the tree
  Eigen::VectorXd effort;       // [N m], [N]: `reactions` along each, less tau and springs
  std::vector<bool> is_unique;  // false: statically indeterminate, fixed by minimum norm
  // With all of them unlocked and the loops closed: the acceleration of each without effort, and
  // its derivative with respect to a unit effort in each (d4 in [Yesiloglu 2007]). Where this
  // matrix is singular, locked joints depend on each other or are immovable.
  Eigen::VectorXd released;
  Eigen::MatrixXd gives;
  int rank = 0;                        // of `gives`
  std::vector<std::string> immovable;  // loops fix them even if they are unlocked
  std::vector<std::string> dependent;  // sets that lock the same motion: "elbow, wrist"
  // Locked dofs of loop joints (indices below loop_nv), their constraint forces and uniqueness.
  std::vector<int> loop_dofs;
  Eigen::VectorXd loop_effort;
  std::vector<bool> loop_is_unique;
};
// Efforts are inputs.tau; joints driven by motion have inputs.a. A model without locked joints
// gives an empty result. Dense.
[[nodiscard]] Status locked_joints(const Model& model, const State& state, const Inputs& inputs,
                                   Workspace& workspace, LockedJoints& out);

}  // namespace trammel
