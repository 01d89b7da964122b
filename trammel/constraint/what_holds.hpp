#pragma once

#include "trammel/dynamics/inputs.hpp"
#include "trammel/dynamics/workspace.hpp"

namespace trammel {

// What keeps a mechanism that cannot move from moving?
//
// Loops, wheels, couplings and locked joints, by name: those of which each alone, taken away, would
// let it go; if there is none, all of them. A wheel that is taken away goes on turning about its
// axle, which is no motion. Empty if it can move, or moves as its plans say. At a closed state.
[[nodiscard]] Status what_holds(const Model& model, const State& state, Workspace& workspace,
                                std::vector<std::string>& out);

// Motion that the constraints allow and no inertia resists, at a closed state: the degree of
// freedom of the tree that moves most in it, or -1. There T^T M T is singular, with J T = 0, and
// forward dynamics has no answer. Links without mass are no such motion where loops determine them.
int freedom_without_inertia(const Model& model, const State& state, Workspace& workspace);

// A wheel that lies flat on its floor where it cannot roll: its index in model.wheels(), or -1.
int flat_wheel(const Model& model, const State& state, Workspace& workspace);

}  // namespace trammel
