#include "trammel/read/urdf/meshes.hpp"

#include <fmt/format.h>

#include "trammel/read/package.hpp"

namespace trammel {

std::string Meshes::find(const Element& mesh) {
  const std::string said = mesh.text("filename");
  if (said.empty() || missing_.contains(said)) return said;
  FoundFile found = find_file(said, model_file_, options_.packages);
  if (!found.path.empty()) return std::move(found.path);
  missing_.insert(said);
  mesh.report().warning(mesh.place("filename"),
                        fmt::format("{} filename '{}' is not found {}", mesh.title(),
                                    shortened(said, 200), found.looked),
                        found.hint);
  return said;
}

}  // namespace trammel
