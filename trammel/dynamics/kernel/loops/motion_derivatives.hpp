// Derivatives of the motion of all bodies, and of inverse dynamics, along directions of positions,
// velocities and accelerations: a direction in each SIMD lane, one outward and one inward pass for
// all of them (docs/theory/derivatives.md, (11) and (12)).
//
// Everything in world axes at the origin of its own body; changes of a body's quantities are
// relative to its own axes.
#pragma once

#include <algorithm>
#include <vector>

#include "trammel/dynamics/kernel/instantiate.hpp"
#include "trammel/dynamics/kernel/loops/closed_state.hpp"
#include "trammel/dynamics/kernel/tree/articulated_update.hpp"
#include "trammel/dynamics/kernel/tree/coriolis_inertia.hpp"
#include "trammel/dynamics/kernel/tree/joint_derivatives.hpp"
#include "trammel/dynamics/kernel/tree/passive_forces.hpp"
#include "trammel/model/traversal.hpp"

namespace trammel::kernel {

// Products of a vector of doubles with one in SIMD lanes.
inline Lanes dot_wide(const Motion<double>& V, const Force<Lanes>& F) {
  return dot(V.angular, F.moment) + dot(V.linear, F.force);
}
inline Lanes dot_wide(const Motion<Lanes>& V, const Force<double>& F) {
  return dot(V.angular, F.moment) + dot(V.linear, F.force);
}
inline Motion<Lanes> cross_wide(const Motion<Lanes>& V, const Motion<double>& U) {
  return {cross(V.angular, U.angular), cross(V.angular, U.linear) + cross(V.linear, U.angular)};
}
inline Force<Lanes> cross_wide(const Motion<Lanes>& V, const Force<double>& F) {
  return {cross(V.angular, F.moment) + cross(V.linear, F.force), cross(V.angular, F.force)};
}

// A direction in each lane: row f has the entries of degree of freedom f.
using DirectionRows = std::span<const Lanes>;

class MotionDerivatives {
 public:
  explicit MotionDerivatives(const Model& model)
      : model_(model),
        bodies_(model.bodies().size()),
        dofs_(std::size_t(model.nv())),
        joint_derivatives_(any_columns_change(model) ? std::size_t(model.nv()) : 0),
        X_(bodies_.size()),
        D_(bodies_.size()),
        E_(bodies_.size()),
        K_(bodies_.size()),
        change_(bodies_.size()),
        load_(bodies_.size()) {}

  // The state: motion of the bodies, and per degree of freedom S, D, E and G of (1) to (3).
  void load(const KernelInput<double, double>& input, In<double> q, In<double> v, In<double> a,
            const ClosedState& state);
  // External force on a body at its origin, in world axes; then sum_forces() once, inward.
  void add_force(int body, const Force<double>& F) { bodies_[body].F = bodies_[body].F - F; }
  void sum_forces();

  // Motion of a body at the state, and its changes along the directions of the last passes.
  const Motion<double>& V(int body) const { return bodies_[body].V; }
  const Motion<double>& A(int body) const { return bodies_[body].A; }
  const Motion<Lanes>& X(int body) const { return X_[body]; }  // displacement
  const Motion<Lanes>& D(int body) const { return D_[body]; }  // of the velocity
  const Motion<Lanes>& E(int body) const { return E_[body]; }  // E + D x V: of the acceleration

  // Passes along a direction in each lane. O(bodies) each; allocate nothing.
  // (11): X and D; then E without da, which also removes all loads.
  void outward_velocities(DirectionRows dq, DirectionRows dv);
  void outward_accelerations(DirectionRows dq, DirectionRows dv);
  // Change of the external force on a body, relative to its axes.
  void add_load(int body, const Force<Lanes>& F) { load_[body] += F; }
  // (12): change of the efforts, with accelerations changing by da. After both passes with the same
  // dq and dv.
  void efforts(const ModelParameters<double>& numbers, In<double> v, DirectionRows dq,
               DirectionRows dv, DirectionRows da, std::span<Lanes> out);
  // M da
  void mass_times(DirectionRows da, std::span<Lanes> out);

