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
  static bool is_periodic(int) { return true; }

  static constexpr auto row_alignment = RowAlignment::z;
  static constexpr const char* row_names[] = {"moment across (1)", "moment across (2)",
                                              "force across (1)", "force across (2)",
                                              "force along"};
  template <Scalar S, Scalar P> int wrenches(const Coordinates<S, P>&, Force<S>* out) const {
    return put_units<S>({0, 1, 3, 4, 5}, out);
  }
  static void fit(const Pose<double>& X, const double*, double* q) {
    q[0] = turn_about_z_in(X.R, q[0]);
  }
};

}  // namespace trammel
