// The models that come with Trammel, inside the library: "@double_pendulum" loads with no file in
// hand.
#pragma once

#include <span>
#include <string_view>

namespace trammel {

struct GalleryModel {
  std::string_view name;   // "double_pendulum"
  std::string_view file;   // "robots/double_pendulum.toml", in the folder models/
  std::string_view title;  // what it is, in a sentence
  std::string_view text;   // of the file
};

// In the order of their files.
std::span<const GalleryModel> gallery();
// None of that name: nullptr.
const GalleryModel* find_in_gallery(std::string_view name);

// The name of a file said in another one; of the gallery, if the other one is of the gallery.
std::string path_from(const std::string& naming, const std::string& said);

}  // namespace trammel
