#pragma once

#include <Eigen/Core>

#include "trammel/dynamics/inputs.hpp"
#include "trammel/dynamics/workspace.hpp"

namespace trammel {

template <Scalar S> struct BasicMomentum {
  Vec3<S> angular;  // about the point asked for
  Vec3<S> linear;
};
using Momentum = BasicMomentum<double>;

template <Scalar S> struct BasicMassCentre {
  S mass{};          // of everything that can move
  Vec3<S> position;  // of its centre
  Vec3<S> velocity;
};
using MassCentre = BasicMassCentre<double>;

// How much motion is in it? About ground's origin, in the world's axes. Cost O(bodies).
[[nodiscard]] Status momentum(const Model& model, const State& state, Workspace& workspace,
                              Momentum& out);
// The same about the centre of mass.
[[nodiscard]] Status centroidal_momentum(const Model& model, const State& state,
                                         Workspace& workspace, Momentum& out);
// The centroidal momentum is this 6 x nv matrix times v: [angular; linear]. Cost O(bodies).
[[nodiscard]] Status centroidal_momentum_matrix(const Model& model, const State& state,
                                                Workspace& workspace,
                                                Eigen::Ref<Eigen::MatrixXd> out);
// Where is the centre of mass, and how does it move? Fails on a model without mass.
[[nodiscard]] Status mass_centre(const Model& model, const State& state, Workspace& workspace,
                                 MassCentre& out);

namespace kernel {
template <Scalar P, Scalar S>
BasicMomentum<S> momentum(const Scene<P, S>& scene, const BasicKinematics<S>& kinematics);
template <Scalar P, Scalar S>
BasicMassCentre<S> mass_centre(const Scene<P, S>& scene, const BasicKinematics<S>& kinematics);
}  // namespace kernel

}  // namespace trammel
