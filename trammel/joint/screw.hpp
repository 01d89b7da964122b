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
  static constexpr int constant_count() { return 1; }
  // its slide determines the number of turns
  static bool is_periodic(int) { return false; }

  static constexpr const char* row_names[] = {"moment across (1)", "moment across (2)",
                                              "force across (1)", "force across (2)",
                                              "force along the thread"};
  template <Scalar S, Scalar P> int wrenches(const Coordinates<S, P>& q, Force<S>* out) const {
    put_units<S>({0, 1, 3, 4}, out);
    out[4] = {{S(0.0), S(0.0), S(-q.constants[0])}, {S(0.0), S(0.0), S(1.0)}};
    return 5;
  }
  static void fit(const Pose<double>& X, const double* constants, double* q) {
    const double pitch = constants[0];
    q[0] = turn_about_z_in(X.R, pitch != 0 ? X.p.z / pitch : q[0]);
  }
};

}  // namespace trammel
