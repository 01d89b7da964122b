// State of a mechanism at one time.
#pragma once

#include <vector>

#include "trammel/model/model.hpp"

namespace trammel {

struct State {
  double time = 0;
  std::vector<double> q;      // positions, nq
  std::vector<double> v;      // velocities, nv
  std::vector<double> z;      // continuous states: Model::nz() of force elements, then controllers
  std::vector<int> discrete;  // active constraints, locks, stick or slip
};

// At rest with the two frames of every joint together: angles and distances 0, quaternions 1 0 0 0.
State neutral_state(const Model& model);
// Initial state of the model's description; neutral where it gives no value. Initial values of
// joints that close loops are left to the assembly.
State start_state(const Model& model);

// integrate: q [+] v, the position after one unit of time at constant velocities v. difference: its
// inverse, the v that leads from one position to another. Sizes are checked.
void integrate(const Model& model, std::span<const double> q, std::span<const double> v,
               std::span<double> out);
void difference(const Model& model, std::span<const double> from, std::span<const double> to,
                std::span<double> v);
// Time derivative of q at velocities v.
void rate(const Model& model, std::span<const double> q, std::span<const double> v,
          std::span<double> q_dot);

// Positions and velocities outside the limits of their joints: one warning each, by name.
Diagnostics check_limits(const Model& model, const State& state);

}  // namespace trammel
