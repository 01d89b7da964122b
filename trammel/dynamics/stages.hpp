// What has been computed of a mechanism at one state, as types. A function that needs a stage takes
// it, so what must come before is in its signature. All in the frames the sweeps use; the questions
// in this room turn them into the frames the user named.
#pragma once

#include <vector>

#include "trammel/model/model.hpp"

namespace trammel {

// Where every body of the tree is, and which ways its joint lets it move.
template <Scalar S> struct BasicPositions {
  explicit BasicPositions(const Model& model)
      : X_WB(model.bodies().size(), Pose<S>::identity()), axes(std::size_t(model.nv())) {}

  std::vector<Pose<S>> X_WB;
  std::vector<Motion<S>> axes;  // per freedom: its column S_k, at its body's origin in world axes
};

// And how it moves. V and A are in the body's own axes at its origin; A is spatial and true
// (without gravity's trick).
template <Scalar S> struct BasicKinematics : BasicPositions<S> {
  explicit BasicKinematics(const Model& model)
      : BasicPositions<S>(model), V(model.bodies().size()), A(model.bodies().size()) {}

  std::vector<Motion<S>> V, A;
};

using Positions = BasicPositions<double>;
using Kinematics = BasicKinematics<double>;

}  // namespace trammel
