#pragma once

#include <Eigen/Core>
#include <complex>
#include <string>
#include <vector>

#include "trammel/analyze/unreached.hpp"
#include "trammel/dynamics/inputs.hpp"
#include "trammel/dynamics/workspace.hpp"

namespace trammel {

// How does a mechanism move near a state, driven a little more or less?
//
//   x' = A x + B u ,   y = C x + D u
//
// x: positions that can be chosen while loops stay closed, as small turns and slides from the
// state, or from where it is by now if it moves, then velocities that can be chosen; with wheels
// that roll there are fewer of these. u: efforts of the driven freedoms, those of joints that close
// loops last; of all freedoms of the tree if none is said to be driven. y: positions and velocities
// of all freedoms of the tree, so that C tells how the others follow.
struct Linearization {
  Eigen::MatrixXd A, B, C, D;
  std::vector<std::string> states, inputs, outputs;  // "q.crank", "v.crank", "tau.motor"
  // Of A, the slowest first; column k of `modes` goes with eigenvalue k, its largest entry is 1.
  Eigen::VectorXcd eigenvalues;
  Eigen::MatrixXcd modes;
  // How fast the state itself accelerates: 0 at an equilibrium and in a steady motion, of which the
  // eigenvalues tell how it goes on. The largest, of the velocities in x.
  double acceleration = 0;
  // What no input reaches: at rest, a vehicle whose wheels roll has ways it cannot go at once.
  std::vector<UnreachedMode> unreached;
};

// The slopes are implicit derivatives by Dual numbers (trammel/constraint/acceleration_slopes.hpp),
// exact to rounding; every force and every row counts that the engine knows. The state must be
// closed. What acts is said by `inputs`, as in every question at one state: the inputs, controllers
// and wrenches of the model's description are for runs.
[[nodiscard]] Status linearize(const Model& model, const State& state, const Inputs& inputs,
                               Workspace& workspace, Linearization& out);

}  // namespace trammel
