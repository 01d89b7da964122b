// Triangle mesh of a surface, for display.
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
// A mesh with the file name that the shapes of a description use.
struct NamedMesh {
  std::string file;
  TriangleMesh mesh;
};

}  // namespace trammel
