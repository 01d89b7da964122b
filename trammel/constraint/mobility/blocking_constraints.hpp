#pragma once

#include "trammel/dynamics/inputs.hpp"
#include "trammel/dynamics/workspace.hpp"

namespace trammel {

// Constraints that immobilize a mechanism of mobility 0, by name.
//
// Loops, wheels, couplings and locked joints: each whose removal alone lets the mechanism move;
// if there is none, all of them. The spin of a removed wheel about its axle does not count. Empty
// if the mechanism can move or has prescribed motions. The state must satisfy the constraints.
[[nodiscard]] Status blocking_constraints(const Model& model, const State& state,
                                          Workspace& workspace, std::vector<std::string>& out);

// Motion that the constraints allow and no inertia resists, at a state that satisfies them: the dof
// of the tree that moves most in it, or -1. There T^T M T is singular, with J T = 0, and forward
// dynamics has no solution. Massless links are no such motion where loops determine them.
int dof_without_inertia(const Model& model, const State& state, Workspace& workspace);

// A wheel that lies flat on the ground and cannot roll: its index in model.wheels(), or -1.
int flat_wheel(const Model& model, const State& state, Workspace& workspace);

}  // namespace trammel
