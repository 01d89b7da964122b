// What has been computed of a mechanism at one state, as types. A function that needs a stage takes
// it, so what must come before is in its signature. All in the frames the sweeps use; the questions
// in this room turn them into the frames the user named.
#pragma once

#include <vector>

#include "trammel/model/model.hpp"

namespace trammel {

// Where every body of the tree is and how it moves. V and A are in the body's own axes at its
// origin; A is spatial and true (without gravity's trick).
template <Scalar S> struct BasicKinematics {
  explicit BasicKinematics(const Model& model)
      : X_WB(model.bodies().size(), Pose<S>::identity()),
        V(model.bodies().size()),
        A(model.bodies().size()),
        axes(std::size_t(model.nv())) {}

  std::vector<Pose<S>> X_WB;
  std::vector<Motion<S>> V, A;
  std::vector<Motion<S>> axes;  // per freedom: its column S_k, in its body's axes
};

using Kinematics = BasicKinematics<double>;

}  // namespace trammel
