#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include <fmt/format.h>

#include "trammel/read/mesh/mesh.hpp"
#include "trammel/read/package.hpp"

namespace trammel {

namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t largest_file = 256u << 20;  // a report page cannot show larger ones

// Path of the file; empty if not found. Paths in an included file were rewritten relative to the
// including file, which is in one of the folders above.
std::string find_mesh(const Shape& shape,
                      const std::vector<std::pair<std::string, std::string>>& packages) {
  const Place place = shape.place;
  if (const FoundFile found = find_file(shape.mesh, place.file, packages); !found.path.empty())
    return found.path;
  if (shape.mesh.find("://") != std::string::npos) return {};
  std::error_code none;
  fs::path folder = fs::path(place.file).parent_path();
  for (int k = 0; k < 16; ++k, folder = folder.parent_path()) {
    if (fs::is_regular_file(folder / shape.mesh, none)) return (folder / shape.mesh).string();
    if (!folder.has_relative_path()) break;
  }
  return {};
}

std::variant<TriangleMesh, MeshMistake> read_mesh(const std::string& path) {
  std::error_code none;
  const std::uintmax_t size = fs::file_size(path, none);
  if (size > largest_file)
    return MeshMistake{
        0, fmt::format("has {} MB, at most {} are read", size >> 20, largest_file >> 20),
        "make it coarser"};
  std::ifstream file(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  return parse_mesh(path, bytes);
}

// The reader of the model may have reported it already.
bool is_reported_missing(const Model& model, const std::string& mesh) {
  for (const Diagnostic& warning : model.warnings())
    if (warning.message.find(fmt::format("'{}' is not found", shortened(mesh, 200))) !=
        std::string::npos)
      return true;
  return false;
}

}  // namespace

std::vector<NamedMesh> load_meshes(const Model& model,
                                   const std::vector<std::pair<std::string, std::string>>& packages,
                                   Diagnostics& warnings) {
  std::vector<NamedMesh> meshes;
  std::set<std::string> seen;
  for (const BodyDescription& body : model.description().bodies)
    for (const Shape& shape : body.shapes) {
      if (shape.kind != Shape::Kind::mesh || !seen.insert(shape.mesh).second) continue;
      const auto warn = [&](const MeshMistake& mistake) {
        const std::string what = mistake.line > 0 ? fmt::format("is broken in its line {}: {}",
                                                                mistake.line, mistake.what)
                                                  : mistake.what;
        warnings.warning(shape.place,
                         fmt::format("the mesh '{}' of body '{}' {}; it is not drawn",
                                     shortened(shape.mesh, 200), shortened(body.name), what),
                         mistake.hint);
      };
      const std::string path = find_mesh(shape, packages);
      if (path.empty()) {
        if (!is_reported_missing(model, shape.mesh))
          warn({0, "is not found", "a path is taken from the folder of the file"});
        continue;
      }
      auto read = read_mesh(path);
      if (const auto* mistake = std::get_if<MeshMistake>(&read))
        warn(*mistake);
      else
        meshes.push_back({shape.mesh, std::move(std::get<TriangleMesh>(read))});
    }
  return meshes;
}

}  // namespace trammel
