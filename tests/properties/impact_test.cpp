// Conserved quantities and losses of impacts: on stops, by locks, by grasps.
#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <cmath>
#include <numbers>
#include <random>

#include "tests/support/how_many.hpp"
#include "tests/support/motion_of.hpp"
#include "trammel/dynamics/kinematics.hpp"
#include "trammel/dynamics/mass_matrix.hpp"
#include "trammel/model/build/builder.hpp"
#include "trammel/model/description/solids.hpp"
#include "trammel/simulate/events/complementarity.hpp"
#include "trammel/simulate/events/stops.hpp"
#include "trammel/simulate/recorder.hpp"

namespace trammel::impact_test {

namespace {

constexpr double g = 9.81;

Description ball_above_floor(double height, double restitution) {
  Description description("ball");
  description.body("ball", point_mass(1.0));
  description.joint("z", JointKind::prismatic, "ground", "ball",
                    {.limits = {.lower = {0.0}, .restitution = {restitution}}});
  description.start_positions.push_back({"z", {height}});
  return description;
}

// A chain of rods with stops at 0 on every joint, on ground or floating.
Description chain_with_stops(int links, bool floats, std::mt19937& random,
                             const std::vector<double>& restitution) {
  std::uniform_real_distribution<double> length(0.3, 1.0);
  Description description("chain");
  description.gravity = {0.0, 0.0, 0.0};
  std::string parent = "ground";
  if (floats) {
    description.body("base", box(2.0, {0.3, 0.2, 0.1}));
    description.joint("base", JointKind::free, "ground", "base");
    parent = "base";
  }
  double last = 0;
  for (int k = 0; k < links; ++k) {
    const std::string name = "link" + std::to_string(k);
    const double l = length(random);
    description.body(name, box(1.0 + 0.3 * k, {l, 0.1, 0.05}, {l / 2, 0.0, 0.0}));
    JointOptions options;
    options.at.xyz = {last, 0.0, 0.0};
    options.axis = {0.1 * k, 1.0, 0.2};
    options.limits = {.lower = {0.0}, .restitution = {restitution[std::size_t(k)]}};
    description.joint("joint" + std::to_string(k), JointKind::revolute, parent, name, options);
    parent = name;
    last = l;
  }
  return description;
}

double kinetic(const Model& model, const State& state) {
  Workspace workspace(model);
  Energy now;
  EXPECT_TRUE(energy(model, state, workspace, now).ok());
  return now.kinetic;
}

}  // namespace

// v -> -e v: the n-th impact is at t0 (1 + 2 e (1 - e^(n-1)) / (1 - e)), t0 = sqrt(2 h / g), and
// takes (1 - e^2) of the energy that is left.
TEST(Impact, a_ball_bounces_as_often_as_it_should) {
  const double e = 0.5, h = 1, t0 = std::sqrt(2 * h / g);
  for (const Method method : {Method::dormand_prince, Method::rk4, Method::radau}) {
    MotionOf ball(build_model(ball_above_floor(h, e)));
    RunOptions options = ball.precise();
    options.method = method;
    options.step = method == Method::rk4 ? 0.01 : 0;
    ASSERT_TRUE(ball.go(3, options).ok());
    const std::vector<EventRecord>& seen = ball.statistics.events;
    ASSERT_GE(seen.size(), 10U);
    double left = g * h;
    for (int n = 1; n <= 8; ++n) {
      const double time = t0 * (1 + 2 * e * (1 - std::pow(e, n - 1)) / (1 - e));
      EXPECT_NEAR(seen[std::size_t(n - 1)].time, time, 1e-12) << n;  // t is 1: some thousand ulps
      EXPECT_NEAR(seen[std::size_t(n - 1)].lost, (1 - e * e) * left, 1e-10);
      left *= e * e;
    }
    // below the rest speed the ball stays on the floor, and nothing moves
    EXPECT_TRUE(seen.back().what.ends_with("holds")) << seen.back().what;
    EXPECT_EQ(ball.state.v[0], 0);
    EXPECT_NEAR(ball.state.q[0], 0, 1e-15);
    EXPECT_NEAR(seen.back().time, t0 * (1 + 2 * e / (1 - e)), 1e-4);
  }
}

// A force of t - 1 on a mass of 1 that rests on its stop: it leaves at t = 1, and is at (t -
// 1)^3/6.
TEST(Impact, a_stop_lets_go_when_its_force_changes_sign) {
  Description description = ball_above_floor(0, 0.3);
  description.gravity = {0.0, 0.0, 0.0};
  description.inputs.push_back(
      {.name = "pull",
       .joint = "z",
       .profile = "ramp",
       .numbers = {{"from", {-1.0}}, {"to", {1.0}}, {"over", {2.0}}, {"start", {0.0}}}});
  MotionOf ball(build_model(description));
  ASSERT_TRUE(ball.go(2).ok());
  ASSERT_EQ(ball.statistics.events.size(), 2U);
  EXPECT_TRUE(ball.statistics.events[0].what.ends_with("holds"));
  EXPECT_TRUE(ball.statistics.events[1].what.ends_with("lets go"));
  EXPECT_NEAR(ball.statistics.events[1].time, 1, 1e-12);
  EXPECT_NEAR(ball.state.q[0], 1.0 / 6, 1e-10);
  EXPECT_NEAR(ball.state.v[0], 0.5, 1e-10);
}

// Simultaneous impacts on several stops: kinetic energy never grows; plastic impacts lose 1/2 dv^T
// M dv; a floating mechanism conserves momentum; each stop either has an impulse or separates.
TEST(Impact, energy_momentum_and_complementarity) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> any(-2, 2), part(0, 1);
  for (int round = 0; round < how_many(200); ++round) {
    const int links = 1 + round % 5;
    const bool floats = round % 2 == 1, is_plastic = round % 3 == 0, is_common = round % 4 < 2;
    std::vector<double> e;
    for (int k = 0; k < links; ++k)
      e.push_back(is_plastic ? 0 : is_common && k > 0 ? e[0] : part(random));
    const Model model = build_model(chain_with_stops(links, floats, random, e));
    Workspace workspace(model);
    State state = neutral_state(model);
    for (double& v : state.v) v = any(random);
    const std::vector<Stop> stops = find_stops(model);
    ASSERT_EQ(stops.size(), std::size_t(links));
    const State before = state;
    Impact impact;
    ASSERT_TRUE(strike(model, stops, workspace, state, impact).ok());

    const double was = kinetic(model, before), is = kinetic(model, state);
    EXPECT_LE(is, was * (1 + 1e-13));
    EXPECT_NEAR(impact.lost, was - is, 1e-12 * was);
    for (int k = 0; k < links; ++k) {
      EXPECT_GE(impact.push[k], 0);
      EXPECT_GE(stops[std::size_t(k)].gap_rate(state), -1e-11);  // rates are of order 1 to 10
    }
    if (is_plastic) {
      Eigen::MatrixXd M(model.nv(), model.nv());
      ASSERT_TRUE(mass_matrix(model, state, workspace, M).ok());
      Eigen::VectorXd dv(model.nv());
      for (int k = 0; k < model.nv(); ++k)
        dv[k] = state.v[std::size_t(k)] - before.v[std::size_t(k)];
      EXPECT_NEAR(was - is, 0.5 * dv.dot(M * dv), 1e-11 * was);
      for (int k = 0; k < links; ++k)
        EXPECT_NEAR(impact.push[k] * stops[std::size_t(k)].gap_rate(state), 0, 1e-11 * was);
    }
    if (floats) {
      Momentum p, p_before;
      ASSERT_TRUE(momentum(model, before, workspace, p_before).ok());
      ASSERT_TRUE(momentum(model, state, workspace, p).ok());
      EXPECT_NEAR(norm(p.linear - p_before.linear), 0, 1e-11);
      EXPECT_NEAR(norm(p.angular - p_before.angular), 0, 1e-11);
    }
  }
}

