// Time-dependent parts of a model (inputs, controllers, wrenches) that a computation at one state
// or along a path ignores.
#pragma once

#include <string>
#include <vector>

#include "terminal.hpp"
#include "trammel/model/model.hpp"

namespace trammel::cli {

enum class ActingParts { efforts, wrenches, all };  // inputs and controllers; wrenches; both

// By kind and name: "input 'push'".
std::vector<std::string> parts_left_out(const Model& model, ActingParts which = ActingParts::all);

}  // namespace trammel::cli
