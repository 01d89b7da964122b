// Mesh of a report page: points quantized to a grid of 2^16 steps per axis, six bytes each, and a
// limited number of triangles, so that a browser draws it smoothly.
#pragma once

#include <cstdint>
#include <vector>

#include "trammel/model/description/triangle_mesh.hpp"
#include "trammel/spatial/vec3.hpp"

namespace trammel {

struct PackedMesh {
  Vec3<double> low, step;                // point = low + step * grid, per axis
  std::vector<std::uint16_t> points;     // three numbers each
  std::vector<std::uint32_t> triangles;  // three points each
  std::size_t left_out = 0;              // triangles
};

// If there are more than `most` triangles, the grid is coarsened by factors of two until enough
// triangles have degenerated to lines and points [vertex clustering: Rossignac, Borrel 1993].
PackedMesh pack_mesh(const TriangleMesh& mesh, std::size_t most = 200'000);

}  // namespace trammel
