#include "trammel/read/gallery.hpp"

#include <algorithm>
#include <array>
#include <filesystem>

namespace trammel {

namespace {

std::vector<std::string_view> words_of(std::string_view words) {
  std::vector<std::string_view> out;
  while (!words.empty()) {
    const std::size_t end = std::min(words.find(' '), words.size());
    if (end > 0) out.push_back(words.substr(0, end));
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return out;
}

}  // namespace

std::vector<std::string_view> GalleryModel::other_name_list() const {
  return words_of(other_names);
}
std::vector<std::string_view> GalleryModel::topic_list() const { return words_of(topics); }

std::span<const std::string_view> gallery_topics() {
  static constexpr std::array<std::string_view, 9> topics = {
      "basics", "arms", "loops", "parallel", "spatial", "wheels", "legs", "floating", "control"};
  return topics;
}

const GalleryModel* find_in_gallery(std::string_view name) {
  if (name.empty()) return nullptr;
  for (const GalleryModel& model : gallery()) {
    const std::vector<std::string_view> others = model.other_name_list();
    if (model.name == name || model.plain_name == name ||
        std::ranges::find(others, name) != others.end())
      return &model;
  }
  return nullptr;
}

std::vector<std::string> gallery_names() {
  std::vector<std::string> names;
  for (const GalleryModel& model : gallery()) {
    names.emplace_back(model.name);
    if (!model.plain_name.empty()) names.emplace_back(model.plain_name);
    for (const std::string_view other : model.other_name_list()) names.emplace_back(other);
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
