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
  // Step by step, number by number, a lane for each limb: X_PF and the inertia as they are in
  // BodyNumbers. Where a limb has ended (or is not there) turns something that is fixed to nothing.
  enum { rotation = 0, place = 9, inertia = 12, count = 22 };
  AlignedVector<double> numbers;

  bool empty() const { return limbs.empty(); }
  const double* of_step(int step) const { return numbers.data() + step * count * most; }
};

Limbs find_limbs(const Model& model, std::span<const BodyNumbers<double>> bodies);

}  // namespace trammel
