#pragma once

#include "trammel/model/description/path_description.hpp"
#include "trammel/simulate/path/planar_path.hpp"

namespace trammel {

// The path of a path description. Throws std::invalid_argument, with the time, for a path that no
// vehicle can follow: times that do not increase, a corner.
PlanarPath planar_path(const PathDescription& description);

}  // namespace trammel
