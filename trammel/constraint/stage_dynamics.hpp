#pragma once

#include "trammel/dynamics/inputs.hpp"
#include "trammel/dynamics/workspace.hpp"

namespace trammel {

// How does it accelerate at a stage of a step in time, beside the states that keep wheels on the
// floor and from slipping? As forward_dynamics has it, with accelerations that go on missing the
// rows by as much. False where such a state is to be closed first: loops may have no answer there;
// a tree has no rows to miss.
[[nodiscard]] bool stage_dynamics(const Model& model, const State& state, const Inputs& inputs,
                                  Workspace& workspace, std::span<double> a);

}  // namespace trammel
