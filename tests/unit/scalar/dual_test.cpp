#include "trammel/scalar/dual.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace trammel::dual_test {
namespace {

using D = Dual<2>;
static_assert(Scalar<D> && Scalar<Dual<1>> && Scalar<Dual<7>> && Scalar<Dual<8>>);

// Derivative of f at x against a central difference: truncation h^2 and rounding eps/h are both
// about 1e-10 for h = 1e-5 and functions whose derivatives are about 1.
template <class F> void expect_slope(F f, double x) {
  constexpr double h = 1e-5;
  const double difference = (f(D(x + h)).value - f(D(x - h)).value) / (2 * h);
  const D result = f(D::variable(x, 1));
  EXPECT_NEAR(result.derivative[1], difference, 1e-8) << "at " << x;
  EXPECT_EQ(result.derivative[0], 0.0);
}

TEST(Dual, derivatives_of_functions_match_finite_differences) {
  for (const double x : {-0.9, -0.4, 0.2, 0.7}) {
    expect_slope([](D a) { return sin(a); }, x);
    expect_slope([](D a) { return cos(a); }, x);
    expect_slope([](D a) { return tan(a); }, x);
    expect_slope([](D a) { return asin(a); }, x);
    expect_slope([](D a) { return acos(a); }, x);
    expect_slope([](D a) { return atan(a); }, x);
    expect_slope([](D a) { return atan2(a, 2.0 - a); }, x);
    expect_slope([](D a) { return exp(a); }, x);
    expect_slope([](D a) { return log(2.0 + a); }, x);
    expect_slope([](D a) { return sqrt(a + 1.5); }, x);
    expect_slope([](D a) { return pow(a, 3.0); }, x);
    expect_slope([](D a) { return pow(a + 2.0, a); }, x);
    expect_slope([](D a) { return abs(a); }, x);
    expect_slope([](D a) { return min(a, 0.1 * a) + max(a, -a); }, x);
    expect_slope([](D a) { return select(a < 0.0, 2.0 * a, a * a); }, x);
    expect_slope([](D a) { return (3.0 * a - a * 2.0 + 1.0) / (a + 2.0) - a / 4.0; }, x);
    expect_slope(
        [](D a) {
          D b = a;
          b += 1.0;
          b *= a;
          b -= a;
          b /= 2.0 + a;
          return b;
        },
        x);
  }
}

TEST(Dual, sine_and_cosine_come_together) {
  const D angle = D::variable(0.3, 0);
  const auto [s, c] = sin_cos(angle);
  EXPECT_EQ(s.value, sin(angle).value);
  EXPECT_EQ(c.derivative[0], -s.value);
}

TEST(Dual, constants_have_zero_derivative_even_at_infinitely_steep_points) {
  for (const D& steep : {sqrt(D(0.0)), asin(D(1.0)), acos(D(-1.0)), pow(D(0.0), 0.5),
                         atan2(D(0.0), D(0.0)), pow(D(-2.0), D(3.0))}) {
    EXPECT_EQ(steep.derivative[0], 0.0);
    EXPECT_EQ(steep.derivative[1], 0.0);
  }
  EXPECT_EQ(sqrt(D::variable(0.0, 0)).derivative[0], std::numeric_limits<double>::infinity());
}

TEST(Dual, compares_by_value) {
  const D a = D::variable(1.0, 0), b = D::variable(1.0, 1);
  EXPECT_TRUE(a == b && a <= b && a >= b && !(a < b) && !(a > b) && a != 2.0 && 0.5 < a);
}

TEST(Dual, carries_any_number_of_derivatives) {
  for (int k = 0; k < 7; ++k) {
    const Dual<7> x = Dual<7>::variable(2.0, k), y = x * x, z = x / y, half = x / 2.0;
    for (std::size_t i = 0; i < 7; ++i) {
      const double own = int(i) == k ? 1.0 : 0.0;
      EXPECT_EQ(y.derivative[i], 4.0 * own);
      EXPECT_EQ(z.derivative[i], -0.25 * own);
      EXPECT_EQ(half.derivative[i], 0.5 * own);
    }
  }
}

}  // namespace
}  // namespace trammel::dual_test
