// Example models inside the library: "@double_pendulum" loads without a file.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace trammel {

struct GalleryModel {
  std::string_view name;   // "double_pendulum"
  std::string_view file;   // "robots/double_pendulum.toml", in the folder models/
  std::string_view title;  // one sentence about the model
  std::string_view text;   // of the file
  // Descriptive second name of a model that is named after an example of a publication:
  // "rolling_disk" for "s_t11". Empty if the name itself is descriptive.
  std::string_view plain_name;
  std::string_view other_names;  // separated by blanks: "stewart hexapod"
  std::string_view topics;  // of gallery_topics(), separated by blanks; the first is the main one

  // The words of `other_names` and of `topics`.
  std::vector<std::string_view> other_name_list() const;
  std::vector<std::string_view> topic_list() const;
  // Descriptive name: the plain name, or the name.
  std::string_view everyday_name() const { return plain_name.empty() ? name : plain_name; }
};

// In the order of their files.
std::span<const GalleryModel> gallery();
// By any of its names. Returns nullptr if there is no such model.
const GalleryModel* find_in_gallery(std::string_view name);
// All names of all models, in the order of the files.
std::vector<std::string> gallery_names();
// Topics of the gallery, simple ones first: "basics", "arms", ...
std::span<const std::string_view> gallery_topics();

// Path of a file named in another file; inside the gallery, if the other file is from the gallery.
std::string path_from(const std::string& naming, const std::string& description);

}  // namespace trammel
