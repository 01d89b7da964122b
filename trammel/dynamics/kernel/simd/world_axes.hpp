// The tree in world axes, every quantity at its own body's origin.
//
// From body to body nothing is rotated, only shifted: a pair of degrees of freedom on one path
// (mass matrix, derivatives) costs a cross product and two dot products. Positions are relative to
// the first body of each tree, so that a robot far from the world's origin loses no digits.
#pragma once

#include <vector>

#include "trammel/dynamics/kernel/simd/world_frame.hpp"
#include "trammel/dynamics/kernel_input.hpp"

namespace trammel::kernel {

// Joint axes in world axes whose zero part is known by type: rotation about an axis through the
// body's origin, translation along it.
template <Scalar S> struct TurnAbout { Vec3<S> axis; };
template <Scalar S> struct SlideAlong { Vec3<S> axis; };

template <Scalar S> TurnAbout<S> turned(const Mat3<S>& R_WB, AboutZ, int) { return {R_WB.z}; }
template <Scalar S> SlideAlong<S> turned(const Mat3<S>& R_WB, AlongZ, int) { return {R_WB.z}; }
template <Scalar S> Motion<S> turned(const Mat3<S>& R_WB, EveryWay, int k) {
  return k < 3 ? Motion<S>{trammel::column(R_WB, k), {}}
               : Motion<S>{{}, trammel::column(R_WB, k - 3)};
}
template <Scalar S, int N> Motion<S> turned(const Mat3<S>& R_WB, const Columns<S, N>& S_J, int k) {
  return turned(R_WB, S_J.column[k]);
}

template <Scalar S> Motion<S> whole(const TurnAbout<S>& turn) { return {turn.axis, {}}; }
template <Scalar S> Motion<S> whole(const SlideAlong<S>& slide) { return {{}, slide.axis}; }
template <Scalar S> const Motion<S>& whole(const Motion<S>& V) { return V; }

template <Scalar S> TurnAbout<S> operator*(const S& rate, const TurnAbout<S>& turn) {
  return {rate * turn.axis};
}
template <Scalar S> SlideAlong<S> operator*(const S& rate, const SlideAlong<S>& slide) {
  return {rate * slide.axis};
}
template <Scalar S> Motion<S> operator+(const Motion<S>& V, const TurnAbout<S>& turn) {
  return {V.angular + turn.axis, V.linear};
}
template <Scalar S> Motion<S> operator+(const Motion<S>& V, const SlideAlong<S>& slide) {
  return {V.angular, V.linear + slide.axis};
}
template <Scalar S> Motion<S> cross(const Motion<S>& V, const TurnAbout<S>& turn) {
  return {cross(V.angular, turn.axis), cross(V.linear, turn.axis)};
}
template <Scalar S> Motion<S> cross(const Motion<S>& V, const SlideAlong<S>& slide) {
  return {{}, cross(V.angular, slide.axis)};
}
template <Scalar S> Force<S> cross(const TurnAbout<S>& turn, const Force<S>& F) {
  return {cross(turn.axis, F.moment), cross(turn.axis, F.force)};
}
template <Scalar S> Force<S> cross(const SlideAlong<S>& slide, const Force<S>& F) {
  return {cross(slide.axis, F.force), {}};
}
template <Scalar S> S dot(const TurnAbout<S>& turn, const Force<S>& F) {
  return dot(turn.axis, F.moment);
}
template <Scalar S> S dot(const SlideAlong<S>& slide, const Force<S>& F) {
  return dot(slide.axis, F.force);
}
template <Scalar S> Force<S> operator*(const ArticulatedInertia<S>& I, const TurnAbout<S>& turn) {
  return {I.rotational * turn.axis, transpose_times(I.coupling, turn.axis)};
}
template <Scalar S> Force<S> operator*(const ArticulatedInertia<S>& I, const SlideAlong<S>& slide) {
  return {I.coupling * slide.axis, I.linear * slide.axis};
}
template <Scalar S> Force<S> operator*(const Inertia<S>& I, const TurnAbout<S>& turn) {
  return {I.rotational * turn.axis, cross(turn.axis, I.first_moment)};
}
template <Scalar S> Force<S> operator*(const Inertia<S>& I, const SlideAlong<S>& slide) {
  return {cross(I.first_moment, slide.axis), I.mass * slide.axis};
}

template <Scalar S> struct WorldAxes {
  explicit WorldAxes(const Model& model)
      : R_WB(model.bodies().size(), Mat3<S>::identity()),
        p(model.bodies().size()),
        r(model.bodies().size()),
        axes(std::size_t(model.nv())) {}

  std::vector<Mat3<S>> R_WB;
  std::vector<Vec3<S>> p;       // origin, relative to the first body of its tree
  std::vector<Vec3<S>> r;       // origin, relative to its parent's
  std::vector<Motion<S>> axes;  // per dof: its axis S_k

  // Places body i after its parent; `last` holds the axes of body i - 1.
  template <Scalar P, class JointPose>
  void place(int i, int parent, const Pose<P>& X_PF, const JointPose& X_FM, WorldFrame<S>& last) {
    if (parent != i - 1) last = WorldFrame<S>::load(R_WB[parent]);
    const auto step = step_from(last, X_PF, X_FM);
    last = step.axes;
    last.store(R_WB[i]);
    step.shift.store(r[i]);
    p[i] = parent == 0 ? Vec3<S>{} : p[parent] + r[i];
  }
  // Axis of degree of freedom k, of body i with this joint.
  template <JointType J> auto column(int i, int k, const J&) const {
    if constexpr (requires { requires J::fixed_axes.n == 1; })
      return turned(R_WB[i], J::fixed_axes, 0);
    else
      return axes[k];
  }
};

}  // namespace trammel::kernel
