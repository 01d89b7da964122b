#pragma once

#include "trammel/dynamics/inputs.hpp"
#include "trammel/dynamics/workspace.hpp"

namespace trammel {

// Inverse dynamics: actuator efforts of the motion with accelerations inputs.a, by the recursive
// Newton-Euler algorithm (RNEA) [RBDA, table 5.1]
//   tau = M(q) a + C(q, v) v + N(q) - passive(q, v) - J^T wrenches
// Cost O(bodies); allocates nothing. With loops that restrict the motion: the efforts of the driven
// joints (of all joints, if none is driven) of least norm; fails where they cannot produce the
// motion. Loops all of whose constraint rows are redundant restrict nothing: the result is that of
// the tree.
[[nodiscard]] Status inverse_dynamics(const Model& model, const State& state, const Inputs& inputs,
                                      Workspace& workspace, std::span<double> tau);

// Bias, also called nonlinear effects: C(q, v) v + N(q), the generalized force at zero
// acceleration. Springs, dampers and external wrenches are not included.
[[nodiscard]] Status bias(const Model& model, const State& state, const Inputs& inputs,
                          Workspace& workspace, std::span<double> tau);

// Gravity load N(q): the generalized force that balances gravity at rest.
[[nodiscard]] Status gravity_load(const Model& model, const State& state, Workspace& workspace,
                                  std::span<double> tau);

// Passive generalized forces of springs, dampers and friction. Joints of the tree:
//   -stiffness (q - rest) - damping v - friction v / sqrt(v^2 + slow^2)
// Springs between points, contacts and loop joints: the wrench of the element projected on every
// degree of freedom (J^T F).
[[nodiscard]] Status passive_forces(const Model& model, const State& state, Workspace& workspace,
                                    std::span<double> tau);

}  // namespace trammel
