// Triangle meshes from files: STL (binary and text) and Wavefront OBJ.
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "trammel/model/description/triangle_mesh.hpp"
#include "trammel/model/model.hpp"

namespace trammel {

struct MeshMistake {
  int line = 0;  // 0: the whole file
  std::string what, hint;
};
// Coincident points are merged. The extension of the name, .stl or .obj, determines the format;
// `bytes` is the content of the file. Colors, normals and textures of an OBJ file are not used.
[[nodiscard]] std::variant<TriangleMesh, MeshMistake> parse_mesh(const std::string& name,
                                                                 std::string_view bytes);

// All meshes of the bodies of a model, each once. Paths are relative to the file that names them,
// package:// as in a URDF. A missing or invalid mesh is left out, with a warning: meshes are for
// display only.
[[nodiscard]] std::vector<NamedMesh> load_meshes(
    const Model& model, const std::vector<std::pair<std::string, std::string>>& packages,
    Diagnostics& warnings);

}  // namespace trammel
