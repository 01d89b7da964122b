// Forward dynamics (ABA) of packed chains: the passes of forward_dynamics.cpp for revolute joints,
// one chain per lane.
#pragma once

#include "trammel/dynamics/kernel/pivot.hpp"
#include "trammel/dynamics/kernel/simd/packed_chain_lanes.hpp"

namespace trammel::kernel {

class PackedChainAba : PackedChainLanes {
 public:
  using PackedChainLanes::PackedChainLanes;

  // Pass 1, outward, when the trunk has its velocities.
  void outward_velocities(In<double> v);
  // Pass 2, inward, before the trunk: adds the articulated inertias and forces of the chains to
  // those of the bodies they are attached to. False if a degree of freedom has so little inertia
  // that the general recursion must decide.
  [[nodiscard]] bool inward_articulated_inertias();
  // Pass 3, outward, when the trunk has its accelerations.
  void outward_accelerations(Out<double> a);

 private:
  AcrossZ<R> across(int step) const {
    const auto get = [&](int k) { return rows(step).get(PackedChainRows::across + k); };
    return {get(0), get(1), get(2), get(3)};
  }
  void carry(const ArticulatedInertia<R>& I, const Force<R>& F);
};

[[gnu::flatten]] inline void PackedChainAba::outward_velocities(In<double> v) {
  load_sines_and_cosines();
  const Tile<double> rates = by_step(v);
  Motion<R> V = of_parents(ws_.V);
  for (int step = 0; step < steps(); ++step) {
    const Spin<R> spin{rates[step]};
    V = to_child(pose(step), V) + spin;
    const AcrossZ<R> C = cross(V, spin);
    rows(step).put(PackedChainRows::across, C.wx);
    rows(step).put(PackedChainRows::across + 1, C.wy);
    rows(step).put(PackedChainRows::across + 2, C.vx);
    rows(step).put(PackedChainRows::across + 3, C.vy);
    rows(step).set(PackedChainRows::force, cross(V, inertia(step) * V));
  }
}

[[gnu::flatten]] inline bool PackedChainAba::inward_articulated_inertias() {
  const Tile<double> efforts = by_step(ws_.effort);
  ArticulatedInertia<R> I_A{};
  Force<R> F_A{};
  bool is_weak_somewhere = false;
  for (int step = steps() - 1; step >= 0; --step) {
    I_A = I_A + inertia(step);
    F_A = F_A + rows(step).force(PackedChainRows::force);
    const auto U = I_A * AboutZ{};
    const std::array<R, 1> u{efforts[step] - F_A.moment.z};
    const auto joint_factor = factor_joint(AboutZ{}, U, u, [&](int, const R& pivot) {
      is_weak_somewhere |= is_weak(pivot, trace(I_A.rotational));
    });
    rows(step).set(PackedChainRows::W, joint_factor[0].W);
    rows(step).put(PackedChainRows::w, joint_factor[0].w);
    const SpinFreeInertia<R> I_a = project(AboutZ{}, I_A, U, joint_factor);
    const Force<R> p_a = F_A + I_a * across(step) + joint_factor[0].w * U[0];
    const Pose<R> X_PB = pose(step);
    I_A = to_parent(PoseView<R, R>(X_PB), I_a);
    F_A = to_parent(X_PB, p_a);
  }
  carry(I_A, F_A);
  return !is_weak_somewhere;
}

// Adds lanes to the bodies that the chains are attached to.
inline void PackedChainAba::carry(const ArticulatedInertia<R>& I, const Force<R>& F) {
  const auto& [J, C, L] = I;
  const R numbers[27] = {J.xx,       J.xy,       J.xz,       J.yy,      J.yz,      J.zz,     C.x.x,
                         C.x.y,      C.x.z,      C.y.x,      C.y.y,     C.y.z,     C.z.x,    C.z.y,
                         C.z.z,      L.xx,       L.xy,       L.xz,      L.yy,      L.yz,     L.zz,
                         F.moment.x, F.moment.y, F.moment.z, F.force.x, F.force.y, F.force.z};
  alignas(64) double by_chain[27][lanes];
  for (int k = 0; k < 27; ++k) numbers[k].store(by_chain[k]);
  each_parent([&](int chain, std::size_t parent) {
    const auto x = [&](int k) { return by_chain[k][chain]; };
    const auto vector = [&](int k) { return Vec3<double>{x(k), x(k + 1), x(k + 2)}; };
    ws_.I_A[parent] =
        ws_.I_A[parent] + ArticulatedInertia<double>{{x(0), x(1), x(2), x(3), x(4), x(5)},
                                                     {vector(6), vector(9), vector(12)},
                                                     {x(15), x(16), x(17), x(18), x(19), x(20)}};
    ws_.F[parent] += Force<double>{vector(21), vector(24)};
  });
}

[[gnu::flatten]] inline void PackedChainAba::outward_accelerations(Out<double> a) {
  Motion<R> A = of_parents(ws_.A);
  Tile<double> accelerations([](int) { return R(0.0); });
  for (int step = 0; step < steps(); ++step) {
    A = to_child(pose(step), A) + across(step);
    const R a_step =
        rows(step).get(PackedChainRows::w) - dot(A, rows(step).force(PackedChainRows::W));
    A = A + Spin<R>{a_step};
    accelerations.set(step, a_step);
  }
  write(accelerations, a);
}

}  // namespace trammel::kernel
