// Example models inside the library: "@double_pendulum" loads without a file.
#pragma once

#include <span>
#include <string_view>

namespace trammel {

struct GalleryModel {
  std::string_view name;   // "double_pendulum"
  std::string_view file;   // "robots/double_pendulum.toml", in the folder models/
  std::string_view title;  // one sentence about the model
  std::string_view text;   // of the file
};

// In the order of their files.
std::span<const GalleryModel> gallery();
// Returns nullptr if there is no model of that name.
const GalleryModel* find_in_gallery(std::string_view name);

// Path of a file named in another file; inside the gallery, if the other file is from the gallery.
std::string path_from(const std::string& naming, const std::string& description);

}  // namespace trammel
