// Velocities that somebody gave and that do not keep the mechanism together.
#pragma once

#include "trammel/dynamics/inputs.hpp"
#include "trammel/dynamics/workspace.hpp"

namespace trammel {

// Message for them: the constraint that they violate (`owner`, a name of Rows::holder_names) and by
// how much, the keys to change, and the nearest consistent velocities in the mass metric. `given`:
// the joints they were given for; all if empty. `completed`: the state with the other velocities
// changed as far as that helps. The position is closed.
std::string refused_velocities(const Model& model, const State& state, const State& completed,
                               Workspace& workspace, const std::vector<JointId>& given,
                               const std::string& owner);

// Do the velocities of a start keep loops closed and wheels rolling, but for digits that a person
// does not write? A position that is a little open is closed for the question.
[[nodiscard]] Status check_start_velocities(const Model& model, const State& state,
                                            Workspace& workspace);

// Does the position of a start satisfy loops and couplings, but for digits that a person does not
// write (assembly_tolerance)? Joints driven by motion may still be elsewhere.
[[nodiscard]] Status check_start_position(const Model& model, const State& state,
                                          Workspace& workspace);

// Completes accelerations (nv): the freedoms in `keep` keep theirs, the others get the least change
// (angles, slides by the characteristic length) that satisfies the constraints at the state's
// velocities. Accelerations that contradict each other are left as they are: the dynamics refuse
// them by name.
void follow_accelerations(const Model& model, const State& state, const std::vector<int>& keep,
                          std::span<const double> loop_a, Workspace& workspace,
                          std::vector<double>& a);

}  // namespace trammel
