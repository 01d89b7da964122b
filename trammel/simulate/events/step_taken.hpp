// An accepted step: first and last state, and interpolation in between. Internal to this module.
#pragma once

#include <functional>

#include "trammel/base/status.hpp"
#include "trammel/constraint/forces/wheel_loads.hpp"
#include "trammel/model/state.hpp"
#include "trammel/simulate/events/load_range.hpp"

namespace trammel {

struct StepTaken {
  const State& begin;
  const State& end;
  std::function<Status(double part, State& out)> between;  // part: 0 to 1
  // Contact loads at the end, if the derivative there gave them; and those in between.
  const std::vector<WheelLoad>* end_loads = nullptr;
  LoadRange::Verdict loads = LoadRange::Verdict::undecided;
};

}  // namespace trammel
