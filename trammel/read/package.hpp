// Locates mesh files. ROS names them package://NAME/path; plain paths are relative to the model
// file.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace trammel {

struct FoundFile {
  std::string path;    // empty if there is none
  std::string looked;  // the folders searched: "in ..., and in ..."
  std::string hint;    // how to specify the folder; may be empty
};

// Searches package://NAME/path in the folder given for NAME, then in those of ROS_PACKAGE_PATH,
// then in the folder of the model file and in the folders above it.
FoundFile find_file(std::string_view uri, const std::string& model_file,
                    const std::vector<std::pair<std::string, std::string>>& packages);

}  // namespace trammel
