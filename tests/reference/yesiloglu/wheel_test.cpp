// Rolling wheel, example E-06 [Yesiloglu 2007]: yaw about z, lean about y, spin about the axle x.
#include <numbers>
#include <tuple>

#include "tests/reference/from_gallery.hpp"
#include "tests/reference/rolling_disk.hpp"
#include "tests/support/capability.hpp"
#include "tests/support/motion_of.hpp"
#include "trammel/constraint/assembly/projection.hpp"
#include "trammel/constraint/mobility/mobility.hpp"
#include "trammel/read/load.hpp"

namespace trammel::wheel_test {
namespace {

using Eigen::VectorXd;
constexpr double degree = std::numbers::pi / 180;
constexpr double m = 5, r = 0.3, axial = 0.225, across = 0.1125, g = 9.81;

RollingDisk wheel() {
  return RollingDisk(m, r, axial, across, {{0.0, 0.0, 1.0}, {0.0, 1.0, 0.0}, {1.0, 0.0, 0.0}});
}

TEST(yesiloglu_wheel, turns_steadily) {
  shows({"Y-43", "constrained_dynamics"});
  // E-06 (a), by the formula of section 3.14: phi is the elevation angle of the axle
  const double phi = 10 * degree, Omega = 2;
  const double n =
      (across * Omega * std::sin(phi) - m * g * r * std::tan(phi) / Omega) / (axial + m * r * r);
  EXPECT_NEAR(n, -1.864081364, 5e-10);  // printed digits
  const double spin = n - Omega * std::sin(phi);
  EXPECT_NEAR(spin, -2.211377719, 5e-10);
  RollingDisk disk = wheel();
  disk.put({0.4, -phi, 0.7}, {Omega, 0, spin});
  const ConstrainedAnswer answer = disk.solve(ConstraintSolver::automatic);
  // yaw, lean and spin are constant; the velocity of the center only turns
  for (int f = 3; f < 6; ++f) EXPECT_NEAR(answer.a[f], 0, 1e-12 * g / r) << f;
  const double speed = std::hypot(disk.posed.state.v[0], disk.posed.state.v[1]);
  EXPECT_NEAR(speed, 0.559224409, 5e-10);
  EXPECT_NEAR(std::hypot(answer.a[0], answer.a[1]), speed * Omega, 1e-12);
  EXPECT_NEAR(speed / Omega, 0.279612205, 5e-10);
  // up, across, along
  EXPECT_NEAR(answer.lambda[0], 49.05, 1e-11);
  EXPECT_NEAR(std::abs(answer.lambda[1]), 5.592244091, 5e-9);
  EXPECT_NEAR(answer.lambda[2], 0, 1e-11);
}

TEST(yesiloglu_wheel, is_driven_along_a_straight_line) {
  RollingDisk disk = wheel();
  disk.put({0, 0, 0}, {0, 0, 0});
  const double torque = 0.5;
  const std::vector<Wrench> push = {{frame_ref(disk.posed.model, "disk"), {{torque, 0, 0}, {}}}};
  const ConstrainedAnswer answer = disk.solve(ConstraintSolver::automatic, {.wrenches = push});
  // E-06 (b): tau / (r (m + I_a / r^2)) and its printed digits
  const double expected = torque / (r * (m + axial / (r * r)));
  EXPECT_NEAR(expected, 0.222222, 5e-7);
  EXPECT_NEAR(std::abs(answer.a[1]), expected, 1e-14);
  EXPECT_NEAR(answer.a[0], 0, 1e-14);
  EXPECT_NEAR(std::abs(answer.lambda[2]), 1.111111, 5e-7);
  EXPECT_NEAR(answer.lambda[0], m * g, 1e-12);
}

TEST(yesiloglu_wheel, rolls_freely_as_published) {
  RollingDisk disk = wheel();
  disk.put({0, 5 * degree, 0}, {0.3, 0, -12});
  const double energy = disk.posed.energies().total();
  EXPECT_NEAR(energy, 63.4760482, 5e-8);
  const double published[][3] = {{-0.0859398, 0.1262057, -6.0250267},
                                 {-0.2182251, 0.0952039, -12.0557762},
                                 {-0.2673413, 0.1119162, -18.0766046},
                                 {-0.4195441, 0.1128844, -24.1099619}};
  for (const auto& [yaw, lean, spin] : published) {
    disk.posed.run(2.5e-3, 200);
    // seven printed digits; the error of the classical Runge-Kutta method at this step is below
    // 1e-8
    EXPECT_NEAR(disk.posed.state.q[3], yaw, 1e-7);
    EXPECT_NEAR(disk.posed.state.q[4], lean, 1e-7);
    EXPECT_NEAR(disk.posed.state.q[5], spin, 1e-7);
    EXPECT_NEAR(disk.posed.energies().total(), energy, 1e-7);
  }
}

// Unicycle: a body on the axle that may pitch, and leans with the wheel.
TEST(yesiloglu_wheel, carries_a_body_as_a_unicycle) {
  shows({"Y-44", "forward_dynamics", "simulate"});
  const double M = 20, l = 0.6, J = 1.2;
  FromGallery unicycle("e_06_rider");
  EXPECT_EQ(unicycle.ways().instantaneous, 4);
  // upright and straight, pitched about the axle: by Lagrange's equations in y and the pitch
  for (const double torque : {0.0, 3.0})
    for (const auto& [pitch, rate, speed] : {std::tuple(0.0, 0.0, 0.0), {0.4, -0.7, 1.3}}) {
      Posed& posed = unicycle.posed;
      posed.state.q = {0, 0.2, r, 0, 0, pitch, 0.9};
      posed.state.v = {0, speed, 0, 0, 0, rate, -speed / r - rate};
      Eigen::Matrix2d inertia;
      inertia << m + M + axial / (r * r), -M * l * std::cos(pitch), -M * l * std::cos(pitch),
          J + M * l * l;
      const Eigen::Vector2d forces(-torque / r - M * l * std::sin(pitch) * rate * rate,
                                   -torque + M * g * l * std::sin(pitch));
      const Eigen::Vector2d expected = inertia.inverse() * forces;
      const std::vector<double> tau = {0, 0, 0, 0, 0, 0, torque};
      const VectorXd a = posed.a({.tau = tau});
      EXPECT_NEAR(a[1], expected[0], 1e-11);
      EXPECT_NEAR(a[5], expected[1], 1e-11);
      for (const int still : {0, 2, 3, 4}) EXPECT_NEAR(a[still], 0, 1e-11) << still;
    }
  // leaning and turning, without drive: energy is constant while it falls, and the wheel rolls
  MotionOf falls(load_model("@e_06_rider"));
  falls.state.q[4] = 0.05;
  falls.state.q[2] = r * std::cos(0.05);
  falls.state.v[3] = 0.8;
  ASSERT_TRUE(project_velocity(falls.model, falls.state, falls.workspace).ok());
  const Status status = falls.go(0.5);
  ASSERT_TRUE(status.ok()) << status.message();
  EXPECT_LT(falls.energy_change(), 1e-7);  // of some 140 J
  EXPECT_LT(falls.largest_violation().velocity, 1e-11);
}

TEST(yesiloglu_wheel, has_more_places_to_be_than_ways_to_go) {
  RollingDisk disk = wheel();
  disk.put({0.3, 0.2, 0.1}, {1, -0.5, 2});
  Mobility found;
  ASSERT_TRUE(mobility(disk.posed.model, disk.posed.state, disk.posed.workspace, found).ok());
  EXPECT_EQ(found.instantaneous, 3);
  EXPECT_EQ(found.verdict, Mobility::Verdict::regular);
  // one of its three rows fixes a position: assembly corrects only the height of the center
  State rough = disk.posed.state;
  rough.q[0] = 0.4, rough.q[1] = -0.7, rough.q[2] += 0.05;
  rough.v[0] += 0.2;
  ASSERT_TRUE(assemble(disk.posed.model, rough, disk.posed.workspace).ok());
  EXPECT_EQ(rough.q[0], 0.4);
  EXPECT_EQ(rough.q[1], -0.7);
  EXPECT_NEAR(rough.q[2], r * std::cos(rough.q[4]), 1e-12);
  disk.posed.state = rough;
  disk.solve(ConstraintSolver::automatic);  // the velocities are projected to rolling
}

TEST(yesiloglu_wheel, motions_it_cannot_perform_are_reported) {
  RollingDisk disk = wheel();
  disk.put({0, 0, 0}, {0, 0, 1});
  std::vector<double> a(6);
  const auto told = [&] {
    return forward_dynamics(disk.posed.model, disk.posed.state, {}, disk.posed.workspace, a)
        .message();
  };
  EXPECT_EQ(told(), "");
  disk.posed.state.v[1] += 0.25;
  EXPECT_EQ(
      told(),
      "forward_dynamics: the velocities make wheel 'rim' slip, at 0.25 m/s: assemble the state "
      "first, which makes them consistent");
  disk.posed.state.v[1] -= 0.25;
  disk.posed.state.q[2] += 0.125;
  EXPECT_EQ(told(),
            "forward_dynamics: wheel 'rim' is violated by 0.125 m and 0 rad: assemble the state "
            "first, which closes the loops");
  disk.posed.state.q = {0, 0, 0, 0, std::numbers::pi / 2, 0};
  disk.posed.state.v.assign(6, 0.0);
  EXPECT_EQ(told(),
            "forward_dynamics: wheel 'rim' lies flat on its floor and cannot roll: raise it");
}

}  // namespace
}  // namespace trammel::wheel_test