// Impulses of a linear complementarity problem (LCP), by trying every active set.
std::vector<Eigen::VectorXd> by_all_subsets(const Eigen::MatrixXd& G, const Eigen::VectorXd& c) {
  const int n = int(c.size());
  std::vector<Eigen::VectorXd> found;
  for (int set = 0; set < 1 << n; ++set) {
    std::vector<int> pushing;
    for (int k = 0; k < n; ++k)
      if ((set >> k) % 2 == 1) pushing.push_back(k);
    Eigen::VectorXd x = Eigen::VectorXd::Zero(n);
    if (!pushing.empty()) {
      const Eigen::MatrixXd inner = G(pushing, pushing);
      const Eigen::VectorXd against = -c(pushing), push = inner.ldlt().solve(against);
      x(pushing) = push;
    }
    if (x.minCoeff() >= 0 && (G * x + c).minCoeff() >= -1e-10) found.push_back(x);
  }
  return found;
}

TEST(Impact, complementarity_against_all_subsets) {
  std::mt19937 random(11);
  std::normal_distribution<double> any;
  for (int round = 0; round < how_many(300); ++round) {
    const int n = 1 + round % 6;
    const Eigen::MatrixXd A = Eigen::MatrixXd::NullaryExpr(n, n, [&] { return any(random); });
    const Eigen::MatrixXd G = A * A.transpose() + 0.05 * Eigen::MatrixXd::Identity(n, n);
    const Eigen::VectorXd c = Eigen::VectorXd::NullaryExpr(n, [&] { return any(random); });
    const Eigen::VectorXd x = complementary_pushes(G, c);
    const std::vector<Eigen::VectorXd> all = by_all_subsets(G, c);
    ASSERT_EQ(all.size(), 1u);  // G is positive definite: the solution is unique
    EXPECT_LT((x - all[0]).norm(), 1e-8 * (1 + all[0].norm()));
  }
}

