// Universal joint: rotation about z of the fixed frame, then about x of the rotated one. q: the two
// angles.
#pragma once

#include "trammel/joint/flat.hpp"

namespace trammel {

struct Universal : VectorSpaceJoint<2> {
  bool reversed = false;
  template <Scalar S, Scalar P> Pose<S> pose(const Coordinates<S, P>& q) const {
    const auto [s, c] = q.turn(0);
    const auto [t, d] = q.turn(1);
    return {{{c, s, S(0.0)}, {-(s * d), c * d, t}, {s * t, -(c * t), d}}, {}};
  }
  template <Scalar S, Scalar P> void columns(const Coordinates<S, P>& q, Motion<S>* out) const {
    const auto [t, d] = q.turn(1);
    out[0] = {{S(0.0), t, d}, {}};
    out[1] = unit_motion<S>(0);
  }
  template <Scalar S, Scalar P> Motion<S> bias(const Coordinates<S, P>& q, const S* v) const {
    const auto [t, d] = q.turn(1);
    const S vv = v[0] * v[1];
    return {{S(0.0), d * vv, -(t * vv)}, {}};
  }
  static bool is_periodic(int) { return true; }

  static constexpr const char* row_names[] = {"force x", "force y", "force z",
                                              "moment across both axes"};
  template <Scalar S, Scalar P> int wrenches(const Coordinates<S, P>& q, Force<S>* out) const {
    put_units<S>({3, 4, 5}, out);
    const auto [t, d] = q.turn(1);
    out[3] = {{S(0.0), d, S(-t)}, {}};
    return 4;
  }
  static void fit(const Pose<double>& X, const double*, double* q) {
    q[0] = nearest_turn(std::atan2(X.R.x.y, X.R.x.x), q[0]);
    q[1] = nearest_turn(std::atan2(X.R.y.z, X.R.z.z), q[1]);
  }
};

}  // namespace trammel
