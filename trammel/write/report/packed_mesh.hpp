// A mesh as a page carries it: points on a grid of 2^16 steps each way, so that each takes six
// bytes, and never more triangles than a browser turns smoothly.
#pragma once

#include <cstdint>
#include <vector>

#include "trammel/model/triangle_mesh.hpp"
#include "trammel/spatial/vec3.hpp"

namespace trammel {

struct PackedMesh {
  Vec3<double> low, step;                // point = low + step * grid, axis by axis
  std::vector<std::uint16_t> points;     // three numbers each
  std::vector<std::uint32_t> triangles;  // three points each
  std::size_t left_out = 0;              // triangles
};

// Where there are more than `most` triangles the grid is made coarser, by two at a time, until so
// many have become lines and points that few enough are left [vertex clustering: Rossignac, Borrel
// 1993].
PackedMesh pack_mesh(const TriangleMesh& mesh, std::size_t most = 200'000);

}  // namespace trammel