 private:
  struct BodyState {
    Motion<double> V, A;  // A includes gravity as an upward acceleration of ground
    Inertia<double> I;
    CoriolisInertia<double> B;
    Force<double> F;  // on the body alone; after sum_forces() on all bodies outboard, too
    Vec3<double> r;   // origin relative to the parent's
  };
  struct Dof {
    Motion<double> S, D, E, G;
  };
  static bool any_columns_change(const Model& model) {
    const auto changes = [](const auto& joint) { return has_changing_columns(joint); };
    return std::ranges::any_of(model.bodies().subspan(1),
                               [&](const Body& body) { return std::visit(changes, body.joint); });
  }
  static void add(Motion<Lanes>& sum, const Lanes& k, const Motion<double>& V) {
    sum.angular = sum.angular + k * V.angular;
    sum.linear = sum.linear + k * V.linear;
  }
  void load_body(int i, const ClosedState& state);
  void add_changing_axes(const KernelInput<double, double>& input, In<double> q, In<double> v,
                         In<double> a, const ClosedState& state, int i);
  void outward_added(DirectionRows da);

  const Model& model_;
  std::vector<BodyState> bodies_;
  std::vector<Dof> dofs_;
  std::vector<JointDerivatives> joint_derivatives_;  // per dof; empty: no axes change
  std::vector<Motion<Lanes>> X_, D_, E_, K_;         // K: acceleration by da alone
  std::vector<Force<Lanes>> change_, load_;
};

inline void MotionDerivatives::load(const KernelInput<double, double>& input, In<double> q,
                                    In<double> v, In<double> a, const ClosedState& state) {
  bodies_[0].V = state.motion.V[0];
  bodies_[0].A = state.motion.A[0];
  for (int i = 1; i < int(bodies_.size()); ++i) {
    load_body(i, state);
    if (!joint_derivatives_.empty()) add_changing_axes(input, q, v, a, state, i);
  }
}

[[gnu::flatten]] inline void MotionDerivatives::load_body(int i, const ClosedState& state) {
  const ClosedMotion<double>& motion = state.motion;
  const Body& body = model_.bodies()[i];
  BodyState& here = bodies_[i];
  const Motion<double>& added = state.added_A[i];
  here.V = motion.V[i];
  here.A = motion.A[i] + added;
  here.I = motion.inertias[i];
  here.r = motion.world.r[i];
  here.F = motion.forces[i] + here.I * added;
  here.B = coriolis_inertia(here.I, here.V, (here.I * here.V).force);

  const Motion<double> V_P = shifted_to(here.r, bodies_[body.parent].V),
                       A_P = shifted_to(here.r, bodies_[body.parent].A);
  for (int f = body.v_start; f < body.v_end; ++f) {
    const Motion<double>& S = motion.world.axes[f];
    const Motion<double> D = cross(V_P, S);
    dofs_[f] = {S, D, cross(A_P, S) + cross(V_P, D), cross(here.V + V_P, S)};
  }
}

// Contributions of the axes and the bias of a joint that change with its coordinates.
inline void MotionDerivatives::add_changing_axes(const KernelInput<double, double>& input,
                                                 In<double> q, In<double> v, In<double> a,
                                                 const ClosedState& state, int i) {
  const Body& body = model_.bodies()[i];
  const BodyState& here = bodies_[i];
  const Motion<double> V_P = shifted_to(here.r, bodies_[body.parent].V);
  std::visit(
      [&](const auto& joint) {
        if constexpr (!requires { joint.fixed_axes; })
          if (has_changing_columns(joint)) {
            const int first = body.v_start, n = body.v_end - first;
            JointDerivatives* const derivatives = &joint_derivatives_[first];
            differentiate_joint(joint, &q[body.q_start], &v[first],
                                input.numbers.constants.data() + body.constant_start, derivatives);
            rotate_joint_derivatives(state.motion.world.R_WB[i], n, derivatives);
            for (int k = 0; k < n; ++k) {
              Dof& dof = dofs_[first + k];
              const Motion<double> dS_v = weighted(derivatives[k], &v[first], n);
              dof.D = dof.D + dS_v;
              dof.E = dof.E + cross(V_P, dS_v) + cross(here.V, dS_v) +
                      weighted(derivatives[k], &a[first], n) + derivatives[k].bias_q;
              dof.G = dof.G + derivatives[k].bias_v;
            }
          }
      },
      body.joint);
}

inline void MotionDerivatives::sum_forces() {
  for (std::size_t i = bodies_.size() - 1; i > 0; --i) {
    const int parent = model_.bodies()[i].parent;
    if (parent > 0) bodies_[parent].F += acting_at(bodies_[i].r, bodies_[i].F);
  }
}

[[gnu::flatten]] inline void MotionDerivatives::outward_velocities(DirectionRows dq,
                                                                   DirectionRows dv) {
  X_[0] = D_[0] = {};
  for (std::size_t i = 1; i < bodies_.size(); ++i) {
    const Body& body = model_.bodies()[i];
    const Vec3<double>& r = bodies_[i].r;
    Motion<Lanes> X = shifted_to(r, X_[body.parent]), D = shifted_to(r, D_[body.parent]);
    for (int f = body.v_start; f < body.v_end; ++f) {
      add(X, dq[f], dofs_[f].S);
      add(D, dq[f], dofs_[f].D);
      add(D, dv[f], dofs_[f].S);
    }
    X_[i] = X;
    D_[i] = D;
  }
}

[[gnu::flatten]] inline void MotionDerivatives::outward_accelerations(DirectionRows dq,
                                                                      DirectionRows dv) {
  E_[0] = {};
  for (std::size_t i = 1; i < bodies_.size(); ++i) {
    const Body& body = model_.bodies()[i];
    Motion<Lanes> E = shifted_to(bodies_[i].r, E_[body.parent]);
    for (int f = body.v_start; f < body.v_end; ++f) {
      add(E, dq[f], dofs_[f].E);
      add(E, dv[f], dofs_[f].G);
    }
    E_[i] = E;
    load_[i] = {};
  }
}

[[gnu::flatten]] inline void MotionDerivatives::outward_added(DirectionRows da) {
  K_[0] = {};
  for (std::size_t i = 1; i < bodies_.size(); ++i) {
    const Body& body = model_.bodies()[i];
    Motion<Lanes> K = shifted_to(bodies_[i].r, K_[body.parent]);
    for (int f = body.v_start; f < body.v_end; ++f) add(K, da[f], dofs_[f].S);
    K_[i] = K;
  }
}

[[gnu::flatten]] inline void MotionDerivatives::efforts(const ModelParameters<double>& numbers,
                                                        In<double> v, DirectionRows dq,
                                                        DirectionRows dv, DirectionRows da,
                                                        std::span<Lanes> out) {
  outward_added(da);
  for (std::size_t i = 1; i < bodies_.size(); ++i)
    change_[i] = bodies_[i].I * (E_[i] + K_[i]) + bodies_[i].B * D_[i].angular - load_[i];
  for (std::size_t i = bodies_.size() - 1; i > 0; --i) {
    const Body& body = model_.bodies()[i];
    const Force<double>& F = bodies_[i].F;
    const Force<Lanes>& change = change_[i];
    for (int f = body.v_start; f < body.v_end; ++f) out[f] = dot_wide(dofs_[f].S, change);
    if (!joint_derivatives_.empty() &&
        std::visit([](const auto& joint) { return has_changing_columns(joint); }, body.joint))
      for (int f = body.v_start; f < body.v_end; ++f)
        for (int k = body.v_start; k < body.v_end; ++k)
          out[f] += Lanes(dot(joint_derivatives_[k].columns[f - body.v_start], F)) * dq[k];
    if (body.parent == 0) continue;
    Motion<Lanes> X{};  // of the joint
    for (int f = body.v_start; f < body.v_end; ++f) add(X, dq[f], dofs_[f].S);
    change_[body.parent] += acting_at(bodies_[i].r, change + cross_wide(X, F));
  }
  each_passive_derivative(
      numbers, v, [&](int k, double stiffness) { out[k] += Lanes(stiffness) * dq[k]; },
      [&](int k, double damping) { out[k] += Lanes(damping) * dv[k]; });
}

[[gnu::flatten]] inline void MotionDerivatives::mass_times(DirectionRows da, std::span<Lanes> out) {
  outward_added(da);
  for (std::size_t i = 1; i < bodies_.size(); ++i) change_[i] = bodies_[i].I * K_[i];
  for (std::size_t i = bodies_.size() - 1; i > 0; --i) {
    const Body& body = model_.bodies()[i];
    for (int f = body.v_start; f < body.v_end; ++f) out[f] = dot_wide(dofs_[f].S, change_[i]);
    if (body.parent > 0) change_[body.parent] += acting_at(bodies_[i].r, change_[i]);
  }
}

}  // namespace trammel::kernel
