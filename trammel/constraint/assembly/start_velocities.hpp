// Checks of initial positions and velocities against the constraints; consistent accelerations.
#pragma once

#include "trammel/dynamics/inputs.hpp"
#include "trammel/dynamics/workspace.hpp"

namespace trammel {

// Message for given velocities that violate a constraint: the constraint (`owner`, a name of
// ConstraintRows::owner_names) and by how much, the keys to change, and the nearest consistent
// velocities in the mass metric. `given`: joints with given velocities; all if empty. `completed`:
// the state with the other velocities adapted as far as possible. The position is consistent.
std::string refused_velocities(const Model& model, const State& state, const State& completed,
                               Workspace& workspace, const std::vector<JointId>& given,
                               const std::string& owner);

// Checks that initial velocities satisfy loops and wheels to 1e-4 of the fastest (input of four
// digits). A position that violates the constraints slightly is projected for the check.
[[nodiscard]] Status check_start_velocities(const Model& model, const State& state,
                                            Workspace& workspace);

// Checks that the initial position satisfies loops and couplings to assembly_tolerance (digits of
// the input). Prescribed joints may still be elsewhere.
[[nodiscard]] Status check_start_position(const Model& model, const State& state,
                                          Workspace& workspace);

// Completes accelerations (nv): the dof in `keep` keep theirs, the others get the least change
// (slides divided by the characteristic length) that satisfies the constraints at the state's
// velocities. Kept accelerations that contradict each other stay: the dynamics functions reject
// them by name.
void follow_accelerations(const Model& model, const State& state, const std::vector<int>& keep,
                          std::span<const double> loop_a, Workspace& workspace,
                          std::vector<double>& a);

}  // namespace trammel
