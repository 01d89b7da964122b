// Range of the wheels' multipliers over the evaluations of a trial step: whether a contact load may
// have had a peak between both ends that the ends do not show. Inputs may move the loads without
// moving the vehicle, and then no step size control sees them.
#pragma once

#include <vector>

#include "trammel/constraint/solver/wheel_multipliers.hpp"

namespace trammel {

class LoadRange {
 public:
  // even: at all evaluations the multipliers lie between those of both ends, but for twice their
  // difference or a twentieth of the largest. peak: they do not. undecided: a solver that is not
  // recursive was used.
  enum class Verdict { undecided, even, peak };

  // The last evaluation is at the beginning of the next step; a trial step begins there.
  void begin_here();
  void begin_step();
  void add(const WheelMultipliers& multipliers);
  Verdict verdict() const;

 private:
  static constexpr double part_of_load = 0.05;

  std::vector<double> begin_, last_, low_, high_;
  bool is_begin_known_ = false, is_last_known_ = false, are_all_known_ = false;
};

}  // namespace trammel
