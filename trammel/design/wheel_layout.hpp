#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

namespace trammel {

// Placement of a wheel with rollers under a platform [Saha 1991, 3.8], angles in rad.
struct WheelPlacing {
  double roller_angle = 0;  // alpha, from the hub axis to the axis of the roller that touches
  double axle = 0;          // beta, from the platform's x axis to the hub axis
  double bearing = 0;       // delta, from the platform's x axis to the wheel center
  double distance = 0;      // from the platform center to the wheel center
  double radius = 0.1;      // height of the hub above the floor
};
using WheelLayout = std::vector<WheelPlacing>;

// Hub Jacobian L: rates of the hubs = L [turn, x, y], the velocity of the platform in its own axes.
// L is constant. Throws std::invalid_argument for rollers along the hub axis (roller_angle 0 or
// pi): that is a conventional wheel, which does not slip sideways, and its rate does not determine
// that motion.
//
//   hub:    -(d turn sin(gamma - delta) + x cos gamma + y sin gamma) / (r sin alpha)
//   roller:  (d turn sin(beta - delta) + x cos beta + y sin beta) / (roller_radius sin alpha)
//
// with gamma = alpha + beta.
Eigen::MatrixXd hub_jacobian(const WheelLayout& layout);
Eigen::MatrixXd roller_jacobian(const WheelLayout& layout, double roller_radius);

// Wheel matrix of one hub and its roller: r [sin beta, rho sin gamma; -cos beta, -rho cos gamma]
// times their rates is the velocity of the hub center, with rho = roller_radius / r. Its columns
// are orthogonal and of equal length only if the roller is perpendicular to the hub and as large,
// so no real wheel is isotropic by itself [Saha 1991, 5.4].
Eigen::Matrix2d wheel_matrix(const WheelPlacing& wheel, double roller_radius);

// Reason in words why a layout is singular, empty if it is not: "no wheel turns the platform: ...",
// "no wheel moves the platform along ...".
std::string singular_because(const WheelLayout& layout);

// Characteristic length of a layout: sqrt(2) times the mean distance of its wheels.
double characteristic_length(const WheelLayout& layout);

}  // namespace trammel
