// General joint: up to six rotations and translations in sequence, each about or along an axis of
// the frame that the steps before it produce (the SDOF joint of [van der Merwe 1995], with axes of
// any direction; its axes and their rate corrected, sections 3.1 and 3.5). No massless intermediate
// bodies: an axis is a unit motion transformed through the later steps, the bias is the
// acceleration of the last frame when F rests and a = 0. q: one number per step.
#pragma once

#include <cstdint>
#include <initializer_list>

#include "trammel/base/expects.hpp"
#include "trammel/joint/flat.hpp"

namespace trammel {

struct Compound {
  // Steps about the coordinate axes are identified by their code; an oblique step has its unit axis
  // in the joint's constants, three numbers per step in order.
  enum class Step : std::uint8_t {
    turn_x,
    turn_y,
    turn_z,
    slide_x,
    slide_y,
    slide_z,
    turn_oblique,
    slide_oblique
  };
  static constexpr bool is_oblique(Step step) { return step >= Step::turn_oblique; }
  static constexpr int max_nq = 6, max_nv = 6;

  Step step[6] = {};
  std::uint8_t count = 0;
  bool reversed = false;

  Compound() = default;
  Compound(std::initializer_list<Step> steps) {
    TRAMMEL_EXPECTS(steps.size() <= 6);
    for (Step s : steps) step[count++] = s;
  }
  int nq() const { return count; }
  int nv() const { return count; }

  template <Scalar S, Scalar P> Pose<S> pose(const Coordinates<S, P>& q) const {
    Pose<S> X = Pose<S>::identity();
    const P* axis = q.constants;
    for (int k = 0; k < count; ++k) X = X * step_pose(k, q, axis);
    return X;
  }
  template <Scalar S, Scalar P> void columns(const Coordinates<S, P>& q, Motion<S>* out) const {
    const P* axis = q.constants;
    for (int k = 0; k < count; ++k) {
      const Motion<S> S_k = step_motion<S>(k, axis);
      const Pose<S> X = step_pose(k, q, axis);
      for (int l = 0; l < k; ++l) out[l] = to_child(X, out[l]);
      out[k] = S_k;
    }
  }
  template <Scalar S, Scalar P> Motion<S> bias(const Coordinates<S, P>& q, const S* v) const {
    Motion<S> V{}, A{};
    const P* axis = q.constants;
    for (int k = 0; k < count; ++k) {
      const Motion<S> V_k = v[k] * step_motion<S>(k, axis);
      const Pose<S> X = step_pose(k, q, axis);
      V = to_child(X, V) + V_k;
      A = to_child(X, A) + cross(V, V_k);
    }
    // in M's frame the rate of the axes is A - V x V = A, because A is spatial
    return A;
  }

  void neutral(double* q) const {
    for (int k = 0; k < count; ++k) q[k] = 0;
  }
  template <Scalar S> void rate(const S*, const S* v, S* q_dot) const {
    for (int k = 0; k < count; ++k) q_dot[k] = v[k];
  }
  template <Scalar S> void integrate(const S* q, const S* v, S* out) const {
    for (int k = 0; k < count; ++k) out[k] = q[k] + v[k];
  }
  void difference(const double* from, const double* to, double* v) const {
    for (int k = 0; k < count; ++k) v[k] = to[k] - from[k];
  }

  int constant_count() const {
    int oblique = 0;
    for (int k = 0; k < count; ++k) oblique += is_oblique(step[k]) ? 3 : 0;
    return oblique;
  }
  bool is_periodic(int k) const { return step[k] <= Step::turn_z || step[k] == Step::turn_oblique; }

 private:
  // Unit motion of step k; reads its axis without advancing the pointer.
  template <Scalar S, Scalar P> Motion<S> step_motion(int k, const P* axis) const {
    switch (step[k]) {
      case Step::turn_oblique: return {{S(axis[0]), S(axis[1]), S(axis[2])}, {}};
      case Step::slide_oblique: return {{}, {S(axis[0]), S(axis[1]), S(axis[2])}};
      default: return unit_motion<S>(int(step[k]));
    }
  }
  // Pose of the frame after step k in the frame before it; advances the pointer past its axis.
  template <Scalar S, Scalar P>
  Pose<S> step_pose(int k, const Coordinates<S, P>& q, const P*& axis) const {
    const P* n = axis;
    if (is_oblique(step[k])) axis += 3;
    switch (step[k]) {
      case Step::turn_x: return {turn_about_x(q.turn(k)), {}};
      case Step::turn_y: return {turn_about_y(q.turn(k)), {}};
      case Step::turn_z: return {turn_about_z(q.turn(k)), {}};
      case Step::turn_oblique: return {turn_about(Vec3<P>{n[0], n[1], n[2]}, q.turn(k)), {}};
      default: return {Mat3<S>::identity(), q[k] * step_motion<S>(k, n).linear};
    }
  }
};

}  // namespace trammel
