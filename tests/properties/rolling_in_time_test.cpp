// Balls, wheels and rollers on inclined and turning floors, in simulations.
#include <gtest/gtest.h>

#include <Eigen/QR>
#include <cmath>
#include <numbers>

#include "tests/support/motion_of.hpp"
#include "trammel/constraint/forces/wheel_contacts.hpp"
#include "trammel/constraint/mobility/mobility.hpp"
#include "trammel/constraint/solver/constrained_dynamics.hpp"
#include "trammel/dynamics/forward_dynamics.hpp"
#include "trammel/model/build/builder.hpp"
#include "trammel/model/description/solids.hpp"

namespace trammel::rolling_in_time_test {

namespace {

constexpr double g = 9.81;

// An inclined plane is a frame of ground whose x axis points down.
Description on_a_slope(double angle, const Solid& solid, WheelDescription::Kind kind, double r) {
  Description description("slope");
  description.frame("slope", "ground", {.rpy = {0.0, angle, 0.0}});
  description.body("thing", solid);
  description.joint("free", JointKind::free, "ground", "thing");
  description.wheels.push_back(
      {.name = "skin", .body = "thing", .on = "slope", .radius = r, .kind = kind});
  // above the origin of the inclined plane, rotated with it
  const double c = std::cos(angle / 2), s = std::sin(angle / 2);
  description.start_positions = {
      {"free", {c, 0.0, s, 0.0, r * std::sin(angle), 0.0, r * std::cos(angle)}}};
  return description;
}

// Four Mecanum wheels, or four omni wheels, on a platform of a by b; the signs make the rollers
// form a cross in the view from above.
Description four_rollers(double half_width, double half_length, double r, double angle) {
  Description description("four rollers");
  description.body("deck", box(10.0, {2 * half_width, 2 * half_length, 0.1}));
  description.joint("drive", JointKind::planar, "ground", "deck", {.at = {.xyz = {0.0, 0.0, r}}});
  for (int k = 0; k < 4; ++k) {
    const double x = k % 2 == 0 ? -half_width : half_width, y = k < 2 ? half_length : -half_length;
    const std::string name = "wheel" + std::to_string(k);
    Solid disk;
    disk.mass = 1.0;
    disk.inertia = {r * r / 2, 0.0, 0.0, r * r / 4, 0.0, r * r / 4};
    description.body(name, disk);
    description.joint(
        name, JointKind::revolute, "deck", name,
        {.at = {.xyz = {x, y, 0.0}}, .axis = {1.0, 0.0, 0.0}, .drive = Drive::torque});
    const double sign = (k == 0 || k == 3) ? 1 : -1;
    description.wheels.push_back({.name = name,
                                  .body = name,
                                  .axis = {1.0, 0.0, 0.0},
                                  .radius = r,
                                  .kind = WheelDescription::Kind::omni,
                                  .roller_angle = sign * angle,
                                  .touches = false});
  }
  return description;
}

}  // namespace

// a = g sin(angle) / (1 + I / (m r^2)), I about the rolling axis.
TEST(RollingInTime, down_a_slope) {
  const double angle = 0.3, r = 0.2, m = 2;
  const struct {
    Solid solid;
    WheelDescription::Kind kind;
    double ratio;
  } things[] = {{sphere(m, r), WheelDescription::Kind::ball, 0.4},
                {{m, {}, {m * r * r / 4, 0.0, 0.0, m * r * r / 2, 0.0, m * r * r / 4}},
                 WheelDescription::Kind::conventional,
                 0.5}};
  for (const auto& [solid, kind, ratio] : things) {
    MotionOf run(build_model(on_a_slope(angle, solid, kind, r)));
    const double t = 1.3, a = g * std::sin(angle) / (1 + ratio);
    const Status status = run.go(t);
    ASSERT_TRUE(status.ok()) << status.message();
    const double x = run.state.q[4] - r * std::sin(angle), z = run.state.q[6] - r * std::cos(angle);
    EXPECT_NEAR(std::hypot(x, z), 0.5 * a * t * t, 1e-8);
    EXPECT_NEAR(z / x, -std::tan(angle), 1e-9);
    EXPECT_NEAR(run.state.q[5], 0, 1e-10);
    // the floor supports m g cos(angle), and the friction force needed to roll
    std::vector<WheelContact> contacts;
    ASSERT_TRUE(wheel_contacts(run.model, run.state, {}, run.workspace, contacts).ok());
    ASSERT_EQ(contacts.size(), 1U);
    EXPECT_NEAR(contacts[0].up(), m * g * std::cos(angle), 1e-9);
    EXPECT_NEAR(contacts[0].sideways(), m * a * ratio, 1e-9);
    EXPECT_NEAR(contacts[0].friction_needed(), std::tan(angle) * ratio / (1 + ratio), 1e-10);
    EXPECT_FALSE(contacts[0].lifts());
  }
}

// A ball on a turntable of speed Omega runs in a circle at 2/7 of that speed, about a center that
// depends on its start [Earnshaw 1844; Milne 1948].
TEST(RollingInTime, a_ball_on_a_turntable_runs_in_circles) {
  const double Omega = 3, r = 0.05, m = 0.3;
  Description description("turntable");
  description.body("table", solid_cylinder(5.0, 1.0, 0.05));
  description.joint("turn", JointKind::revolute, "ground", "table", {.drive = Drive::motion});
  description.body("ball", sphere(m, r));
  description.joint("free", JointKind::free, "ground", "ball");
  description.wheels.push_back({.name = "skin",
                                .body = "ball",
                                .on = "table",
                                .radius = r,
                                .kind = WheelDescription::Kind::ball});
  description.inputs.push_back({.name = "speed",
                                .joint = "turn",
                                .profile = "ramp",
                                .numbers = {{"to", {Omega * 100}}, {"over", {100.0}}}});
  const double x0 = 0.2, v0 = 0.4;
  description.start_positions = {{"free", {1.0, 0.0, 0.0, 0.0, x0, 0.0, r}}};
  // the floor below has the velocity Omega x0 along y; the ball moves with v0 along y and spins so
  // that it rolls
  description.start_velocities = {{"free", {(Omega * x0 - v0) / r, 0.0, 0.0, 0.0, v0, 0.0}},
                                  {"turn", {Omega}}};
  MotionOf run(build_model(description));
  const double w = 2 * Omega / 7, radius = v0 / w;
  const Status status = run.go(2 * std::numbers::pi / w);
  ASSERT_TRUE(status.ok()) << status.message();
  const std::size_t x = std::size_t(run.model[*run.model.find_joint("free")].q_start) + 4;
  for (const State& seen : run.samples) {
    const double turned = w * seen.time;
    EXPECT_NEAR(seen.q[x], x0 - radius + radius * std::cos(turned), 2e-8) << seen.time;
    EXPECT_NEAR(seen.q[x + 1], radius * std::sin(turned), 2e-8);
  }
}

// Rates of Mecanum wheels by hand: the contact does not move along its roller. Forward, sideways
// and turning motion each have their pattern; four rows for three degrees of freedom of the deck:
// one is redundant.
TEST(RollingInTime, Mecanum_wheels_follow_the_deck) {
  const double a = 0.3, b = 0.4, r = 0.1;
  const Model model = build_model(four_rollers(a, b, r, std::numbers::pi / 4));
  Workspace workspace(model);
  Mobility found;
  State state = neutral_state(model);
  ASSERT_TRUE(mobility(model, state, workspace, found).ok());
  EXPECT_EQ(found.finite, 3);
  Eigen::MatrixXd J;
  ASSERT_TRUE(constraint_jacobian(model, state, workspace, J).ok());
  ASSERT_EQ(J.rows(), 4);
  for (int k = 0; k < 4; ++k) {
    const double x = k % 2 == 0 ? -a : a, y = k < 2 ? b : -b, sign = (k == 0 || k == 3) ? 1 : -1;
    // the axis of the roller is the wheel's x turned by 45 degrees; the contact moves with the deck
    // and, as the wheel turns about x with a rate w, by -w r y... against y
    const Eigen::Vector2d e = Eigen::Vector2d(1, sign).normalized();
    Eigen::RowVectorXd by_hand = Eigen::RowVectorXd::Zero(model.nv());
    by_hand[0] = e.x();
    by_hand[1] = e.y();
    by_hand[2] = -y * e.x() + x * e.y();
    by_hand[3 + k] = e.y() * r;  // w x (0, 0, -r) = (0, r w, 0) for w along x
    EXPECT_LT((J.row(k) - by_hand).norm(), 1e-14) << k;
  }
}

// Free rolling for a minute: energy is constant to ten digits, and the contacts stay at rest.
TEST(RollingInTime, a_minute_of_free_rolling) {
  RunOptions options = MotionOf::precise();
  options.relative = 1e-12;
  options.absolute = 1e-13;
  options.sample = 0.5;
  {
    MotionOf disk("e_06");
    ASSERT_TRUE(disk.go(60, options).ok());
    EXPECT_LT(disk.energy_change(), 1e-10 * 20);  // of 20 J
    EXPECT_LT(disk.largest_violation().velocity, 1e-12);
  }
  // with a caster, on three omni wheels, a wobbling disk, and a bicycle pushed out of its upright
  for (const char* name : {"s_t03", "s_t07", "s_t11", "y_73"}) {
    Description description = load_model(std::string("@") + name).description();
    description.inputs.clear();
    MotionOf run(build_model(description));
    if (std::string_view(name) == "y_73") {
      run.state.v[0] = 0.5;  // rolls over, until its speed has raised it
      ASSERT_TRUE(assemble(run.model, run.state, run.workspace).ok());
    }
    Energy start;
    ASSERT_TRUE(energy(run.model, run.state, run.workspace, start).ok());
    const Status status = run.go(60, options);
    ASSERT_TRUE(status.ok()) << name << ": " << status.message();
    EXPECT_GT(start.kinetic, 1e-3) << name;
    EXPECT_LT(run.energy_change(), 1e-10 * start.kinetic) << name;
    EXPECT_LT(run.largest_violation().velocity, 1e-12) << name;
  }
  {
    Description description = four_rollers(0.3, 0.4, 0.1, std::numbers::pi / 2 - 0.3);
    MotionOf deck(build_model(description));
    deck.state.v = {0.5, -0.3, 0.8, 0, 0, 0, 0};
    ASSERT_TRUE(assemble(deck.model, deck.state, deck.workspace).ok());
    const double energy = deck.energy_now();
    ASSERT_TRUE(deck.go(60, options).ok());
    EXPECT_GT(energy, 0.1);
    EXPECT_LT(deck.energy_change(), 1e-10 * energy);
    EXPECT_LT(deck.largest_violation().velocity, 1e-13);
  }
}

// Integrator stages violate the rolling constraints slightly, and the order stays: half the step of
// rk4 gives a sixteenth of the error, up to the next order.
TEST(RollingInTime, methods_keep_their_order_on_wheels) {
  const auto error = [](const char* name, const State& end, const RunOptions& options) {
    MotionOf run(name);
    run.at(0.5, options);
    EXPECT_LT(run.largest_violation().position, 1e-12);
    EXPECT_LT(run.largest_violation().velocity, 1e-11);
    std::vector<double> apart(end.v.size());
    difference(run.model, run.state.q, end.q, apart);
    double largest = 0;
    for (const double d : apart) largest = std::max(largest, std::abs(d));
    return largest;
  };
  for (const char* name : {"e_06", "e_06_rider", "s_t03", "s_t11"}) {
    MotionOf exact(name);
    const State end = exact.at(0.5);
    const auto rk4 = [&](double step) {
      return error(name, end, {.method = Method::rk4, .step = step});
    };
    EXPECT_NEAR(std::log2(rk4(0.005) / rk4(0.0025)), 4, 0.15) << name;
  }
  // with the longest accepted steps the violation is within the tolerance; shorter ones are exact
  // to rounding
  for (const char* name : {"s_t03", "s_t11"}) {
    MotionOf exact(name);
    const State end = exact.at(0.5);
    const auto extrapolation = [&](double step) {
      return error(
          name, end,
          {.method = Method::extrapolation, .relative = 0.1, .absolute = 1e6, .step = step});
    };
    EXPECT_GT(std::log2(extrapolation(0.05) / extrapolation(0.025)), 7.3) << name;
  }
}

// A cart that brakes too hard needs a negative normal force at the rear: lift-off is reported.
TEST(RollingInTime, a_wheel_that_lifts_is_reported) {
  Description description("cart");
  description.body("cart", box(10.0, {0.4, 0.2, 0.2}, {0.0, 0.0, 0.6}));
  description.joint("free", JointKind::free, "ground", "cart");
  for (const auto& [name, x] : {std::pair("rear", -0.3), std::pair("front", 0.3)})
    for (const auto& [side, y] : {std::pair("left", 0.2), std::pair("right", -0.2)}) {
      const std::string wheel = std::string(name) + " " + side;
      description.body(wheel, sphere(0.5, 0.1));
      description.joint(
          wheel, JointKind::revolute, "cart", wheel,
          {.at = {.xyz = {x, y, 0.1}}, .axis = {0.0, 1.0, 0.0}, .drive = Drive::torque});
      description.wheels.push_back({.name = wheel, .body = wheel, .radius = 0.1});
    }
  const Model model = build_model(description);
  Workspace workspace(model);
  const State state = start_state(model);
  const auto lifts = [&](double torque) {
    std::vector<double> tau(std::size_t(model.nv()), 0.0);
    for (int k = 6; k < 10; ++k) tau[std::size_t(k)] = torque;
    std::vector<WheelContact> contacts;
    const Status status = wheel_contacts(model, state, {.tau = tau}, workspace, contacts);
    EXPECT_TRUE(status.ok()) << status.message();
    int count = 0;
    double weight = 0;
    for (const WheelContact& contact : contacts) {
      count += contact.lifts() ? 1 : 0;
      weight += contact.up();
    }
    EXPECT_NEAR(weight, 12 * g, 1e-9);  // the model does not leave the floor
    return count;
  };
  EXPECT_EQ(lifts(0), 0);
  EXPECT_EQ(lifts(-0.5), 0);
  EXPECT_EQ(lifts(-4), 2);  // both at the rear
  EXPECT_EQ(lifts(4), 2);

  // in a simulation with a growing torque it is reported at its time
  for (const char* side : {"left", "right"})
    for (const char* end : {"rear ", "front "})
      description.inputs.push_back({.name = std::string(end) + side,
                                    .joint = std::string(end) + side,
                                    .profile = "ramp",
                                    .numbers = {{"to", {-4.0}}, {"over", {1.0}}}});
  MotionOf run(build_model(description));
  ASSERT_TRUE(run.go(1).ok());
  ASSERT_EQ(run.statistics.events.size(), 2U);
  // lift-off when the moment of the inertia forces about the front contacts equals that of the
  // weight: 10 kg at 0.6 m, wheels of 2 kg together at 0.1 m that turn, balls of 0.4 m r^2 each
  const double r = 0.1, I = 0.4 * 0.5 * r * r, m_e = 12 + 4 * I / (r * r);
  const double a = 12 * g * 0.3 / (10 * 0.6 + 2 * 0.1 + 4 * I / r), torque = a * r * m_e / 4;
  for (const EventRecord& event_record : run.statistics.events) {
    EXPECT_TRUE(event_record.what.starts_with("wheel 'rear ")) << event_record.what;
    EXPECT_NE(event_record.what.find("would lift"), std::string::npos) << event_record.what;
    // located between the steps, to rounding: the torque alone determines it
    EXPECT_NEAR(event_record.time, torque / 4, 1e-11);
  }

  // lifts briefly around the maximum of the torque, within one step
  description.inputs.clear();
  MotionOf rocks(build_model(description));
  const double greatest = 1.0005 * torque, hertz = 1;
  for (int k = 6; k < 10; ++k) rocks.run_inputs.add_effort(k, Signal::sine(-greatest, hertz, 0, 0));
  ASSERT_TRUE(rocks.go(0.4, {}).ok());
  const double up = std::asin(torque / greatest) / (2 * std::numbers::pi * hertz);
  ASSERT_EQ(rocks.statistics.events.size(), 4U);
  for (std::size_t k = 0; k < 4; ++k)
    EXPECT_NEAR(rocks.statistics.events[k].time, k < 2 ? up : 0.5 / hertz - up, 1e-9)
        << rocks.statistics.events[k].what;
}

}  // namespace trammel::rolling_in_time_test
