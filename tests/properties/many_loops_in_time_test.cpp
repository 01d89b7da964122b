// Steps in time of mechanisms with many loops: laws that hold at every size, and a singular pose of
// one mechanism beside others that stay away from theirs.
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "tests/support/motion_of.hpp"
#include "tests/support/n_four_bar.hpp"
#include "trammel/constraint/solver/freeze_rank.hpp"
#include "trammel/dynamics/forward_dynamics.hpp"
#include "trammel/model/build/builder.hpp"
#include "trammel/model/subsystems.hpp"
#include "trammel/simulate/events/rank_watch.hpp"

namespace trammel::many_loops_in_time_test {
namespace {

// Parallelograms of links of 1 m and 1 kg with their feet on ground, each 3 m from the one before,
// or each on the coupler of the one before. At q = 0 the cranks are upright.
class Parallelograms {
 public:
  explicit Parallelograms(bool in_a_row = false) : in_a_row_(in_a_row) {
    description_.gravity = {0.0, -9.81, 0.0};
  }
  // With cranks at an angle from the upright and an angular velocity.
  void add(const std::string& name, double angle, double speed) {
    const auto of = [&](const char* what) { return name + " " + what; };
    for (const char* link : {"crank", "rocker"})
      description_.body(
          of(link),
          {.mass = 1.0, .com = {0.0, 0.5, 0.0}, .inertia = {1.0 / 12, 0, 0, 0, 0, 1.0 / 12}});
    description_.body(
        of("coupler"),
        {.mass = 1.0, .com = {0.5, 0.0, 0.0}, .inertia = {0, 0, 0, 1.0 / 12, 0, 1.0 / 12}});
    const double x = in_a_row_ ? 0 : 3.0 * count_++;
    const auto pin = [&](const char* what, const std::string& on, const std::string& link,
                         JointOptions options) {
      description_.joint(of(what), JointKind::revolute, on, link, options);
    };
    pin("left", base_, of("crank"), {.at = {{x, 0.0, 0.0}, {}}});
    pin("right", base_, of("rocker"), {.at = {{x + 1.0, 0.0, 0.0}, {}}});
    pin("knee", of("crank"), of("coupler"), {.at = {{0.0, 1.0, 0.0}, {}}});
    pin("elbow", of("coupler"), of("rocker"),
        {.at = {{1.0, 0.0, 0.0}, {}}, .child_at = {{0.0, 1.0, 0.0}, {}}, .cut = true});
    for (const auto& [joint, sign] : {std::pair("left", 1), {"right", 1}, {"knee", -1}}) {
      description_.start_positions.push_back({of(joint), {sign * angle}});
      description_.start_velocities.push_back({of(joint), {sign * speed}});
    }
    if (in_a_row_) base_ = of("coupler");
  }
  Description& description() { return description_; }
  Model model() const { return build_model(description_); }

