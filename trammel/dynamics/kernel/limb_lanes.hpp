// Common part of the recursions over packed chains (SIMD): one serial chain per lane.
//
// Legs, arms and fingers are branches of one trunk and independent of each other. A register holds
// the same quantity of all chains, constants too. A lane whose chain has ended continues with a
// massless body (PackedChains) whose sine and cosine are both zero: of all motion it keeps only the
// part about its own axis, so no tests are needed on the way.
#pragma once

#include "trammel/dynamics/kernel/chained_poses.hpp"
#include "trammel/dynamics/kernel/tile.hpp"
#include "trammel/dynamics/workspace.hpp"

namespace trammel::kernel {

class LimbLanes {
 public:
  using R = RowRegister<double>::Type;
  static constexpr int lanes = RowRegister<double>::rows;
  // Whether registers are wide enough for this to be faster.
  static constexpr bool exist = lanes == Limbs::most;

  // Models with external forces use the recursion over single bodies.
  static bool fits(const KernelInput<double, double>& input) {
    return !input.numbers.limbs.empty() && input.external_forces.empty();
  }
  LimbLanes(const KernelInput<double, double>& input, BasicWorkspace<double>& ws)
      : ws_(ws), limbs_(input.numbers.limbs), bodies_(input.model.bodies()) {}

 protected:
  int steps() const { return limbs_.steps; }
  Parts<LimbRows::OneGroup> kept(int step) const { return ws_.limb_rows.group(step); }
  Inertia<R> inertia(int step) const { return constants(step).inertia(Limbs::inertia); }
  // Valid after turn().
  Pose<R> pose(int step) const {
    const auto fixed = constants(step);
    const Pose<R> X_PF{fixed.matrix(Limbs::rotation), fixed.vector(Limbs::place)};
    return X_PF * TurnZ<R>{kept(step).get(LimbRows::sine), kept(step).get(LimbRows::cosine)};
  }
  // Number of bodies of each chain.
  R counts() const {
    return R::Simd([&](auto limb) { return double(limb < size() ? run(limb).count : 0); });
  }

  // Loads the sines and cosines of the workspace.
  void turn() const {
    const auto q_start = [](const Body& body) { return body.q_start; };
    const Tile<double> sines = by_step(ws_.turns.sines(), q_start),
                       cosines = by_step(ws_.turns.cosines(), q_start);
    for (int step = 0; step < steps(); ++step) {
      kept(step).put(LimbRows::sine, sines[step]);
      kept(step).put(LimbRows::cosine, cosines[step]);
    }
  }
  // Converts values of all degrees of freedom to one register per step; and back.
  Tile<double> by_step(In<double> numbers) const {
    return by_step(numbers.data(), [](const Body& body) { return body.v_start; });
  }
  void write(const Tile<double>& by_step, Out<double> numbers) const {
    const Tile<double> by_limb = by_step.turned_over();
    Tile<double>::each([&](auto limb) {
      if (std::size_t(limb) < size())
        by_limb[limb].store_first(run(limb).count, numbers.data() + first(limb).v_start);
    });
  }
  // Quantities of the body each chain is attached to, in the lane of the chain.
  Vec3<R> of_parents(const std::vector<Vec3<double>>& vectors) const {
    const Tile<double> x =
        by_parent(3, [&](int parent) { return &vectors[std::size_t(parent)].x; });
    return {x[0], x[1], x[2]};
  }
  Motion<R> of_parents(const std::vector<Motion<double>>& motions) const {
    const Tile<double> x =
        by_parent(6, [&](int parent) { return &motions[std::size_t(parent)].angular.x; });
    return {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
  }
  template <class Add> void each_parent(const Add& add) const {
    for (std::size_t limb = 0; limb < size(); ++limb)
      add(int(limb), std::size_t(first(limb).parent));
  }

  BasicWorkspace<double>& ws_;

 private:
  std::size_t size() const { return limbs_.limbs.size(); }
  const BodyRun& run(std::size_t limb) const { return limbs_.limbs[limb]; }
  const Body& first(std::size_t limb) const { return bodies_[std::size_t(run(limb).first)]; }
  Parts<LaneConstants> constants(int step) const { return {{limbs_.of_step(step)}}; }
  template <class Place> Tile<double> by_step(const double* numbers, const Place& place) const {
    return Tile<double>([&](int limb) {
             if (std::size_t(limb) >= size()) return R(0.0);
             return R::load_first(run(std::size_t(limb)).count,
                                  numbers + place(first(std::size_t(limb))));
           })
        .turned_over();
  }
  template <class FrameRef> Tile<double> by_parent(int count, const FrameRef& at) const {
    return Tile<double>([&](int limb) {
             if (std::size_t(limb) >= size()) return R(0.0);
             return R::load_first(count, at(first(std::size_t(limb)).parent));
           })
        .turned_over();
  }

  const Limbs& limbs_;
  std::span<const Body> bodies_;
};

}  // namespace trammel::kernel
