// Limbs: chains of hinges that end free, of which legged robots and hands have several. Side by
// side, each in a lane of a register, they are swept at the price of one.
#pragma once

#include <span>
#include <vector>

#include "trammel/base/aligned.hpp"
#include "trammel/scalar/scalar.hpp"

namespace trammel {

class Model;
template <Scalar P> struct BodyNumbers;

// Bodies that follow each other: first, first + 1, ...
struct BodyRun {
  int first = 0, count = 0;
  int end() const { return first + count; }
};

struct Limbs {
  static constexpr int most = 8;     // limbs, one a lane
  static constexpr int longest = 8;  // bodies of each: their freedoms fill a register, too

  std::vector<BodyRun> limbs;  // none, if the tree has too few for it to pay
  std::vector<BodyRun> trunk;  // all other bodies but ground, outward
  int steps = 0;               // bodies of the longest limb
  // X_PF and the inertia, as they are in BodyNumbers
  enum { rotation = 0, place = 9, inertia = 12, count = 22 };
  // Step by step, number by number, a lane for each limb. Where one has ended, or is not there,
  // turns something that weighs on nothing.
  AlignedVector<double> by_step;
  // Limb by limb, number by number, a lane for each step. Where it has ended, it stays and weighs
  // nothing.
  AlignedVector<double> by_limb;

  bool empty() const { return limbs.empty(); }
  const double* of_step(int step) const { return by_step.data() + step * count * most; }
  const double* of_limb(int limb) const { return by_limb.data() + limb * count * longest; }
};

Limbs find_limbs(const Model& model, std::span<const BodyNumbers<double>> bodies);

}  // namespace trammel