// Stops of light and of heavy bodies: with every rate in a unit of its own, d w, the problem is D G
// D, D c, and its impulses are D^-1 x. Small impulses are as accurate as large ones.
TEST(Impact, complementarity_does_not_depend_on_the_units_of_its_rates) {
  std::mt19937 random(12);
  std::normal_distribution<double> any;
  std::uniform_real_distribution<double> digits(-2, 2);
  for (int round = 0; round < how_many(2000); ++round) {
    const int n = 2 + round % 5;
    const Eigen::MatrixXd A = Eigen::MatrixXd::NullaryExpr(n, n, [&] { return any(random); });
    const Eigen::MatrixXd G = A * A.transpose() + 0.05 * Eigen::MatrixXd::Identity(n, n);
    const Eigen::VectorXd c = Eigen::VectorXd::NullaryExpr(n, [&] { return any(random); });
    const Eigen::VectorXd unit =
        Eigen::VectorXd::NullaryExpr(n, [&] { return std::pow(10, digits(random)); });
    const Eigen::VectorXd x =
        complementary_pushes(unit.asDiagonal() * G * unit.asDiagonal(), unit.cwiseProduct(c));
    const std::vector<Eigen::VectorXd> all = by_all_subsets(G, c);
    ASSERT_EQ(all.size(), 1u);
    // units of 1e-2 to 1e2 cost eight digits of rates that are decided to 1e-12
    EXPECT_LT((unit.cwiseProduct(x) - all[0]).norm(), 1e-4 * (1 + all[0].norm())) << round;
  }
}

Description two_links() {
  Description description("two links");
  for (const char* name : {"upper", "lower"})
    description.body(name, box(1.0, {0.1, 0.05, 0.6}, {0.0, 0.0, -0.3}));
  description.joint("shoulder", JointKind::revolute, "ground", "upper", {.axis = {0.0, 1.0, 0.0}});
  description.joint("elbow", JointKind::revolute, "upper", "lower",
                    {.at = {.xyz = {0.0, 0.0, -0.6}}, .axis = {0.0, 1.0, 0.0}});
  return description;
}

