// Fuzz target: meshes, as STL and as OBJ. An accepted one has finite points, and triangles of them.
#include <algorithm>
#include <cmath>

#include "tests/fuzz/target.hpp"
#include "trammel/read/mesh/mesh.hpp"

namespace trammel::fuzz {

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes = text_of(data, size);
  for (const char* const file : {"part.stl", "part.obj"}) {
    const auto parsed = parse_mesh(file, bytes);
    if (const auto* mistake = std::get_if<MeshMistake>(&parsed)) {
      Diagnostics found;
      found.warning({file, mistake->line, 0}, mistake->what, mistake->hint);
      expect_readable(found, file, bytes);
      continue;
    }
    const auto& mesh = std::get<TriangleMesh>(parsed);
    expect(!mesh.triangles.empty(), "a mesh without triangles is accepted");
    for (const auto& point : mesh.points)
      expect(std::ranges::all_of(point, [](float x) { return std::isfinite(x); }),
             "a point is not finite");
    for (const auto& triangle : mesh.triangles)
      expect(std::ranges::all_of(triangle, [&](auto k) { return k < mesh.points.size(); }),
             "a triangle has a corner that is not there");
  }
  return 0;
}

}  // namespace trammel::fuzz
