// Mesh files of a URDF. They are for display only, so a missing file is not an error.
#pragma once

#include <set>
#include <string>

#include "trammel/read/load.hpp"
#include "trammel/read/urdf/element.hpp"

namespace trammel::urdf {

class Meshes {
 public:
  Meshes(std::string model_file, const ReadOptions& options)
      : model_file_(std::move(model_file)), options_(options) {}

  // Path of the file of a <mesh>; the original text if it is not found, with one warning per file.
  std::string find(const Element& mesh);

 private:
  std::string model_file_;
  const ReadOptions& options_;
  std::set<std::string> missing_;
};

}  // namespace trammel::urdf
