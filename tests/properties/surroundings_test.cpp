// Moving ground, external forces over time, casters, wheels at the friction limit, rollers.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/support/motion_of.hpp"
#include "trammel/constraint/forces/wheel_contacts.hpp"
#include "trammel/dynamics/forward_dynamics.hpp"
#include "trammel/model/build/builder.hpp"
#include "trammel/model/description/solids.hpp"

namespace trammel::surroundings_test {

namespace {

constexpr double g = 9.81;
constexpr double pi = std::numbers::pi;

using Numbers3 = std::vector<std::pair<std::string, std::vector<Expr>>>;
InputDescription profile(const std::string& which, Numbers3 numbers) {
  InputDescription out;
  out.profile = which;
  out.numbers = std::move(numbers);
  return out;
}
InputDescription wave(std::vector<Expr> amplitude, double frequency) {
  return profile("sine", {{"amplitude", std::move(amplitude)}, {"frequency", {frequency}}});
}

Description pendulum(double l) {
  Description description("pendulum");
  description.body("bob", point_mass(1.0, {0.0, 0.0, -l}));
  description.joint("pivot", JointKind::revolute, "ground", "bob", {.axis = {0.0, 1.0, 0.0}});
  description.start_positions = {{"pivot", {0.7}}};
  return description;
}

}  // namespace

// A pendulum on a shaken support moves by the acceleration of the support, as with a moving ground
// given in the inputs of each call.
TEST(Surroundings, ground_acceleration_acts_on_bodies) {
  const double l = 0.6, amplitude = 0.05, frequency = 2, omega = 2 * pi * frequency;
  Description description = pendulum(l);
  description.ground_motion =
      GroundMotionDescription{.position = wave({amplitude, 0.0, 0.5 * amplitude}, frequency)};
  MotionOf run(build_model(description));
  ASSERT_EQ(run.model.nv(), 4);
  const Model still = build_model(pendulum(l));
  Workspace workspace(still);
  for (int k = 0; k < 5; ++k) {
    const double t = 0.31 * (k + 1);
    const State& now = run.at(t);
    SimulationInputs::Acting acting(run.model);
    run.run_inputs.evaluate(now, acting);
    std::vector<double> a(4), b(1);
    ASSERT_TRUE(
        forward_dynamics(run.model, now, run.run_inputs.inputs(acting), run.workspace, a).ok());
    const double swing = -amplitude * omega * omega * std::sin(omega * t);
    State beside = neutral_state(still);
    beside.q = {now.q[3]};
    beside.v = {now.v[3]};
    const Support shaken{.acceleration = {{}, {swing, 0, 0.5 * swing}}};
    ASSERT_TRUE(forward_dynamics(still, beside, {.ground = shaken}, workspace, b).ok());
    EXPECT_NEAR(a[3], b[0], 1e-10);
    const double angle = now.q[3];  // by hand: about y, the bob below
    EXPECT_NEAR(b[0], -((g + 0.5 * swing) * std::sin(angle) - swing * std::cos(angle)) / l, 1e-10);
    EXPECT_NEAR(now.q[0], amplitude * std::sin(omega * t), 1e-12);
  }
}

// A tilting table under a wheel: the direction of gravity does not change.
TEST(Surroundings, tilted_ground_is_a_slope) {
  const double tilt = 0.3, r = 0.2;
  Description description("tilted");
  description.body("ball", sphere(1.0, r));
  description.joint("free", JointKind::free, "ground", "ball");
  description.wheels.push_back(
      {.name = "skin", .body = "ball", .radius = r, .kind = WheelDescription::Kind::ball});
  description.ground_motion =
      GroundMotionDescription{.yaw_pitch_roll = profile("constant", {{"value", {0.0, tilt, 0.0}}})};
  description.start_positions = {{"free", {1.0, 0.0, 0.0, 0.0, 0.0, 0.0, r}}};
  MotionOf run(build_model(description));
  const Status status = run.go(1.0);
  ASSERT_TRUE(status.ok()) << status.message();
  // coordinates relative to the tilted ground
  EXPECT_NEAR(run.state.q[3 + 4], 0.5 * g * std::sin(tilt) / 1.4, 1e-8);
  EXPECT_NEAR(run.state.q[3 + 6], r, 1e-10);
}

// m x'' = F sin(omega t) along world x, for any attitude of the body; a wrench in body axes turns
// with it.
TEST(Surroundings, a_wrench_over_time) {
  const double m = 2, F = 3, frequency = 0.5, omega = 2 * pi * frequency, M = 0.4, t = 2.3;
  Description description("thrown");
  description.gravity = {0.0, 0.0, 0.0};
  description.body("stone", box(m, {0.1, 0.2, 0.3}));
  description.joint("free", JointKind::free, "ground", "stone");
  description.start_velocities = {{"free", {0.0, 0.0, 1.0, 0.0, 0.0, 0.0}}};
  description.wrenches.push_back(
      {.name = "push", .at = "stone", .force = wave({F, 0.0, 0.0}, frequency)});
  description.wrenches.push_back(
      {.name = "twist",
       .at = "stone",
       .is_in_own_axes = true,
       .moment = profile("step", {{"to", {0.0, 0.0, M}}, {"at", {1.0}}})});
  MotionOf run(build_model(description));
  const State& now = run.at(t);
  EXPECT_NEAR(now.q[4], F / (m * omega) * (t - std::sin(omega * t) / omega), 1e-8);
  EXPECT_NEAR(now.q[5], 0, 1e-12);
  const double moment_of_inertia = m * (0.01 + 0.04) / 12;
  EXPECT_NEAR(now.v[2], 1 + M * (t - 1) / moment_of_inertia, 1e-8);
}

// A caster equals a fork and a wheel modeled separately.
TEST(Surroundings, a_caster_is_a_fork_and_a_wheel) {
  const double r = 0.05, trail = 0.03, m = 0.4;
  const auto cart = [&] {
    Description description("cart");
    description.body("deck", box(5.0, {0.4, 0.3, 0.1}));
    description.joint("drive", JointKind::planar, "ground", "deck", {.at = {.xyz = {0.0, 0.0, r}}});
    description.start_velocities = {{"drive", {0.7, 0.3, -0.2}}};
    return description;
  };
  Description shortly = cart(), at_length = cart();
  shortly.wheels.push_back({.name = "rear",
                            .body = "deck",
                            .radius = r,
                            .kind = WheelDescription::Kind::caster,
                            .trail = trail,
                            .mass = m,
                            .at = {.xyz = {-0.2, 0.05, 0.0}},
                            .touches = false});
  at_length.body("fork", {});
  at_length.joint("fork", JointKind::revolute, "deck", "fork", {.at = {.xyz = {-0.2, 0.05, 0.0}}});
  at_length.body("tyre", {m, {}, {m * r * r / 4, 0.0, 0.0, m * r * r / 2, 0.0, m * r * r / 4}});
  at_length.joint("axle", JointKind::revolute, "fork", "tyre",
                  {.at = {.xyz = {-trail, 0.0, 0.0}}, .axis = {0.0, 1.0, 0.0}});
  at_length.wheels.push_back({.name = "rear", .body = "tyre", .radius = r, .touches = false});
  MotionOf one(build_model(shortly)), other(build_model(at_length));
  ASSERT_EQ(one.model.nv(), 5);
  std::vector<double> a(5), b(5);
  Status status = forward_dynamics(one.model, one.state, {}, one.workspace, a);
  ASSERT_TRUE(status.ok()) << status.message();
  status = forward_dynamics(other.model, other.state, {}, other.workspace, b);
  ASSERT_TRUE(status.ok()) << status.message();
  for (std::size_t k = 0; k < 5; ++k) EXPECT_NEAR(a[k], b[k], 1e-12);
  EXPECT_GT(std::abs(a[3]), 1e-3);  // the fork turns
  // and when pulled it trails
  status = one.go(3.0);
  ASSERT_TRUE(status.ok()) << status.message();
}

// Friction limit: friction coefficient times normal force. On a plane that steepens in time a ball
// needs more and more, 2/7 of the tangent of its angle.
TEST(Surroundings, a_wheel_that_would_slip_is_reported_with_its_time) {
  const double r = 0.1, friction = 0.1, duration = 2;
  Description description("tilting");
  description.body("ball", sphere(1.0, r));
  description.joint("free", JointKind::free, "ground", "ball");
  description.wheels.push_back({.name = "skin",
                                .body = "ball",
                                .on = "slope",
                                .radius = r,
                                .kind = WheelDescription::Kind::ball,
                                .friction = Expr(friction)});
  const double tilt = std::atan(3.5 * friction);
  for (const double angle : {0.99 * tilt, 1.01 * tilt}) {
    Description each = description;
    each.frame("slope", "ground", {.rpy = {0.0, angle, 0.0}});
    each.start_positions = {
        {"free", {1.0, 0.0, 0.0, 0.0, r * std::sin(angle), 0.0, r * std::cos(angle)}}};
    MotionOf run(build_model(each));
    ASSERT_TRUE(run.go(duration).ok());
    if (angle < tilt) {
      EXPECT_TRUE(run.statistics.events.empty());
      continue;
    }
    ASSERT_EQ(run.statistics.events.size(), 1U);
    EXPECT_EQ(run.statistics.events[0].time, 0);  // from the start
    EXPECT_NE(run.statistics.events[0].what.find("wheel 'skin' would slip"), std::string::npos);
  }
}

// [Saha 1991, section 3.8] (S-39): hub axis e at beta, roller axis at gamma = alpha + beta, the hub
// at d (cos delta, sin delta). The velocity of the hub center is -r w f - r_r w' f'.
TEST(Surroundings, the_rate_of_the_roller_that_touches) {
  const double r = 0.1, roller = 0.02, beta = 0.5, alpha = pi / 4, d = 0.3, delta = 1.1;
  Description description("one wheel");
  description.body("deck", box(5.0, {0.4, 0.3, 0.1}));
  description.joint("drive", JointKind::planar, "ground", "deck", {.at = {.xyz = {0.0, 0.0, r}}});
  description.body("hub", sphere(1.0, r));
  const Vec3<Expr> axis{std::cos(beta), std::sin(beta), 0.0};
  description.joint("hub", JointKind::revolute, "deck", "hub",
                    {.at = {.xyz = {d * std::cos(delta), d * std::sin(delta), 0.0}}, .axis = axis});
  description.wheels.push_back({.name = "omni",
                                .body = "hub",
                                .axis = axis,
                                .radius = r,
                                .kind = WheelDescription::Kind::omni,
                                .roller_angle = alpha,
                                .roller_radius = Expr(roller),
                                .touches = false});
  MotionOf run(build_model(description));
  const double turn = 0.7, x = 0.3, y = -0.2, gamma = alpha + beta;
  const double hub =
      -(d * turn * std::sin(gamma - delta) + x * std::cos(gamma) + y * std::sin(gamma)) /
      (r * std::sin(alpha));
  // a planar joint translates along x and y, and turns
  run.state.v = {x, y, turn, hub};
  std::vector<WheelContact> contacts;
  const Status status = wheel_contacts(run.model, run.state, {}, run.workspace, contacts);
  ASSERT_TRUE(status.ok()) << status.message();
  ASSERT_TRUE(contacts[0].roller_rate.has_value());
  EXPECT_NEAR(*contacts[0].roller_rate,
              (d * turn * std::sin(beta - delta) + x * std::cos(beta) + y * std::sin(beta)) /
                  (roller * std::sin(alpha)),
              1e-12);
}

}  // namespace trammel::surroundings_test
