#pragma once

#include <Eigen/Core>

#include "trammel/dynamics/inputs.hpp"
#include "trammel/dynamics/workspace.hpp"

namespace trammel {

// Momentum of all moving bodies, in world axes: angular [kg m^2/s] and linear [kg m/s].
template <Scalar S> struct BasicMomentum {
  Vec3<S> angular;  // about the reference point of the call
  Vec3<S> linear;
};
using Momentum = BasicMomentum<double>;

// Total mass [kg] and center of mass, position [m] and velocity [m/s] in world axes.
template <Scalar S> struct BasicCenterOfMass {
  S mass{};          // of all moving bodies
  Vec3<S> position;  // of the center of mass
  Vec3<S> velocity;
};
using CenterOfMass = BasicCenterOfMass<double>;

// Angular and linear momentum about ground's origin, in world axes. Cost O(bodies).
[[nodiscard]] Status momentum(const Model& model, const State& state, Workspace& workspace,
                              Momentum& out);
// Centroidal momentum: the same about the center of mass.
[[nodiscard]] Status centroidal_momentum(const Model& model, const State& state,
                                         Workspace& workspace, Momentum& out);
// Centroidal momentum matrix A(q), 6 x nv: [angular; linear] = A v. Cost O(bodies).
[[nodiscard]] Status centroidal_momentum_matrix(const Model& model, const State& state,
                                                Workspace& workspace,
                                                Eigen::Ref<Eigen::MatrixXd> out);
// Total mass, position and velocity of the center of mass. Fails on a model without mass.
[[nodiscard]] Status center_of_mass(const Model& model, const State& state, Workspace& workspace,
                                    CenterOfMass& out);

}  // namespace trammel
