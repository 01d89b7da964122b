// Which way a vehicle is to go, and what of it goes there, as said on the command line.
#pragma once

#include <string>
#include <vector>

#include "terminal.hpp"
#include "trammel/dynamics/inputs.hpp"
#include "trammel/simulate/planar_path.hpp"

namespace trammel::cli {

struct ChosenPath {
  std::string name, place_name;
  At place;
  PlanarPath path;
  double forward = 0;                       // as said, or 0
  std::vector<RoundedCorner> rounded = {};  // of a path through points
};

class PathOptions {
 public:
  void offer(CLI::App& app);  // --path --at --forward
  // Throws UsageError where it is not said which, ModelError with what is wrong with the path,
  // WorkFailed where nothing can follow it.
  ChosenPath choose(const Model& model) const;

 private:
  std::string path_, at_, forward_;
};

}  // namespace trammel::cli
