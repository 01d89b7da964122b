#include "trammel/simulate/turn_plan.hpp"

#include <cmath>

namespace trammel {

Quaternion<double> TurnPlan::orientation() const {
  const double cy = std::cos(yaw.value / 2), sy = std::sin(yaw.value / 2);
  const double cp = std::cos(pitch.value / 2), sp = std::sin(pitch.value / 2);
  const double cr = std::cos(roll.value / 2), sr = std::sin(roll.value / 2);
  return {cy * cp * cr + sy * sp * sr, cy * cp * sr - sy * sp * cr, cy * sp * cr + sy * cp * sr,
          sy * cp * cr - cy * sp * sr};
}

Vec3<double> TurnPlan::omega() const {
  const double cp = std::cos(pitch.value), sp = std::sin(pitch.value);
  const double cr = std::cos(roll.value), sr = std::sin(roll.value);
  return {roll.rate - yaw.rate * sp, pitch.rate * cr + yaw.rate * sr * cp,
          -pitch.rate * sr + yaw.rate * cr * cp};
}

Vec3<double> TurnPlan::alpha() const {
  const double cp = std::cos(pitch.value), sp = std::sin(pitch.value);
  const double cr = std::cos(roll.value), sr = std::sin(roll.value);
  const double y = yaw.rate, p = pitch.rate, r = roll.rate;
  return {roll.acceleration - yaw.acceleration * sp - y * p * cp,
          pitch.acceleration * cr - p * r * sr + yaw.acceleration * sr * cp + y * r * cr * cp -
              y * p * sr * sp,
          -pitch.acceleration * sr - p * r * cr + yaw.acceleration * cr * cp - y * r * sr * cp -
              y * p * cr * sp};
}

}  // namespace trammel
