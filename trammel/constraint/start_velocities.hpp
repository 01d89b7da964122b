// Velocities that somebody gave and that do not keep the mechanism together.
#pragma once

#include "trammel/dynamics/inputs.hpp"
#include "trammel/dynamics/workspace.hpp"

namespace trammel {

// What to say of them: what they tear, a holder of rows, and the nearest velocities that belong
// together, as inertia measures it. `given`: the joints they were given for; of all if empty. The
// position is closed.
std::string refused_velocities(const Model& model, const State& state, Workspace& workspace,
                               const std::vector<JointId>& given, const std::string& torn);

// Do the velocities of a start keep loops closed and wheels rolling, but for digits that a person
// does not write? A position that is a little open is closed for the question.
[[nodiscard]] Status check_start_velocities(const Model& model, const State& state,
                                            Workspace& workspace);

}  // namespace trammel
