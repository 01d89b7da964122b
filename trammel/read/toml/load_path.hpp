// Paths over the floor: sections [path.NAME] of a model, the same keys in a text, and tables of
// points. docs/model-format.md has all keys.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "trammel/model/description/description.hpp"
#include "trammel/model/description/path_description.hpp"

namespace trammel {

// Names of the paths, in the order of the file.
std::vector<std::string> path_names(const Description& description);

// The path [path.NAME] with the nominal values of the parameters. Returns nothing and reports an
// error if there is none of that name.
std::optional<PathDescription> find_path(const Description& description, const std::string& name,
                                         Diagnostics& diagnostics);

// The same keys in a text: `circle = { radius = 5, angle = "360 deg", over = 60 }`. Its formulas
// may use the description's parameters; `name` is the file in its places.
std::optional<PathDescription> read_path(const Description& description, const std::string& name,
                                         const std::string& text, Diagnostics& diagnostics);

// Points from a CSV file with the columns t (or time), x, y and optionally yaw, with units in the
// header or in the cells. Empty cells and times that do not increase are errors, with their places.
std::optional<PointsWay> read_path_points(const std::string& file, Diagnostics& diagnostics);

}  // namespace trammel
