// Options of a path and of the body or frame that follows it.
#pragma once

#include <string>
#include <vector>

#include "terminal.hpp"
#include "trammel/dynamics/inputs.hpp"
#include "trammel/simulate/path/planar_path.hpp"

namespace trammel::cli {

struct ChosenPath {
  std::string name, place_name;
  FrameRef place;
  PlanarPath path;
  double forward = 0;                       // as given, or 0
  std::vector<RoundedCorner> rounded = {};  // rounded corners of a path through points
};

class PathOptions {
 public:
  void offer(CLI::App& app);  // --path --at --forward
  // Throws UsageError if the choice is missing or ambiguous, ModelError for errors in the path,
  // WorkFailed if nothing can follow it.
  ChosenPath choose(const Model& model) const;

 private:
  std::string path_, at_, forward_;
};

}  // namespace trammel::cli
