#pragma once

#include "trammel/constraint/constrained_dynamics.hpp"

namespace trammel {

// A force from outside that grows with what a row carries, as friction grows with the force that
// presses on it: `wrench` per unit of the row's multiplier.
struct Follower {
  int row = 0;  // of row_names()
  Wrench wrench;
};

// What does a mechanism do whose contacts also push across the way they hold: contacts of class II
// [seed 004, 5.2.4; section 3.10]?
//
//   M a + h = tau + (J^T + Q) lambda,   J a = gamma,   Q: the followers' efforts
//
// By what the rows answer to each follower alone: one small system, not symmetric. Where that is
// singular the answer is not unique, or there is none (a rod that jams while it slides), and the
// rows are named. Friction follows |lambda|: give its wrench for the sense in which the contact
// presses, and look whether the multiplier comes out so.
[[nodiscard]] Status sliding_dynamics(const Model& model, const State& state, const Inputs& inputs,
                                      std::span<const Follower> followers, Workspace& workspace,
                                      ConstrainedAnswer& out, Road road = Road::automatic);

}  // namespace trammel
