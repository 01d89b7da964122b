#pragma once

#include <string>
#include <vector>

#include "trammel/dynamics/inputs.hpp"
#include "trammel/dynamics/workspace.hpp"

namespace trammel {

// Do the drives reach every way in which the mechanism can move?
//
// With v = T u, J T = 0, a drive sees the row of T that is its joint's: the rank of the driven rows
// is how many ways to move the drives decide. A passive joint that depends on a driven one is none
// more; a drive that depends on others is one too many. Joints driven by motion count as drives,
// locked ones as held. Loop joints count like any other.
struct Actuation {
  int mobility = 0;                 // ways to move for an instant, no drive holding
  std::vector<std::string> driven;  // freedoms with a drive
  int rank = 0;                     // how many of them are independent
  int under = 0;                    // ways to move that no drive reaches: mobility - rank
  int over = 0;                     // drives beyond what is needed: driven - rank
  // Smallest counted singular value of the driven rows to the largest, slides measured in the
  // model's characteristic length: small near a pose where the drives lose a motion.
  double least = 1;
  // Per motion that no drive reaches: the freedoms that move in it, the one that moves most first.
  std::vector<std::vector<std::string>> unreached;
};

// At a closed state; its velocities make no difference.
[[nodiscard]] Status actuation(const Model& model, const State& state, Workspace& workspace,
                               Actuation& out);

}  // namespace trammel
