#pragma once

#include <array>
#include <cstdint>

#include "trammel/design/conditioning.hpp"
#include "trammel/design/wheel_layout.hpp"

namespace trammel {

// An isotropic layout of n wheels, each like the one before turned by 2 pi / n [seed 001, 5.5]:
//
//   sin(xi)^2 = L^2 / (2 d^2),  xi = alpha + beta - delta,  sigma^2 = n / (2 r^2 sin(alpha)^2)
//
// The lever is best with L = sqrt(2) d: then xi is a right angle. Throws std::invalid_argument for
// fewer than three wheels, or wheels closer to the centre than L / sqrt(2), where there is none.
struct IsotropicRing {
  int wheels = 3;
  double radius = 0.1, distance = 0.3;
  double roller_angle = 1.5707963267948966;  // [rad]
  double length = 0;                         // characteristic; 0: sqrt(2) distance
  double first_bearing = 0;
};
WheelLayout isotropic_layout(const IsotropicRing& ring);

// What may be chosen of each wheel: from, to; the same twice is given.
struct WheelRange {
  std::array<double, 2> roller_angle, axle, bearing, distance;
  double radius = 0.1;
};

struct LayoutSearch {
  WheelLayout layout;
  Conditioning found;            // of the hubs' Jacobian at the length
  int starts = 0, agreeing = 0;  // how often it began, and how often it came to the same anisotropy
};

// The layout with the least anisotropy [seed 001, 5.5.3: the entries of L^T L against sigma^2 1,
// here divided by sigma^2, so that large wheels are no excuse]. By damped least squares
// (Levenberg, Marquardt) from many starts within the ranges, always the same for the same seed.
// Never worse than where the ranges begin. Throws std::invalid_argument for empty ranges.
LayoutSearch best_layout(const std::vector<WheelRange>& ranges, double length, int starts = 64,
                         std::uint32_t seed = 1);

}  // namespace trammel
