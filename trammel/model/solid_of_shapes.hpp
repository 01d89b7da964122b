// What shapes weigh together, if their stuff is the same everywhere.
#pragma once

#include <span>

#include "trammel/model/description.hpp"

namespace trammel {

// The mass is shared out by volume; where shapes overlap, both count. The inertia is about the
// common centre of mass, which lies where the shapes put it. Meshes have no volume here.
Solid solid_of_shapes(const Expr& mass, std::span<const Shape> shapes);

}  // namespace trammel
