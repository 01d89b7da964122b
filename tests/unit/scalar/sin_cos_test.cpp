// Sine and cosine of every scalar type against the C library in long double: a property that
// inverts itself cannot detect a wrong sine.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/random_robot.hpp"
#include "trammel/scalar/dual.hpp"
#include "trammel/scalar/pack.hpp"

namespace trammel::sin_cos_test {
namespace {

double in_ulps(double got, long double exact) {
  const double near = std::abs(double(exact));
  return double(std::abs(got - exact) / (std::nextafter(near, 2.0) - near));
}

// general angles, typical robot angles, and the worst cases: next to multiples of a right angle
double angle_number(Random& random, int i) {
  if (i % 3 == 0) return random(-1e5, 1e5);
  if (i % 3 == 1) return random(-7, 7);
  return std::floor(random(-6e4, 6e4)) * 1.5707963267948966;
}

TEST(SinCos, is_within_two_ulps_for_doubles_and_lanes) {
  Random random(7);
  double worst = 0, worst_lane = 0;
  for (int i = 0; i < 600000; ++i) {
    const double x = angle_number(random, i);
    const long double s = std::sin(static_cast<long double>(x));
    const long double c = std::cos(static_cast<long double>(x));
    const auto got = sin_cos(x);
    worst = std::max({worst, in_ulps(got.sin, s), in_ulps(got.cos, c)});
    if (i % 4 != 0) continue;
    const auto lanes = sin_cos(Pack<native_lanes>(x));
    worst_lane =
        std::max({worst_lane, in_ulps(lanes.sin[native_lanes - 1], s), in_ulps(lanes.cos[0], c)});
  }
  EXPECT_LT(worst, 2);
  EXPECT_LT(worst_lane, 2);
}

TEST(SinCos, of_large_angles_is_the_c_librarys) {
  for (const double x : {1e5, -3e7, 1e300}) {
    EXPECT_EQ(sin_cos(x).sin, std::sin(x));
    EXPECT_EQ(sin_cos(Pack<native_lanes>(x)).cos[0], std::cos(x));
  }
}

TEST(SinCos, of_what_is_no_number_is_no_number) {
  for (const double x : {std::nan(""), double(INFINITY), -double(INFINITY)}) {
    EXPECT_TRUE(std::isnan(sin_cos(x).sin));
    EXPECT_TRUE(std::isnan(sin_cos(Pack<native_lanes>(x)).cos[0]));
  }
}

TEST(SinCos, is_exact_at_zero_and_keeps_signs) {
  EXPECT_EQ(sin_cos(0.0).sin, 0.0);
  EXPECT_EQ(sin_cos(0.0).cos, 1.0);
  EXPECT_EQ(sin_cos(-0.3).sin, -sin_cos(0.3).sin);
  EXPECT_EQ(sin_cos(-0.3).cos, sin_cos(0.3).cos);
}

}  // namespace
}  // namespace trammel::sin_cos_test
