// Star: many arms that hold one object.
#pragma once

#include <cmath>
#include <numbers>
#include <string>

#include "tests/unit/constraint/mechanisms.hpp"

namespace trammel {

// Arms of two links from a circle on ground to a planar object in its middle: 2 rows and 2
// coordinates each, and 3 degrees of freedom. Closed at q = 0.
inline Description star(int arms) {
  Description description("star");
  description.gravity = {0.0, -9.81, 0.0};
  description.body("object", mechanisms::solid(3.0));
  description.joint("float", JointKind::planar, "ground", "object", {});
  for (int k = 0; k < arms; ++k) {
    const std::string i = std::to_string(k);
    const double angle = 2 * std::numbers::pi * k / arms, bent = angle + 0.3;
    const auto at = [](double r, double phi) {
      return Vec3<double>{r * std::cos(phi), r * std::sin(phi), 0};
    };
    const Vec3<double> elbow = at(0.7, bent), upper = elbow - at(1, angle),
                       lower = at(0.3, angle) - elbow;
    description.body("upper" + i, mechanisms::solid(1.0));
    description.body("lower" + i, mechanisms::solid(0.7));
    description.joint("shoulder" + i, JointKind::revolute, "ground", "upper" + i,
                      mechanisms::pin(at(1, angle).x, at(1, angle).y));
    description.joint("elbow" + i, JointKind::revolute, "upper" + i, "lower" + i,
                      mechanisms::pin(upper.x, upper.y));
    JointOptions grip = mechanisms::pin(lower.x, lower.y);
    grip.child_at = {{at(0.3, angle).x, at(0.3, angle).y, 0.0}, {}};
    grip.cut = true;
    description.joint("grip" + i, JointKind::revolute, "lower" + i, "object", grip);
  }
  return description;
}

}  // namespace trammel
