// Results of `trammel inverse`: a vehicle along a path, as tables and as JSON.
#pragma once

#include <optional>

#include "answer.hpp"
#include "path_options.hpp"
#include "trammel/simulate/path/follow_path.hpp"
#include "trammel/simulate/recorder.hpp"
#include "trammel/write/report/report.hpp"

namespace trammel::cli {

// Results up to the requested level of OMNI [Saha 1991].
struct TrajectoryResults {
  const Model& model;
  const ChosenPath& chosen;
  int level = 4;  // 1 rates and accelerations, 2 positions, 3 efforts, 4 errors
  Trajectory trajectory = {};
  std::optional<TrackingErrors> errors = {};  // of level 4
  std::vector<std::string> left_out = {};     // inputs, controllers and wrenches of the model
};

// The recording, sample by sample, with names and units: the path, then the columns of the level.
Recording samples_of(const TrajectoryResults& results);

// The desired path and, of level 4, the one simulated under the efforts, for the report page: on
// the floor of a vehicle, else at the height of the place.
std::vector<MotionReport::Path> paths_of(const TrajectoryResults& results);

// Largest values and their times: "joints", "rollers", "drives", "errors".
Answers extremes_of(const TrajectoryResults& results);
Json trajectory_json(const TrajectoryResults& results);

}  // namespace trammel::cli