// Locking a joint loses the plastic energy, and after it the two links are one: same motion as a
// model in which they are fixed to each other.
TEST(Impact, a_joint_that_locks_is_a_fixed_joint) {
  Description description = two_links();
  description.start_positions = {{"shoulder", {0.8}}, {"elbow", {-0.5}}};
  description.events.push_back({.name = "latch", .time = 0.4, .lock = {"elbow"}});
  MotionOf both(build_model(description));
  ASSERT_TRUE(both.go(1.5).ok());
  ASSERT_EQ(both.statistics.events.size(), 1U);

  // the same run without the event, up to its time
  Description free = description;
  free.events.clear();
  MotionOf first(build_model(free));
  ASSERT_TRUE(first.go(0.4).ok());
  Eigen::MatrixXd M(2, 2);
  ASSERT_TRUE(mass_matrix(first.model, first.state, first.workspace, M).ok());
  const Eigen::Vector2d v(first.state.v[0], first.state.v[1]);
  // angular momentum about the shoulder is conserved: (M v)_1 = M_11 w
  const double w = (M * v)[0] / M(0, 0);
  const double lost = 0.5 * v.dot(M * v) - 0.5 * M(0, 0) * w * w;
  EXPECT_NEAR(both.statistics.events[0].lost, lost, 1e-9);

  Description fixed = free;
  fixed.joints[1].kind = JointKind::fixed;
  fixed.joints[1].options.at.rpy = {0.0, first.state.q[1], 0.0};
  fixed.joints[1].options.axis = {0.0, 0.0, 1.0};
  fixed.start_positions = {{"shoulder", {first.state.q[0]}}};
  fixed.start_velocities = {{"shoulder", {w}}};
  MotionOf second(build_model(fixed));
  ASSERT_TRUE(second.go(1.1).ok());
  EXPECT_NEAR(both.state.q[0], second.state.q[0], 1e-8);  // two runs with a tolerance of 1e-10
  EXPECT_NEAR(both.state.v[0], second.state.v[0], 1e-8);
  EXPECT_EQ(both.state.v[1], 0);
  EXPECT_NEAR(both.state.q[1], first.state.q[1], 1e-9);
}

// A floating hand grasps a drifting body at its present pose and releases it: momentum is conserved
// throughout, energy falls once, and the grasped body does not move relative to the hand.
TEST(Impact, grasp_and_release_keep_momentum) {
  Description description("catch");
  description.gravity = {0.0, 0.0, 0.0};
  description.body("base", box(5.0, {0.5, 0.5, 0.5}));
  description.body("hand", box(1.0, {0.4, 0.1, 0.1}, {0.2, 0.0, 0.0}));
  description.body("thing", box(2.0, {0.2, 0.3, 0.1}));
  description.joint("base", JointKind::free, "ground", "base");
  description.joint("arm", JointKind::revolute, "base", "hand",
                    {.at = {.xyz = {0.25, 0.0, 0.0}}, .axis = {0.0, 0.0, 1.0}});
  description.joint("thing", JointKind::free, "ground", "thing");
  description.frame("fingers", "hand", {.xyz = {0.4, 0.0, 0.0}});
  description.constraints.push_back({.name = "grip",
                                     .kind = ConstraintDescription::Kind::weld,
                                     .frame = "fingers",
                                     .other_frame = "thing",
                                     .active = false});
  description.start_positions = {{"thing", {1.0, 0.0, 0.0, 0.0, 0.8, 0.1, 0.05}}};
  description.start_velocities = {{"thing", {0.3, -0.2, 0.5, -0.1, 0.0, 0.02}}, {"arm", {0.7}}};
  description.events = {{.name = "catch", .time = 0.5, .grasp = {"grip"}},
                        {.name = "let go", .time = 1.5, .release = {"grip"}}};
  MotionOf run(build_model(description));
  const Model& model = run.model;
  std::vector<Momentum> momenta;
  std::vector<Pose<double>> relative;
  std::vector<double> energies;
  RunOptions options = run.precise();
  options.duration = 2;
  ASSERT_TRUE(simulate(
                  model, run.state, run.run_inputs, options, run.workspace,
                  [&](const RunSnapshot& snapshot) {
                    Momentum p;
                    EXPECT_TRUE(momentum(model, snapshot.state, run.workspace, p).ok());
                    momenta.push_back(p);
                    Energy now;
                    EXPECT_TRUE(energy(model, snapshot.state, run.workspace, now).ok());
                    energies.push_back(now.total());
                    Positions seen(model);
                    EXPECT_TRUE(positions(model, snapshot.state, run.workspace, seen).ok());
                    if (snapshot.model.has_constraints())
                      relative.push_back(inverse(pose(model, seen, {*model.find_body("hand")})) *
                                         pose(model, seen, {*model.find_body("thing")}));
                    return Status();
                  },
                  run.statistics)
                  .ok());
  ASSERT_EQ(run.statistics.events.size(), 2U);
  EXPECT_GT(run.statistics.events[0].lost, 1e-3);
  EXPECT_EQ(run.statistics.events[1].lost, 0);
  for (const Momentum& p : momenta) {
    EXPECT_NEAR(norm(p.linear - momenta[0].linear), 0, 1e-9);
    EXPECT_NEAR(norm(p.angular - momenta[0].angular), 0, 1e-9);
  }
  EXPECT_NEAR(energies.front() - energies.back(), run.statistics.events[0].lost, 1e-9);
  ASSERT_GT(relative.size(), 5U);
  for (const Pose<double>& X : relative) EXPECT_NEAR(norm(X.p - relative[0].p), 0, 1e-11);
}

