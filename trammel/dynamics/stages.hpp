// Kinematic quantities of a mechanism at one state, as types. A function that needs them takes the
// type as an argument, so that its signature states what must be computed before. All in the frames
// of the kernels; the public functions of this module convert to the frames the user named.
#pragma once

#include <vector>

#include "trammel/model/model.hpp"

namespace trammel {

// Poses and joint axes of all bodies of the tree.
template <Scalar S> struct BasicPositions {
  explicit BasicPositions(const Model& model)
      : X_WB(model.bodies().size(), Pose<S>::identity()), axes(std::size_t(model.nv())) {}

  std::vector<Pose<S>> X_WB;
  std::vector<Motion<S>> axes;  // per dof: column S_k, at its body's origin in world axes
};

// Adds velocities and accelerations, in the body's own axes at its origin. A is the spatial
// acceleration, without the term that represents gravity in the dynamics kernels.
template <Scalar S> struct BasicKinematics : BasicPositions<S> {
  explicit BasicKinematics(const Model& model)
      : BasicPositions<S>(model), V(model.bodies().size()), A(model.bodies().size()) {}

  std::vector<Motion<S>> V, A;
};

// Positions and kinematics in doubles: results of the functions of kinematics.hpp.
using Positions = BasicPositions<double>;
using Kinematics = BasicKinematics<double>;

}  // namespace trammel
