// Packed chains (SIMD): serial chains of revolute joints with a free end, of which legged robots
// and hands have several. One chain per lane of a register, so that one pass covers all of them.
#pragma once

#include <span>
#include <vector>

#include "trammel/base/aligned.hpp"
#include "trammel/scalar/scalar.hpp"

namespace trammel {

class Model;
template <Scalar P> struct BodyNumbers;

// Consecutive bodies: first, first + 1, ...
struct BodyRun {
  int first = 0, count = 0;
  int end() const { return first + count; }
};

struct PackedChains {
  static constexpr int most = 8;     // chains, one per lane
  static constexpr int longest = 8;  // bodies of a chain: their dof also fill a register

  std::vector<BodyRun> packed_chains;  // empty if the tree has too few to gain time
  std::vector<BodyRun> trunk;          // all other bodies but ground, outward
  int steps = 0;                       // bodies of the longest chain
  // X_PF and the inertia, as they are in BodyNumbers
  enum { rotation = 0, place = 9, inertia = 12, count = 22 };
  // Indexed by step, then number, with one lane per chain. Padding lanes (the chain is shorter, or
  // does not exist) have a revolute joint with unit moment of inertia about its axis and no mass,
  // which puts no load on its parent.
  AlignedVector<double> by_step;
  // Indexed by chain, then number, with one lane per step. Padding lanes are massless bodies at the
  // identity pose.
  AlignedVector<double> by_chain;

  bool empty() const { return packed_chains.empty(); }
  const double* of_step(int step) const { return by_step.data() + step * count * most; }
  const double* of_chain(int chain) const { return by_chain.data() + chain * count * longest; }
};

PackedChains find_packed_chains(const Model& model, std::span<const BodyNumbers<double>> bodies);

}  // namespace trammel
