// An orientation over time, told by three angles: turned about z, then about the new y, then about
// the new x, as [ground.motion] has them. For this room only.
//
//   R = Rz(yaw) Ry(pitch) Rx(roll),   omega = S(pitch, roll) (yaw', pitch', roll') in its own axes
//
// Angles over time are smooth whatever the orientation: it is only the other way, from an
// orientation to angles, that has no answer where pitch is 90 degrees.
#pragma once

#include <array>

#include "trammel/simulate/signal.hpp"
#include "trammel/spatial/motion.hpp"
#include "trammel/spatial/rotation.hpp"

namespace trammel {

struct TurnPlan {
  Signal::Value yaw, pitch, roll;

  Quaternion<double> orientation() const;  // goes on steadily: no jump from q to -q
  Vec3<double> omega() const;              // in its own axes
  Vec3<double> alpha() const;              // the rate of these three numbers
};

// The same of a free body, with the place of its origin in the axes it is led in. Velocity and
// acceleration are those of a free joint: in its own axes.
struct PosePlan {
  TurnPlan turn;
  std::array<Signal::Value, 3> place;

  Vec3<double> p() const;
  Vec3<double> v() const;  // R^T p'
  Vec3<double> a() const;  // the rate of these three numbers: R^T p'' - omega x v
};

}  // namespace trammel
