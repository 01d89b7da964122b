// Joints by their names, from Python.
#pragma once

#include <string>
#include <vector>

#include "trammel/model/model.hpp"

namespace trammel::python {

// `what` begins the message if no joint has the name: "assemble: keep".
inline std::vector<JointId> joints_of(const char* what, const Model& model,
                                      const std::vector<std::string>& names) {
  std::vector<JointId> ids;
  for (const std::string& name : names) {
    const auto id = model.find_joint(name);
    if (!id)
      throw std::invalid_argument(std::string(what) + " names '" + name +
                                  "', but no joint has that name: model.joints lists them");
    ids.push_back(*id);
  }
  return ids;
}

}  // namespace trammel::python
