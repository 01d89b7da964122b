// Poses, velocities, accelerations and bias forces of all bodies at a = 0, in world axes.
#pragma once

#include <algorithm>

#include "trammel/dynamics/kernel/instantiate.hpp"
#include "trammel/dynamics/kernel/pivot.hpp"
#include "trammel/dynamics/kernel/simd/world_axes.hpp"
#include "trammel/dynamics/kernel/tree/passive_forces.hpp"
#include "trammel/dynamics/stages.hpp"
#include "trammel/model/traversal.hpp"

namespace trammel::kernel {

template <Scalar S> struct ClosedMotion {
  explicit ClosedMotion(const Model& model)
      : world(model),
        origins(model.bodies().size()),
        V(model.bodies().size()),
        A(model.bodies().size()),
        inertias(model.bodies().size()),
        forces(model.bodies().size()),
        columns_(std::size_t(model.nv())),
        sin_cos_(model.nq()) {}

  template <Scalar P> void move(const KernelInput<P, S>& input, In<S> q, In<S> v) {
    const BodyRun all = all_bodies(input.model);
    start(input, q);
    move(input, {&all, 1}, v);
    add_loads(input);
  }
  // The same in three steps, the second for bodies that hang from ground, or from each other.
  template <Scalar P> void start(const KernelInput<P, S>& input, In<S> q) {
    sin_cos_.prepare(q);
    V[0] = input.ground.V;
    A[0] = input.ground_acceleration();
  }
  template <Scalar P>
  void move(const KernelInput<P, S>& input, std::span<const BodyRun> runs, In<S> v) {
    WorldFrame<S> last = WorldFrame<S>::load(Mat3<S>::identity());
    outward<S>(input.model, runs, [&](int i, const Body& body, const auto& joint) {
      const auto& [X_PF, inertia] = input.numbers.bodies[i];
      const auto q_J = input.coordinates(sin_cos_, body);
      const S* v_J = &v[body.v_start];
      const auto S_J = axes(joint, q_J, &columns_[body.v_start]);
      world.place(i, body.parent, X_PF, pose(joint, q_J), last);
      const Mat3<S>& R = world.R_WB[i];
      origins[i] = origins[body.parent] + world.r[i];

      Motion<S> V_i = shifted_to(world.r[i], V[body.parent]);
      Motion<S> A_i = shifted_to(world.r[i], A[body.parent]);
      if constexpr (S_J.max_n == 1) {
        const auto S_z = turned(R, S_J, 0);
        world.axes[body.v_start] = whole(S_z);
        V_i = V_i + v_J[0] * S_z;
        A_i = A_i + cross(V_i, v_J[0] * S_z);
      } else {
        Motion<S> V_J{};  // S v, all degrees of freedom together
        for (int k = 0; k < S_J.n; ++k) {
          world.axes[body.v_start + k] = turned(R, S_J, k);
          V_J = V_J + v_J[k] * world.axes[body.v_start + k];
        }
        V_i = V_i + V_J;
        A_i = A_i + cross(V_i, V_J);
      }
      if constexpr (requires { joint.bias(q_J, v_J); })
        A_i = A_i + turned(R, Motion<S>{} + bias(joint, q_J, v_J));
      V[i] = V_i;
      A[i] = A_i;
      inertias[i] = turned(R, inertia);
      forces[i] = inertias[i] * A_i + cross(V_i, inertias[i] * V_i);
    });
  }
  template <Scalar P> void add_loads(const KernelInput<P, S>& input) {
    for (const ExternalForce<S>& load : input.external_forces)
      forces[load.body] = forces[load.body] - turned(world.R_WB[load.body], load.F);
  }

  // Converts to the result of kinematics(): body axes, without the acceleration that represents
  // gravity.
  template <Scalar P>
  void write_kinematics(const KernelInput<P, S>& input, BasicKinematics<S>& out) const {
    out.X_WB[0] = Pose<S>::identity();
    out.V[0] = input.ground.V;
    out.A[0] = input.ground.A;
    const Motion<S> falling = input.ground_acceleration() - input.ground.A;
    for (std::size_t i = 1; i < origins.size(); ++i) {
      const Mat3<S>& R = world.R_WB[i];
      out.X_WB[i] = {R, origins[i]};
      const Motion<S> A_i = A[i] - falling;
      out.V[i] = {transpose_times(R, V[i].angular), transpose_times(R, V[i].linear)};
      out.A[i] = {transpose_times(R, A_i.angular), transpose_times(R, A_i.linear)};
    }
    std::copy(world.axes.begin(), world.axes.end(), out.axes.begin());
  }

  WorldAxes<S> world;
  std::vector<Vec3<S>> origins;
  std::vector<Motion<S>> V, A;  // A includes gravity as an upward acceleration of ground
  std::vector<Inertia<S>> inertias;
  std::vector<Force<S>> forces;

 private:
  std::vector<Motion<S>> columns_;  // in the bodies' own axes
  SinCosCache<S> sin_cos_;
};

}  // namespace trammel::kernel
