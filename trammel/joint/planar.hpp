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
  static bool is_periodic(int k) { return k == 2; }

  static constexpr auto row_alignment = RowAlignment::z;
  static constexpr const char* row_names[] = {"moment in the plane (1)", "moment in the plane (2)",
                                              "force along the normal"};
  template <Scalar S, Scalar P> int wrenches(const Coordinates<S, P>&, Force<S>* out) const {
    return put_units<S>({0, 1, 5}, out);
  }
  static void fit(const Pose<double>& X, const double*, double* q) {
    q[0] = X.p.x;
    q[1] = X.p.y;
    q[2] = turn_about_z_in(X.R, q[2]);
  }
};

}  // namespace trammel
