#pragma once

#include "trammel/design/wheel_layout.hpp"
#include "trammel/dynamics/inputs.hpp"
#include "trammel/dynamics/stages.hpp"

namespace trammel {

// The wheels of a vehicle as they stand under a place of it, seen from above along its z axis:
// conventional ones have the roller angle 0. Balls and knife edges are left out.
struct ModelLayout {
  std::vector<std::string> names;  // "rim1"
  WheelLayout wheels;
  bool all_have_rollers() const;  // only then are their rates told by hub_jacobian
};
ModelLayout model_layout(const Model& model, const Positions& positions, const At& place);

}  // namespace trammel
