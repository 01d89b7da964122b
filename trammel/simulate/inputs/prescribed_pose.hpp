// Prescribed orientation over time by yaw, pitch and roll: rotations about z, the new y and the new
// x, as in [ground.motion]. Internal to this module.
//
//   R = Rz(yaw) Ry(pitch) Rx(roll),   omega = S(pitch, roll) (yaw', pitch', roll') in its own axes
//
// Orientation and velocity are smooth functions of the angles everywhere; only the inverse, from
// orientation to angles, is singular at a pitch of 90 degrees.
#pragma once

#include <array>

#include "trammel/simulate/inputs/signal.hpp"
#include "trammel/spatial/motion.hpp"
#include "trammel/spatial/rotation.hpp"

namespace trammel {

struct PrescribedOrientation {
  Signal::Value yaw, pitch, roll;

  Quaternion<double> orientation() const;  // continuous: no jump from q to -q
  Vec3<double> omega() const;              // in its own axes
  Vec3<double> alpha() const;              // time derivative of the components of omega
};

// Prescribed pose of a free joint: orientation, and position of the origin in the axes of the
// parent frame. Velocity and acceleration are those of a free joint: in its own axes.
struct PrescribedPose {
  PrescribedOrientation turn;
  std::array<Signal::Value, 3> place;

  Vec3<double> p() const;
  Vec3<double> v() const;  // R^T p'
  Vec3<double> a() const;  // time derivative of the components of v: R^T p'' - omega x v
};

}  // namespace trammel
