// Designs as pictures: a vehicle from above with the ellipse of what its drives do to it; any
// mechanism with the ellipsoids of a place that its drives move.
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
  // [turn, x, y] of the centre by the rates of the drives, 3 x drives; empty: there is no ellipse.
  Eigen::MatrixXd motion_by_rates = {};
  double length = 1;                  // characteristic [m]
  std::string singular_because = {};  // told where there is no ellipse
};

// One SVG document. At the left the wheels with the axes of the rollers that touch, and the ellipse
// of the centre's velocities for rates of the size one; beside it, dashed, the circle of turning,
// told as a way at the length: where the layout is isotropic they are one circle. At the right the
// condition number over the length.
std::string layout_picture(const LayoutPicture& what);

// A stick figure with the ellipsoids of the place: of its velocity, and thinner of its turning.
std::string dexterity_picture(const Model& model, const Kinematics& kinematics, const At& place,
                              const Dexterity& found);

}  // namespace trammel
