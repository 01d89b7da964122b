// Prismatic joint: translation along z; the builder rotates the frames so that the user's axis is
// z. q: the distance.
#pragma once

#include "trammel/joint/flat.hpp"

namespace trammel {

struct Prismatic : VectorSpaceJoint<1> {
  static constexpr AlongZ fixed_axes{};
  template <Scalar S, Scalar P> ShiftZ<S> pose(const Coordinates<S, P>& q) const { return {q[0]}; }
};

}  // namespace trammel
