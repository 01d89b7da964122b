// Mass properties of a set of shapes with uniform density.
#pragma once

#include <span>

#include "trammel/model/description/description.hpp"

namespace trammel {

// The mass is distributed by volume; overlaps count twice. The inertia is about the common center
// of mass, which follows from the shapes. Meshes have no volume here.
Solid solid_of_shapes(const Expr& mass, std::span<const Shape> shapes);

}  // namespace trammel
