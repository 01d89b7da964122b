#pragma once

#include "trammel/dynamics/inputs.hpp"
#include "trammel/dynamics/workspace.hpp"

namespace trammel {

// Actuator efforts of the motion inputs.a, by the recursive Newton-Euler algorithm [RBDA,
// table 5.1]
//   tau = M(q) a + C(q, v) v + N(q) - passive(q, v) - J^T wrenches
// Cost O(bodies); allocates nothing. With loops that restrict the motion: efforts of the driven
// joints (of all, if none is driven), of least norm; fails where they cannot produce the motion.
// Loops all of whose rows are redundant restrict nothing: the answer is that of the tree.
[[nodiscard]] Status inverse_dynamics(const Model& model, const State& state, const Inputs& inputs,
                                      Workspace& workspace, std::span<double> tau);

// C(q, v) v + N(q): what it takes not to accelerate, springs and dampers and wrenches apart.
[[nodiscard]] Status bias(const Model& model, const State& state, const Inputs& inputs,
                          Workspace& workspace, std::span<double> tau);

// N(q): what it takes to hold still against gravity.
[[nodiscard]] Status gravity_load(const Model& model, const State& state, Workspace& workspace,
                                  std::span<double> tau);

// What springs, dampers and viscous friction give, as efforts of the freedoms: those of joints
// -stiffness (q - rest) - damping v; those between points and of joints that close loops by the
// work they do on each freedom.
[[nodiscard]] Status passive_forces(const Model& model, const State& state, Workspace& workspace,
                                    std::span<double> tau);

}  // namespace trammel
