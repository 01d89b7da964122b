// F7, a public benchmark: a four-bar with a spring and damper along its diagonal. Numbers of the
// case as published; the reduced equation is one line, (5/3) phi'' = -dV/dphi - C phi'.
#include <cmath>

#include "tests/reference/posed.hpp"
#include "trammel/constraint/assembly/assembly.hpp"
#include "trammel/read/load.hpp"

namespace trammel::field_spring_test {
namespace {

struct DiagonalSpring {
  static constexpr double g = 9.81, k = 25, c = 1, balance = 2.23433101901759, I = 5.0 / 3;
  // dV/dphi of V = 2 g sin(phi) + k/2 (2 cos(phi/2) - sqrt(2))^2
  static double slope(double phi) {
    return 2 * g * std::cos(phi) - k * (2 * std::cos(phi / 2) - std::sqrt(2.0)) * std::sin(phi / 2);
  }
  static double damping(double phi) { return c * std::pow(std::sin(phi / 2), 2); }

  // phi'' with both cranks at phi and phi'
  double operator()(double phi, double rate = 0) {
    posed.state.q = {phi, phi, -phi};
    posed.state.v = {rate, rate, -rate};
    const Eigen::VectorXd a = posed.a();
    EXPECT_NEAR(a[1], a[0], 1e-12);
    EXPECT_NEAR(a[2], -a[0], 1e-12);
    return a[0];
  }
  Posed posed{load_model("@f7").description(), {balance, balance, -balance}};
};

TEST(field_spring, nothing_accelerates_where_it_balances) {
  DiagonalSpring bars;
  // phi has fifteen digits
  EXPECT_NEAR(bars(DiagonalSpring::balance), 0, 1e-13 * DiagonalSpring::k);
  State start;
  ASSERT_TRUE(assembled_start(bars.posed.model, bars.posed.workspace, start).ok());
  EXPECT_EQ(start.q[0], DiagonalSpring::balance);
}

TEST(field_spring, elsewhere_it_follows_its_reduced_equation) {
  DiagonalSpring bars;
  for (const double phi : {0.4, 1.3, 2.0, 2.9})
    for (const double rate : {0.0, 1.5, -0.7})
      EXPECT_NEAR(
          bars(phi, rate),
          (-DiagonalSpring::slope(phi) - DiagonalSpring::damping(phi) * rate) / DiagonalSpring::I,
          1e-12 * DiagonalSpring::k);
}

TEST(field_spring, swings_about_its_balance_as_published) {
  DiagonalSpring bars;
  const double phi = DiagonalSpring::balance, I = DiagonalSpring::I, h = 1e-3;
  const auto slope = [&](const auto& f) {
    return (8 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12 * h);
  };
  // central differences of fourth order: h^4 times the fifth derivative, and rounding over h
  const double K = -I * slope([&](double step) { return bars(phi + step); });
  const double C = -I * slope([&](double step) { return bars(phi, step); });
  EXPECT_NEAR(K, 7.6875249059474, 1e-9);
  EXPECT_NEAR(C, .80795269770168, 1e-9);
  // roots of I s^2 + C s + K
  EXPECT_NEAR(-C / (2 * I), -.24238580931051, 1e-9);
  EXPECT_NEAR(std::sqrt(K / I - std::pow(C / (2 * I), 2)), 2.1339550283484, 1e-9);
}

// Energy of the spring and of gravity.
TEST(field_spring, energy_counts_the_spring) {
  DiagonalSpring bars;
  for (const double phi : {0.4, 1.3, 2.9}) {
    bars(phi);
    const Energy energy = bars.posed.energies();
    const double stretch = 2 * std::cos(phi / 2) - std::sqrt(2.0);
    EXPECT_NEAR(energy.elastic, DiagonalSpring::k / 2 * stretch * stretch, 1e-13);
    EXPECT_NEAR(energy.gravity, 2 * DiagonalSpring::g * std::sin(phi), 1e-13);
  }
}

}  // namespace
}  // namespace trammel::field_spring_test
