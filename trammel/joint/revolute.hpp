// Revolute joint: rotation about z; the builder rotates the frames so that the user's axis is z. q:
// the angle.
#pragma once

#include "trammel/joint/flat.hpp"

namespace trammel {

struct Revolute : VectorSpaceJoint<1> {
  static constexpr AboutZ fixed_axes{};
  template <Scalar S, Scalar P> TurnZ<S> pose(const Coordinates<S, P>& q) const {
    const auto [s, c] = q.turn(0);
    return {s, c};
  }
};

}  // namespace trammel
