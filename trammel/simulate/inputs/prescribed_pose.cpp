#include "trammel/simulate/inputs/prescribed_pose.hpp"

#include <cmath>

namespace trammel {

Quaternion<double> PrescribedOrientation::orientation() const {
  const double cy = std::cos(yaw.value / 2), sy = std::sin(yaw.value / 2);
  const double cp = std::cos(pitch.value / 2), sp = std::sin(pitch.value / 2);
  const double cr = std::cos(roll.value / 2), sr = std::sin(roll.value / 2);
  return {cy * cp * cr + sy * sp * sr, cy * cp * sr - sy * sp * cr, cy * sp * cr + sy * cp * sr,
          sy * cp * cr - cy * sp * sr};
}

Vec3<double> PrescribedOrientation::omega() const {
  const double cp = std::cos(pitch.value), sp = std::sin(pitch.value);
  const double cr = std::cos(roll.value), sr = std::sin(roll.value);
  return {roll.rate - yaw.rate * sp, pitch.rate * cr + yaw.rate * sr * cp,
          -pitch.rate * sr + yaw.rate * cr * cp};
}

Vec3<double> PrescribedOrientation::alpha() const {
  const double cp = std::cos(pitch.value), sp = std::sin(pitch.value);
  const double cr = std::cos(roll.value), sr = std::sin(roll.value);
  const double y = yaw.rate, p = pitch.rate, r = roll.rate;
  return {roll.acceleration - yaw.acceleration * sp - y * p * cp,
          pitch.acceleration * cr - p * r * sr + yaw.acceleration * sr * cp + y * r * cr * cp -
              y * p * sr * sp,
          -pitch.acceleration * sr - p * r * cr + yaw.acceleration * cr * cp - y * r * sr * cp -
              y * p * cr * sp};
}

Vec3<double> PrescribedPose::p() const { return {place[0].value, place[1].value, place[2].value}; }

Vec3<double> PrescribedPose::v() const {
  return transpose(rotation(turn.orientation())) *
         Vec3<double>{place[0].rate, place[1].rate, place[2].rate};
}

Vec3<double> PrescribedPose::a() const {
  const Vec3<double> faster{place[0].acceleration, place[1].acceleration, place[2].acceleration};
  return transpose(rotation(turn.orientation())) * faster - cross(turn.omega(), v());
}

}  // namespace trammel
