// Spherical (ball) joint: any rotation about a point. q: unit quaternion w x y z; v: angular
// velocity in the moving frame.
#pragma once

#include "trammel/joint/flat.hpp"

namespace trammel {

template <Scalar S> Quaternion<S> quaternion_at(const S* q) { return {q[0], q[1], q[2], q[3]}; }
template <Scalar S> void put(const Quaternion<S>& quaternion, S* q) {
  q[0] = quaternion.w;
  q[1] = quaternion.x;
  q[2] = quaternion.y;
  q[3] = quaternion.z;
}

// Spherical joint: three degrees of freedom, four coordinates. `reversed`: the tree traverses it
// from child to parent (see is_reversed).
struct Spherical {
  static constexpr int max_nq = 4, max_nv = 3;
  static constexpr int nq() { return 4; }
  static constexpr int nv() { return 3; }
  bool reversed = false;

  template <Scalar S, Scalar P> Pose<S> pose(const Coordinates<S, P>& q) const {
    return {rotation(quaternion_at(q.q)), {}};
  }
  template <Scalar S, Scalar P> void columns(const Coordinates<S, P>&, Motion<S>* out) const {
    for (int k = 0; k < 3; ++k) out[k] = unit_motion<S>(k);
  }
  static void neutral(double* q) { put(Quaternion<double>{1, 0, 0, 0}, q); }
  template <Scalar S> static void rate(const S* q, const S* v, S* q_dot) {
    const S half(0.5);
    const Quaternion<S> spin{S(0.0), half * v[0], half * v[1], half * v[2]};
    put(quaternion_at(q) * spin, q_dot);
  }
  template <Scalar S> static void integrate(const S* q, const S* v, S* out) {
    put(normalized(quaternion_at(q) * exponential(Vec3<S>{v[0], v[1], v[2]})), out);
  }
  static void difference(const double* from, const double* to, double* v) {
    const Vec3<double> r = logarithm(conjugate(quaternion_at(from)) * quaternion_at(to));
    v[0] = r.x, v[1] = r.y, v[2] = r.z;
  }
  static bool is_periodic(int) { return false; }

  static constexpr auto row_alignment = RowAlignment::none;
  static constexpr const char* row_names[] = {"force x", "force y", "force z"};
  template <Scalar S, Scalar P> int wrenches(const Coordinates<S, P>&, Force<S>* out) const {
    return put_units<S>({3, 4, 5}, out);
  }
  static void fit(const Pose<double>& X, const double*, double* q) { put(quaternion(X.R), q); }
};

}  // namespace trammel
