// The files of meshes. They are only to be looked at, so one that is missing is no mistake.
#pragma once

#include <set>
#include <string>

#include "trammel/read/load.hpp"
#include "trammel/read/urdf/element.hpp"

namespace trammel {

class Meshes {
 public:
  Meshes(std::string model_file, const ReadOptions& options)
      : model_file_(std::move(model_file)), options_(options) {}

  // Where the file of a <mesh> is; as it was said if it is nowhere, which is told once a file.
  std::string find(const Element& mesh);

 private:
  std::string model_file_;
  const ReadOptions& options_;
  std::set<std::string> missing_;
};

}  // namespace trammel
