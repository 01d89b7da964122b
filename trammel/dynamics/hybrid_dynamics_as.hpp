// Hybrid dynamics on behalf of another function.
#pragma once

#include "trammel/dynamics/hybrid_dynamics.hpp"

namespace trammel {

// Hybrid dynamics with messages that begin with `name`; forward_dynamics calls it for models with
// prescribed joints.
[[nodiscard]] Status hybrid_dynamics_as(const char* name, const Model& model, const State& state,
                                        const Inputs& inputs, Workspace& workspace,
                                        std::span<double> a, std::span<double> tau,
                                        std::span<double> loop_tau = {});

}  // namespace trammel
