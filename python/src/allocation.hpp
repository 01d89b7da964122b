// Options of effort allocation, from Python's arguments.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "call.hpp"
#include "trammel/constraint/forces/allocation.hpp"

namespace trammel::python {

using PerDrive = std::map<std::string, double>;

inline constexpr auto allocation_parameters = parameters(
    parameter<PerDrive>("weights", EmptyDict()), parameter<PerDrive>("limits", EmptyDict()),
    parameter<std::vector<std::string>>("idle", EmptyTuple()));

inline AllocationOptions allocation_options(const PerDrive& weights, const PerDrive& limits,
                                            const std::vector<std::string>& idle,
                                            bool heeds_model_limits) {
  return {
      {weights.begin(), weights.end()}, {limits.begin(), limits.end()}, heeds_model_limits, idle};
}

}  // namespace trammel::python
