// Forces proportional to constraint multipliers (--follow).
#pragma once

#include <string>
#include <vector>

#include "trammel/constraint/solver/sliding_dynamics.hpp"

namespace trammel::cli {

// Each text is "ROW@PLACE=mx,my,mz,fx,fy,fz": the row by its name or its index from 0; the wrench
// in world axes, per unit of the row's multiplier. Throws UsageError.
std::vector<Follower> followers(const Model& model, const std::vector<std::string>& texts);

}  // namespace trammel::cli
