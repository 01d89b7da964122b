#pragma once

#include "trammel/constraint/solver/constrained_dynamics.hpp"

namespace trammel {

// External force proportional to the multiplier of a row, as friction is to the normal force:
// `wrench` per unit multiplier.
struct Follower {
  int row = 0;  // index in row_names()
  Wrench wrench;
};

// Forward dynamics with contacts whose force also has a part along the directions in which they
// slide: contacts of class II [van der Merwe 1995, 5.2.4; section 3.10].
//
//   M a + h = tau + (J^T + Q) lambda,   J a = gamma,   Q: the followers' efforts
//
// By superposition of the responses to each follower alone: one small linear system, not symmetric.
// If it is singular, the solution is not unique or does not exist (a rod that jams while it
// slides), and the status names the rows. Friction is proportional to |lambda|: give its wrench for
// the assumed sign of the multiplier, and check the sign of the result.
[[nodiscard]] Status sliding_dynamics(const Model& model, const State& state, const Inputs& inputs,
                                      std::span<const Follower> followers, Workspace& workspace,
                                      ConstrainedAnswer& out,
                                      ConstraintSolver solver = ConstraintSolver::automatic);

}  // namespace trammel
