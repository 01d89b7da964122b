// Limbs side by side: the articulated-body sweeps of forward_dynamics, a lane for each limb.
//
// Legs, arms and fingers hang from a trunk and not from each other, so none waits for another. A
// register takes the same number of all of them; the sweeps are those of forward_dynamics.cpp for
// hinges, with constants that differ from lane to lane. Where a limb has ended its lane goes on
// with something that weighs on nothing (Limbs), so there is no test on the way.
#pragma once

#include "trammel/dynamics/kernel/chained_poses.hpp"
#include "trammel/dynamics/kernel/pivot.hpp"
#include "trammel/dynamics/kernel/tile.hpp"
#include "trammel/dynamics/workspace.hpp"

namespace trammel::kernel {

class LimbsInRegister {
 public:
  using R = RowRegister<double>::Type;
  static constexpr int lanes = RowRegister<double>::rows;
  // Whether registers are wide enough for it to pay.
  static constexpr bool exist = lanes == Limbs::most;

  // What pushes from outside is left to the sweeps that go body by body.
  static bool fits(const Scene<double, double>& scene) {
    return !scene.numbers.limbs.empty() && scene.loads.empty();
  }
  LimbsInRegister(const Model& model, const Limbs& limbs, BasicWorkspace<double>& ws)
      : bodies_(model.bodies()), limbs_(limbs), ws_(ws) {}

  // Outward, when the trunk has its velocities.
  void move(In<double> v);
  // Inward, before the trunk: what its bodies feel is added to theirs. False if some freedom has so
  // little inertia left that it has to be looked at closely.
  [[nodiscard]] bool give_way();
  // Outward, when the trunk has its accelerations.
  void accelerate(Out<double> a);

 private:
  Parts<LaneConstants> constants(int step) const { return {{limbs_.of_step(step)}}; }
  Pose<R> pose(int step) const {
    const auto fixed = constants(step);
    const auto kept = ws_.limb_rows.group(step);
    const Pose<R> X_PF{fixed.matrix(Limbs::rotation), fixed.vector(Limbs::place)};
    return X_PF * TurnZ<R>{kept.get(LimbRows::sine), kept.get(LimbRows::cosine)};
  }
  AcrossZ<R> across(int step) const {
    const auto kept = ws_.limb_rows.group(step);
    return {kept.get(LimbRows::across), kept.get(LimbRows::across + 1),
            kept.get(LimbRows::across + 2), kept.get(LimbRows::across + 3)};
  }
  const Body& first(std::size_t limb) const {
    return bodies_[std::size_t(limbs_.limbs[limb].first)];
  }
  // A register for each step, of numbers that lie limb by limb at a place of its first body.
  template <class Place> Tile<double> by_step(const double* numbers, const Place& place) const {
    return Tile<double>([&](int limb) {
             if (std::size_t(limb) >= limbs_.limbs.size()) return R(0.0);
             return R::load_first(limbs_.limbs[std::size_t(limb)].count,
                                  numbers + place(first(std::size_t(limb))));
           })
        .turned_over();
  }
  // The motion of what each limb hangs from.
  Motion<R> of_parents(const std::vector<Motion<double>>& motions) const {
    const Tile<double> numbers =
        Tile<double>([&](int limb) {
          if (std::size_t(limb) >= limbs_.limbs.size()) return R(0.0);
          return R::load_first(6, &motions[std::size_t(first(std::size_t(limb)).parent)].angular.x);
        }).turned_over();
    return {{numbers[0], numbers[1], numbers[2]}, {numbers[3], numbers[4], numbers[5]}};
  }
  void carry(const ArticulatedInertia<R>& I, const Force<R>& F);

