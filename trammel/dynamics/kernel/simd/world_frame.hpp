// Frame in world axes, propagated outward by a recursion.
//
// For doubles each axis is one SIMD register, so that the axes of the next body are sums of three
// registers, not of nine numbers: half the instructions of position kinematics.
#pragma once

#include <concepts>
#include <cstring>

#include "trammel/scalar/pack.hpp"
#include "trammel/spatial/pose.hpp"

namespace trammel::kernel {

// Vector in world axes, in registers, with loads and stores.
template <Scalar S> struct WorldVector {
  Vec3<S> xyz;
  static WorldVector load(const Vec3<S>& a) { return {a}; }
  void store(Vec3<S>& a) const { a = xyz; }
  void store_four(S* a) const {
    a[0] = xyz.x;
    a[1] = xyz.y;
    a[2] = xyz.z;
    a[3] = S(0.0);
  }
  friend WorldVector operator+(const WorldVector& a, const WorldVector& b) {
    return {a.xyz + b.xyz};
  }
  friend WorldVector operator-(const WorldVector& a, const WorldVector& b) {
    return {a.xyz - b.xyz};
  }
  template <class K> friend WorldVector operator*(const K& k, const WorldVector& a) {
    return {k * a.xyz};
  }
};
// For registers of at least four doubles.
template <Scalar S>
requires(std::same_as<S, double>&& native_lanes >= 4) struct WorldVector<S> {
  typedef double Two [[gnu::vector_size(16)]];
  typedef double Four [[gnu::vector_size(32)]];
  Four xyz;  // and a zero

  WorldVector(const Four& four) : xyz(four) {}
  // Written out for the reason given in pack.hpp.
  WorldVector(const WorldVector& other) : xyz(other.xyz) {}
  WorldVector& operator=(const WorldVector& other) {
    xyz = other.xyz;
    return *this;
  }

  // In halves: a store in halves followed by a load of the whole would stall.
  static WorldVector load(const Vec3<double>& a) {
    Two xy;
    std::memcpy(&xy, &a.x, sizeof xy);
    return {__builtin_shufflevector(xy, Two{a.z, 0.0}, 0, 1, 2, 3)};
  }
  void store(Vec3<double>& a) const {
    const Two xy = __builtin_shufflevector(xyz, xyz, 0, 1);
    std::memcpy(&a.x, &xy, sizeof xy);
    a.z = xyz[2];
  }
  void store_four(double* a) const { std::memcpy(a, &xyz, sizeof xyz); }
  friend WorldVector operator+(const WorldVector& a, const WorldVector& b) {
    return {a.xyz + b.xyz};
  }
  friend WorldVector operator-(const WorldVector& a, const WorldVector& b) {
    return {a.xyz - b.xyz};
  }
  friend WorldVector operator*(double k, const WorldVector& a) { return {k * a.xyz}; }
};

template <Scalar S> struct WorldFrame {
  using Vector = WorldVector<S>;
  Vector x, y, z;

  static WorldFrame load(const Mat3<S>& R) {
    return {Vector::load(R.x), Vector::load(R.y), Vector::load(R.z)};
  }
  void store(Mat3<S>& R) const {
    x.store(R.x);
    y.store(R.y);
    z.store(R.z);
  }
  template <Scalar P> Vector operator*(const Vec3<P>& a) const {
    return a.x * x + a.y * y + a.z * z;
  }
  template <Scalar P> WorldFrame operator*(const Mat3<P>& R) const {
    return {*this * R.x, *this * R.y, *this * R.z};
  }
};

// Step from a body to an outboard body: position relative to the parent and axes, in world axes.
template <Scalar S> struct WorldStep {
  WorldVector<S> shift;
  WorldFrame<S> axes;
};
template <Scalar S, Scalar P, class JointPose>
WorldStep<S> step_from(const WorldFrame<S>& parent, const Pose<P>& X_PF, const JointPose& X_FM) {
  const auto X_PB = X_PF * X_FM;
  return {parent * X_PB.p, parent * X_PB.R};
}
// Revolute joints: the rotation combines whole axes as well. Its result goes through memory: loaded
// from there, each number fills a register by itself.
inline WorldStep<double> step_from(const WorldFrame<double>& parent, const Pose<double>& X_PF,
                                   const TurnZ<double>& turn) {
  const auto [x_F, y_F, z_F] = WorldFrame<double>::load(X_PF.R);
  double x[4], y[4];
  (turn.cos * x_F + turn.sin * y_F).store_four(x);
  (turn.cos * y_F - turn.sin * x_F).store_four(y);
  return {parent * X_PF.p,
          {parent * Vec3<double>{x[0], x[1], x[2]}, parent * Vec3<double>{y[0], y[1], y[2]},
           parent * X_PF.R.z}};
}

}  // namespace trammel::kernel
