// User-defined forces and events, against closed forms and against the engine's own elements
// re-implemented as user functions.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "tests/support/motion_of.hpp"
#include "trammel/model/build/builder.hpp"
#include "trammel/model/description/solids.hpp"
#include "trammel/read/load.hpp"
#include "trammel/simulate/kinematic.hpp"
#include "trammel/simulate/recorder.hpp"
#include "trammel/simulate/simulate_batch.hpp"

namespace trammel::user_laws_test {

namespace {

constexpr double g = 9.81;

Description falling_ball() {
  Description description("ball");
  description.body("ball", sphere(0.5, 0.1));
  description.joint("float", JointKind::free, "ground", "ball");
  description.frame("skin", "ball", {.xyz = {0.0, 0.06, 0.08}});
  return description;
}

// A crate with a ball at each lower corner, on an inclined plane carried by a slide.
Description crate_on_a_slope(double stiffness) {
  Description description("crate");
  description.body("slope", box(5.0, {2.0, 2.0, 0.1}));
  description.joint("slide", JointKind::prismatic, "ground", "slope", {.axis = {1.0, 0.0, 0.0}});
  description.frame("floor", "slope", {.xyz = {0.0, 0.0, 0.05}, .rpy = {0.2, -0.3, 0.1}});
  description.body("crate", box(3.0, {0.4, 0.3, 0.2}));
  description.joint("float", JointKind::free, "ground", "crate");
  for (const double x : {-0.2, 0.2})
    for (const double y : {-0.15, 0.15}) {
      ContactDescription foot;
      foot.name = std::string(x < 0 ? "hind" : "front") + (y < 0 ? " right" : " left");
      foot.body = "crate", foot.on = "floor", foot.at = {x, y, -0.1};
      foot.radius = 0.03, foot.stiffness = stiffness;
      if (stiffness > 0) foot.dissipation = 0.4, foot.friction = 0.6, foot.slip_speed = 0.05;
      description.contacts.push_back(foot);
    }
  description.start_positions = {{"float", {1.0, 0.0, 0.0, 0.0, 0.1, 0.05, 0.4}}};
  description.start_velocities = {{"float", {0.4, -0.3, 0.2, 0.5, 0.1, -0.3}}};
  return description;
}

// The law of [contact] in a model file, as a user function [Hunt, Crossley 1975].
ContactLawForce hunt_crossley(const ContactState& touch) {
  const double k = 1e5, dissipation = 0.4, friction = 0.6, slow = 0.05;
  const double normal =
      std::max(0.0, k * std::pow(touch.depth, 1.5) * (1 + 1.5 * dissipation * touch.sinking));
  const double v2 = dot(touch.sliding, touch.sliding);
  return {normal, (-friction * normal / std::sqrt(v2 + slow * slow)) * touch.sliding};
}

Description pendulum(double begin, double l = 0.7) {
  Description description("pendulum");
  description.body("bob", point_mass(1.0, {0.0, 0.0, -l}));
  description.joint("pivot", JointKind::revolute, "ground", "bob", {.axis = {0.0, 1.0, 0.0}});
  description.frame("tip", "bob", {.xyz = {0.0, 0.0, -l}});
  description.frame("post", "ground", {.xyz = {l, 0.0, -l}});
  description.start_positions = {{"pivot", {begin}}};
  return description;
}
// T = 2 pi / agm(1, cos(a / 2)) sqrt(l / g)
double period(double amplitude, double l = 0.7) {
  double a = 1, b = std::cos(amplitude / 2);
  for (int k = 0; k < 8; ++k) {
    const double mean = (a + b) / 2;
    b = std::sqrt(a * b);
    a = mean;
  }
  return 2 * std::numbers::pi / a * std::sqrt(l / g);
}
std::vector<double> times_of(const RunStatistics& statistics, const std::string& what) {
  std::vector<double> times;
  for (const EventRecord& event_record : statistics.events)
    if (event_record.what == what) times.push_back(event_record.time);
  return times;
}

}  // namespace

// m v' = -m g + c v^2 downward: v = -w tanh(g t / w), w = sqrt(m g / c).
TEST(UserLaws, drag_that_grows_with_the_square_ends_in_a_steady_fall) {
  MotionOf ball(build_model(falling_ball()));
  const double c = 0.2, m = 0.5, w = std::sqrt(m * g / c);
  ball.run_inputs.add_wrench(frame_ref(ball.model, "ball"),
                             [c](const MovingPlace& place) -> Force<double> {
                               const Vec3<double>& v = place.V.linear;
                               return {{}, (-c * norm(v)) * v};
                             });
  for (const double t : {0.3, 1.0, 2.5}) {
    ball.at(t);
    EXPECT_NEAR(ball.v("float", 5), -w * std::tanh(g * t / w), 1e-9) << t;
    EXPECT_NEAR(ball.q("float", 6), -w * w / g * std::log(std::cosh(g * t / w)), 1e-9) << t;
  }
}

// A spring from a point of a rotating body to a point of ground, as an element and as a law that
// gets position and velocity of its point.
TEST(UserLaws, a_spring_as_a_user_law_equals_the_element) {
  Description description = falling_ball();
  description.frame("hook", "ground", {.xyz = {0.3, -0.2, 0.9}});
  description.start_velocities = {{"float", {1.0, -2.0, 0.5, 0.3, 0.1, 0.0}}};
  MotionOf by_law(build_model(description));
  by_law.run_inputs.add_wrench(
      frame_ref(by_law.model, "skin"), [](const MovingPlace& place) -> Force<double> {
        const Vec3<double> d = place.X_WA.p - Vec3<double>{0.3, -0.2, 0.9};
        const double distance = norm(d);
        const Vec3<double> along = (1 / distance) * d;
        return {{}, -(40 * (distance - 0.5) + 1.5 * dot(along, place.V.linear)) * along};
      });
  description.springs.push_back({"strut", "hook", "skin", 40.0, 0.5, 1.5});
  MotionOf by_element(build_model(description));
  const double miss = apart(by_element.model, by_element.at(2), by_law.at(2));
  EXPECT_LT(miss, 1e-8);  // two runs of tolerance 1e-11
}

TEST(UserLaws, a_user_contact_law_equal_to_the_built_in_one_moves_it_alike) {
  MotionOf by_model(build_model(crate_on_a_slope(1e5))), by_law(build_model(crate_on_a_slope(0)));
  for (const ContactDescription& foot : by_law.model.description().contacts)
    by_law.run_inputs.set_contact_law(foot.name, hunt_crossley);
  Recorder model_sees(by_model.model, by_model.run_inputs, {"contacts", "power"});
  Recorder law_sees(by_law.model, by_law.run_inputs, {"contacts", "power"});
  for (const double t : {0.2, 0.3, 0.5}) {
    EXPECT_LT(apart(by_model.model, by_model.at(t), by_law.at(t)), 1e-7) << t;
    ASSERT_TRUE(model_sees.observe(by_model.state, by_model.workspace).ok());
    ASSERT_TRUE(law_sees.observe(by_law.state, by_law.workspace).ok());
  }
  // reported contact forces are those of the laws
  double largest = 0;
  for (std::size_t c = 0; c < model_sees.recording().columns.size(); ++c) {
    const std::string& name = model_sees.recording().columns[c].name;
    if (!name.starts_with("contact.")) continue;
    const std::vector<double> one = model_sees.recording().column(name),
                              other = law_sees.recording().column(name);
    for (std::size_t s = 0; s < one.size(); ++s) {
      EXPECT_NEAR(one[s], other[s], 1e-4) << name;  // 1e5 N/m^1.5, 1e-7 m
      largest = std::max(largest, std::abs(one[s]));
    }
  }
  EXPECT_GT(largest, 1);  // some feet touch
  for (const double left : law_sees.recording().column("power.residual"))
    EXPECT_NEAR(left, 0, 1e-6);
}

// Linear in depth: half a period of m z'' = -k z, for any impact speed.
TEST(UserLaws, a_linear_contact_holds_for_half_a_period) {
  Description description("point");
  description.gravity = {0.0, 0.0, 0.0};
  description.body("point", point_mass(0.8));
  description.joint("z", JointKind::prismatic, "ground", "point");
  ContactDescription foot;
  foot.name = "foot", foot.body = "point";
  description.contacts.push_back(foot);
  description.start_positions = {{"z", {0.1}}};
  description.start_velocities = {{"z", {-0.5}}};
  MotionOf point(build_model(description));
  const double k = 5000;
  point.run_inputs.set_contact_law(
      "foot", [k](const ContactState& touch) { return ContactLawForce{k * touch.depth}; });
  RunOptions options = MotionOf::precise();
  // a user event: the coordinate crosses zero upward when the contact ends
  options.events.push_back({{.name = "left", .way = EventDescription::Way::up, .stops = true},
                            [](const RunSnapshot& now) { return now.state.q[0]; }});
  ASSERT_TRUE(point.go(5, options).ok());
  EXPECT_NEAR(point.state.time, 0.2 + std::numbers::pi * std::sqrt(0.8 / k), 1e-9);
  EXPECT_NEAR(point.state.v[0], 0.5, 1e-8);
}

TEST(UserLaws, invalid_laws_are_reported) {
  MotionOf crate(build_model(crate_on_a_slope(1e5)));
  const auto refuses = [&](auto call, const std::string& text) {
    try {
      call();
      ADD_FAILURE() << "taken: " << text;
    } catch (const std::invalid_argument& error) { EXPECT_EQ(error.what(), text); }
  };
  refuses([&] { crate.run_inputs.set_contact_law("front lft", hunt_crossley); },
          "touch: the model has no contact 'front lft'; did you mean 'front left'?");
  refuses([&] { crate.run_inputs.set_contact_law("front left", hunt_crossley); },
          "touch: contact 'front left' has a stiffness of its own, 100000, and both would push: "
          "set it to 0");
  refuses([&] { crate.run_inputs.set_contact_law("front left", nullptr); },
          "touch: the law is empty: give a function");
  refuses([&] { crate.run_inputs.add_wrench(frame_ref(crate.model, "crate"), nullptr); },
          "pull: the law is empty: give a function");

  // NaN from some time on: the run stops there and names the body
  MotionOf ball(build_model(falling_ball()));
  ball.run_inputs.add_wrench(
      frame_ref(ball.model, "ball"), [](const MovingPlace& place) -> Force<double> {
        return {{},
                {place.state.time > 0.5 ? std::numeric_limits<double>::quiet_NaN() : 0.0, 0, 0}};
      });
  const Status status = ball.go(1);
  EXPECT_FALSE(status.ok());
  EXPECT_NE(status.message().find("the wrench on body 'ball' is not finite"), std::string::npos)
      << status.message();
  EXPECT_NEAR(ball.state.time, 0.5, 1e-6);
}

// Batches apply the laws, too.
TEST(UserLaws, batches_honour_laws) {
  MotionOf alone(build_model(falling_ball()));
  const WrenchLaw drag = [](const MovingPlace& place) -> Force<double> {
    return {{}, -0.7 * place.V.linear};
  };
  alone.run_inputs.add_wrench(frame_ref(alone.model, "skin"), drag);
  Eigen::MatrixXd q(7, 3), v(6, 3);
  for (int run = 0; run < 3; ++run) {
    q.col(run) << 1, 0, 0, 0, 0, 0, 0;
    v.col(run) << 0.1 * run, 1, 0, 0, 0, 0.5;
  }
  BatchWorkspace workspace(alone.model);
  BatchMotion motion;
  ASSERT_TRUE(simulate_batch(alone.model, {q, v}, alone.run_inputs,
                             {.duration = 0.5, .method = Method::rk4, .step = 1e-3}, workspace,
                             motion)
                  .ok());
  RunOptions options;
  options.method = Method::rk4, options.step = 1e-3;
  for (int k = 0; k < 6; ++k) alone.state.v[std::size_t(k)] = v(k, 2);
  ASSERT_TRUE(alone.go(0.5, options).ok());
  for (int k = 0; k < 6; ++k)
    EXPECT_NEAR(motion.v.back()(k, 2), alone.state.v[std::size_t(k)], 1e-13);
}

// Every passage through the lowest point, one half period apart.
TEST(UserEvents, every_crossing_is_found) {
  const double begin = 1.2, T = period(begin);
  for (const Method method : {Method::dormand_prince, Method::rk4, Method::radau}) {
    MotionOf swing(build_model(pendulum(begin)));
    RunOptions options = MotionOf::precise();
    options.method = method;
    if (method == Method::rk4) options.step = 1e-3;
    options.events.push_back(
        {{.name = "low", .every = true}, [](const RunSnapshot& now) { return now.state.q[0]; }});
    options.events.push_back({{.name = "to the right", .way = EventDescription::Way::up},
                              [](const RunSnapshot& now) { return now.state.q[0]; }});
    ASSERT_TRUE(swing.go(10 * T, options).ok());
    const std::vector<double> low = times_of(swing.statistics, "event 'low'");
    ASSERT_EQ(low.size(), 20u);
    for (std::size_t k = 0; k < low.size(); ++k)
      EXPECT_NEAR(low[k], T * (0.25 + 0.5 * double(k)), 1e-7);
    // it falls to the left first: the first upward crossing is after three quarters, and only that
    const std::vector<double> right = times_of(swing.statistics, "event 'to the right'");
    ASSERT_EQ(right.size(), 1u);
    EXPECT_NEAR(right[0], 0.75 * T, 1e-7);
  }
}

// Same for events of the description: they occur at every crossing in their direction.
TEST(UserEvents, every_crossing_of_a_described_event_is_found) {
  const double begin = 1.2, T = period(begin);
  Description description = pendulum(begin);
  const EventDescription low{.name = "low", .joint = "pivot", .value = 0.0, .every = true};
  EventDescription right = low, first = low;
  right.name = "to the right", right.way = EventDescription::Way::up;
  first.name = "first", first.every = false;
  description.events = {low, right, first};
  MotionOf swing(build_model(description));
  ASSERT_TRUE(swing.go(10 * T, MotionOf::precise()).ok());
  const std::vector<double> lows = times_of(swing.statistics, "event 'low'"),
                            rights = times_of(swing.statistics, "event 'to the right'");
  ASSERT_EQ(lows.size(), 20u);
  ASSERT_EQ(rights.size(), 10u);
  for (std::size_t k = 0; k < lows.size(); ++k)
    EXPECT_NEAR(lows[k], T * (0.25 + 0.5 * double(k)), 1e-7);
  for (std::size_t k = 0; k < rights.size(); ++k)
    EXPECT_NEAR(rights[k], T * (0.75 + double(k)), 1e-7);
  EXPECT_EQ(times_of(swing.statistics, "event 'first'").size(), 1u);
}

// A leg whose knee locks when it swings forward through the lowest point, and unlocks when it
// swings back: each lock loses energy, unlocking loses none.
TEST(UserEvents, what_is_locked_every_time_comes_free_in_between) {
  Description description = load_model("@double_pendulum").description();
  const std::string hip = description.joints[0].name, knee = description.joints[1].name;
  description.start_positions = {{hip, {0.9}}, {knee, {0.5}}};
  EventDescription lock{.name = "lock", .joint = hip, .value = 0.0, .every = true};
  EventDescription free = lock;
  lock.way = EventDescription::Way::up, lock.lock = {knee};
  free.name = "free", free.way = EventDescription::Way::down, free.unlock = {knee};
  description.events = {lock, free};
  MotionOf leg(build_model(description));
  ASSERT_TRUE(leg.go(10, MotionOf::precise()).ok());
  double lost = 0;
  std::size_t locks = 0;
  std::string last = "event 'lock'";
  for (const EventRecord& event_record : leg.statistics.events) {
    if (!event_record.what.starts_with("event")) continue;
    EXPECT_NE(event_record.what, last) << event_record.time;  // they alternate
    last = event_record.what;
    const bool is_lock = last == "event 'lock'";
    locks += is_lock;
    EXPECT_TRUE(is_lock ? event_record.lost > 0 : std::abs(event_record.lost) < 1e-12)
        << event_record.time;
    lost += event_record.lost;
  }
  EXPECT_GE(locks, 3u);
  EXPECT_NEAR(leg.energy_change(), lost, 1e-7);  // nothing else loses any
}

// An event for one direction is not used up by a crossing in the other direction.
TEST(UserEvents, a_crossing_the_other_way_is_not_the_last_word) {
  const double begin = 1.2;
  Description description = pendulum(begin);
  description.events.push_back({.name = "up",
                                .joint = "pivot",
                                .value = 0.0,
                                .way = EventDescription::Way::up,
                                .stops = true});
  MotionOf swing(build_model(description));
  ASSERT_TRUE(swing.go(10).ok());
  EXPECT_NEAR(swing.state.time, 0.75 * period(begin), 1e-8);
}

// A value that starts exactly at the threshold and leaves it has not crossed it.
TEST(UserEvents, to_leave_a_value_is_not_to_cross_it) {
  Description description = pendulum(0.0);
  description.start_velocities = {{"pivot", {2.0}}};
  description.events.push_back({.name = "back", .joint = "pivot", .value = 0.0, .stops = true});
  MotionOf swing(build_model(description));
  ASSERT_TRUE(swing.go(10).ok());
  const double amplitude = 2 * std::asin(2.0 / (2 * std::sqrt(g / 0.7)));
  EXPECT_NEAR(swing.state.time, 0.5 * period(amplitude), 1e-8);
}

// Heights, distances, forces: by their column names in a recording.
TEST(UserEvents, columns_of_a_recording_cross_values) {
  const double begin = 1.2, l = 0.7;
  struct Case {
    std::string column;
    double value;
    double (*seen)(double q);  // of the pendulum, with l = 0.7
  };
  for (const auto& [column, value, seen] :
       {Case{"frame.tip.z", -0.5, [](double q) { return -0.7 * std::cos(q); }},
        Case{"q.pivot", 0.4, [](double q) { return q; }},
        Case{"energy.kinetic", 3.0,
             [](double q) { return g * 0.7 * (std::cos(q) - std::cos(1.2)); }},
        Case{"distance.tip:post", 0.8, [](double q) {  // the tip is at -l sin(q), -l cos(q)
               return std::hypot(0.7 + 0.7 * std::sin(q), 0.7 - 0.7 * std::cos(q));
             }}}) {
    Description description = pendulum(begin, l);
    description.events.push_back({.name = "seen", .joint = column, .value = value, .stops = true});
    MotionOf swing(build_model(description));
    const Status status = swing.go(2);
    ASSERT_TRUE(status.ok()) << column << ": " << status.message();
    EXPECT_LT(swing.state.time, 1.9) << column;
    EXPECT_NEAR(seen(swing.q("pivot")), value, 1e-9) << column;
  }
}

// One of several coordinates; unknown names are reported before the run starts.
TEST(UserEvents, a_coordinate_among_several) {
  Description description = falling_ball();
  description.start_velocities = {{"float", {0.0, 0.0, 0.0, 0.3, 0.0, 2.0}}};
  description.events.push_back({.name = "seen", .joint = "float.z", .value = -1.0, .stops = true});
  MotionOf ball(build_model(description));
  ASSERT_TRUE(ball.go(10).ok());
  EXPECT_NEAR(ball.state.time, (2 + std::sqrt(4 + 2 * g)) / g, 1e-9);

  const auto refuses = [&](const std::string& what, const std::string& text) {
    description.events[0].joint = what;
    MotionOf wrong(build_model(description));
    EXPECT_EQ(wrong.go(1).message(), text);
  };
  refuses("float",
          "simulate: event 'seen' waits for joint 'float', which has 7 coordinates: name one of "
          "them, 'float.qw', 'float.qx', 'float.qy', 'float.qz', 'float.x', 'float.y', 'float.z'");
  refuses("float[7]",
          "simulate: event 'seen' waits for joint 'float[7]', which has 7 coordinates: 'float.qw', "
          "'float.qx', 'float.qy', 'float.qz', 'float.x', 'float.y', 'float.z'");
  refuses("frame.skn.z",
          "simulate: event 'seen' waits for 'frame.skn.z', which is no joint and no column of a "
          "recording; did you mean 'frame.skin.z'?");
}

// A kick at each lowest point: the speed there grows by one, each time.
TEST(UserEvents, event_handlers_may_change_velocities) {
  MotionOf swing(build_model(pendulum(0.3)));
  RunOptions options = MotionOf::precise();
  EventFunction kick{{.name = "kick", .every = true},
                     [](const RunSnapshot& now) { return now.state.q[0]; }};
  kick.then = [](const RunSnapshot&, std::vector<double>& v) { v[0] += v[0] > 0 ? 0.1 : -0.1; };
  options.events = {kick};
  ASSERT_TRUE(swing.go(5, options).ok());
  const std::size_t kicks = times_of(swing.statistics, "event 'kick'").size();
  ASSERT_GE(kicks, 4u);
  // m l^2 v^2 / 2 = m g l (1 - cos 0.3) at first
  const double first = std::sqrt(2 * g / 0.7 * (1 - std::cos(0.3)));
  const double fastest = first + 0.1 * double(kicks);
  const double energy = 0.5 * 0.49 * fastest * fastest - g * 0.7;
  EXPECT_NEAR(swing.energy_now(), energy, 1e-8);
}

TEST(UserEvents, lock_joints_and_are_checked) {
  MotionOf swing(build_model(pendulum(1.2)));
  RunOptions options = MotionOf::precise();
  options.events.push_back({{.name = "catch", .lock = {"pivot"}},
                            [](const RunSnapshot& now) { return now.state.q[0] - 0.5; }});
  ASSERT_TRUE(swing.go(3, options).ok());
  EXPECT_NEAR(swing.q("pivot"), 0.5, 1e-12);
  EXPECT_EQ(swing.v("pivot"), 0);

  const auto refuses = [](EventFunction event, const std::string& text) {
    MotionOf wrong(build_model(pendulum(1.2)));
    RunOptions posed = MotionOf::precise();
    posed.events = {std::move(event)};
    EXPECT_EQ(wrong.go(1, posed).message(), text);
  };
  const EventValue zero = [](const RunSnapshot& now) { return now.state.q[0]; };
  refuses({{.name = "e", .lock = {"pivt"}, .grasp = {"hand"}}, zero},
          "simulate: event 'e': the model has no joint 'pivt', no constraint 'hand'");
  refuses({{.name = "e"}, nullptr}, "simulate: event 'e' has no function: give it one");
  refuses({{.name = "e"}, [](const RunSnapshot&) { return std::nan(""); }},
          "simulate: event 'e': its function gives nan: it must give a finite number");
}

// Kinematic runs ignore events, and report that.
TEST(UserEvents, kinematic_runs_tell_what_they_leave_out) {
  Description description = pendulum(0.0);
  description.joints[0].options.drive = Drive::motion;
  description.events.push_back({.name = "seen", .joint = "pivot", .value = 0.2, .stops = true});
  MotionOf led(build_model(description));
  led.run_inputs.prescribe(0, Signal::ramp(0, 1, 0, 1));
  RunOptions options;
  options.duration = 1;
  ASSERT_TRUE(simulate_kinematic(
                  led.model, led.state, led.run_inputs, options, led.workspace,
                  [](const RunSnapshot&) { return Status(); }, led.statistics)
                  .ok());
  ASSERT_EQ(led.statistics.events.size(), 1u);
  EXPECT_EQ(led.statistics.events[0].what,
            "event 'seen' is ignored: joints follow prescribed motions; simulate dynamics");
}

}  // namespace trammel::user_laws_test
