// Surfaces from files: STL (binary and text) and Wavefront OBJ.
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "trammel/model/model.hpp"
#include "trammel/model/triangle_mesh.hpp"

namespace trammel {

struct MeshMistake {
  int line = 0;  // 0: of the whole file
  std::string what, hint;
};
// Points that coincide are one. The ending of the name, .stl or .obj, tells the format; `bytes` is
// what the file holds. Of an OBJ file colours, normals and textures play no part.
[[nodiscard]] std::variant<TriangleMesh, MeshMistake> parse_mesh(const std::string& name,
                                                                 std::string_view bytes);

// All meshes that bodies of a model have, each once. Paths are taken from the file that named them,
// package:// as in a URDF. One that is missing or broken is left out, with a warning: they are only
// to be looked at.
[[nodiscard]] std::vector<NamedMesh> load_meshes(
    const Model& model, const std::vector<std::pair<std::string, std::string>>& packages,
    Diagnostics& warnings);

}  // namespace trammel
