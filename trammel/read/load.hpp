// Loads a model from a file: TOML, URDF or a table of wheels (CSV), detected by its name or first
// bytes:
//
//   const Model arm = load_model("arm.urdf", {.base = Base::free});
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "trammel/model/build/builder.hpp"

namespace trammel {

// Base of a format that does not specify it: the root link is fixed to ground, or floats.
enum class Base { fixed, free };

// Options of reading a model file. A name in `set` that the file has no parameter for is an error.
struct ReadOptions {
  Base base = Base::fixed;
  std::vector<std::pair<std::string, double>> set = {};            // parameters with other values
  std::vector<std::pair<std::string, std::string>> packages = {};  // folder of package://name
  BuildOptions build = {};                                         // for load_model only
};

// Throws one ModelError with all errors and their places. Warnings are stored in Model::warnings().
// A file that cannot be read at all is a ModelError too.
[[nodiscard]] Model load_model(const std::string& path, const ReadOptions& options = {});

// Reads only the description; errors and warnings go to `diagnostics`.
[[nodiscard]] Description read_description(const std::string& path, const ReadOptions& options,
                                           Diagnostics& diagnostics);
// The same for a text in memory; `name` is the file in messages and determines the format.
[[nodiscard]] Description read_description(const std::string& name, std::string text,
                                           const ReadOptions& options, Diagnostics& diagnostics);

}  // namespace trammel