  std::span<const Body> bodies_;
  const Limbs& limbs_;
  BasicWorkspace<double>& ws_;
};

[[gnu::flatten]] inline void LimbsInRegister::move(In<double> v) {
  const auto q_start = [](const Body& body) { return body.q_start; };
  const auto v_start = [](const Body& body) { return body.v_start; };
  const Tile<double> sines = by_step(ws_.turns.sines(), q_start),
                     cosines = by_step(ws_.turns.cosines(), q_start),
                     rates = by_step(v.data(), v_start);
  Motion<R> V = of_parents(ws_.V);
  for (int step = 0; step < limbs_.steps; ++step) {
    const auto kept = ws_.limb_rows.group(step);
    kept.put(LimbRows::sine, sines[step]);
    kept.put(LimbRows::cosine, cosines[step]);
    const Inertia<R> inertia = constants(step).inertia(Limbs::inertia);
    const Spin<R> spin{rates[step]};
    V = to_child(pose(step), V) + spin;
    const AcrossZ<R> C = cross(V, spin);
    kept.put(LimbRows::across, C.wx);
    kept.put(LimbRows::across + 1, C.wy);
    kept.put(LimbRows::across + 2, C.vx);
    kept.put(LimbRows::across + 3, C.vy);
    kept.set(LimbRows::force, cross(V, inertia * V));
  }
}

[[gnu::flatten]] inline bool LimbsInRegister::give_way() {
  const Tile<double> efforts =
      by_step(ws_.effort.data(), [](const Body& body) { return body.v_start; });
  ArticulatedInertia<R> I_A{};
  Force<R> F_A{};
  bool is_weak_somewhere = false;
  for (int step = limbs_.steps - 1; step >= 0; --step) {
    const auto kept = ws_.limb_rows.group(step);
    I_A = I_A + constants(step).inertia(Limbs::inertia);
    F_A = F_A + kept.force(LimbRows::force);
    const auto U = I_A * AboutZ{};
    const std::array<R, 1> u{efforts[step] - F_A.moment.z};
    const auto hinge = open_hinge(AboutZ{}, U, u, [&](int, const R& pivot) {
      is_weak_somewhere |= is_weak(pivot, trace(I_A.rotational));
    });
    kept.set(LimbRows::give, hinge[0].W);
    kept.put(LimbRows::given, hinge[0].w);
    const SpinFreeInertia<R> I_a = project(AboutZ{}, I_A, U, hinge);
    const Force<R> p_a = F_A + I_a * across(step) + hinge[0].w * U[0];
    const Pose<R> X_PB = pose(step);
    I_A = to_parent(PoseView<R, R>(X_PB), I_a);
    F_A = to_parent(X_PB, p_a);
  }
  carry(I_A, F_A);
  return !is_weak_somewhere;
}

// From lanes to the bodies that the limbs hang from.
inline void LimbsInRegister::carry(const ArticulatedInertia<R>& I, const Force<R>& F) {
  const auto& [J, C, L] = I;
  const R numbers[27] = {J.xx,       J.xy,       J.xz,       J.yy,      J.yz,      J.zz,     C.x.x,
                         C.x.y,      C.x.z,      C.y.x,      C.y.y,     C.y.z,     C.z.x,    C.z.y,
                         C.z.z,      L.xx,       L.xy,       L.xz,      L.yy,      L.yz,     L.zz,
                         F.moment.x, F.moment.y, F.moment.z, F.force.x, F.force.y, F.force.z};
  alignas(64) double by_limb[27][lanes];
  for (int k = 0; k < 27; ++k) numbers[k].store(by_limb[k]);
  for (std::size_t limb = 0; limb < limbs_.limbs.size(); ++limb) {
    const std::size_t parent = std::size_t(first(limb).parent);
    const auto x = [&](int k) { return by_limb[k][limb]; };
    const auto vector = [&](int k) { return Vec3<double>{x(k), x(k + 1), x(k + 2)}; };
    ws_.I_A[parent] =
        ws_.I_A[parent] + ArticulatedInertia<double>{{x(0), x(1), x(2), x(3), x(4), x(5)},
                                                     {vector(6), vector(9), vector(12)},
                                                     {x(15), x(16), x(17), x(18), x(19), x(20)}};
    ws_.F[parent] += Force<double>{vector(21), vector(24)};
  }
}

[[gnu::flatten]] inline void LimbsInRegister::accelerate(Out<double> a) {
  Motion<R> A = of_parents(ws_.A);
  Tile<double> given([](int) { return R(0.0); });
  for (int step = 0; step < limbs_.steps; ++step) {
    const auto kept = ws_.limb_rows.group(step);
    A = to_child(pose(step), A) + across(step);
    const R a_step = kept.get(LimbRows::given) - dot(A, kept.force(LimbRows::give));
    A = A + Spin<R>{a_step};
    given.set(step, a_step);
  }
  const Tile<double> by_limb = given.turned_over();
  Tile<double>::each([&](auto limb) {
    if (std::size_t(limb) >= limbs_.limbs.size()) return;
    by_limb[limb].store_first(limbs_.limbs[std::size_t(limb)].count,
                              a.data() + first(std::size_t(limb)).v_start);
  });
}

}  // namespace trammel::kernel
