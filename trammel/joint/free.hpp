// Free joint (floating base): six degrees of freedom. q: unit quaternion w x y z, then position x y
// z in the fixed frame; v: angular velocity and velocity of the origin, both in the moving frame.
#pragma once

#include "trammel/joint/spherical.hpp"

namespace trammel {

struct FreeMotion {
  static constexpr int max_nq = 7, max_nv = 6;
  static constexpr int nq() { return 7; }
  static constexpr int nv() { return 6; }

  template <Scalar S, Scalar P> Pose<S> pose(const Coordinates<S, P>& q) const {
    return {rotation(quaternion_at(q.q)), {q[4], q[5], q[6]}};
  }
  static void neutral(double* q) {
    Spherical::neutral(q);
    q[4] = q[5] = q[6] = 0;
  }
  template <Scalar S> static void rate(const S* q, const S* v, S* q_dot) {
    Spherical::rate(q, v, q_dot);
    put_position(rotation(quaternion_at(q)) * Vec3<S>{v[3], v[4], v[5]}, q_dot);
  }
  // a constant twist is a screw motion
  template <Scalar S> static void integrate(const S* q, const S* v, S* out) {
    const Motion<S> twist{{v[0], v[1], v[2]}, {v[3], v[4], v[5]}};
    const Vec3<S> p = Vec3<S>{q[4], q[5], q[6]} + rotation(quaternion_at(q)) * screw_shift(twist);
    Spherical::integrate(q, v, out);
    put_position(p, out);
  }
  static void difference(const double* from, const double* to, double* v) {
    Spherical::difference(from, to, v);
    const Vec3<double> p{to[4] - from[4], to[5] - from[5], to[6] - from[6]};
    const Vec3<double> u =
        inverse_screw_shift({v[0], v[1], v[2]}, transpose_times(rotation(quaternion_at(from)), p));
    v[3] = u.x, v[4] = u.y, v[5] = u.z;
  }
  static bool is_periodic(int) { return false; }

  static constexpr const char* row_names[] = {"nothing"};
  template <Scalar S, Scalar P> int wrenches(const Coordinates<S, P>&, Force<S>*) const {
    return 0;
  }
  static void fit(const Pose<double>& X, const double*, double* q) {
    Spherical::fit(X, nullptr, q);
    put_position(X.p, q);
  }

 private:
  template <Scalar S> static void put_position(const Vec3<S>& p, S* q) {
    q[4] = p.x;
    q[5] = p.y;
    q[6] = p.z;
  }
};

// Free joint from parent to child: its motion subspace S is the identity in the moving frame.
struct Free : FreeMotion {
  static constexpr EveryWay fixed_axes{};
};
// With parent and child exchanged, its axes change with q.
struct FreeFromAfar : FreeMotion {
  static constexpr bool reversed = true;
  template <Scalar S, Scalar P> void columns(const Coordinates<S, P>&, Motion<S>* out) const {
    for (int k = 0; k < 6; ++k) out[k] = unit_motion<S>(k);
  }
};

}  // namespace trammel
