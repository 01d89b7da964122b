#include "trammel/read/urdf/meshes.hpp"

#include <fmt/format.h>

#include "trammel/read/package.hpp"

namespace trammel::urdf {

std::string Meshes::find(const Element& mesh) {
  const std::string description = mesh.text("filename");
  if (description.empty() || missing_.contains(description)) return description;
  FoundFile found = find_file(description, model_file_, options_.packages);
  if (!found.path.empty()) return std::move(found.path);
  missing_.insert(description);
  mesh.report().warning(mesh.place("filename"),
                        fmt::format("{} filename '{}' is not found {}", mesh.title(),
                                    shortened(description, 200), found.looked),
                        found.hint);
  return description;
}

}  // namespace trammel::urdf
