// A disk that rolls in a steady circle: [Saha 1991, appendix A.6].
#pragma once

#include "examples/rolling_disk/schemes.hpp"

namespace rolling_disk {

// The tilt at which precession and spin stay constant,
//
//   5 phi'^2 sin cos + 6 phi' psi' cos + 4 g/r sin = 0,   |theta| < 90 deg,
//
// by bisection: the left side is negative at one end and positive at the other.
inline double steady_tilt(const Disk& disk, double phi_rate, double psi_rate) {
  const auto left = [&](double theta) {
    const double s = std::sin(theta), c = std::cos(theta);
    return 5 * phi_rate * phi_rate * s * c + 6 * phi_rate * psi_rate * c + 4 * disk.g / disk.r * s;
  };
  // upright it is 6 phi' psi': the tilt has the other sign
  const double flat = phi_rate * psi_rate < 0 ? std::acos(0.0) : -std::acos(0.0);
  double upright = 0, lying = flat;
  for (int k = 0; k < 60; ++k) {
    const double middle = (upright + lying) / 2;
    (left(middle) * flat < 0 ? upright : lying) = middle;
  }
  return (upright + lying) / 2;
}
inline Start steady_start(const Disk& disk, double phi_rate, double psi_rate) {
  return {
      .theta = steady_tilt(disk, phi_rate, psi_rate), .phi_rate = phi_rate, .psi_rate = psi_rate};
}

// Small deviations of the tilt obey d'' = growth d + const: they grow if growth is positive, and
// oscillate if it is negative.
inline double growth(const Disk& disk, const Start& x) {
  return (4 * disk.g / disk.r * std::cos(x.theta) - 5 * x.phi_rate * x.phi_rate -
          14 * x.phi_rate * x.psi_rate * std::sin(x.theta) - 12 * x.psi_rate * x.psi_rate) /
         5;
}

// The circle of the center, which begins at the origin along x or against it.
struct Circle {
  Circle(const Disk& disk, const Start& x) {
    const double speed = -disk.r * (x.psi_rate + x.phi_rate * std::sin(x.theta));
    middle = {0, speed / x.phi_rate};
    radius = std::abs(middle[1]);
  }
  // distance from it, relative to its radius
  double missed(const Vector2d& center) const {
    return std::abs((center - middle).norm() / radius - 1);
  }
  Vector2d middle;
  double radius;
};

// [Saha 1991, table 6.1]: precession and spin of four circles [rad/s].
struct Case {
  const char* name;
  double phi_rate, psi_rate;
};
constexpr Case cases[] = {{"A", 1, -0.5}, {"B", 1.8, -1.3}, {"C", 4.2, -3.7}, {"D", 9.6, -9.1}};

}  // namespace rolling_disk
