// Planar joint: translation along x and y of the fixed frame, then rotation about z. q: x, y,
// angle; v is their rate.
#pragma once

#include "trammel/joint/flat.hpp"

namespace trammel {

struct Planar : VectorSpaceJoint<3> {
  bool reversed = false;
  template <Scalar S, Scalar P> Pose<S> pose(const Coordinates<S, P>& q) const {
    return {turn_about_z(q.turn(2)), {q[0], q[1], S(0.0)}};
  }
  template <Scalar S, Scalar P> void columns(const Coordinates<S, P>& q, Motion<S>* out) const {
    const auto [s, c] = q.turn(2);
    out[0] = {{}, {c, -s, S(0.0)}};
    out[1] = {{}, {s, c, S(0.0)}};
    out[2] = unit_motion<S>(2);
  }
  template <Scalar S, Scalar P> Motion<S> bias(const Coordinates<S, P>& q, const S* v) const {
    const auto [s, c] = q.turn(2);
    return {{}, {v[2] * (c * v[1] - s * v[0]), -(v[2] * (c * v[0] + s * v[1])), S(0.0)}};
  }
};

}  // namespace trammel
