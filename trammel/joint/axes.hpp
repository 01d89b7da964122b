// Motion subspace S of a joint: its axes, one motion per degree of freedom, in the moving frame.
// Most joints rotate about z or translate along z, and a free joint has S = 1; these have types
// that know their zeros. Every other joint has a list of columns.
#pragma once

#include <array>

#include "trammel/spatial/articulated_inertia.hpp"

namespace trammel {

struct AboutZ {
  static constexpr int max_n = 1, n = 1;
};
struct AlongZ {
  static constexpr int max_n = 1, n = 1;
};
struct EveryWay {  // S is the identity
  static constexpr int max_n = 6, n = 6;
};
template <Scalar S, int N> struct Columns {
  static constexpr int max_n = N;
  const Motion<S>* column;
  int n;
};

// S v: the motion across the joint
template <Scalar S> struct Spin { S rate; };
template <Scalar S> struct Slide { S rate; };
template <Scalar S> Spin<S> motion(AboutZ, const S* v) { return {v[0]}; }
template <Scalar S> Slide<S> motion(AlongZ, const S* v) { return {v[0]}; }
template <Scalar S> Motion<S> motion(EveryWay, const S* v) {
  return {{v[0], v[1], v[2]}, {v[3], v[4], v[5]}};
}
template <Scalar S, int N> Motion<S> motion(const Columns<S, N>& S_J, const S* v) {
  Motion<S> V{};
  for (int k = 0; k < S_J.n; ++k) V = V + v[k] * S_J.column[k];
  return V;
}
template <Scalar S> Motion<S> operator+(const Motion<S>& V, const Spin<S>& spin) {
  return {{V.angular.x, V.angular.y, V.angular.z + spin.rate}, V.linear};
}
template <Scalar S> Motion<S> operator+(const Motion<S>& V, const Slide<S>& slide) {
  return {V.angular, {V.linear.x, V.linear.y, V.linear.z + slide.rate}};
}

// Contribution of a joint's own motion U = S v, with the rate U_dot = S a + dS/dt v, to the angular
// velocity and the acceleration of a body whose parent rotates with w_P; all in the body's axes.
template <Scalar S> Vec3<S> operator+(const Vec3<S>& w, const Spin<S>& U) {
  return {w.x, w.y, w.z + U.rate};
}
template <Scalar S> Vec3<S> operator+(const Vec3<S>& w, const Slide<S>&) { return w; }
template <Scalar S> Vec3<S> operator+(const Vec3<S>& w, const Motion<S>& U) {
  return w + U.angular;
}
// alpha: w_P x (angular part of U) + U_dot;  a: (2 w_P + angular part) x (linear part) + U_dot
template <Scalar S>
void add_motion(const Vec3<S>& w_P, const Spin<S>& U, const Spin<S>& U_dot, Motion<S>& A) {
  A.angular = {A.angular.x + w_P.y * U.rate, A.angular.y - w_P.x * U.rate,
               A.angular.z + U_dot.rate};
}
template <Scalar S>
void add_motion(const Vec3<S>& w_P, const Slide<S>& U, const Slide<S>& U_dot, Motion<S>& A) {
  const S twice = U.rate + U.rate;
  A.linear = {A.linear.x + w_P.y * twice, A.linear.y - w_P.x * twice, A.linear.z + U_dot.rate};
}
template <Scalar S>
void add_motion(const Vec3<S>& w_P, const Motion<S>& U, const Motion<S>& U_dot, Motion<S>& A) {
  A.angular = A.angular + cross(w_P, U.angular) + U_dot.angular;
  A.linear = A.linear + cross(w_P + w_P + U.angular, U.linear) + U_dot.linear;
}

// A motion without components about and along z: V x S v of a rotation about z.
template <Scalar S> struct AcrossZ {
  S wx, wy, vx, vy;
  operator Motion<S>() const { return {{wx, wy, S(0.0)}, {vx, vy, S(0.0)}}; }
};
template <Scalar S> AcrossZ<S> cross(const Motion<S>& V, const Spin<S>& spin) {
  const auto& [w, v] = V;
  return {w.y * spin.rate, -(w.x * spin.rate), v.y * spin.rate, -(v.x * spin.rate)};
}
template <Scalar S> Motion<S> cross(const Motion<S>& V, const Slide<S>& slide) {
  return {{}, {V.angular.y * slide.rate, -(V.angular.x * slide.rate), S(0.0)}};
}
template <Scalar S> Motion<S> operator+(const Motion<S>& V, const AcrossZ<S>& C) {
  return {{V.angular.x + C.wx, V.angular.y + C.wy, V.angular.z},
          {V.linear.x + C.vx, V.linear.y + C.vy, V.linear.z}};
}
// Reads back from a Motion the components that can be nonzero for such joints.
template <Scalar S> AcrossZ<S> known(AboutZ, const Motion<S>& C) {
  return {C.angular.x, C.angular.y, C.linear.x, C.linear.y};
}
template <class Axes, Scalar S> const Motion<S>& known(const Axes&, const Motion<S>& C) {
  return C;
}

// Joints with constant axes have no bias dS/dt v.
struct Still {};
template <class M> M operator+(const M& V, Still) { return V; }

// S_k
template <Scalar S> Motion<S> column(AboutZ, int) { return {{S(0.0), S(0.0), S(1.0)}, {}}; }
template <Scalar S> Motion<S> column(AlongZ, int) { return {{}, {S(0.0), S(0.0), S(1.0)}}; }
template <Scalar S> Motion<S> column(EveryWay, int k) {
  const Mat3<S> e = Mat3<S>::identity();
  return k < 3 ? Motion<S>{column(e, k), {}} : Motion<S>{{}, column(e, k - 3)};
}
template <Scalar S, int N> Motion<S> column(const Columns<S, N>& S_J, int k) {
  return S_J.column[k];
}

// S_k^T F
template <Scalar S> S component(AboutZ, int, const Force<S>& F) { return F.moment.z; }
template <Scalar S> S component(AlongZ, int, const Force<S>& F) { return F.force.z; }
template <Scalar S> S component(EveryWay, int k, const Force<S>& F) {
  return k < 3 ? component(F.moment, k) : component(F.force, k - 3);
}
template <Scalar S, int N> S component(const Columns<S, N>& S_J, int k, const Force<S>& F) {
  return dot(S_J.column[k], F);
}

// U = I S: the force of a unit acceleration of each degree of freedom
template <Scalar S> std::array<Force<S>, 1> operator*(const ArticulatedInertia<S>& I, AboutZ) {
  return {{{{I.rotational.xz, I.rotational.yz, I.rotational.zz},
            {I.coupling.x.z, I.coupling.y.z, I.coupling.z.z}}}};
}
template <Scalar S> std::array<Force<S>, 1> operator*(const ArticulatedInertia<S>& I, AlongZ) {
  return {{{I.coupling.z, {I.linear.xz, I.linear.yz, I.linear.zz}}}};
}
template <Scalar S> std::array<Force<S>, 1> operator*(const Inertia<S>& I, AboutZ) {
  return {{{{I.rotational.xz, I.rotational.yz, I.rotational.zz},
            {-I.first_moment.y, I.first_moment.x, S(0.0)}}}};
}
template <Scalar S> std::array<Force<S>, 1> operator*(const Inertia<S>& I, AlongZ) {
  return {{{{I.first_moment.y, -I.first_moment.x, S(0.0)}, {S(0.0), S(0.0), I.mass}}}};
}
template <Scalar S> std::array<Force<S>, 6> operator*(const ArticulatedInertia<S>& I, EveryWay) {
  const auto& [J, C, L] = I;
  return {{{{J.xx, J.xy, J.xz}, {C.x.x, C.y.x, C.z.x}},
           {{J.xy, J.yy, J.yz}, {C.x.y, C.y.y, C.z.y}},
           {{J.xz, J.yz, J.zz}, {C.x.z, C.y.z, C.z.z}},
           {C.x, {L.xx, L.xy, L.xz}},
           {C.y, {L.xy, L.yy, L.yz}},
           {C.z, {L.xz, L.yz, L.zz}}}};
}
template <Scalar S> std::array<Force<S>, 6> operator*(const Inertia<S>& I, EveryWay) {
  return articulated<S>(I) * EveryWay{};
}
template <class AnyInertia, Scalar S, int N>
std::array<Force<S>, std::size_t(N)> operator*(const AnyInertia& I, const Columns<S, N>& S_J) {
  std::array<Force<S>, std::size_t(N)> U;
  for (int k = 0; k < S_J.n; ++k) U[std::size_t(k)] = I * S_J.column[k];
  return U;
}

}  // namespace trammel