 private:
  bool in_a_row_;
  int count_ = 0;
  std::string base_ = "ground";
  Description description_{"parallelograms"};
};

// Swings about the lowest pose.
void add_swinging(Parallelograms& to, int count) {
  for (int k = 0; k < count; ++k)
    to.add(fmt::format("other{}", k), std::numbers::pi + 0.5 * std::sin(1.0 + k), 0.3);
}

RunOptions rk4(double step) {
  RunOptions options;
  options.method = Method::rk4;
  options.step = step;
  return options;
}

std::vector<double> times_of_branches(const RunStatistics& statistics) {
  std::vector<double> times;
  for (const EventRecord& event : statistics.events)
    if (event.what.starts_with("singular pose, a branch")) times.push_back(event.time);
  return times;
}

// Largest difference of the joints that both models have, over all samples.
double apart_where_common(const MotionOf& one, const MotionOf& other) {
  EXPECT_EQ(one.samples.size(), other.samples.size());
  double largest = 0;
  for (const NamedJoint& joint : other.model.joints()) {
    const std::optional<JointId> same = one.model.find_joint(joint.name);
    if (!same || joint.role != NamedJoint::Role::tree) continue;
    const NamedJoint& its = one.model[*same];
    for (std::size_t k = 0; k < one.samples.size(); ++k) {
      const State &a = one.samples[k], &b = other.samples[k];
      largest = std::max(
          {largest, std::abs(a.q[std::size_t(its.q_start)] - b.q[std::size_t(joint.q_start)]),
           std::abs(a.v[std::size_t(its.v_start)] - b.v[std::size_t(joint.v_start)])});
    }
  }
  return largest;
}

// A parallelogram turns through its flat pose beside a hundred others that stay away: these move as
// without it.
TEST(ManyLoopsInTime, a_singular_pose_of_one_does_not_touch_the_others) {
  constexpr int others = 100;
  Parallelograms with, without;
  with.add("turning", std::numbers::pi / 2 - 0.12, 3);
  add_swinging(with, others);
  add_swinging(without, others);
  MotionOf crossing(with.model()), alone(without.model());
  // at the flat pose after about 0.04 s, in the middle of a step
  ASSERT_TRUE(crossing.go(0.0807, rk4(1e-3)).ok());
  ASSERT_TRUE(alone.go(0.0807, rk4(1e-3)).ok());
  EXPECT_EQ(times_of_branches(crossing.statistics).size(), 1U);
  EXPECT_TRUE(alone.statistics.events.empty());
  // but for rounding in projections of the whole: the last digit of positions up to 4
  EXPECT_LT(apart_where_common(crossing, alone), 5e-16);
  // and the one moves as alone, across the pose: nodes at 0.05 m with rounding 1e-16 / 0.05^2
  Parallelograms single;
  single.add("turning", std::numbers::pi / 2 - 0.12, 3);
  MotionOf one(single.model());
  ASSERT_TRUE(one.go(0.0807, rk4(1e-3)).ok());
  EXPECT_LT(apart_where_common(crossing, one), 1e-11);
}

// Two mechanisms at different places near their flat poses at one time, a third far away: each
// crosses with its own nodes, as alone.
TEST(ManyLoopsInTime, subsystems_cross_at_one_time_each_by_its_own_nodes) {
  Parallelograms all;
  const std::vector<std::pair<std::string, double>> starts{{"first", std::numbers::pi / 2 - 0.06},
                                                           {"second", std::numbers::pi / 2 - 0.11},
                                                           {"third", 0.3}};
  for (const auto& [name, angle] : starts) all.add(name, angle, 2);
  for (const auto& options : {rk4(1e-3), MotionOf::precise()}) {
    MotionOf together(all.model());
    RunOptions sampled = options;
    sampled.sample = 0.01;
    ASSERT_TRUE(together.go(0.1, sampled).ok());
    EXPECT_EQ(times_of_branches(together.statistics).size(), 2U);
    for (const auto& [name, angle] : starts) {
      Parallelograms alone;
      alone.add(name, angle, 2);
      MotionOf one(alone.model());
      ASSERT_TRUE(one.go(0.1, sampled).ok());
      EXPECT_EQ(times_of_branches(one.statistics).size(), name == "third" ? 0U : 1U);
      // rk4: rounding at nodes; the other method takes other steps, with errors of its tolerance.
      // The second is on its pose where the nodes of the first begin
      EXPECT_LT(apart_where_common(together, one), options.step > 0 ? 1e-11 : 1e-9) << name;
    }
  }
}

// Identical mechanisms, coupled through nothing: they pass the flat pose at the same instant, and
// one event names them all.
TEST(ManyLoopsInTime, mechanisms_that_are_singular_together_are_one_event) {
  Parallelograms four;
  for (const char* name : {"a", "b", "c", "d"}) four.add(name, std::numbers::pi / 2 - 0.1, 2);
  MotionOf motion(four.model());
  ASSERT_TRUE(motion.go(0.1, rk4(1e-3)).ok());
  ASSERT_EQ(motion.statistics.events.size(), 1U);
  EXPECT_EQ(motion.statistics.events[0].what.find(
                "singular pose, a branch: 4 more degrees of freedom for an instant"),
            0U)
      << motion.statistics.events[0].what;
}

// Rows factored by the search for a singular pose of one mechanism: those of the others only at
// the ends of the step.
TEST(ManyLoopsInTime, the_search_for_a_singular_pose_factors_the_rows_of_one_mechanism) {
  const auto factored = [](int others) {
    Parallelograms loops;
    loops.add("turning", std::numbers::pi / 2 - 0.03, 2);
    add_swinging(loops, others);
    MotionOf motion(loops.model());
    const State begin = motion.state;
    const auto at = [&](double part, State& state) {
      state = begin;
      state.time = 0.03 * part;
      for (std::size_t f = 0; f < begin.v.size(); ++f) state.q[f] += state.time * begin.v[f];
      return Status();
    };
    State end;
    EXPECT_TRUE(at(1, end).ok());
    RankWatch watch(1e-7);
    watch.enter(motion.model, begin, 0, false, generic_rows(motion.model, motion.workspace));
    std::vector<EventRecord> found;
    watch.check_step({begin, end, at}, found);
    EXPECT_EQ(found.size(), 1U);
    return watch.factored_rows();
  };
  // two rows to a loop, at both ends of the step; the one also displaced at both ends, and at the
  // pose
  const long alone = factored(0), beside = factored(100);
  EXPECT_GE(alone, 2 * 5);
  EXPECT_LE(beside, alone + 2 * 2 * 100);
}

TEST(Subsystems, are_what_inertia_constraints_and_force_elements_connect) {
  Parallelograms loops;
  for (const char* name : {"a", "b", "c"}) loops.add(name, 0.3, 0);
  Description& given = loops.description();
  given.springs.push_back({.name = "link", .frame = "a crank", .other_frame = "c rocker"});
  const Model model = loops.model();
  const std::vector<int> of = subsystems_of_dofs(model);
  const auto dof = [&](const char* joint) {
    return std::size_t(model[*model.find_joint(joint)].v_start);
  };
  EXPECT_EQ(of[dof("a left")], of[dof("a right")]);  // by the loop
  EXPECT_EQ(of[dof("a left")], of[dof("a knee")]);   // by the tree
  EXPECT_EQ(of[dof("a left")], of[dof("c knee")]);   // by the spring
  EXPECT_NE(of[dof("a left")], of[dof("b left")]);
}

// Energy and closure over steps at a size of a thousand loops.
void expect_laws(MotionOf& motion, double duration, double kinetic_scale) {
  const Status status = motion.go(duration, rk4(1e-3));
  ASSERT_TRUE(status.ok()) << status.message();
  EXPECT_TRUE(motion.statistics.events.empty());
  // rk4: h^4 / 120 of the energy that moves, and more digits of rounding
  EXPECT_LT(motion.energy_change(), 1e-9 * kinetic_scale);
  // a norm over all loops, of closures to 1e-13
  EXPECT_LT(motion.largest_violation().position, 1e-12);
  EXPECT_LT(motion.largest_violation().velocity, 1e-10);
}

TEST(ManyLoopsInTime, a_thousand_four_bars_in_a_row_keep_their_laws) {
  Parallelograms row(true);
  for (int k = 0; k < 1000; ++k) row.add(fmt::format("bar{}", k), 0.8 + 0.3 * std::sin(k), 0.2);
  MotionOf motion(row.model());
  // the potential energy of a tower of 1000 m
  expect_laws(motion, 4e-3, 3000 * 9.81 * 500);
}

TEST(ManyLoopsInTime, a_ladder_of_a_thousand_loops_keeps_its_laws) {
  constexpr int n = 1000;
  MotionOf motion(build_model(n_four_bar(n)));
  expect_laws(motion, 0.01, NFourBarMotion(n).largest_kinetic_energy());
  // the closed form, from the upright with 1 rad/s
  EXPECT_NEAR(NFourBarMotion(n).time_to_turn(-motion.q("foot0")), 0.01, 1e-11);
}

// A door on two hinges in line: all rows of the second are redundant. From the level it falls with
// m g c / (I + m c^2), whatever moves beside it.
TEST(ManyLoopsInTime, a_door_on_two_hinges_falls_beside_a_thousand_loops_as_alone) {
  constexpr double mass = 20, c = 0.45, inertia = 1.4, g = 9.81;
  Parallelograms loops;
  add_swinging(loops, 1000);
  Description& given = loops.description();
  given.body("door", {.mass = mass, .com = {c, 0.0, 1.0}, .inertia = {1.0, 0, 0, 2.0, 0, inertia}});
  given.joint("lower hinge", JointKind::revolute, "ground", "door", {.at = {{-5.0, 0.0, 0.0}, {}}});
  given.joint("upper hinge", JointKind::revolute, "ground", "door",
              {.at = {{-5.0, 0.0, 2.0}, {}}, .child_at = {{0.0, 0.0, 2.0}, {}}, .cut = true});
  MotionOf motion(loops.model());
  const auto hinge = std::size_t(motion.model[*motion.model.find_joint("lower hinge")].v_start);
  const double expected = -mass * g * c / (inertia + mass * c * c);
  std::vector<double> a(std::size_t(motion.model.nv()));
  const Status status = forward_dynamics(motion.model, motion.state, {}, motion.workspace, a);
  ASSERT_TRUE(status.ok()) << status.message();
  EXPECT_NEAR(a[hinge], expected, 1e-12 * std::abs(expected));
  // and in time: theta'^2 / 2 = (expected) sin(theta)
  ASSERT_TRUE(motion.go(0.02, rk4(1e-3)).ok());
  const double angle = motion.q("lower hinge"), speed = motion.v("lower hinge");
  EXPECT_NEAR(speed * speed / 2, expected * std::sin(angle), 1e-11);
  EXPECT_NEAR(angle, expected * 0.02 * 0.02 / 2, 1e-8);
}

// The N-four-bar of the IFToMM benchmarks (A02) with N = 40 through all its singular poses in 20 s,
// against theta'' = c sin(theta), c = m g / I, by an integration of its own: classical Runge-Kutta
// in long double, 1e-4 s, errors of 1e-13.
TEST(ManyLoopsInTime, forty_four_bars_in_twenty_seconds) {
  constexpr int n = 40;
  constexpr double duration = 20;
  // N + 1 cranks turn about their feet, N couplers translate with their pins
  const long double c = ((n + 1) / 2.0L + n) * 9.81L / ((n + 1) / 3.0L + n);
  long double theta = 0, speed = 1;
  const int steps = 200000;
  const long double h = duration / (long double)(steps);
  for (int k = 0; k < steps; ++k) {
    const long double a1 = c * std::sin(theta), v2 = speed + h / 2 * a1;
    const long double a2 = c * std::sin(theta + h / 2 * speed), v3 = speed + h / 2 * a2;
    const long double a3 = c * std::sin(theta + h / 2 * v2), v4 = speed + h * a3;
    const long double a4 = c * std::sin(theta + h * v3);
    theta += h / 6 * (speed + 2 * v2 + 2 * v3 + v4);
    speed += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  }
  MotionOf motion(build_model(n_four_bar(n)));
  RunOptions options;
  options.relative = 1e-8;
  options.absolute = 1e-10;
  const Status status = motion.go(duration, options);
  ASSERT_TRUE(status.ok()) << status.message();
  EXPECT_LT(motion.energy_change(), 1e-6 * NFourBarMotion(n).largest_kinetic_energy());
  EXPECT_NEAR(-motion.q("foot0"), double(theta), 1e-5);
  EXPECT_NEAR(-motion.v("foot0"), double(speed), 1e-4);
  const std::vector<double> flat = NFourBarMotion(n).flat_times(duration),
                            reported = times_of_branches(motion.statistics);
  ASSERT_EQ(reported.size(), flat.size());
  for (std::size_t k = 0; k < flat.size(); ++k) EXPECT_NEAR(reported[k], flat[k], 1e-5);
}

}  // namespace
}  // namespace trammel::many_loops_in_time_test
