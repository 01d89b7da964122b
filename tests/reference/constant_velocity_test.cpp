// Constant-velocity joints against closed forms: two shafts in fixed bearings turn at equal speeds
// at every bend, where those of a universal joint have a known ratio; a half-shaft has the inertia
// of its bodies about their own axes; and no joint is bent by 90 degrees.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/support/motion_of.hpp"
#include "trammel/constraint/assembly/assembly.hpp"
#include "trammel/dynamics/batch.hpp"
#include "trammel/dynamics/forward_dynamics.hpp"
#include "trammel/dynamics/mass_matrix.hpp"
#include "trammel/joint/constant_velocity.hpp"
#include "trammel/model/build/builder.hpp"
#include "trammel/scalar/dual.hpp"

namespace trammel::constant_velocity_test {
namespace {

constexpr double degree = std::numbers::pi / 180;

double value_of(const Model& model, const std::vector<double>& x, const char* joint) {
  return x[std::size_t(model[*model.find_joint(joint)].v_start)];
}

// Two shafts on bearings whose axes meet at the angle `bend`, with the joint between them.
Description drive_line(JointKind kind, double bend, double angle, double speed) {
  Description given("drive line");
  given.body("in", {.mass = 1.0, .inertia = {0.1, 0.0, 0.0, 0.1, 0.0, 0.2}});
  given.body("out", {.mass = 1.0, .inertia = {0.1, 0.0, 0.0, 0.1, 0.0, 0.3}});
  given.joint("in", JointKind::revolute, "ground", "in", {.drive = Drive::torque});
  given.joint("out", JointKind::revolute, "ground", "out", {.at = {.rpy = {bend, 0.0, 0.0}}});
  JointOptions how;
  how.cut = true;
  if (kind == JointKind::universal) {  // the arms of its cross, both perpendicular to the shafts
    how.axis = {1.0, 0.0, 0.0};
    how.axis2 = {0.0, 1.0, 0.0};
  }
  given.joint("coupling", kind, "in", "out", how);
  given.start_positions.push_back({.joint = "in", .values = {angle}});
  given.position_guesses.push_back({.joint = "out", .values = {angle}});
  given.start_velocities.push_back({.joint = "in", .values = {speed}});
  return given;
}

struct Turning {
  explicit Turning(const Description& description)
      : model(build_model(description)), workspace(model) {
    status = assembled_start(model, workspace, state);
  }
  Model model;
  Workspace workspace;
  State state;
  Status status;
};

TEST(ConstantVelocity, shafts_turn_at_equal_speeds_at_every_bend) {
  for (const JointKind kind : {JointKind::constant_velocity, JointKind::plunging_constant_velocity})
    for (const double bend :
         {0.0, 1e-9, 1e-4, 0.1, 30 * degree, 45 * degree, 80 * degree, 89 * degree})
      for (const double angle : {0.0, 0.3, 1.2, 2.9, -2.2}) {
        SCOPED_TRACE(fmt::format("{}, bend {}, angle {}", to_string(kind), bend, angle));
        const Turning line(drive_line(kind, bend, angle, 7.0));
        ASSERT_TRUE(line.status.ok()) << line.status.message();
        EXPECT_NEAR(value_of(line.model, line.state.v, "out"), 7.0, 7e-12);
        EXPECT_NEAR(
            std::remainder(value_of(line.model, line.state.q, "out") - angle, 2 * std::numbers::pi),
            0, 1e-11);
      }
}

// Cross arm of the input at the angle phi from the normal of the plane of the shafts:
// tan(phi_out) = cos b tan(phi), omega_out / omega_in = cos b / (1 - sin^2 b sin^2 phi).
TEST(ConstantVelocity, a_universal_joint_has_its_known_ratio_instead) {
  for (const double bend : {0.1, 30 * degree, 80 * degree})
    for (const double angle : {0.0, 0.3, 1.2}) {
      SCOPED_TRACE(fmt::format("bend {}, angle {}", bend, angle));
      const Turning line(drive_line(JointKind::universal, bend, angle, 7.0));
      ASSERT_TRUE(line.status.ok()) << line.status.message();
      const double s = std::sin(bend) * std::sin(angle);
      // the position is closed to 1e-11, and the ratio changes by up to 1 / cos^2 b per radian
      const double ratio = std::cos(bend) / (1 - s * s);
      EXPECT_NEAR(value_of(line.model, line.state.v, "out"), 7 * ratio, 1e-9);
      EXPECT_GT(std::abs(ratio - 1), 1e-4);
    }
}

// All bodies rotate about fixed axes through their centers of mass at one speed.
TEST(ConstantVelocity, a_half_shaft_has_the_sum_of_the_axial_inertias) {
  const Model model = load_model("@half_shaft");
  Workspace workspace(model);
  State state;
  ASSERT_TRUE(assembled_start(model, workspace, state).ok());
  const double speed = value_of(model, state.v, "differential");
  EXPECT_NEAR(value_of(model, state.v, "bearing"), speed, 1e-12 * speed);
  std::vector<double> tau(std::size_t(model.nv())), a(tau.size());
  tau[std::size_t(model[*model.find_joint("differential")].v_start)] = 10;
  const Status status = forward_dynamics(model, state, {.tau = tau}, workspace, a);
  ASSERT_TRUE(status.ok()) << status.message();
  const double expected = 10 / (0.003 + 0.0002 + 0.5);
  // velocities of 60 rad/s enter squared: 1e-16 * 60^2 times a condition of about 1e3
  EXPECT_NEAR(value_of(model, a, "differential"), expected, 1e-9);
  EXPECT_NEAR(value_of(model, a, "bearing"), expected, 1e-9);
}

TEST(ConstantVelocity, a_half_shaft_keeps_its_speed_and_energy) {
  MotionOf motion("half_shaft");
  const double speed = value_of(motion.model, motion.state.v, "differential");
  const double start = motion.energy_now();
  const Status status = motion.go(0.2);
  ASSERT_TRUE(status.ok()) << status.message();
  EXPECT_LT(motion.energy_change(), 1e-8 * start);
  for (const State& seen : motion.samples) {
    EXPECT_NEAR(value_of(motion.model, seen.v, "bearing"),
                value_of(motion.model, seen.v, "differential"), 1e-12 * speed);
    EXPECT_NEAR(value_of(motion.model, seen.v, "differential"), speed, 1e-8 * speed);
  }
}

Description hanging(JointKind kind) {
  Description given("rod on a constant-velocity joint");
  given.body("rod",
             {.mass = 1.0, .com = {0.1, 0.0, -0.4}, .inertia = {0.02, 0.0, 0.0, 0.03, 0.0, 0.01}});
  given.joint("coupling", kind, "ground", "rod");
  return given;
}

TEST(ConstantVelocity, a_swinging_rod_keeps_its_energy) {
  Description given = hanging(JointKind::constant_velocity);
  given.start_positions.push_back({.joint = "coupling", .values = {1.0, 0.4}});
  given.start_velocities.push_back({.joint = "coupling", .values = {0.3, 1.1}});
  MotionOf motion(build_model(given));
  const Status status = motion.go(2.0);
  ASSERT_TRUE(status.ok()) << status.message();
  EXPECT_LT(motion.energy_change(), 1e-7);  // of some joule, at the tolerance of the run
}

TEST(ConstantVelocity, is_exact_at_small_bends_too) {
  for (const double bend : {0.0, 1e-160, 1e-12, 1e-6, 1e-3, 0.1, 1.0, 1.5}) {
    const double q[] = {0.6 * bend, -0.8 * bend}, unused[2] = {};
    const Pose<double> X =
        ConstantVelocity{}.pose(Coordinates<double, double>{{q, unused, unused, nullptr}});
    const Mat3<double> R = exponential_rotation(Vec3<double>{q[0], q[1], 0});
    EXPECT_LT(norm(X.R.x - R.x) + norm(X.R.y - R.y) + norm(X.R.z - R.z), 1e-15) << bend;
    // sine of the bend, relative to itself
    EXPECT_NEAR(std::hypot(X.R.z.x, X.R.z.y), std::sin(bend), 2e-16 * bend * 2) << bend;
  }
}

TEST(ConstantVelocity, bends_of_90_degrees_fail_by_name) {
  const Model model = build_model(hanging(JointKind::plunging_constant_velocity));
  Workspace workspace(model);
  State state = neutral_state(model);
  std::vector<double> a(std::size_t(model.nv()));
  state.q = {89.9 * degree, 0, 0};
  EXPECT_TRUE(forward_dynamics(model, state, {}, workspace, a).ok());
  state.q = {60 * degree, 70 * degree, 0};
  EXPECT_EQ(
      forward_dynamics(model, state, {}, workspace, a).message(),
      "forward_dynamics: joint 'coupling' is bent by 90 deg or more; a constant-velocity joint "
      "bends by less");
  const Eigen::MatrixXd q = Eigen::Vector3d(state.q.data()).replicate(1, 3),
                        v = Eigen::MatrixXd::Zero(3, 3);
  BatchWorkspace room(model, 1);
  Eigen::MatrixXd many(3, 3);
  EXPECT_NE(forward_dynamics_batch(model, {q, v}, v, room, many)
                .message()
                .find("in state 0 joint 'coupling' is bent by 90 deg or more"),
            std::string::npos);
}

TEST(ConstantVelocity, a_loop_that_needs_90_degrees_fails_by_name) {
  for (const double bend : {90.001 * degree, 120 * degree}) {
    Turning line(drive_line(JointKind::constant_velocity, bend, 0.3, 0.0));
    std::vector<double> a(std::size_t(line.model.nv()));
    const Status status = line.status.ok()
                              ? forward_dynamics(line.model, line.state, {}, line.workspace, a)
                              : line.status;
    EXPECT_NE(status.message().find("'coupling' is bent by 90 deg or more"), std::string::npos)
        << status.message();
  }
}

TEST(ConstantVelocity, a_run_stops_before_90_degrees) {
  Description given = hanging(JointKind::constant_velocity);
  given.gravity = {0.0, 0.0, 9.81};  // upside down: it falls to the side
  given.start_positions.push_back({.joint = "coupling", .values = {0.5, 0.0}});
  MotionOf motion(build_model(given));
  const Status status = motion.go(5.0);
  EXPECT_FALSE(status.ok());
  EXPECT_NE(status.message().find("'coupling' is bent by 90 deg or more"), std::string::npos)
      << status.message();
  EXPECT_LT(std::hypot(motion.state.q[0], motion.state.q[1]), std::numbers::pi / 2);
}

}  // namespace
}  // namespace trammel::constant_velocity_test
