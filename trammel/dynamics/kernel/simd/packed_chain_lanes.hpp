// Common part of the recursions over packed chains (SIMD): one serial chain per lane.
//
// Legs, arms and fingers are branches of one trunk and independent of each other. A register holds
// the same quantity of all chains, constants too. A lane whose chain has ended continues with a
// massless body (PackedChains) whose sine and cosine are both zero: of all motion it keeps only the
// part about its own axis, so no tests are needed on the way.
#pragma once

#include "trammel/dynamics/kernel/simd/chained_poses.hpp"
#include "trammel/dynamics/kernel/simd/tile.hpp"
#include "trammel/dynamics/workspace_buffers.hpp"
#include "trammel/model/traversal.hpp"

namespace trammel::kernel {

class PackedChainLanes {
 public:
  using R = RowRegister<double>::Type;
  static constexpr int lanes = RowRegister<double>::rows;
  // Whether registers are wide enough for this to be faster.
  static constexpr bool exist = lanes == PackedChains::most;

  // Models with external forces use the recursion over single bodies.
  static bool fits(const KernelInput<double, double>& input) {
    return !input.numbers.packed_chains.empty() && input.external_forces.empty();
  }
  PackedChainLanes(const KernelInput<double, double>& input, BasicWorkspace<double>& ws)
      : ws_(ws), packed_chains_(input.numbers.packed_chains), bodies_(input.model.bodies()) {}

 protected:
  int steps() const { return packed_chains_.steps; }
  Parts<PackedChainRows::OneGroup> rows(int step) const {
    return ws_.packed_chain_rows.group(step);
  }
  Inertia<R> inertia(int step) const { return constants(step).inertia(PackedChains::inertia); }
  // Valid after load_sines_and_cosines().
  Pose<R> pose(int step) const {
    const auto fixed = constants(step);
    const Pose<R> X_PF{fixed.matrix(PackedChains::rotation), fixed.vector(PackedChains::place)};
    return X_PF *
           TurnZ<R>{rows(step).get(PackedChainRows::sine), rows(step).get(PackedChainRows::cosine)};
  }
  // Number of bodies of each chain.
  R counts() const {
    return R::Simd([&](auto chain) { return double(chain < size() ? run(chain).count : 0); });
  }

  // Loads the sines and cosines of the workspace.
  void load_sines_and_cosines() const {
    const auto q_start = [](const Body& body) { return body.q_start; };
    const Tile<double> sines = by_step(ws_.sin_cos_cache.sines(), q_start),
                       cosines = by_step(ws_.sin_cos_cache.cosines(), q_start);
    for (int step = 0; step < steps(); ++step) {
      rows(step).put(PackedChainRows::sine, sines[step]);
      rows(step).put(PackedChainRows::cosine, cosines[step]);
    }
  }
  // Converts values of all degrees of freedom to one register per step; and back.
  Tile<double> by_step(In<double> numbers) const {
    return by_step(numbers.data(), [](const Body& body) { return body.v_start; });
  }
  void write(const Tile<double>& by_step, Out<double> numbers) const {
    const Tile<double> by_chain = by_step.turned_over();
    Tile<double>::each([&](auto chain) {
      if (std::size_t(chain) < size())
        by_chain[chain].store_first(run(chain).count, numbers.data() + first(chain).v_start);
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
    for (std::size_t chain = 0; chain < size(); ++chain)
      add(int(chain), std::size_t(first(chain).parent));
  }

  BasicWorkspace<double>& ws_;

 private:
  std::size_t size() const { return packed_chains_.packed_chains.size(); }
  const BodyRun& run(std::size_t chain) const { return packed_chains_.packed_chains[chain]; }
  const Body& first(std::size_t chain) const { return bodies_[std::size_t(run(chain).first)]; }
  Parts<LaneConstants> constants(int step) const { return {{packed_chains_.of_step(step)}}; }
  template <class Place> Tile<double> by_step(const double* numbers, const Place& place) const {
    return Tile<double>([&](int chain) {
             if (std::size_t(chain) >= size()) return R(0.0);
             return R::load_first(run(std::size_t(chain)).count,
                                  numbers + place(first(std::size_t(chain))));
           })
        .turned_over();
  }
  template <class Address> Tile<double> by_parent(int count, const Address& address) const {
    return Tile<double>([&](int chain) {
             if (std::size_t(chain) >= size()) return R(0.0);
             return R::load_first(count, address(first(std::size_t(chain)).parent));
           })
        .turned_over();
  }

  const PackedChains& packed_chains_;
  std::span<const Body> bodies_;
};

}  // namespace trammel::kernel
