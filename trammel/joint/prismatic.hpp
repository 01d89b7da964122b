// Prismatic joint: translation along z; the builder rotates the frames so that the user's axis is
// z. q: the distance.
#pragma once

#include "trammel/joint/flat.hpp"

namespace trammel {

struct Prismatic : VectorSpaceJoint<1> {
  static constexpr AlongZ fixed_axes{};
  template <Scalar S, Scalar P> ShiftZ<S> pose(const Coordinates<S, P>& q) const { return {q[0]}; }
  static bool is_periodic(int) { return false; }

  static constexpr auto row_alignment = RowAlignment::all;
  static constexpr const char* row_names[] = {"moment across (1)", "moment across (2)",
                                              "moment along", "force across (1)",
                                              "force across (2)"};
  template <Scalar S, Scalar P> int wrenches(const Coordinates<S, P>&, Force<S>* out) const {
    return put_units<S>({0, 1, 2, 3, 4}, out);
  }
  static void fit(const Pose<double>& X, const double*, double* q) { q[0] = X.p.z; }
};

}  // namespace trammel
