#include "trammel/constraint/equations/constraint_rows_at.hpp"

#include <cmath>
#include <numbers>

#include "trammel/constraint/equations/loop_forces.hpp"
#include "trammel/constraint/kinds/rolling.hpp"
#include "trammel/dynamics/kernel/instantiate.hpp"
#include "trammel/spatial/rotation.hpp"

namespace trammel {

namespace {

double value_of(double x) { return x; }
double value_of(const Duals& x) { return x.value; }

// Velocity residual of a dof that keeps its velocity: zero, with the derivative of the velocity.
template <Scalar S> S kept(const S& speed) { return speed - value_of(speed); }

// Residual of an angle, modulo whole turns.
template <Scalar S> S but_for_turns(const S& missed, double turn = 2 * std::numbers::pi) {
  return missed - turn * std::round(value_of(missed) / turn);
}

// Rotation vector; for Dual numbers, linearized at the zero rotation.
Vec3<double> turn_of(const Quaternion<double>& w) { return logarithm(w); }
Vec3<Duals> turn_of(const Quaternion<Duals>& w) {
  const double twice = w.w.value < 0 ? -2 : 2;
  return {twice * w.x, twice * w.y, twice * w.z};
}

// Position residual of the k-th dof of a loop joint with prescribed position. A ball and a free
// joint have no coordinate per dof: the motion from the prescribed pose, along their dof.
template <Scalar S>
S missed(const Joint& joint, const BasicClosureAt<S>& at, const double* target, int k) {
  if (has_single_coordinates(joint)) {
    const S by = at.q[k] - target[k];
    return comes_round(joint, k) ? but_for_turns(by) : by;
  }
  const Quaternion<double> back = exponential(-1.0 * Vec3<double>{target[0], target[1], target[2]});
  const Quaternion<S> is{at.q[0], at.q[1], at.q[2], at.q[3]};
  if (k < 3) return component(turn_of(Quaternion<S>{back.w, back.x, back.y, back.z} * is), k);
  const Vec3<S> moved{at.q[4] - target[3], at.q[5] - target[4], at.q[6] - target[5]};
  return component(transpose(rotation(is)) * moved, k - 3);
}

// Position, velocity and acceleration of a point fixed at r in a body, in world axes.
template <Scalar S> struct PointMotion { Vec3<S> p, v, a; };
template <Scalar S>
PointMotion<S> point(const BasicKinematics<S>& kinematics, int body, const Vec3<double>& r) {
  const Pose<S>& X = kinematics.X_WB[std::size_t(body)];
  const auto& [w, v] = kinematics.V[std::size_t(body)];
  const auto& [alpha, a] = kinematics.A[std::size_t(body)];
  const Vec3<S> v_r = v + cross(w, r);
  return {X * r, X.R * v_r, X.R * (a + cross(alpha, r) + cross(w, v_r))};
}

}  // namespace

template <Scalar S>
ConstraintRowsAt<S>::ConstraintRowsAt(const Model& model) : closures(model.closures().size()) {
  for (const Closure& closure : model.closures()) {
    double neutral[7] = {};
    std::visit([&](const auto& joint) { joint.neutral(neutral); }, closure.joint);
    const int nq = std::visit([](const auto& joint) { return joint.nq(); }, closure.joint);
    closure_q_.insert(closure_q_.end(), neutral, neutral + nq);
  }
  for (int f = 0; f < model.nv(); ++f)
    if (model.is_prescribed(f)) prescribed_.push_back(f);
  for (std::size_t c = 0; c < model.closures().size(); ++c) {
    const Closure& closure = model.closures()[c];
    for (int k = 0; k < dof_count(closure.joint); ++k) {
      const Drive drive = model.closure_drive(closure.v_start + k);
      if (drive == Drive::locked || drive == Drive::motion)
        loop_prescribed_.push_back({int(c), k, closure.v_start + k});
    }
  }
}

template <Scalar S> void ConstraintRowsAt<S>::add(const S& c, const S& c_dot, const S& c_dot_dot) {
  error.push_back(c);
  rate.push_back(c_dot);
  acceleration.push_back(c_dot_dot);
}

template <Scalar S>
void ConstraintRowsAt<S>::evaluate(const Model& model, const BasicKinematics<S>& kinematics,
                                   std::span<const S> q, std::span<const S> v, std::span<const S> a,
                                   const PrescribedAccelerations& prescribed) {
  error.clear();
  rate.clear();
  acceleration.clear();
  row_wrenches.clear();
  directs.clear();
  evaluate_closures(model, kinematics);
  evaluate_rods(model, kinematics);
  evaluate_wheels(model, kinematics);
  evaluate_couplings(model, q, v, a);
  evaluate_prescribed(model, v, a, prescribed);
}

template <Scalar S>
void ConstraintRowsAt<S>::evaluate_closures(const Model& model,
                                            const BasicKinematics<S>& kinematics) {
  for (std::size_t c = 0; c < closures.size(); ++c) {
    double* near = closure_q_.data() + model.closures()[c].q_start;
    BasicClosureAt<S>& at = closures[c];
    at = look_at(model, int(c), kinematics, near);
    const int nq =
        std::visit([](const auto& joint) { return joint.nq(); }, model.closures()[c].joint);
    for (int k = 0; k < nq; ++k) near[k] = value_of(at.q[k]);
    for (int k = 0; k < at.rows; ++k) {
      push(int(c), model, at.row[k], 1);
      add(dot(at.error, at.row[k]), dot(at.V, at.row[k]), dot(at.A, at.row[k]));
    }
  }
}

template <Scalar S>
void ConstraintRowsAt<S>::evaluate_rods(const Model& model, const BasicKinematics<S>& kinematics) {
  for (std::size_t k = 0; k < model.rods().size(); ++k) {
    const Rod& rod = model.rods()[k];
    const auto& [on_parent, on_child, length] = model.numbers().rods[k];
    const int P = model[rod.parent].tree_body, C = model[rod.child].tree_body;
    const PointMotion<S> from = point(kinematics, P, on_parent),
                         to = point(kinematics, C, on_child);
    const Vec3<S> d = to.p - from.p, v = to.v - from.v;
    const S distance = norm(d);
    const bool has_direction = distance > S(0.0);
    const Vec3<S> u = has_direction ? (1.0 / distance) * d : Vec3<S>{0.0, 0.0, 1.0};
    const S speed = dot(u, v);
    const S swing = has_direction ? (dot(v, v) - speed * speed) / distance : S(0.0);
    row_wrenches.push_back({next_row(), -1, rod.parent, rod.child, {{}, u}, to.p});
    add(distance - length, speed, dot(u, to.a - from.a) + swing);
  }
}

template <Scalar S>
void ConstraintRowsAt<S>::evaluate_wheels(const Model& model,
                                          const BasicKinematics<S>& kinematics) {
  flat_wheel = lost_wheel = -1;
  for (std::size_t k = 0; k < model.wheels().size(); ++k) {
    const Wheel& wheel = model.wheels()[k];
    const BasicRollingAt<S> at = evaluate_wheel(model, int(k), kinematics);
    if (at.is_flat) flat_wheel = int(k);
    if (at.is_lost) lost_wheel = int(k);
    for (int r = 0; r < wheel.rows(); ++r) {
      row_wrenches.push_back(
          {next_row(), -1, wheel.parent, wheel.child, {{}, at.direction[r]}, at.contact});
      add(at.error[r], at.rate[r], at.acceleration[r]);
    }
  }
}

template <Scalar S>
void ConstraintRowsAt<S>::evaluate_couplings(const Model& model, std::span<const S> q,
                                             std::span<const S> v, std::span<const S> a) {
  for (std::size_t k = 0; k < model.couplings().size(); ++k) {
    const Coupling& coupling = model.couplings()[k];
    S c = -model.numbers().coupling_offsets[k], c_dot = 0.0, c_dot_dot = 0.0;
    int loop_terms = 0;
    double turn = 0;  // period of the sum by the last loop term
    for (std::size_t t = 0; t < coupling.terms.size(); ++t) {
      const auto& [closure, q_index, v_index] = coupling.terms[t];
      const double factor =
          model.numbers().coupling_factors[std::size_t(coupling.factor_start) + t];
      if (closure < 0) {
        c += factor * q[std::size_t(q_index)];
        c_dot += factor * v[std::size_t(v_index)];
        c_dot_dot += factor * a[std::size_t(v_index)];
        directs.push_back({next_row(), v_index, factor});
        continue;
      }
      const BasicClosureAt<S>& at = closures[std::size_t(closure)];
      const Joint& joint = model.closures()[std::size_t(closure)].joint;
      const Force<S> dual = duals(at, dof_count(joint))[std::size_t(v_index)];
      c += factor * at.q[q_index];
      c_dot += factor * dot(at.V, dual);
      c_dot_dot += factor * dot(at.A, dual);
      push(closure, model, dual, factor);
      ++loop_terms;
      turn = comes_round(joint, q_index) ? 2 * std::numbers::pi * std::abs(factor) : 0;
    }
    // a state does not store how often a loop joint has turned: the nearest turn is used
    add(loop_terms == 1 && turn > 0 ? but_for_turns(c, turn) : c, c_dot, c_dot_dot);
  }
}

template <Scalar S>
void ConstraintRowsAt<S>::evaluate_prescribed(const Model& model, std::span<const S> v,
                                              std::span<const S> a,
                                              const PrescribedAccelerations& prescribed) {
  for (const int f : prescribed_) {
    const std::size_t k = std::size_t(f);
    const bool is_locked = model.prescription(f) == Drive::locked;
    const double wanted = is_locked || prescribed.tree.empty() ? 0 : prescribed.tree[k];
    directs.push_back({next_row(), f, 1});
    add(0.0, is_locked ? v[k] : kept(v[k]), a[k] - wanted);
  }
  for (const auto& [closure, k, dof] : loop_prescribed_) {
    const BasicClosureAt<S>& at = closures[std::size_t(closure)];
    const Joint& joint = model.closures()[std::size_t(closure)].joint;
    const bool is_locked = model.closure_drive(dof) == Drive::locked;
    const Force<S> dual = duals(at, dof_count(joint))[std::size_t(k)];
    const S speed = dot(at.V, dual), faster = dot(at.A, dual);
    push(closure, model, dual, 1);
    const std::size_t f = std::size_t(dof);
    const S a_missed = prescribed.loop.empty() ? S(0.0) : faster - prescribed.loop[f];
    if (is_locked) {
      add(0.0, speed, faster);
    } else if (loops_.q.empty()) {
      add(0.0, kept(speed), a_missed);
    } else {
      add(missed(joint, at, loops_.q.data() + (dof - k), k), speed - loops_.v[f], a_missed);
    }
  }
}

template <Scalar S>
void ConstraintRowsAt<S>::push(int closure, const Model& model, const Force<S>& in_M,
                               double factor) {
  const Closure& what = model.closures()[std::size_t(closure)];
  const Pose<S>& X_WM = closures[std::size_t(closure)].X_WM;
  row_wrenches.push_back(
      {next_row(), closure, what.parent, what.child, factor * turned(X_WM.R, in_M), X_WM.p});
}

template class ConstraintRowsAt<double>;
template class ConstraintRowsAt<Duals>;

}  // namespace trammel
