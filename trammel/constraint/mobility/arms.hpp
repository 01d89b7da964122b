#pragma once

#include <string>
#include <vector>

#include "trammel/dynamics/inputs.hpp"
#include "trammel/dynamics/workspace.hpp"
#include "trammel/model/topology.hpp"

namespace trammel {

// Rank analysis of an arm (leg, serial chain): the rank of its own geometric Jacobian between base
// and tip. Full rank is six, or three if all its joints move in one plane. An arm with more dofs
// than its rank is redundant; an arm below full rank is deficient, at every pose or only at a
// singular one.
struct Arm {
  enum class Ability { redundant, full, deficient };
  std::string base, tip;
  std::vector<std::string> joints;  // from base to tip, including constraints and wheels
  int dofs = 0;
  int wanted = 6;        // full rank; 3 if all joints move in one plane
  int rank = 0;          // at this state
  int generic_rank = 0;  // generic rank: the largest at this and three other poses of the arm alone
  double least = 1;      // ratio of smallest nonzero to largest singular value at this state
  Ability ability() const { return judged(rank); }
  Ability usual_ability() const { return judged(generic_rank); }
  bool is_singular() const { return rank < generic_rank; }

 private:
  Ability judged(int r) const {
    return r < wanted ? Ability::deficient : dofs > r ? Ability::redundant : Ability::full;
  }
};
std::string to_string(Arm::Ability ability);

// The arms of a mechanism: the chains that carry the reference member of a simple closed chain, and
// the open chains. An arm may also end in a constraint or a wheel, which contributes the motions it
// leaves free: a point constraint three rotations, a rod five dofs (both ends rotate), a wheel
// three rotations about its contact point, a knife edge also the slide along its edge. The state
// must satisfy its loops. Cost: SVDs of 6 x n matrices, n the dofs of an arm.
[[nodiscard]] Status arms(const Model& model, const State& state, Workspace& workspace,
                          std::vector<Arm>& out);

}  // namespace trammel
