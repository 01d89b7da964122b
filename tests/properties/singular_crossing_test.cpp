// Crossing of singular poses at nonzero speed: every adaptive method passes them at every tolerance
// it accepts, on the branch of continuous velocity, and keeps the energy.
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "tests/support/motion_of.hpp"
#include "tests/support/n_four_bar.hpp"
#include "trammel/constraint/assembly/projection.hpp"
#include "trammel/model/build/builder.hpp"
#include "trammel/simulate/simulate_batch.hpp"

namespace trammel::singular_crossing_test {
namespace {

// Largest deviation from parallel cranks and level couplers.
double off_branch(const MotionOf& motion, int n) {
  double largest = 0;
  for (int k = 0; k <= n; ++k)
    largest = std::max(largest, std::abs(motion.q(fmt::format("foot{}", k)) - motion.q("foot0")));
  for (int k = 0; k < n; ++k)
    largest = std::max(largest, std::abs(motion.q(fmt::format("left{}", k)) + motion.q("foot0")));
  return largest;
}
// Deviation of the first crank from the closed form.
double off_closed_form(const MotionOf& motion, int n) {
  const NFourBarMotion form(n);
  const double angle = -motion.q("foot0");
  return std::abs(form.time_to_turn(angle) - motion.state.time) * form.speed(angle);
}
double largest_kinetic(MotionOf& motion) {
  double largest = 0;
  for (const State& seen : motion.samples) {
    Energy now;
    EXPECT_TRUE(energy(motion.model, seen, motion.workspace, now).ok());
    largest = std::max(largest, now.kinetic);
  }
  return largest;
}
int singular_poses(const RunStatistics& statistics) {
  int count = 0;
  for (const EventRecord& event_record : statistics.events)
    count += event_record.what.find("singular pose, a branch") == 0;
  return count;
}

RunOptions by(Method method, double tolerance) {
  RunOptions options;
  options.method = method;
  options.relative = tolerance;
  options.absolute = tolerance / 100;
  return options;
}

struct Case {
  Method method;
  int n;
};
class SingularCrossing : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(chains, SingularCrossing, testing::ValuesIn([] {
                           std::vector<Case> cases;
                           for (const Method method :
                                {Method::dormand_prince, Method::extrapolation, Method::radau,
                                 Method::bdf})
                             for (const int n : {2, 3, 5, 10}) cases.push_back({method, n});
                           return cases;
                         }()),
                         [](const auto& tested) {
                           std::string name =
                               fmt::format("{}_{}", to_string(tested.param.method), tested.param.n);
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

TEST_P(SingularCrossing, is_passed_at_every_tolerance) {
  const auto [method, n] = GetParam();
  if (!method_lacks(method).empty()) GTEST_SKIP() << method_lacks(method);
  const Model model = build_model(n_four_bar(n));
  for (int digits = 6; digits <= 12; ++digits) {
    const double tolerance = std::pow(10.0, -digits);
    MotionOf motion{Model(model)};
    // flat at 0.72 s and 1.15 s
    const bool is_long = n <= 3;
    const Status status = motion.go(is_long ? 2 : 0.9, by(method, tolerance));
    if (method == Method::bdf && digits > 10) {  // refused at the start
      EXPECT_EQ(status.message().find("simulate: the relative tolerance is"), 0u);
      EXPECT_EQ(motion.statistics.steps, 0);
      continue;
    }
    ASSERT_TRUE(status.ok()) << tolerance << ": " << status.message();
    EXPECT_EQ(singular_poses(motion.statistics), is_long ? 2 : 1) << tolerance;
    // a hundred to ten thousand steps with errors of the tolerance each
    EXPECT_LT(off_branch(motion, n), std::max(1e3 * tolerance, 1e-11)) << tolerance;
    EXPECT_LT(motion.energy_change(), 1e3 * tolerance * largest_kinetic(motion)) << tolerance;
    EXPECT_LT(motion.largest_violation().position, 1e-11) << tolerance;
    // the falling motion doubles an error about ten times in two seconds
    EXPECT_LT(off_closed_form(motion, n), 1e4 * tolerance) << tolerance;
  }
}

// A cheap part of the table of `./dev validate --crossings`: long chains, past the first crossing.
TEST(SingularCrossingOf, long_chains_is_passed) {
  for (const int n : {20, 40}) {
    const Model model = build_model(n_four_bar(n));
    for (const Method method : {Method::dormand_prince, Method::extrapolation})
      for (const double tolerance : {1e-6, 1e-9, 1e-12}) {
        if (n == 40 && tolerance < 1e-9) continue;  // takes a minute
        SCOPED_TRACE(fmt::format("{} {} {}", n, to_string(method), tolerance));
        MotionOf motion{Model(model)};
        const Status status = motion.go(0.75, by(method, tolerance));
        ASSERT_TRUE(status.ok()) << status.message();
        EXPECT_EQ(singular_poses(motion.statistics), 1);
        EXPECT_LT(off_branch(motion, n), std::max(1e3 * tolerance, 1e-11));
        EXPECT_LT(off_closed_form(motion, n), 1e4 * tolerance);
        EXPECT_LT(motion.energy_change(), 1e3 * tolerance * largest_kinetic(motion));
      }
  }
}

// The tolerance at which the run of F2 once stopped, through all twelve crossings of ten seconds.
TEST(SingularCrossingOf, F2_in_ten_seconds) {
  MotionOf motion("f2");
  const Status status = motion.go(10, by(Method::dormand_prince, 1e-10));
  ASSERT_TRUE(status.ok()) << status.message();
  EXPECT_LT(off_branch(motion, 2), 1e-11);
  EXPECT_LT(motion.energy_change(), 1e3 * 1e-10 * largest_kinetic(motion));
}

// Andrews' squeezer has no crossing: every method follows it at every tolerance, or refuses the
// tolerance.
TEST(SingularCrossingOf, F3_is_not_looked_for) {
  MotionOf best("f3");
  ASSERT_TRUE(best.go(0.003, by(Method::extrapolation, 1e-13)).ok());
  double fastest = 0;
  for (const double v : best.state.v) fastest = std::max(fastest, std::abs(v));
  for (const Method method :
       {Method::dormand_prince, Method::extrapolation, Method::radau, Method::bdf}) {
    if (!method_lacks(method).empty()) continue;
    for (int digits = 6; digits <= 12; ++digits) {
      MotionOf motion("f3");
      const double tolerance = std::pow(10.0, -digits);
      const Status status = motion.go(0.003, by(method, tolerance));
      if (method == Method::bdf && digits > 10) {
        EXPECT_EQ(status.message(),
                  fmt::format("simulate: the relative tolerance is {}, and the method bdf keeps "
                              "1e-10 at best in a model with constraints: give that, or take the "
                              "method radau or extrapolation",
                              tolerance));
        continue;
      }
      ASSERT_TRUE(status.ok()) << to_string(method) << " " << tolerance << ": " << status.message();
      // some hundred steps with errors of the tolerance
      EXPECT_LT(apart(motion.model, motion.state, best.state), 1e3 * tolerance * fastest)
          << to_string(method) << " " << tolerance;
    }
  }
}

// Linkages other than parallelograms that fold or stretch at speed. Each has a second branch
// through its singular poses; `off` measures the distance of a state from the first branch, in
// closed form.
struct Linkage {
  const char* name;
  Description description;
  double (*off)(const MotionOf& motion);
  const char* crank;
  double flat;  // crank angle at the singular pose, modulo half turns
};
void add_rod(Description& given, const char* name, double length) {
  given.body(name, {.mass = 1.0,
                    .com = {0.5 * length, 0.0, 0.0},
                    .inertia = {0, 0, 0, length * length / 12, 0, length * length / 12}});
}
// In the plane x, y: crank, coupler and rocker on a base.
Description four_bar_of(double crank, double coupler, double rocker, double base) {
  Description given("linkage");
  given.gravity = {0.0, -9.81, 0.0};
  add_rod(given, "crank", crank);
  add_rod(given, "coupler", coupler);
  add_rod(given, "rocker", rocker);
  given.joint("motor", JointKind::revolute, "ground", "crank");
  given.joint("knee", JointKind::revolute, "crank", "coupler", {.at = {{crank, 0.0, 0.0}, {}}});
  given.joint("foot", JointKind::revolute, "ground", "rocker", {.at = {{base, 0.0, 0.0}, {}}});
  given.joint("wrist", JointKind::revolute, "coupler", "rocker",
              {.at = {{coupler, 0.0, 0.0}, {}}, .child_at = {{rocker, 0.0, 0.0}, {}}, .cut = true});
  given.start_velocities = {{"motor", {-3.0}}};
  return given;
}
double apart_by(double a, double b) {
  return std::abs(std::remainder(a - b, 2 * std::numbers::pi));
}
// Kite: base and rocker of 2 m, crank and coupler of 1 m. The pin of coupler and rocker is the
// mirror image of the crank's pivot in the line from the rocker's pivot to the crank's tip. That
// line is at an angle b, the rocker at 2 b - pi, the coupler at 2 b - crank - pi.
double bearing_of_crank(double crank) { return std::atan2(std::sin(crank), std::cos(crank) - 2); }
double off_kite(const MotionOf& motion) {
  const double crank = motion.q("motor"), b = bearing_of_crank(crank);
  return std::max(apart_by(motion.q("foot"), 2 * b - std::numbers::pi),
                  apart_by(crank + motion.q("knee"), 2 * b - crank - std::numbers::pi));
}
double off_rhombus(const MotionOf& motion) {
  return std::max(apart_by(motion.q("foot"), motion.q("motor")),
                  apart_by(motion.q("knee"), -motion.q("motor")));
}
double off_slider_crank(const MotionOf& motion) {
  const double crank = motion.q("motor");
  return std::max(apart_by(motion.q("knee"), -2 * crank),
                  std::abs(motion.q("guide") - 2 * std::cos(crank)));
}
// A parallelogram of 1 m on a cart.
double off_parallelogram(const MotionOf& motion) {
  return std::max(apart_by(motion.q("foot1"), motion.q("foot0")),
                  apart_by(motion.q("knee"), -motion.q("foot0")));
}
Description parallelogram_on_cart(const char* name) {
  Description given(name);
  given.body("cart", {.mass = 3.0, .com = {}, .inertia = {0.1, 0, 0, 0.1, 0, 0.1}});
  given.joint("ride", JointKind::prismatic, "ground", "cart",
              {.at = {{0.0, 0.0, 0.1}, {}}, .axis = {1.0, 0.0, 0.0}});
  const Solid crank{
      .mass = 1.0, .com = {0.0, 0.0, 0.5}, .inertia = {1.0 / 12, 0, 0, 1.0 / 12, 0, 0}};
  given.body("crank0", crank);
  given.body("crank1", crank);
  add_rod(given, "coupler", 1);
  const Vec3<Expr> y{0.0, 1.0, 0.0};
  given.joint("foot0", JointKind::revolute, "cart", "crank0", {.axis = y});
  given.joint("foot1", JointKind::revolute, "cart", "crank1",
              {.at = {{1.0, 0.0, 0.0}, {}}, .axis = y});
  given.joint("knee", JointKind::revolute, "crank0", "coupler",
              {.at = {{0.0, 0.0, 1.0}, {}}, .axis = y});
  given.joint(
      "wrist", JointKind::revolute, "coupler", "crank1",
      {.at = {{1.0, 0.0, 0.0}, {}}, .child_at = {{0.0, 0.0, 1.0}, {}}, .axis = y, .cut = true});
  given.start_velocities = {{"foot0", {1.0}}, {"ride", {0.5}}};
  return given;
}
// It rolls: the branching rows are not those of its wheels, which spin ten times as fast.
Description parallelogram_on_wheels() {
  Description given = parallelogram_on_cart("parallelogram on wheels");
  for (const char* side : {"left", "right"}) {
    given.body(side, {.mass = 0.2, .com = {}, .inertia = {1e-3, 0, 0, 2e-3, 0, 1e-3}});
    given.joint(side, JointKind::revolute, "cart", side, {.axis = {0.0, 1.0, 0.0}});
    given.wheels.push_back({.name = side, .body = side, .radius = 0.1, .touches = false});
  }
  return given;
}
// A rotor on the coupler that turns a hundred times as fast as the cranks, and one behind a gear.
Description parallelogram_with_rotors() {
  Description given = parallelogram_on_cart("parallelogram with rotors");
  const Solid rotor{.mass = 0.2, .com = {}, .inertia = {1e-4, 0, 0, 1e-4, 0, 1e-4}};
  given.body("flywheel", rotor);
  given.body("motor", rotor);
  given.joint("spin", JointKind::revolute, "coupler", "flywheel", {.axis = {0.0, 1.0, 0.0}});
  given.joint("gear", JointKind::revolute, "cart", "motor", {.axis = {0.0, 1.0, 0.0}});
  given.couplings.push_back({.name = "gears", .terms = {{"gear", 1.0}, {"foot0", -50.0}}});
  given.start_velocities.push_back({"spin", {100.0}});
  return given;
}
std::vector<Linkage> linkages() {
  Description kite = four_bar_of(1, 1, 2, 2);
  const double b = bearing_of_crank(1.0);
  kite.start_positions = {{"motor", {1.0}},
                          {"knee", {2 * b - 2.0 - std::numbers::pi}},
                          {"foot", {2 * b - std::numbers::pi}}};
  Description rhombus = four_bar_of(1, 1, 1, 1);
  rhombus.start_positions = {{"motor", {1.0}}, {"knee", {-1.0}}, {"foot", {1.0}}};
  // a crank and a rod of one length: the piston passes the crank's pivot
  Description slider("slider-crank of equal lengths");
  slider.gravity = {0.0, -9.81, 0.0};
  add_rod(slider, "crank", 1);
  add_rod(slider, "rod", 1);
  slider.body("piston", {.mass = 1.0, .com = {}, .inertia = {0.1, 0, 0, 0.1, 0, 0.1}});
  slider.joint("motor", JointKind::revolute, "ground", "crank");
  slider.joint("knee", JointKind::revolute, "crank", "rod", {.at = {{1.0, 0.0, 0.0}, {}}});
  slider.joint("guide", JointKind::prismatic, "ground", "piston", {.axis = {1.0, 0.0, 0.0}});
  slider.joint("wrist", JointKind::revolute, "rod", "piston",
               {.at = {{1.0, 0.0, 0.0}, {}}, .cut = true});
  slider.start_positions = {{"motor", {1.0}}, {"knee", {-2.0}}, {"guide", {2 * std::cos(1.0)}}};
  slider.start_velocities = {{"motor", {4.0}}};
  const double quarter = std::numbers::pi / 2;
  return {
      {"kite", kite, off_kite, "motor", 0},
      {"rhombus", rhombus, off_rhombus, "motor", 0},
      {"slider_crank", slider, off_slider_crank, "motor", quarter},
      {"parallelogram_on_wheels", parallelogram_on_wheels(), off_parallelogram, "foot0", quarter},
      {"parallelogram_with_rotors", parallelogram_with_rotors(), off_parallelogram, "foot0",
       quarter}};
}
// Number of passages of the crank through a flat pose, from the samples.
int flat_poses(const MotionOf& motion, const Linkage& linkage) {
  const auto crank = std::size_t(motion.model[*motion.model.find_joint(linkage.crank)].q_start);
  const auto half_turns = [&](const State& seen) {
    return std::lround(std::floor((seen.q[crank] - linkage.flat) / std::numbers::pi));
  };
  int count = 0;
  for (std::size_t k = 1; k < motion.samples.size(); ++k)
    count += int(std::abs(half_turns(motion.samples[k]) - half_turns(motion.samples[k - 1])));
  return count;
}

TEST(SingularCrossingOf, linkages_that_fold_keeps_the_branch) {
  for (const Linkage& linkage : linkages())
    for (const Method method :
         {Method::dormand_prince, Method::extrapolation, Method::radau, Method::bdf}) {
      if (!method_lacks(method).empty()) continue;
      for (const double tolerance : {1e-6, 1e-8, 1e-10, 1e-12}) {
        if (method == Method::bdf && tolerance < 1e-10) continue;  // refused, as above
        SCOPED_TRACE(fmt::format("{} {} {}", linkage.name, to_string(method), tolerance));
        MotionOf motion(build_model(linkage.description));
        ASSERT_LT(linkage.off(motion), 1e-12);
        const Status status = motion.go(3, by(method, tolerance));
        ASSERT_TRUE(status.ok()) << status.message();
        EXPECT_GE(flat_poses(motion, linkage), 1);
        EXPECT_EQ(singular_poses(motion.statistics), flat_poses(motion, linkage));
        // as above: hundreds of steps with errors of the tolerance
        EXPECT_LT(linkage.off(motion), std::max(1e3 * tolerance, 1e-10));
        EXPECT_LT(motion.energy_change(), 1e3 * tolerance * largest_kinetic(motion));
        EXPECT_LT(motion.largest_violation().position, 1e-11);
      }
    }
}

// Fixed steps do not adapt, but the loops stay closed and the branch is the same.
TEST(SingularCrossingOf, fixed_steps_keeps_the_branch) {
  for (const double step : {0.01, 0.003, 0.001})
    for (const Method method : {Method::rk4, Method::semi_implicit_euler}) {
      MotionOf motion("f2");
      RunOptions options;
      options.method = method;
      options.step = step;
      const Status status = motion.go(3, options);
      ASSERT_TRUE(status.ok()) << to_string(method) << " " << step << ": " << status.message();
      EXPECT_EQ(singular_poses(motion.statistics), 3) << to_string(method) << " " << step;
      EXPECT_LT(off_branch(motion, 2), 1e-11) << to_string(method) << " " << step;
      EXPECT_LT(motion.largest_violation().position, 1e-11) << to_string(method) << " " << step;
    }
}

// Without gravity all cranks turn at one speed, and a step ends exactly on the flat pose, where a
// projection has no preferred branch.
TEST(SingularCrossingOf, fixed_steps_that_end_on_the_pose_keeps_the_branch) {
  Description given = n_four_bar(2);
  given.gravity = {0.0, 0.0, 0.0};
  given.start_velocities = {{"foot0", {-std::numbers::pi}}};
  for (const Method method : {Method::rk4, Method::semi_implicit_euler}) {
    MotionOf motion(build_model(given));
    RunOptions options;
    options.method = method;
    options.step = 0.01;
    const Status status = motion.go(2, options);
    ASSERT_TRUE(status.ok()) << to_string(method) << ": " << status.message();
    EXPECT_EQ(singular_poses(motion.statistics), 2) << to_string(method);
    EXPECT_LT(off_branch(motion, 2), 1e-11) << to_string(method);
    EXPECT_NEAR(motion.q("foot0"), -2 * std::numbers::pi, 1e-10) << to_string(method);
  }
}

// Runs of a batch: each equals simulate() alone, independent of the others.
struct Batch {
  explicit Batch(const Model& model_, int runs)
      : model(model_), q(model.nq(), runs), v(model.nv(), runs) {}
  // Cranks at an angle from the upright, with a speed, and level couplers.
  void start(int run, double angle, double speed) {
    for (const NamedJoint& joint : model.joints()) {
      if (joint.role != NamedJoint::Role::tree) continue;
      const double sign = joint.name.starts_with("foot") ? -1 : 1;
      q(joint.q_start, run) = sign * angle;
      v(joint.v_start, run) = sign * speed;
    }
  }
  Status go(const BatchRunOptions& options, int threads = 1) {
    BatchWorkspace workspace(model, threads);
    return simulate_batch(model, {q, v}, SimulationInputs(model), options, workspace, out);
  }
  const Model& model;
  Eigen::MatrixXd q, v;
  BatchMotion out;
};
TEST(SingularCrossingOf, a_batch_is_that_of_each_run) {
  constexpr int runs = 13;
  const Model model = build_model(n_four_bar(2));
  for (const Method method : {Method::rk4, Method::semi_implicit_euler}) {
    const BatchRunOptions options{.duration = 1.3, .method = method, .step = 1e-3, .sample = 0.1};
    Batch batch(model, runs);
    // even runs start upright; odd ones swing about the lowest pose and do not reach flat
    for (int run = 0; run < runs; ++run)
      run % 2 == 0 ? batch.start(run, 0, 1 + 0.1 * run) : batch.start(run, 3, 0.1 * run);
    Status status = batch.go(options, 2);
    ASSERT_TRUE(status.ok()) << status.message();
    const BatchMotion out = batch.out;
    ASSERT_TRUE(batch.go(options, 1).ok());
    for (int run = 0; run < runs; ++run) {
      SCOPED_TRACE(fmt::format("{} run {}", to_string(method), run));
      const auto k = std::size_t(run);
      MotionOf alone{Model(model)};
      alone.state.q.assign(batch.q.col(run).begin(), batch.q.col(run).end());
      alone.state.v.assign(batch.v.col(run).begin(), batch.v.col(run).end());
      RunOptions same;
      same.method = method;
      same.step = options.step;
      same.sample = options.sample;
      ASSERT_TRUE(alone.go(options.duration, same).ok());
      ASSERT_EQ(alone.samples.size(), out.times.size());
      for (std::size_t sample = 0; sample < out.times.size(); ++sample) {
        EXPECT_TRUE(out.q[sample].col(run) == batch.out.q[sample].col(run)) << "threads";
        for (int f = 0; f < model.nq(); ++f) {
          EXPECT_NEAR(out.q[sample](f, run), alone.samples[sample].q[std::size_t(f)], 1e-10);
          EXPECT_NEAR(out.v[sample](f, run), alone.samples[sample].v[std::size_t(f)], 1e-9);
        }
      }
      EXPECT_LT(off_branch(alone, 2), 1e-11);
      // reported events and their times against the closed form, to the error of the method
      const std::vector<double> flat =
          run % 2 == 0 ? NFourBarMotion(2, 1 + 0.1 * run).flat_times(options.duration)
                       : std::vector<double>();
      ASSERT_EQ(out.events[k].size(), flat.size());
      for (std::size_t pose = 0; pose < flat.size(); ++pose) {
        EXPECT_EQ(out.events[k][pose].what, alone.statistics.events[pose].what);
        EXPECT_TRUE(out.events[k][pose].what.starts_with("singular pose, a branch"));
        EXPECT_NEAR(out.events[k][pose].time, flat[pose], method == Method::rk4 ? 1e-7 : 5e-3);
      }
    }
    EXPECT_EQ(out.events[0].size(), 2u);
  }
}
TEST(SingularCrossingOf, a_batch_whose_steps_end_on_the_pose_keeps_the_branch) {
  Description given = n_four_bar(2);
  given.gravity = {0.0, 0.0, 0.0};
  const Model model = build_model(given);
  for (const Method method : {Method::rk4, Method::semi_implicit_euler}) {
    Batch batch(model, 5);
    for (int run = 0; run < 5; ++run) batch.start(run, 0, std::numbers::pi * (run + 1));
    const Status status = batch.go({.duration = 1, .method = method, .step = 0.01, .sample = 0.1});
    ASSERT_TRUE(status.ok()) << status.message();
    for (int run = 0; run < 5; ++run) {
      EXPECT_EQ(batch.out.events[std::size_t(run)].size(), std::size_t(run + 1));
      for (std::size_t k = 0; k < batch.out.times.size(); ++k) {
        Batch right(model, 1);
        right.start(0, std::numbers::pi * (run + 1) * batch.out.times[k],
                    std::numbers::pi * (run + 1));
        EXPECT_LT((batch.out.q[k].col(run) - right.q).cwiseAbs().maxCoeff(), 1e-9) << run;
        EXPECT_LT((batch.out.v[k].col(run) - right.v).cwiseAbs().maxCoeff(), 1e-8) << run;
      }
    }
  }
}
TEST(SingularCrossingOf, a_batch_by_methods_that_choose_their_steps_is_refused) {
  const Model model = build_model(n_four_bar(2));
  Batch batch(model, 2);
  for (int run = 0; run < 2; ++run) batch.start(run, 0, 1);
  for (const Method method :
       {Method::dormand_prince, Method::extrapolation, Method::radau, Method::bdf})
    EXPECT_EQ(batch.go({.method = method}).message(),
              fmt::format("simulate_batch: the method {} chooses its steps, and runs side by side "
                          "take the same: take rk4 or semi-implicit-euler",
                          to_string(method)));
}

// A coupler that is longer by 1e-4 m: the branches do not meet, and no interpolation leads from one
// to the other. Energy and closure are kept on either.
TEST(SingularCrossingOf, branches_that_do_not_meet_is_none) {
  MotionOf motion(build_model(n_four_bar(2, 1e-4)));
  const Status status = motion.go(1, by(Method::dormand_prince, 1e-9));
  ASSERT_TRUE(status.ok()) << status.message();
  EXPECT_EQ(singular_poses(motion.statistics), 0);
  EXPECT_LT(motion.energy_change(), 1e3 * 1e-9 * largest_kinetic(motion));
  EXPECT_LT(motion.largest_violation().position, 1e-11);
}

// A crank driven at constant speed to the stretched pose, a dead point. No motion continues from
// there, and the run reports it.
TEST(SingularCrossingOf, a_dead_point_is_reported) {
  Description given("driven rocker");
  given.gravity = {0.0, 0.0, 0.0};
  const auto rod = [&](const char* name, double length) {
    given.body(name, {.mass = 1.0,
                      .com = {0.5 * length, 0.0, 0.0},
                      .inertia = {0, 0, 0, length * length / 12, 0, length * length / 12}});
  };
  rod("driven", 1.0);
  rod("coupler", 1.0);
  rod("other", 1.0);
  given.joint("motor", JointKind::revolute, "ground", "driven", {.drive = Drive::motion});
  given.joint("elbow", JointKind::revolute, "driven", "coupler", {.at = {{1.0, 0.0, 0.0}, {}}});
  given.joint("foot", JointKind::revolute, "ground", "other", {.at = {{2.2, 0.0, 0.0}, {}}});
  given.joint("wrist", JointKind::revolute, "coupler", "other",
              {.at = {{1.0, 0.0, 0.0}, {}}, .child_at = {{1.0, 0.0, 0.0}, {}}, .cut = true});
  const double motor = 0.6, x = 2.2 - std::cos(motor), y = -std::sin(motor);
  const double bend = std::acos(std::hypot(x, y) / 2), to_foot = std::atan2(y, x);
  given.start_positions = {{"motor", {motor}},
                           {"elbow", {to_foot + bend - motor}},
                           {"foot", {to_foot + std::numbers::pi - bend}}};
  // stretched where 1 + 2.2^2 - 4.4 cos(motor) = 2^2
  const double dead = std::acos((1 + 2.2 * 2.2 - 4) / 4.4);
  for (const Method method :
       {Method::dormand_prince, Method::extrapolation, Method::radau, Method::bdf}) {
    if (!method_lacks(method).empty()) continue;
    MotionOf motion(build_model(given));
    const double times[] = {0, 10}, angles[] = {motion.q("motor"), motion.q("motor") + 10};
    motion.run_inputs.prescribe(0, Signal::table(times, angles));
    motion.state.v[0] = 1;
    ASSERT_TRUE(project_velocity(motion.model, motion.state, motion.workspace).ok());
    const double time = dead - motion.q("motor");
    const Status status = motion.go(2, by(method, 1e-8));
    ASSERT_FALSE(status.ok()) << to_string(method);
    EXPECT_NE(status.message().find("comes to a dead point"), std::string::npos)
        << status.message();
    EXPECT_NEAR(motion.statistics.end, time, 1e-3) << to_string(method) << ": " << status.message();
  }
}

}  // namespace
}  // namespace trammel::singular_crossing_test
