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
  static bool is_periodic(int k) { return k == 0; }

  static constexpr auto row_alignment = RowAlignment::z;
  static constexpr const char* row_names[] = {"moment across (1)", "moment across (2)",
                                              "force across (1)", "force across (2)"};
  template <Scalar S, Scalar P> int wrenches(const Coordinates<S, P>&, Force<S>* out) const {
    return put_units<S>({0, 1, 3, 4}, out);
  }
  static void fit(const Pose<double>& X, const double*, double* q) {
    q[0] = turn_about_z_in(X.R, q[0]);
    q[1] = X.p.z;
  }
};

}  // namespace trammel
