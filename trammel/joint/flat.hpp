// Joints whose configuration space is a vector space: the rate of q is v.
#pragma once

#include "trammel/joint/axes.hpp"
#include "trammel/joint/coordinates.hpp"
#include "trammel/joint/loop_rows.hpp"
#include "trammel/spatial/rotation.hpp"

namespace trammel {

// The k-th unit motion: rotations about x y z, then translations along x y z.
template <Scalar S> Motion<S> unit_motion(int k) {
  const Mat3<S> e = Mat3<S>::identity();
  const Vec3<S> axis = k % 3 == 0 ? e.x : k % 3 == 1 ? e.y : e.z;
  return k < 3 ? Motion<S>{axis, {}} : Motion<S>{{}, axis};
}

// Base of joint types with N coordinates in a vector space: nq = nv = N, q_dot = v, and the neutral
// position is q = 0. A type derived from it adds pose and motion subspace.
template <int N> struct VectorSpaceJoint {
  static constexpr int max_nq = N, max_nv = N;
  static constexpr int nq() { return N; }
  static constexpr int nv() { return N; }
  static void neutral(double* q) {
    for (int k = 0; k < N; ++k) q[k] = 0;
  }
  template <Scalar S> static void rate(const S*, const S* v, S* q_dot) {
    for (int k = 0; k < N; ++k) q_dot[k] = v[k];
  }
  template <Scalar S> static void integrate(const S* q, const S* v, S* out) {
    for (int k = 0; k < N; ++k) out[k] = q[k] + v[k];
  }
  static void difference(const double* from, const double* to, double* v) {
    for (int k = 0; k < N; ++k) v[k] = to[k] - from[k];
  }
};

}  // namespace trammel
