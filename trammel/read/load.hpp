// From a file to a model: TOML, URDF or a table of wheels (CSV), by its name or its first bytes:
//
//   const Model arm = load_model("arm.urdf", {.base = Base::free});
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "trammel/model/builder.hpp"

namespace trammel {

// What carries the root of a format that does not say it: ground, or nothing.
enum class Base { fixed, free };

struct ReadOptions {
  Base base = Base::fixed;
  std::vector<std::pair<std::string, double>> set = {};            // parameters given other values
  std::vector<std::pair<std::string, std::string>> packages = {};  // of package://name: its folder
  BuildOptions build = {};                                         // of load_model alone
};

// Throws one ModelError with everything that is wrong, with places. Warnings are kept in
// Model::warnings(). A file that cannot be read at all is a ModelError too.
[[nodiscard]] Model load_model(const std::string& path, const ReadOptions& options = {});

// Only what was said; mistakes and warnings go to `diagnostics`.
[[nodiscard]] Description read_description(const std::string& path, const ReadOptions& options,
                                           Diagnostics& diagnostics);
// The same of a text in memory; `name` stands for the file in messages and tells the format.
[[nodiscard]] Description read_description(const std::string& name, std::string text,
                                           const ReadOptions& options, Diagnostics& diagnostics);

}  // namespace trammel
