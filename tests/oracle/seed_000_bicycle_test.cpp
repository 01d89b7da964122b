// The bicycle (Y-73) against the published benchmark.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>

#include "tests/capability.hpp"
#include "tests/motion_of.hpp"
#include "trammel/analyze/linearize.hpp"
#include "trammel/constraint/projection.hpp"
#include "trammel/read/load.hpp"

namespace trammel {

namespace {

using Complex = std::complex<double>;

// Without those of what only goes along: place, heading, wheel angles, speed. These are zero.
std::vector<Complex> balance_eigenvalues(double speed) {
  const Model model = load_model("@y_73", {.set = {{"speed", speed}}});
  Workspace workspace(model);
  State state;
  EXPECT_TRUE(assembled_start(model, workspace, state).ok());
  Linearization linear;
  const Status status = linearize(model, state, {}, workspace, linear);
  EXPECT_TRUE(status.ok()) << status.message();
  std::vector<Complex> all(linear.eigenvalues.begin(), linear.eigenvalues.end());
  // four that say how it leans and steers, the largest unless they pass through zero
  std::ranges::sort(all, std::greater(), [](const Complex& z) { return std::abs(z); });
  all.resize(4);
  std::ranges::sort(all, {}, [](const Complex& z) { return std::pair(z.real(), z.imag()); });
  return all;
}

double largest_real(double speed) {
  double largest = -1e9;
  for (const Complex& z : balance_eigenvalues(speed)) largest = std::max(largest, z.real());
  return largest;
}
// Where the largest real part of all changes its sign.
double crossing(double below, double above) {
  const bool was_stable = largest_real(below) < 0;
  for (int k = 0; k < 40; ++k) {
    const double middle = 0.5 * (below + above);
    ((largest_real(middle) < 0) == was_stable ? below : above) = middle;
  }
  return 0.5 * (below + above);
}

}  // namespace

// Meijaard, Papadopoulos, Ruina, Schwab 2007, Table 2: weave, capsize and castering at eleven
// speeds, to all fourteen places that are printed. Slopes are exact; what is
// left is rounding of the eigenvalues of A.
TEST(Bicycle, eigenvalues_of_the_benchmark) {
  shows("Y-73");
  struct Row {
    double speed;
    std::array<Complex, 4> z;
  };
  const Row published[] = {
      {0, {{-5.53094371765393, -3.13164324790656, 3.13164324790656, 5.53094371765393}}},
      {3,
       {{-10.35101467245920, -2.63366137253667, Complex(1.70675605663975, -2.31582447384325),
         Complex(1.70675605663975, 2.31582447384325)}}},
      {4,
       {{-12.15861426576447, -1.42944427361326, Complex(0.41325331521125, -3.07910818603206),
         Complex(0.41325331521125, 3.07910818603206)}}},
      {5,
       {{-14.07838969279822, Complex(-0.77534188219585, -4.46486771378823),
         Complex(-0.77534188219585, 4.46486771378823), -0.32286642900409}}},
      {10,
       {{-24.62459635017404, Complex(-3.72016840437287, -10.90681139476287),
         Complex(-3.72016840437287, 10.90681139476287), 0.16105338653172}}}};
  for (const auto& [speed, wanted] : published) {
    const std::vector<Complex> found = balance_eigenvalues(speed);
    for (std::size_t k = 0; k < 4; ++k)
      EXPECT_LT(std::abs(found[k] - wanted[k]), 1e-10) << "at " << speed << " m/s: " << found[k];
  }
}

// Their section 5: stable by itself between the weave speed and the capsize speed.
TEST(Bicycle, stable_between_two_speeds) {
  // the capsize eigenvalue passes through zero, where four others are: judged by its slope
  EXPECT_NEAR(crossing(4, 5), 4.29238253634111, 1e-7);
  const double h = 0.01;
  const auto capsize = [](double speed) { return balance_eigenvalues(speed).back().real(); };
  const double before = capsize(6.02426201538837 - h), after = capsize(6.02426201538837 + h);
  EXPECT_LT(before, 0);
  EXPECT_GT(after, 0);
  EXPECT_NEAR(before + after, 0, 1e-4);  // nearly straight there
}

// Pushed a little at 5 m/s it comes back upright, at 4 m/s it does not; energy is kept either way.
TEST(Bicycle, rides_by_itself) {
  for (const double speed : {4.0, 5.0}) {
    MotionOf bicycle(load_model("@y_73", {.set = {{"speed", speed}}}));
    bicycle.state.v[0] = 0.02;  // leaning: a way it can move, with the wheels
    ASSERT_TRUE(project_velocity(bicycle.model, bicycle.state, bicycle.workspace).ok());
    const Status status = bicycle.go(4);
    ASSERT_TRUE(status.ok()) << status.message();
    double early = 0, late = 0;
    for (const State& seen : bicycle.samples) {
      const double steer = std::abs(seen.q[8]);
      double& where = seen.time < 1.5 ? early : late;
      if (seen.time < 1.5 || seen.time > 2.5) where = std::max(where, steer);
    }
    EXPECT_EQ(late < early, speed == 5) << early << " then " << late;
    EXPECT_LT(bicycle.energy_change(), 1e-7);  // of 1300 J
    EXPECT_LT(bicycle.largest_gap().velocity, 1e-11);
  }
}

}  // namespace trammel
