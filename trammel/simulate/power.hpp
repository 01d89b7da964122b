// Where does the energy go? For this room only.
#pragma once

#include "trammel/dynamics/inputs.hpp"
#include "trammel/dynamics/workspace.hpp"

namespace trammel {

struct Power {        // [W]
  double stored = 0;  // the rate of kinetic, gravity and elastic energy
  double drives = 0;  // what efforts, plans and wrenches put in
  double losses = 0;  // what dampers, friction and contacts do beyond what springs store
  // What nobody accounts for: rounding, or something is wrong.
  double residual() const { return stored - drives - losses; }
};

// To what acts by inputs.tau and inputs.loop_tau: the efforts of joints that are driven by motion
// or locked, of the tree and of those that close loops. Fails where one of them cannot be told.
[[nodiscard]] Status add_led_efforts(const Model& model, const State& state, const Inputs& inputs,
                                     Workspace& workspace, std::vector<double>& tau,
                                     std::vector<double>& loop_tau);

// Two ways that share nothing but the accelerations `a`: the energies differentiated along the
// motion with Dual numbers, no force in it; and every force times the velocity it acts along.
// Constraints do no work, so that they are in neither. Fails where the effort of a planned joint
// cannot be told.
[[nodiscard]] Status power(const Model& model, const State& state, const Inputs& inputs,
                           std::span<const double> a, Workspace& workspace, Power& out);

}  // namespace trammel
