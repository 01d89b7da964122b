#include "trammel/read/urdf/meshes.hpp"

#include <fmt/format.h>

#include "trammel/read/package.hpp"
#include "trammel/read/urdf/excerpt.hpp"

namespace trammel {

std::string Meshes::find(const Element& mesh) {
  constexpr std::size_t longest = 1000;
  const std::string said = mesh.text("filename");
  if (said.empty() || missing_.contains(said)) return said;
  if (said.size() > longest) {
    mesh.report().error(mesh.place("filename"),
                        fmt::format("{} filename has {} bytes, more than the {} a path may have",
                                    mesh.title(), said.size(), longest),
                        "choose a shorter one");
    return {};
  }
  FoundFile found = find_file(said, model_file_, options_.packages);
  if (!found.path.empty()) return std::move(found.path);
  missing_.insert(said);
  mesh.report().warning(mesh.place("filename"),
                        fmt::format("{} filename '{}' is not found {}", mesh.title(),
                                    excerpt(said, 200), found.looked),
                        found.hint);
  return said;
}

}  // namespace trammel
