// Where a mesh lies. ROS names it package://NAME/path; plain paths are beside the model file.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace trammel {

struct FoundFile {
  std::string path;    // empty if there is none
  std::string looked;  // where it was looked for: "in ..., and in ..."
  std::string hint;    // how to say where it is; may be empty
};

// Looks for package://NAME/path in the folder given for NAME, then in those of ROS_PACKAGE_PATH,
// then beside the model file and in the folders above it.
FoundFile find_file(std::string_view uri, const std::string& model_file,
                    const std::vector<std::pair<std::string, std::string>>& packages);

}  // namespace trammel
