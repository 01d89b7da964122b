// Pose of a frame, and the transformations of motions and forces between frames.
#pragma once

#include "trammel/spatial/motion.hpp"

namespace trammel {

// X_AB is the pose of frame B in frame A: x_A = R_AB x_B + p_AB. For joints that only rotate, p_AB
// stays a parameter (P), while R_AB is a number (S).
template <Scalar S, Scalar P = S> struct Pose {
  Mat3<S> R;
  Vec3<P> p;
  static Pose identity() { return {Mat3<S>::identity(), {}}; }
};
// A pose whose parts are stored in different places.
template <Scalar S, Scalar P> struct PoseView {
  const Mat3<S>& R;
  const Vec3<P>& p;
  PoseView(const Mat3<S>& R_, const Vec3<P>& p_) : R(R_), p(p_) {}
  PoseView(const Pose<S, P>& X) : R(X.R), p(X.p) {}
};
// Poses with zeros known by type; products with them cost less.
template <Scalar S> struct TurnZ { S sin, cos; };
template <Scalar S> struct ShiftZ { S distance; };

template <Scalar P, Scalar S>
Pose<Product<P, S>> operator*(const Pose<P>& X_AB, const Pose<S>& X_BC) {
  return {X_AB.R * X_BC.R, X_AB.R * X_BC.p + X_AB.p};
}
template <Scalar P, Scalar S>
Pose<Product<P, S>, P> operator*(const Pose<P>& X_AB, const TurnZ<S>& turn) {
  const auto& [x, y, z] = X_AB.R;
  return {{turn.cos * x + turn.sin * y, turn.cos * y - turn.sin * x, z}, X_AB.p};
}
template <Scalar P, Scalar S>
Pose<Product<P, S>> operator*(const Pose<P>& X_AB, const ShiftZ<S>& shift) {
  return {X_AB.R, shift.distance * X_AB.R.z + X_AB.p};
}
template <Scalar S, Scalar P>
Vec3<Product<S, P>> operator*(const Pose<S>& X_AB, const Vec3<P>& x_B) {
  return X_AB.R * x_B + X_AB.p;
}
template <Scalar S> Pose<S> inverse(const Pose<S>& X_AB) {
  return {transpose(X_AB.R), -transpose_times(X_AB.R, X_AB.p)};
}

// Motion of A, shifted to B's origin, in B's axes.
template <Scalar S, Scalar P> Motion<S> to_child(PoseView<S, P> X_AB, const Motion<S>& V_A) {
  return {transpose_times(X_AB.R, V_A.angular),
          transpose_times(X_AB.R, V_A.linear + cross(V_A.angular, X_AB.p))};
}
template <Scalar S, Scalar P> Motion<S> to_child(const Pose<S, P>& X_AB, const Motion<S>& V_A) {
  return to_child(PoseView<S, P>(X_AB), V_A);
}
// Motion of B, shifted to A's origin, in A's axes.
template <Scalar S> Motion<S> to_parent(const Pose<S>& X_AB, const Motion<S>& V_B) {
  const Vec3<S> w = X_AB.R * V_B.angular;
  return {w, X_AB.R * V_B.linear + cross(X_AB.p, w)};
}
// Force at B's origin, shifted to A's origin, in A's axes.
template <Scalar S, Scalar P> Force<S> to_parent(PoseView<S, P> X_AB, const Force<S>& F_B) {
  const Vec3<S> f = X_AB.R * F_B.force;
  return {X_AB.R * F_B.moment + cross(X_AB.p, f), f};
}
template <Scalar S, Scalar P> Force<S> to_parent(const Pose<S, P>& X_AB, const Force<S>& F_B) {
  return to_parent(PoseView<S, P>(X_AB), F_B);
}
// Force at A's origin, shifted to B's origin, in B's axes.
template <Scalar S> Force<S> to_child(const Pose<S>& X_AB, const Force<S>& F_A) {
  return {transpose_times(X_AB.R, F_A.moment - cross(X_AB.p, F_A.force)),
          transpose_times(X_AB.R, F_A.force)};
}
// Shifts without rotation. Motion: to the point at p from where V is given. Force: to the point
// from which its point of application is at p.
template <Scalar S, Scalar P> Motion<S> shifted_to(const Vec3<P>& p, const Motion<S>& V) {
  return {V.angular, V.linear + cross(V.angular, p)};
}
template <Scalar S, Scalar P> Force<S> acting_at(const Vec3<P>& p, const Force<S>& F) {
  return {F.moment + cross(p, F.force), F.force};
}
// In A's axes, at the same point.
template <Scalar S> Motion<S> turned(const Mat3<S>& R_AB, const Motion<S>& V_B) {
  return {R_AB * V_B.angular, R_AB * V_B.linear};
}
template <Scalar S> Force<S> turned(const Mat3<S>& R_AB, const Force<S>& F_B) {
  return {R_AB * F_B.moment, R_AB * F_B.force};
}

}  // namespace trammel
