// Inverse dynamics (RNEA) of packed chains: the passes of inverse_dynamics.cpp for revolute joints,
// one chain per lane.
#pragma once

#include "trammel/dynamics/kernel/simd/packed_chain_lanes.hpp"
#include "trammel/spatial/tensor.hpp"

namespace trammel::kernel {

class PackedChainEfforts : PackedChainLanes {
 public:
  using PackedChainLanes::PackedChainLanes;

  // Both passes, to be called between the trunk's outward and inward pass: the forces at the bases
  // of the chains are added to those of the trunk's bodies.
  void write(In<double> v, In<double> a, Out<double> tau);
};

[[gnu::flatten]] inline void PackedChainEfforts::write(In<double> v, In<double> a,
                                                       Out<double> tau) {
  load_sines_and_cosines();
  const Tile<double> rates = by_step(v), speedups = by_step(a);
  const R ends = counts();
  Vec3<R> w = of_parents(ws_.w);
  Motion<R> A = of_parents(ws_.A);
  Mat3<R> Omega = angular_acceleration_tensor(w, A.angular);
  for (int step = 0; step < steps(); ++step) {
    const auto [R_PB, p] = pose(step);
    const Spin<R> spin{rates[step]};
    const Vec3<R> w_P = transpose_times(R_PB, w);
    A = {transpose_times(R_PB, A.angular), transpose_times(R_PB, A.linear + Omega * p)};
    add_motion(w_P, spin, Spin<R>{speedups[step]}, A);
    w = w_P + spin;
    Omega = angular_acceleration_tensor(w, A.angular);

    const auto [m, h, J] = inertia(step);
    Force<R> F{torque(euler_tensor(J), Omega) + cross(h, A.linear), m * A.linear + Omega * h};
    F.moment.z = select(R(step) < ends, F.moment.z, R(0.0));  // no moment after the end of a chain
    rows(step).set(PackedChainRows::force, F);
  }

  Force<R> F{};
  Tile<double> efforts([](int) { return R(0.0); });
  for (int step = steps() - 1; step >= 0; --step) {
    F = F + rows(step).force(PackedChainRows::force);
    efforts.set(step, F.moment.z);
    F = to_parent(pose(step), F);
  }
  PackedChainLanes::write(efforts, tau);
  each_parent([&](int chain, std::size_t parent) {
    ws_.F[parent] += Force<double>{{F.moment.x[chain], F.moment.y[chain], F.moment.z[chain]},
                                   {F.force.x[chain], F.force.y[chain], F.force.z[chain]}};
  });
}

}  // namespace trammel::kernel