// A stop inside a loop: the impact leaves the loop closed, and loses the energy of a plastic
// impact.
TEST(Impact, stops_in_loops_keep_the_loops) {
  Description description = load_model("@four_bar").description();
  const Model plain = build_model(description);
  // a stop on the first joint of the tree, slightly ahead of its start, driven into it
  const NamedJoint& first = plain.joints()[0];
  State start;
  Workspace scratch(plain);
  ASSERT_TRUE(assembled_start(plain, scratch, start).ok());
  JointOptions& options = description.joints[std::size_t(first.description)].options;
  const double at = start.q[std::size_t(first.q_start)] - 0.3;
  options.limits = {.lower = {at}, .upper = {at + 6.0}, .restitution = {0.6}};
  description.start_velocities = {{first.name, {-8.0}}};
  MotionOf run(build_model(description));
  const Status status = run.go(1.0);
  ASSERT_TRUE(status.ok()) << status.message();
  EXPECT_GE(run.statistics.impacts, 1);
  for (const EventRecord& event_record : run.statistics.events)
    EXPECT_GE(event_record.lost, -1e-12);
  EXPECT_LT(run.largest_violation().position, 1e-12);
  EXPECT_LT(run.largest_violation().velocity, 1e-10);
  for (const State& seen : run.samples) EXPECT_GE(seen.q[std::size_t(first.q_start)], at - 1e-9);
}

// A quarter of the period of a pendulum: the run ends when it hangs straight down.
TEST(Impact, a_run_ends_at_a_crossing) {
  Description description("pendulum");
  const double l = 0.7, begin = 1.9;
  description.body("bob", point_mass(1.0, {0.0, 0.0, -l}));
  description.joint("pivot", JointKind::revolute, "ground", "bob", {.axis = {0.0, 1.0, 0.0}});
  description.start_positions = {{"pivot", {begin}}};
  description.events.push_back({.name = "down", .joint = "pivot", .value = 0.0, .stops = true});
  MotionOf pendulum(build_model(description));
  ASSERT_TRUE(pendulum.go(100).ok());
  // T / 4 = pi / (2 agm(1, cos(a / 2))) sqrt(l / g)
  double a = 1, b = std::cos(begin / 2);
  for (int k = 0; k < 8; ++k) {
    const double mean = (a + b) / 2;
    b = std::sqrt(a * b);
    a = mean;
  }
  EXPECT_NEAR(pendulum.state.time, std::numbers::pi / (2 * a) * std::sqrt(l / g), 1e-9);
  EXPECT_NEAR(pendulum.state.q[0], 0, 1e-14);
}

// A sample exactly at the time of a lock has accelerations: the velocity of a locked joint is
// exactly zero, not zero up to rounding.
TEST(Impact, a_sample_at_the_time_of_a_lock) {
  Description description = two_links();
  description.start_positions = {{"shoulder", {1.2}}, {"elbow", {-0.8}}};
  for (int k = 1; k <= 40; ++k) {
    const double time = 0.05 * k;
    description.events = {{.name = "latch", .time = time, .lock = {"elbow"}}};
    MotionOf run(build_model(description));
    Recorder recorder(run.model, run.run_inputs, {"positions", "velocities", "accelerations"});
    RunOptions options;
    options.duration = 2 * time;
    options.sample = time;
    const Status status = simulate(
        run.model, run.state, run.run_inputs, options, run.workspace,
        [&](const RunSnapshot& seen) { return recorder.observe(seen); }, run.statistics);
    ASSERT_TRUE(status.ok()) << time << ": " << status.message();
    ASSERT_EQ(recorder.recording().samples(), 3U) << time;
    for (const std::size_t sample : {1U, 2U}) {
      EXPECT_EQ(recorder.recording().column("v.elbow")[sample], 0) << time;
      EXPECT_EQ(recorder.recording().column("a.elbow")[sample], 0) << time;
    }
  }
}

