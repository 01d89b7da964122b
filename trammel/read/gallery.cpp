#include "trammel/read/gallery.hpp"

#include <filesystem>

namespace trammel {

const GalleryModel* find_in_gallery(std::string_view name) {
  for (const GalleryModel& model : gallery())
    if (model.name == name || (!name.empty() && model.plain_name == name)) return &model;
  return nullptr;
}

std::vector<std::string> gallery_names() {
  std::vector<std::string> names;
  for (const GalleryModel& model : gallery()) {
    names.emplace_back(model.name);
    if (!model.plain_name.empty()) names.emplace_back(model.plain_name);
  }
  return names;
}

std::string path_from(const std::string& naming, const std::string& description) {
  if (description.starts_with('@')) return description;
  if (!naming.starts_with('@'))
    return (std::filesystem::path(naming).parent_path() / description)
        .lexically_normal()
        .generic_string();
  const GalleryModel* here = find_in_gallery(naming.substr(1));
  const std::filesystem::path folder =
      here ? std::filesystem::path(here->file).parent_path() : std::filesystem::path();
  const std::string file = (folder / description).lexically_normal().generic_string();
  for (const GalleryModel& model : gallery())
    if (model.file == file) return "@" + std::string(model.name);
  return "@" + description;
}

}  // namespace trammel
