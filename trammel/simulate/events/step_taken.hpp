// An accepted step: first and last state, and interpolation in between. Internal to this module.
#pragma once

#include <functional>

#include "trammel/base/status.hpp"
#include "trammel/model/state.hpp"

namespace trammel {

struct StepTaken {
  const State& begin;
  const State& end;
  std::function<Status(double part, State& out)> between;  // part: 0 to 1
};

}  // namespace trammel
