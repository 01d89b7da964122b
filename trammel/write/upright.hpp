// Up direction of pictures: against gravity, along z without gravity.
#pragma once

#include <cmath>

#include "trammel/model/model.hpp"

namespace trammel {

// Unit vector against gravity; z without gravity.
inline Vec3<double> up_direction(const Model& model) {
  const Vec3<double>& g = model.gravity();
  const double size = norm(g);
  return size > 0 ? (-1 / size) * g : Vec3<double>{0, 0, 1};
}

// The shortest rotation R that takes `up` to z: R p are the axes of a picture. The identity if z is
// up; half a turn about x if -z is.
inline Mat3<double> upright_rotation(const Vec3<double>& up) {
  const double c = up.z;
  if (c > 1 - 1e-15) return Mat3<double>::identity();
  if (c < -1 + 1e-12) return {{1, 0, 0}, {0, -1, 0}, {0, 0, -1}};
  // R = 1 + [w] + [w]^2 / (1 + c), w = up x z = (up.y, -up.x, 0); columns
  const double x = up.y, y = -up.x, k = 1 / (1 + c);
  return {{1 - k * y * y, k * x * y, -y}, {k * x * y, 1 - k * x * x, x}, {y, -x, c}};
}

}  // namespace trammel
