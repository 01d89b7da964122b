// A pose as the placement of a model file: xyz and roll, pitch, yaw.
#pragma once

#include <cmath>

#include "trammel/model/description/description.hpp"
#include "trammel/spatial/pose.hpp"

namespace trammel {

inline Placement placement_of(const Pose<double>& X) {
  return {.xyz = {X.p.x, X.p.y, X.p.z},
          .rpy = {std::atan2(X.R.y.z, X.R.z.z), std::asin(-X.R.x.z), std::atan2(X.R.x.y, X.R.x.x)}};
}

}  // namespace trammel
