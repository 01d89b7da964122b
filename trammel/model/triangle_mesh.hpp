// A surface made of triangles, to be looked at.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace trammel {

struct TriangleMesh {
  std::vector<std::array<float, 3>> points;             // [m], before any scale
  std::vector<std::array<std::uint32_t, 3>> triangles;  // three points each, counterclockwise
};
// One by the name that the shapes of a description have for it.
struct NamedMesh {
  std::string file;
  TriangleMesh mesh;
};

}  // namespace trammel
