#pragma once

#include <Eigen/Core>
#include <complex>
#include <string>
#include <vector>

#include "trammel/analyze/uncontrollable_modes.hpp"
#include "trammel/dynamics/inputs.hpp"
#include "trammel/dynamics/workspace.hpp"

namespace trammel {

// Linearization of the equations of motion about a state, and its modes:
//
//   x' = A x + B u ,   y = C x + D u
//
// x: independent positions while loops stay closed, as small rotations and displacements from the
// state (from the motion through it, if it moves), then independent velocities; with rolling wheels
// there are fewer of these. u: efforts of the driven dofs, those of loop joints last; of all dofs
// of the tree if the model drives none. y: positions and velocities of all dofs of the tree, so C
// has the motion of the dependent ones.
struct Linearization {
  Eigen::MatrixXd A, B, C, D;
  std::vector<std::string> states, inputs, outputs;  // "q.crank", "v.crank", "tau.motor"
  // Eigenvalues of A, smallest magnitude first; column k of `modes` is the eigenvector of
  // eigenvalue k, scaled so that its largest entry is 1.
  Eigen::VectorXcd eigenvalues;
  Eigen::MatrixXcd modes;
  // Largest acceleration of the state itself, over the velocities in x: 0 at an equilibrium and in
  // a steady motion, whose stability the eigenvalues describe.
  double acceleration = 0;
  // Modes that no input controls: at rest, a vehicle with rolling wheels has directions it cannot
  // move in directly.
  std::vector<UncontrollableMode> uncontrollable_modes;
};

// Parts of the linearization beyond A, B, C and D, of O(states^3) operations and more. Without
// eigenvalues there are no uncontrollable modes.
struct LinearizeOptions {
  bool eigenvalues = true;  // with `modes`
  bool uncontrollable_modes = true;
};

// Derivatives are implicit derivatives, exact to rounding, of all forces and constraint rows of the
// model: in closed form for the tree, by dual numbers for the rows and for forces between bodies
// (docs/theory/derivatives.md). A, B and C cost O(states * bodies) and a Cholesky decomposition of
// T^T M T; LinearizedDynamics has products with them for large mechanisms. The state must be
// assembled. Only `inputs` act, as in every function of one state: inputs, controllers and wrenches
// of the model's description act in simulations only.
[[nodiscard]] Status linearize(const Model& model, const State& state, const Inputs& inputs,
                               Workspace& workspace, Linearization& out,
                               const LinearizeOptions& options = {});

}  // namespace trammel
