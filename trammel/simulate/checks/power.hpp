// Power balance of a state. Internal to this module.
#pragma once

#include "trammel/dynamics/inputs.hpp"
#include "trammel/dynamics/workspace.hpp"

namespace trammel {

struct Power {        // [W]
  double stored = 0;  // the rate of kinetic, gravity and elastic energy
  double drives = 0;  // power of efforts, prescribed motions and wrenches
  double losses = 0;  // power of dampers, friction and contacts, without the energy stored in
                      // springs
  // Unbalanced power: rounding, or an error in the model or the code.
  double residual() const { return stored - drives - losses; }
};

// Adds to tau and loop_tau the efforts of joints that are driven by motion or locked, in the tree
// and among loop joints. Fails where one of them is not unique.
[[nodiscard]] Status add_led_efforts(const Model& model, const State& state, const Inputs& inputs,
                                     Workspace& workspace, std::vector<double>& tau,
                                     std::vector<double>& loop_tau);

// Two computations that share only the accelerations `a`: the energies, differentiated along the
// motion with dual numbers, without any force; and every force times the velocity of its point of
// application. Constraints do no work and are in neither. Fails where the effort of a prescribed
// joint is not unique.
[[nodiscard]] Status power(const Model& model, const State& state, const Inputs& inputs,
                           std::span<const double> a, Workspace& workspace, Power& out);

}  // namespace trammel
