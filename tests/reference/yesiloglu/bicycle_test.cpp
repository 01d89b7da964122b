// Whipple bicycle (Y-73) against the published benchmark
// [Meijaard, Papadopoulos, Ruina, Schwab 2007].
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>

#include "tests/support/capability.hpp"
#include "tests/support/motion_of.hpp"
#include "trammel/analyze/linearize.hpp"
#include "trammel/constraint/assembly/projection.hpp"
#include "trammel/constraint/mobility/orthogonal_complement.hpp"
#include "trammel/read/load.hpp"

namespace trammel::bicycle_test {

namespace {

using Complex = std::complex<double>;

// Without the eigenvalues of position, heading, wheel angles and speed, which are zero.
std::vector<Complex> balance_eigenvalues(double speed) {
  const Model model = load_model("@y_73", {.set = {{"speed", speed}}});
  Workspace workspace(model);
  State state;
  EXPECT_TRUE(assembled_start(model, workspace, state).ok());
  Linearization linear;
  const Status status = linearize(model, state, {}, workspace, linear);
  EXPECT_TRUE(status.ok()) << status.message();
  std::vector<Complex> all(linear.eigenvalues.begin(), linear.eigenvalues.end());
  // the four eigenvalues of lean and steer, the largest unless they pass through zero
  std::ranges::sort(all, std::greater(), [](const Complex& z) { return std::abs(z); });
  all.resize(4);
  std::ranges::sort(all, {}, [](const Complex& z) { return std::pair(z.real(), z.imag()); });
  return all;
}

// Equations of lean and steer alone, as in the paper:
//   M q'' + v C1 q' + (g K0 + v^2 K2) q = 0,  q = (lean, steer)
// Lean is about the forward axis, as here; steer to the right, here to the left.
struct LeanAndSteer {
  Eigen::Matrix2d M, damping, stiffness;  // damping = v C1, stiffness = g K0 + v^2 K2
  Eigen::Matrix4d A;                      // of (q, q')
};

LeanAndSteer lean_and_steer(double speed) {
  constexpr int lean = 0, forward = 3, steer = 7;  // degrees of freedom
  const Model model = load_model("@y_73", {.set = {{"speed", speed}}});
  Workspace workspace(model);
  State state;
  EXPECT_TRUE(assembled_start(model, workspace, state).ok());
  Linearization linear;
  Status status = linearize(model, state, {}, workspace, linear);
  EXPECT_TRUE(status.ok()) << status.message();

  // z = P x with z' = P A x: position and heading do not matter, so z' = A_z z
  Eigen::MatrixXd P(4, linear.A.cols());
  P << linear.C.row(lean), -linear.C.row(steer), linear.C.row(model.nv() + lean),
      -linear.C.row(model.nv() + steer);
  const Eigen::MatrixXd P_A = P * linear.A;
  LeanAndSteer out;
  out.A = P.transpose().colPivHouseholderQr().solve(P_A.transpose()).transpose();
  // entries reach 500 at 10 m/s
  EXPECT_LT((P_A - out.A * P).cwiseAbs().maxCoeff(), 1e-11) << "at " << speed << " m/s";
  Eigen::Matrix<double, 2, 4> rates;
  rates << Eigen::Matrix2d::Zero(), Eigen::Matrix2d::Identity();
  EXPECT_LT((out.A.topRows<2>() - rates).cwiseAbs().maxCoeff(), 1e-13);

  // inertia of leaning and of steering with rolling wheels at constant speed
  OrthogonalComplement ways;
  status = orthogonal_complement(model, state, {}, workspace, ways, {.orthonormal = true});
  EXPECT_TRUE(status.ok()) << status.message();
  MinimalEquations equations;
  status = minimal_equations(model, state, {}, ways, workspace, equations);
  EXPECT_TRUE(status.ok()) << status.message();
  Eigen::Matrix3d chosen;
  chosen << ways.T.row(lean), -ways.T.row(steer), ways.T.row(forward);
  const Eigen::Matrix3d u = chosen.inverse();
  out.M = (u.transpose() * equations.inertia * u).topLeftCorner<2, 2>();
  out.stiffness = -out.M * out.A.bottomLeftCorner<2, 2>();
  out.damping = -out.M * out.A.bottomRightCorner<2, 2>();
  return out;
}

// Largest real part of the oscillating eigenvalues, and of the real ones.
double weave(double speed) {
  double largest = -1e9;
  for (const Complex& z : lean_and_steer(speed).A.eigenvalues())
    if (std::abs(z.imag()) > 1) largest = std::max(largest, z.real());
  return largest;
}
double capsize(double speed) {
  double largest = -1e9;
  for (const Complex& z : lean_and_steer(speed).A.eigenvalues())
    if (std::abs(z.imag()) < 1) largest = std::max(largest, z.real());
  return largest;
}
// Speed at which a real part changes its sign, by bisection to rounding.
double crossing(const std::function<double(double)>& part, double below, double above) {
  const bool was_stable = part(below) < 0;
  while (above - below > 1e-13 * above) {
    const double middle = 0.5 * (below + above);
    ((part(middle) < 0) == was_stable ? below : above) = middle;
  }
  return 0.5 * (below + above);
}

}  // namespace

// [Meijaard, Papadopoulos, Ruina, Schwab 2007], table 2: weave, capsize and castering at five
// speeds, to all fourteen printed decimals. Derivatives are exact; the error is rounding of the
// eigenvalues of A.
TEST(Bicycle, eigenvalues_of_the_benchmark) {
  shows({"Y-73", "linearize"});
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

// Section 5 of the paper: the matrices, with gravity 9.81 m/s^2, from the linearization at rest and
// at three speeds. Fourteen decimals are printed.
TEST(Bicycle, matrices_of_the_benchmark) {
  shows({"Y-73", "linearize", "minimal_equations"});
  const double g = 9.81;
  Eigen::Matrix2d M, K0, K2, C1;
  M << 80.81722, 2.31941332208709, 2.31941332208709, 0.29784188199686;
  K0 << -80.95, -2.59951685249872, -2.59951685249872, -0.80329488458618;
  K2 << 0, 76.59734589573222, 0, 2.65431523794604;
  C1 << 0, 33.86641391492494, -0.85035641456978, 1.68540397397560;
  const auto largest = [](const Eigen::Matrix2d& x) { return x.cwiseAbs().maxCoeff(); };
  const LeanAndSteer at_rest = lean_and_steer(0);
  EXPECT_LT(largest(at_rest.M - M), 1e-10);
  EXPECT_LT(largest(at_rest.damping), 1e-10);
  EXPECT_LT(largest(at_rest.stiffness / g - K0), 1e-10);
  for (const double v : {1.0, 5.0, 10.0}) {
    const LeanAndSteer found = lean_and_steer(v);
    EXPECT_LT(largest(found.M - M), 1e-10) << v;
    EXPECT_LT(largest(found.damping / v - C1), 1e-10) << v;
    EXPECT_LT(largest((found.stiffness - at_rest.stiffness) / (v * v) - K2), 1e-10) << v;
  }
}

// Same section: self-stable between the weave speed and the capsize speed.
TEST(Bicycle, stable_between_two_speeds) {
  EXPECT_NEAR(crossing(weave, 4, 5), 4.29238253634111, 1e-10);
  EXPECT_NEAR(crossing(capsize, 5.5, 6.5), 6.02426201538837, 1e-10);
  for (const double between : {4.3, 5.0, 6.0})
    EXPECT_LT(std::max(weave(between), capsize(between)), 0);
}

// Pushed slightly at 5 m/s it returns to upright, at 4 m/s it does not; energy is constant in both
// cases.
TEST(Bicycle, rides_by_itself) {
  for (const double speed : {4.0, 5.0}) {
    MotionOf bicycle(load_model("@y_73", {.set = {{"speed", speed}}}));
    bicycle.state.v[0] = 0.02;  // a lean rate, which the wheels allow
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
    EXPECT_LT(bicycle.largest_violation().velocity, 1e-11);
  }
}

}  // namespace trammel::bicycle_test
