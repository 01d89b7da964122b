#pragma once

#include <string>
#include <vector>

#include "trammel/dynamics/inputs.hpp"
#include "trammel/dynamics/workspace.hpp"
#include "trammel/model/topology.hpp"

namespace trammel {

// Can the tip of an arm move in every way against its base?
//
// The rank of the arm's own Jacobian, six unless all its joints move in one plane, then three. An
// arm with more freedoms than its rank is redundant; one that lacks rank is deficient, at every
// pose or, at a singular one, for the moment.
struct Arm {
  enum class Ability { redundant, full, deficient };
  std::string base, tip;
  std::vector<std::string> joints;  // from base to tip; constraints and wheels among them
  int freedoms = 0;
  int wanted = 6;      // 3: its joints move in one plane
  int rank = 0;        // here
  int usual_rank = 0;  // at nearly every pose of the arm by itself
  double least = 1;    // smallest counted singular value here to the largest
  Ability ability() const { return judged(rank); }
  Ability usual_ability() const { return judged(usual_rank); }
  bool is_singular() const { return rank < usual_rank; }

 private:
  Ability judged(int r) const {
    return r < wanted ? Ability::deficient : freedoms > r ? Ability::redundant : Ability::full;
  }
};
std::string to_string(Arm::Ability ability);

// The arms of a mechanism: those that carry the reference member of a simple closed chain, and
// those that end in the open. An arm may also end in what is no joint, with the motions that
// leaves: a point turns every way, a rod (both of its ends do) has five freedoms, a wheel turns
// every way about where it touches, a knife edge slides along as well. At a closed state; the usual
// rank is the largest at some other poses of the arm alone.
[[nodiscard]] Status arms(const Model& model, const State& state, Workspace& workspace,
                          std::vector<Arm>& out);

}  // namespace trammel
