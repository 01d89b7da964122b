// Pictures of designs: a vehicle from above with the velocity ellipse of its drives; any mechanism
// with the manipulability ellipsoids of a frame.
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "trammel/design/dexterity.hpp"
#include "trammel/design/wheel_layout.hpp"
#include "trammel/dynamics/inputs.hpp"
#include "trammel/dynamics/stages.hpp"

namespace trammel {

struct LayoutPicture {
  std::string title = {};
  std::vector<std::string> names = {};  // of the wheels
  WheelLayout wheels = {};
  // Jacobian: [turn, x, y] of the center by the drive rates, 3 x drives; empty: no ellipse is
  // drawn.
  Eigen::MatrixXd motion_by_rates = {};
  double length = 1;                  // characteristic [m]
  std::string singular_because = {};  // shown if there is no ellipse
};

// One SVG document. At the left the wheels with the axes of the touching rollers, and the ellipse
// of the center's velocities for drive rates of norm one; with it, dashed, the circle of the
// angular velocity, scaled by the characteristic length: for an isotropic layout both are one
// circle. At the right the condition number over the length.
std::string layout_picture(const LayoutPicture& what);

// A stick figure with the ellipsoids of a frame: of its linear velocity, and thinner of its angular
// velocity.
std::string dexterity_picture(const Model& model, const Kinematics& kinematics,
                              const FrameRef& place, const Dexterity& found);

}  // namespace trammel
