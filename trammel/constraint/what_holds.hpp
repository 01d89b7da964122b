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

// A wheel that lies flat on its floor where it cannot roll: its index in model.wheels(), or -1.
int flat_wheel(const Model& model, const State& state, Workspace& workspace);

}  // namespace trammel
