// One moment of a mechanism.
#pragma once

#include <vector>

#include "trammel/model/model.hpp"

namespace trammel {

struct State {
  double time = 0;
  std::vector<double> q;      // positions, nq
  std::vector<double> v;      // velocities, nv
  std::vector<double> z;      // continuous states of controllers, tyres, filters, motors
  std::vector<int> discrete;  // active constraints, locks, stick or slip
};

// At rest with every joint's frames together: angles and distances 0, quaternions 1 0 0 0.
State neutral_state(const Model& model);
// Where the model's description says that motion starts; neutral where it says nothing. What it
// says of joints that close loops is left to those who close them.
State start_state(const Model& model);

// Where constant velocities v lead in one unit of time: q [+] v, and the v that leads from one
// position to another: its inverse. Sizes are checked.
void integrate(const Model& model, std::span<const double> q, std::span<const double> v,
               std::span<double> out);
void difference(const Model& model, std::span<const double> from, std::span<const double> to,
                std::span<double> v);
// The plain derivative of q at velocities v.
void rate(const Model& model, std::span<const double> q, std::span<const double> v,
          std::span<double> q_dot);

// What is outside the limits of its joint: one warning each, by name.
Diagnostics check_limits(const Model& model, const State& state);

}  // namespace trammel
