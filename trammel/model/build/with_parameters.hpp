// Variant of a model with other values of its parameters, without reading its file again:
//
//   const Model longer = with_parameters(pendulum, {{"length", 0.9}});
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "trammel/model/build/builder.hpp"

namespace trammel {

// Builds the description of the model with these nominal values; all formulas follow. The result is
// the model that a reader would build with these values in ReadOptions::set. Throws
// std::invalid_argument for a name that is no parameter, with the nearest, and for a number that is
// not finite; ModelError if the values make no model.
[[nodiscard]] Model with_parameters(const Model& model,
                                    const std::vector<std::pair<std::string, double>>& values,
                                    const BuildOptions& options = {});

}  // namespace trammel
