// Contact loads of wheels: normal and tangential force of each wheel, without points and directions
// (wheel_contacts.hpp has these). Internal to the library: for simulations, at every step.
#pragma once

#include <vector>

#include "trammel/constraint/solver/wheel_multipliers.hpp"
#include "trammel/dynamics/inputs.hpp"
#include "trammel/dynamics/workspace.hpp"

namespace trammel {

struct WheelLoad {
  double up = 0;        // normal force; 0 if the wheel carries no load [N]
  double sideways = 0;  // magnitude of the tangential force, which friction must supply [N]
  double margin = 0;    // of min_norm_contact_loads: negative where `up` is, and continuous [N]
};

// Loads of all wheels under inputs.tau.
[[nodiscard]] Status wheel_loads(const Model& model, const State& state, const Inputs& inputs,
                                 Workspace& workspace, std::vector<WheelLoad>& out);

// The same for the accelerations computed last with this workspace, by dynamics_on_manifold or
// dynamics_off_manifold, without evaluating them again; directly after that function.
// `multipliers`: those of wheel_multipliers_of_last_dynamics(). False if they are not known.
[[nodiscard]] bool wheel_loads_of_last_dynamics(const Model& model, Workspace& workspace,
                                                const WheelMultipliers& multipliers,
                                                std::vector<WheelLoad>& out);

}  // namespace trammel
