// Test whether all of many numbers are finite. Infinities and NaN have all bits of the exponent
// set: as integers, adding one to the exponent then carries into the sign bit. A sum of differences
// would form one long dependency chain, and the oldest instruction set has no comparison of 64-bit
// integers. For this module only.
#pragma once

#include <bit>
#include <cstdint>
#include <span>

#include "trammel/spatial/motion.hpp"

namespace trammel {

class Finite {
 public:
  void add(double x) { spilt_ |= (std::bit_cast<std::uint64_t>(x) & magnitude) + exponent_step; }
  void add(std::span<const double> x) {
    for (const double value : x) add(value);
  }
  void add(const Vec3<double>& a) {
    add(a.x);
    add(a.y);
    add(a.z);
  }
  void add(const Motion<double>& V) {
    add(V.angular);
    add(V.linear);
  }
  bool all() const { return (spilt_ & ~magnitude) == 0; }

 private:
  static constexpr std::uint64_t magnitude = ~std::uint64_t(0) >> 1;
  static constexpr std::uint64_t exponent_step = std::uint64_t(1) << 52;
  std::uint64_t spilt_ = 0;
};

}  // namespace trammel
