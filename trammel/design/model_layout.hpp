#pragma once

#include "trammel/design/wheel_layout.hpp"
#include "trammel/dynamics/inputs.hpp"
#include "trammel/dynamics/stages.hpp"

namespace trammel {

// Wheel layout of a vehicle below a place on it, projected along the z axis of the place.
// Conventional wheels have roller angle 0. Balls and knife edges are left out.
struct ModelLayout {
  std::vector<std::string> names;  // "rim1"
  WheelLayout wheels;
  bool all_have_rollers() const;  // hub_jacobian is defined only then
};
ModelLayout model_layout(const Model& model, const Positions& positions, const FrameRef& place);

}  // namespace trammel
