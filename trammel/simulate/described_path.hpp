#pragma once

#include "trammel/model/path_description.hpp"
#include "trammel/simulate/planar_path.hpp"

namespace trammel {

// A way as a file says it, to be followed. Throws std::invalid_argument for one that nothing can
// follow: points whose times do not grow, a corner, with the time.
PlanarPath planar_path(const PathDescription& said);

}  // namespace trammel
