#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

namespace trammel {

// Where a wheel with rollers sits under a platform [seed 001, 3.8], angles in rad.
struct WheelPlacing {
  double roller_angle = 0;  // alpha, from the hub's axis to the axis of the roller that touches
  double axle = 0;          // beta, of the hub's axis from the platform's x axis
  double bearing = 0;       // delta, of the wheel's centre from the platform's x axis
  double distance = 0;      // of the wheel's centre from the platform's
  double radius = 0.1;      // height of the hub above the floor
};
using WheelLayout = std::vector<WheelPlacing>;

// Rates of the hubs = L [turn, x, y] of the platform in its own axes. L is constant. Throws
// std::invalid_argument for a roller along its hub (roller_angle 0 or pi), which is a conventional
// wheel: it does not slip sideways, and its rate says nothing of that motion.
//
//   hub:    -(d turn sin(gamma - delta) + x cos gamma + y sin gamma) / (r sin alpha)
//   roller:  (d turn sin(beta - delta) + x cos beta + y sin beta) / (roller_radius sin alpha)
//
// with gamma = alpha + beta.
Eigen::MatrixXd hub_jacobian(const WheelLayout& layout);
Eigen::MatrixXd roller_jacobian(const WheelLayout& layout, double roller_radius);

// One hub and its roller: r [sin beta, rho sin gamma; -cos beta, -rho cos gamma] times their rates
// is the velocity of the hub's centre. Its columns are orthogonal and as long only where
// the roller is across the hub and as large, so that no real wheel is isotropic by itself
// [seed 001, 5.4].
Eigen::Matrix2d wheel_matrix(const WheelPlacing& wheel, double roller_radius);

// In words, why a layout moves its platform badly; empty if it does not: "no wheel turns the
// platform: ...", "the wheels do not see motions along ...".
std::string singular_because(const WheelLayout& layout);

// Radius for turns that a layout has by itself: sqrt(2) times the mean distance of its wheels.
double characteristic_length(const WheelLayout& layout);

}  // namespace trammel
