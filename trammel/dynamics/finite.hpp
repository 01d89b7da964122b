// Are all of many numbers finite? Infinities and NaN have all bits of the exponent set. Looked at
// as integers, because a sum of differences would wait for itself. For this room only.
#pragma once

#include <bit>
#include <cstdint>
#include <span>

#include "trammel/spatial/motion.hpp"

namespace trammel {

class Finite {
 public:
  void add(double x) { found_ |= (std::bit_cast<std::uint64_t>(x) << 1) >= infinity; }
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
  bool all() const { return !found_; }

 private:
  static constexpr std::uint64_t infinity = std::uint64_t(0x7ff) << 53;
  bool found_ = false;
};

}  // namespace trammel
