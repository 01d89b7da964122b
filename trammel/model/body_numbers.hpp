// Parameters of one body of the tree in any scalar P: its joint frame in the parent, its inertia.
#pragma once

#include "trammel/spatial/inertia.hpp"

namespace trammel {

template <Scalar P> struct BodyNumbers {
  Pose<P> X_PF = Pose<P>::identity();  // joint frame F in the parent
  Inertia<P> inertia;                  // at the body's origin, in its axes; fixed bodies included
};

}  // namespace trammel
