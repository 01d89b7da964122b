// Friction, motors, contacts and controllers in simulations, against closed forms.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/support/motion_of.hpp"
#include "trammel/dynamics/derivatives.hpp"
#include "trammel/dynamics/force_elements.hpp"
#include "trammel/dynamics/forward_dynamics.hpp"
#include "trammel/dynamics/inverse_dynamics.hpp"
#include "trammel/dynamics/kinematics.hpp"
#include "trammel/model/build/builder.hpp"
#include "trammel/model/description/solids.hpp"

namespace trammel::forces_in_time_test {

namespace {

constexpr double g = 9.81;

Description block_on_rail(double friction, double slow) {
  Description description("block");
  description.gravity = {0.0, 0.0, 0.0};
  description.body("block", box(2.0, {0.2, 0.2, 0.2}));
  description.joint("rail", JointKind::prismatic, "ground", "block",
                    {.axis = {1.0, 0.0, 0.0}, .friction = {friction}, .friction_speed = {slow}});
  return description;
}

Description ball_that_falls(double dissipation, double friction) {
  Description description("ball");
  description.body("ball", sphere(0.5, 0.1));
  description.joint("float", JointKind::free, "ground", "ball");
  ContactDescription contact;
  contact.name = "skin";
  contact.body = "ball";
  contact.radius = 0.1;
  contact.stiffness = 1e6;
  contact.dissipation = dissipation;
  contact.friction = friction;
  description.contacts.push_back(contact);
  return description;
}

}  // namespace

// m v' = -F v / r, r = sqrt(v^2 + s^2): from v0 to v it takes m/F times the change of
// r - s asinh(s / v), and goes m/F times the change of (v r + s^2 asinh(v / s)) / 2.
TEST(ForcesInTime, dry_friction_brakes) {
  const double F = 3, m = 2, slow = 0.05, v0 = 1.5, t = 0.95;
  Description description = block_on_rail(F, slow);
  description.start_velocities = {{"rail", {v0}}};
  MotionOf block(build_model(description));
  ASSERT_TRUE(block.go(t).ok());
  const auto time = [&](double v) { return std::hypot(v, slow) - slow * std::asinh(slow / v); };
  const auto way = [&](double v) {
    return 0.5 * (v * std::hypot(v, slow) + slow * slow * std::asinh(v / slow));
  };
  const double v = block.state.v[0];
  ASSERT_GT(v, 0.01);
  ASSERT_LT(v, 2 * slow);  // well into the range in which friction fades
  EXPECT_NEAR(m / F * (time(v0) - time(v)), t, 1e-8);
  EXPECT_NEAR(block.state.q[0], m / F * (way(v0) - way(v)), 1e-9);
}

// All functions include friction: forward and inverse dynamics are inverse to each other,
// derivatives match differences.
TEST(ForcesInTime, friction_is_in_every_question) {
  Description description("arm");
  description.body("a", box(1.0, {0.5, 0.1, 0.1}, {0.25, 0.0, 0.0}));
  description.body("b", box(1.0, {0.5, 0.1, 0.1}, {0.25, 0.0, 0.0}));
  description.joint("p", JointKind::revolute, "ground", "a",
                    {.axis = {0.0, 1.0, 0.0}, .damping = {0.2}, .friction = {0.7}});
  description.joint(
      "q", JointKind::universal, "a", "b",
      {.at = {.xyz = {0.5, 0.0, 0.0}}, .friction = {0.3, 0.4}, .friction_speed = {0.5}});
  const Model model = build_model(description);
  Workspace workspace(model);
  State state = neutral_state(model);
  state.q = {0.3, -0.4, 0.9};
  state.v = {0.8, -0.3, 0.05};
  const std::vector<double> tau = {1.0, -2.0, 0.5};
  std::vector<double> a(3), back(3), passive(3);
  ASSERT_TRUE(forward_dynamics(model, state, {.tau = tau}, workspace, a).ok());
  ASSERT_TRUE(inverse_dynamics(model, state, {.a = a}, workspace, back).ok());
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(back[std::size_t(k)], tau[std::size_t(k)], 1e-13);
  ASSERT_TRUE(passive_forces(model, state, workspace, passive).ok());
  EXPECT_NEAR(passive[0], -0.2 * 0.8 - 0.7 * 0.8 / std::hypot(0.8, default_friction_speed), 1e-15);
  EXPECT_NEAR(passive[1], 0.3 * 0.3 / std::hypot(0.3, 0.5), 1e-15);
  EXPECT_NEAR(passive[2], -0.4 * 0.05 / std::hypot(0.05, 0.5), 1e-15);

  Derivatives slopes;
  DerivativeWorkspace room(model);
  ASSERT_TRUE(
      forward_dynamics_derivatives(model, state, {.tau = tau}, workspace, room, slopes).ok());
  for (int k = 0; k < 3; ++k) {
    const double h = 1e-5;
    std::vector<double> more(3), less(3);
    State moved = state;
    moved.v[std::size_t(k)] += h;
    ASSERT_TRUE(forward_dynamics(model, moved, {.tau = tau}, workspace, more).ok());
    moved.v[std::size_t(k)] -= 2 * h;
    ASSERT_TRUE(forward_dynamics(model, moved, {.tau = tau}, workspace, less).ok());
    for (int i = 0; i < 3; ++i)
      EXPECT_NEAR(slopes.dv(i, k), (more[std::size_t(i)] - less[std::size_t(i)]) / (2 * h),
                  1e-7 * (1 + std::abs(slopes.dv(i, k))));  // error of central differences
  }
}

// (J + n^2 J_r) w' = torque; at full torque w -> no_load (1 - exp(-t / T)).
TEST(ForcesInTime, a_motor_has_inertia_and_loses_torque_with_speed) {
  const double J = 0.4, J_r = 1e-3, n = 20, stall = 0.5, no_load = 300;
  Description description("wheel");
  description.gravity = {0.0, 0.0, 0.0};
  Solid wheel;
  wheel.mass = 1.0;
  wheel.inertia = {J / 2, 0.0, 0.0, J / 2, 0.0, J};
  description.body("wheel", wheel);
  description.joint("axle", JointKind::revolute, "ground", "wheel", {.drive = Drive::torque});
  description.motors.push_back({"motor", "axle", n, J_r, stall, no_load});
  description.inputs.push_back(
      {.name = "full", .joint = "axle", .profile = "constant", .numbers = {{"value", {1e3}}}});
  MotionOf run(build_model(description));
  ASSERT_EQ(run.model.nv(), 2);  // the rotor is modeled
  ASSERT_TRUE(run.go(2).ok());
  const double whole = J + n * n * J_r, T = whole * no_load / (n * n * stall);
  const int axle = run.model[*run.model.find_joint("axle")].v_start;
  const int rotor = run.model[*run.model.find_joint("motor")].v_start;
  const double w = no_load / n * (1 - std::exp(-2 / T));
  EXPECT_NEAR(run.state.v[std::size_t(axle)], w, 1e-8 * w);
  EXPECT_NEAR(run.state.v[std::size_t(rotor)], n * w, 1e-8 * n * w);
}

// A rotor that spins up turns its floating base the other way: no external force acts.
TEST(ForcesInTime, a_rotor_turns_its_base) {
  Description description("satellite");
  description.gravity = {0.0, 0.0, 0.0};
  description.body("base", box(10.0, {1.0, 1.0, 1.0}));
  description.body("arm", box(1.0, {0.6, 0.1, 0.1}, {0.3, 0.0, 0.0}));
  description.joint("float", JointKind::free, "ground", "base");
  description.joint("hinge", JointKind::revolute, "base", "arm",
                    {.at = {.xyz = {0.5, 0.0, 0.0}}, .drive = Drive::torque});
  description.motors.push_back({"motor", "hinge", 50.0, 2e-3, {}, {}});
  description.inputs.push_back(
      {.name = "push", .joint = "hinge", .profile = "constant", .numbers = {{"value", {2.0}}}});
  MotionOf run(build_model(description));
  ASSERT_TRUE(run.go(1).ok());
  Momentum p;
  ASSERT_TRUE(momentum(run.model, run.state, run.workspace, p).ok());
  EXPECT_GT(std::abs(run.state.v[2]), 1e-2);
  EXPECT_NEAR(norm(p.angular), 0, 1e-10);
  EXPECT_NEAR(norm(p.linear), 0, 1e-10);
  // the work of the effort is the whole energy
  const int hinge = run.model[*run.model.find_joint("hinge")].q_start;
  EXPECT_NEAR(run.energy_now(), 2.0 * run.state.q[std::size_t(hinge)], 1e-8);
}

// At rest k d^1.5 = m g. Without dissipation the ball returns to its initial height; with it the
// force never pulls, and energy only falls.
TEST(ForcesInTime, a_ball_on_the_floor) {
  Description description = ball_that_falls(0, 0);
  description.start_positions = {{"float", {1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.3}}};
  MotionOf bounces(build_model(description));
  ASSERT_TRUE(bounces.go(2 * std::sqrt(2 * 0.2 / g) + 0.1).ok());
  EXPECT_LT(bounces.energy_change(), 1e-7);
  double highest = 0;
  for (const State& seen : bounces.samples)
    if (seen.time > 0.3) highest = std::max(highest, seen.q[6]);
  EXPECT_GT(highest, 0.29);

  description = ball_that_falls(2, 0);
  const double depth = std::pow(0.5 * g / 1e6, 2.0 / 3);
  description.start_positions = {{"float", {1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.1 - depth}}};
  MotionOf rests(build_model(description));
  std::vector<double> a(6);
  ASSERT_TRUE(forward_dynamics(rests.model, rests.state, {}, rests.workspace, a).ok());
  EXPECT_NEAR(a[5], 0, 1e-9);
  description.start_positions = {{"float", {1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.2}}};
  MotionOf falls(build_model(description));
  ASSERT_TRUE(falls.go(1).ok());
  double last = 1e9;
  for (const State& seen : falls.samples) {
    Energy now;
    ASSERT_TRUE(energy(falls.model, seen, falls.workspace, now).ok());
    EXPECT_LE(now.total(), last + 1e-9);
    last = now.total();
  }
}

// A ball thrown along the floor without spin slides until it rolls, at 5/7 of its speed.
TEST(ForcesInTime, a_ball_that_slides_comes_to_roll) {
  const double v0 = 1.4, mu = 0.3, depth = std::pow(0.5 * g / 1e6, 2.0 / 3);
  Description description = ball_that_falls(0, mu);
  description.start_positions = {{"float", {1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.1 - depth}}};
  description.start_velocities = {{"float", {0.0, 0.0, 0.0, v0, 0.0, 0.0}}};
  MotionOf ball(build_model(description));
  ASSERT_TRUE(ball.go(1).ok());
  // velocities are in the axes of the ball, which turn about y: momentum gives the world x
  // component
  Momentum p;
  ASSERT_TRUE(momentum(ball.model, ball.state, ball.workspace, p).ok());
  // the lever arm of friction is the radius minus the depth, 3e-4 m of 0.1
  EXPECT_NEAR(p.linear.x / 0.5, 5.0 / 7 * v0, 5e-3);
}

// Equal gains in the description and in SimulationInputs give the same motion, bit for bit; effort
// limits are respected.
TEST(ForcesInTime, controllers_of_the_description) {
  Description description("arm");
  description.body("arm", box(1.0, {0.1, 0.1, 0.5}, {0.0, 0.0, -0.25}));
  description.joint("hinge", JointKind::revolute, "ground", "arm",
                    {.axis = {0.0, 1.0, 0.0}, .drive = Drive::torque});
  MotionOf by_hand(build_model(description));
  by_hand.run_inputs.add_controller(0, {.p = 30, .i = 10, .d = 4, .filter = 0.01, .limit = 2.5},
                                    Signal::ramp(0, 1.2, 0, 0.5));
  ControllerDescription hold{.name = "hold",
                             .joint = "hinge",
                             .p = 30.0,
                             .i = 10.0,
                             .d = 4.0,
                             .filter = 0.01,
                             .limit = 2.5};
  hold.target.profile = "ramp";
  hold.target.numbers = {{"from", {0.0}}, {"to", {1.2}}, {"start", {0.0}}, {"over", {0.5}}};
  description.controllers.push_back(hold);
  MotionOf described(build_model(description));
  ASSERT_TRUE(by_hand.go(3).ok());
  ASSERT_TRUE(described.go(3).ok());
  EXPECT_EQ(by_hand.state.q, described.state.q);
  EXPECT_EQ(by_hand.state.z, described.state.z);
  EXPECT_NEAR(described.state.q[0], 1.2, 0.1);
}

}  // namespace trammel::forces_in_time_test
