#pragma once

#include <array>
#include <cstdint>

#include "trammel/design/conditioning.hpp"
#include "trammel/design/wheel_layout.hpp"

namespace trammel {

// Isotropic layout of n equal wheels, spaced by 2 pi / n [Saha 1991, 5.5]:
//
//   sin(xi)^2 = L^2 / (2 d^2),  xi = alpha + beta - delta,  sigma^2 = n / (2 r^2 sin(alpha)^2)
//
// The lever arm is largest with L = sqrt(2) d: then xi is a right angle. Throws
// std::invalid_argument for fewer than three wheels, or wheels closer to the center than L /
// sqrt(2), where none exists.
struct IsotropicRing {
  int wheels = 3;
  double radius = 0.1, distance = 0.3;
  double roller_angle = 1.5707963267948966;  // [rad]
  double length = 0;                         // characteristic; 0: sqrt(2) distance
  double first_bearing = 0;
};
WheelLayout isotropic_layout(const IsotropicRing& ring);

// Ranges of the design variables of a wheel: lower and upper bound; equal bounds fix a variable.
struct WheelRange {
  std::array<double, 2> roller_angle, axle, bearing, distance;
  double radius = 0.1;
};

// Result of best_layout: the layout with the least anisotropy found, and the evidence for it: the
// more of the starts agree, the more likely it is the global optimum.
struct LayoutSearch {
  WheelLayout layout;
  Conditioning found;            // of the hub Jacobian at the given length
  int starts = 0, agreeing = 0;  // runs of the search, and how many found the same anisotropy
};

// The layout with the least anisotropy [Saha 1991, 5.5.3: the entries of L^T L compared with
// sigma^2 1, here divided by sigma^2, so that large wheels have no advantage]. Damped least squares
// (Levenberg-Marquardt) from many random starts within the ranges; the same `seed` gives the same
// result. Never worse than the lower bounds of the ranges. Throws std::invalid_argument for empty
// ranges.
LayoutSearch best_layout(const std::vector<WheelRange>& ranges, double length, int starts = 64,
                         std::uint32_t seed = 1);

}  // namespace trammel
