// Forces that follow what a row carries, as the command line says them.
#pragma once

#include <string>
#include <vector>

#include "trammel/constraint/sliding_dynamics.hpp"

namespace trammel::cli {

// Each text is "ROW@PLACE=mx,my,mz,fx,fy,fz": the row by its name or its number, the first is 0;
// the wrench in world axes, for each unit that the row carries. Throws UsageError.
std::vector<Follower> followers(const Model& model, const std::vector<std::string>& texts);

}  // namespace trammel::cli
