// Screw (helical) joint: rotation about z with proportional translation along it. q: the angle;
// constant: the pitch in m/rad.
#pragma once

#include "trammel/joint/flat.hpp"

namespace trammel {

struct Screw : VectorSpaceJoint<1> {
  template <Scalar S, Scalar P> Pose<S> pose(const Coordinates<S, P>& q) const {
    return {turn_about_z(q.turn(0)), {S(0.0), S(0.0), q.constants[0] * q[0]}};
  }
  template <Scalar S, Scalar P> void columns(const Coordinates<S, P>& q, Motion<S>* out) const {
    out[0] = {{S(0.0), S(0.0), S(1.0)}, {S(0.0), S(0.0), S(q.constants[0])}};
  }
};

}  // namespace trammel
