#pragma once

#include <string>
#include <vector>

#include "trammel/dynamics/inputs.hpp"
#include "trammel/dynamics/workspace.hpp"

namespace trammel {

// Actuation of a mechanism: which of its degrees of freedom the drives control.
//
// With v = T u and J T = 0, a drive has one row of T, that of its own degree of freedom; the rank
// of the driven rows is the number of degrees of freedom that the drives determine. A passive joint
// that depends on a driven one adds nothing; a drive that depends on other drives is redundant.
// Joints driven by motion count as drives, locked joints as constraints. Loop joints count like
// tree joints.
struct Actuation {
  int mobility = 0;                 // instantaneous mobility, with no drive as a constraint
  std::vector<std::string> driven;  // names of the dofs with a drive
  int rank = 0;                     // rank of the driven rows: independent drives
  int under = 0;                    // degree of underactuation: mobility - rank
  int over = 0;                     // redundant drives: driven - rank
  // Ratio of the smallest nonzero to the largest singular value of the driven rows, slides scaled
  // by the model's characteristic length: small near an actuation singularity.
  double least = 1;
  // Per motion that no drive controls: the dofs that move in it, in descending order of their rate.
  std::vector<std::vector<std::string>> uncontrollable_modes;
};

// The state must satisfy its loops (a violation of at most 1e-6 of the length is projected away);
// velocities are ignored. Cost: the sum of the cubes of the components of the constraint Jacobian
// (sets of dofs that constraints couple), linear in their number; dofs without constraint are their
// own motions. Motions of different components are not mixed in uncontrollable_modes.
[[nodiscard]] Status actuation(const Model& model, const State& state, Workspace& workspace,
                               Actuation& out);

}  // namespace trammel
