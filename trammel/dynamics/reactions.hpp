#pragma once

#include <vector>

#include "trammel/dynamics/inputs.hpp"
#include "trammel/dynamics/workspace.hpp"

namespace trammel {

// What does every joint carry while the mechanism accelerates with inputs.a?
//
// A reaction is the force of the parent on the child at the joint's moving frame M (its frame on
// the child), in M's axes: all six components, those along the freedoms included (they are the
// total effort: actuator and passive). One per joint of Model::joints(), fixed joints too. By
// Newton and Euler on every named body [seed 004, eq. 4.29-4.32]. Cost O(bodies); allocates nothing
// once `out` has its size.
[[nodiscard]] Status reactions(const Model& model, const State& state, const Inputs& inputs,
                               Workspace& workspace, std::vector<Force<double>>& out);

namespace kernel {
// The same for any scalar. `on_body` comes in with the force from outside on each named body, at
// its origin in its axes, and leaves with the force through its inboard joint.
template <Scalar P, Scalar S>
void reactions(const Scene<P, S>& scene, const BasicKinematics<S>& kinematics,
               std::span<Force<S>> on_body, std::span<Force<S>> out);
}  // namespace kernel

}  // namespace trammel
