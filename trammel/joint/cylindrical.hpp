// Cylindrical joint: independent rotation about z and translation along it. q: angle, distance.
#pragma once

#include "trammel/joint/flat.hpp"

namespace trammel {

struct Cylindrical : VectorSpaceJoint<2> {
  template <Scalar S, Scalar P> Pose<S> pose(const Coordinates<S, P>& q) const {
    return {turn_about_z(q.turn(0)), {S(0.0), S(0.0), q[1]}};
  }
  template <Scalar S, Scalar P> void columns(const Coordinates<S, P>&, Motion<S>* out) const {
    out[0] = unit_motion<S>(2);
    out[1] = unit_motion<S>(5);
  }
};

}  // namespace trammel
