// SIMD layout of body constants, for small chains and packed chains: one constant after the other,
// with one lane per body.
#pragma once

#include "trammel/model/body_numbers.hpp"
#include "trammel/model/model.hpp"

namespace trammel {

// Writes X_PF (rotation, translation) and the inertia of one body: the first number to `out`, each
// following number `lanes` further.
template <int count, int lanes> void write_in_lanes(const BodyNumbers<double>& body, double* out) {
  const auto& [R, p] = body.X_PF;
  const auto& [m, h, J] = body.inertia;
  // clang-format off
  const double numbers[] = {
      R.x.x, R.x.y, R.x.z, R.y.x, R.y.y, R.y.z, R.z.x, R.z.y, R.z.z, p.x, p.y, p.z,
      m, h.x, h.y, h.z, J.xx, J.xy, J.xz, J.yy, J.yz, J.zz};
  // clang-format on
  static_assert(std::size(numbers) == count);
  for (int k = 0; k < count; ++k) out[k * lanes] = numbers[k];
}

}  // namespace trammel