// A run that ends by an event records each sample once, also if it ends at its start.
TEST(Impact, where_a_run_ends_is_one_sample) {
  for (const double end : {0.0, 0.4, 0.41})
    for (const double sample : {0.0, 0.2}) {
      Description description = ball_above_floor(10, 0.5);
      description.events.push_back({.name = "enough", .time = end, .stops = true});
      MotionOf ball(build_model(description));
      RunOptions options;
      options.sample = sample;
      ASSERT_TRUE(ball.go(1, options).ok());
      EXPECT_EQ(ball.state.time, end);
      EXPECT_EQ(ball.statistics.end, end);
      EXPECT_NEAR(ball.state.q[0], 10 - g / 2 * end * end, 1e-9);
      EXPECT_EQ(ball.samples.back().time, end);
      for (std::size_t k = 1; k < ball.samples.size(); ++k)
        EXPECT_LT(ball.samples[k - 1].time, ball.samples[k].time) << end << ", " << sample;
    }
}

// Joints with several coordinates have stops on each: a planar joint has two slides and a turn.
TEST(Impact, stops_of_a_joint_with_several_coordinates) {
  const auto disk = [](bool is_one) {
    Description description("disk");
    description.gravity = {-1.0, -9.81, 0.0};
    description.body("disk", box(1.0, {0.3, 0.1, 0.1}, {0.05, 0.02, 0.0}));
    const BasicJointLimits<Expr> limits{.lower = {-0.4}, .upper = {0.6}, .restitution = {0.5}};
    if (is_one) {
      description.joint("plane", JointKind::planar, "ground", "disk", {.limits = limits});
      description.start_velocities = {{"plane", {0.5, 1.0, 2.0}}};
      return description;
    }
    description.body("x", {});
    description.body("y", {});
    description.joint("x", JointKind::prismatic, "ground", "x",
                      {.axis = {1.0, 0.0, 0.0}, .limits = limits});
    description.joint("y", JointKind::prismatic, "x", "y",
                      {.axis = {0.0, 1.0, 0.0}, .limits = limits});
    description.joint("turn", JointKind::revolute, "y", "disk", {.limits = limits});
    description.start_velocities = {{"x", {0.5}}, {"y", {1.0}}, {"turn", {2.0}}};
    return description;
  };
  MotionOf one(build_model(disk(true))), three(build_model(disk(false)));
  ASSERT_TRUE(one.go(3).ok());
  ASSERT_TRUE(three.go(3).ok());
  EXPECT_GT(one.statistics.impacts, 5);
  EXPECT_EQ(one.statistics.impacts, three.statistics.impacts);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(one.state.q[k], three.state.q[k], 1e-8);
    EXPECT_NEAR(one.state.v[k], three.state.v[k], 1e-7);
  }
  EXPECT_NE(one.statistics.events[0].what.find("limit of joint 'plane."), std::string::npos)
      << one.statistics.events[0].what;
}

// Unsupported inputs are refused by name, never ignored.
TEST(Impact, refusals) {
  const auto told = [](const Description& description) {
    return MotionOf(build_model(description)).go(1).message();
  };
  Description ball = ball_above_floor(-0.5, 0.5);
  EXPECT_EQ(told(ball),
            "simulate: joint 'z' begins 0.5 beyond its stop at 0: start it between its limits");

  // exceeding a limit that is no stop is reported
  Description passes = ball_above_floor(1, 0.5);
  passes.joints[0].options.limits.restitution = {};
  MotionOf run(build_model(passes));
  ASSERT_TRUE(run.go(1).ok());
  ASSERT_EQ(run.statistics.events.size(), 1U);
  EXPECT_EQ(run.statistics.events[0].what,
            "the lower limit of joint 'z' (0) is passed, it is no stop without a restitution");
}

}  // namespace trammel::impact_test
