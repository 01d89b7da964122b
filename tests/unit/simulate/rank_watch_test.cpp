// Rank changes late in a run: all of many singular poses are reported. And poses at which the rows
// need not be measured.
#include <cmath>
#include <numbers>

#include "tests/support/motion_of.hpp"
#include "tests/support/redundant_wheels.hpp"
#include "trammel/constraint/solver/freeze_rank.hpp"
#include "trammel/model/build/builder.hpp"
#include "trammel/simulate/events/rank_watch.hpp"

namespace trammel::rank_watch_test {
namespace {

// A crank and a rod of equal length, both rods between points that only slide: no loop joint. Where
// the slider reaches the axis of the crank, at every half turn, the crank may turn alone. The tip
// of 1 kg turns with theta, the slider of 1 kg is at 2 cos(theta): (1 + 4 sin^2 theta) theta'^2 is
// constant.
TEST(RankWatch, reports_every_half_turn_of_points_on_rods) {
  const double start = std::numbers::pi / 3, s = std::sin(start), c = std::cos(start);
  Description description("rods");
  description.gravity = {0.0, 0.0, 0.0};
  description.frame("axis", "ground", {});
  for (const char* body : {"tip", "slider"}) description.body(body, {.mass = 1.0});
  JointOptions plane;
  plane.motions = {slide({1.0, 0.0, 0.0}), slide({0.0, 1.0, 0.0})};
  description.joint("plane", JointKind::compound, "ground", "tip", plane);
  description.joint("rail", JointKind::prismatic, "ground", "slider", {.axis = {1.0, 0.0, 0.0}});
  for (const auto& [name, from, to] :
       {std::tuple("crank", "axis", "tip"), std::tuple("rod", "tip", "slider")})
    description.constraints.push_back({.name = name,
                                       .kind = ConstraintDescription::Kind::distance,
                                       .frame = from,
                                       .other_frame = to,
                                       .distance = 1.0});
  description.start_positions = {{"plane", {c, s}}, {"rail", {2 * c}}};
  description.start_velocities = {{"plane", {-s, c}}, {"rail", {-2 * s}}};
  MotionOf motion(build_model(description));
  const double duration = 20;
  const Status status = motion.go(duration, {});
  ASSERT_TRUE(status.ok()) << status.message();

  // times of 90 degrees and every half turn after that, by the midpoint rule
  std::vector<double> times;
  const double constant = 1 + 4 * s * s, h = 1e-4;
  double time = 0, next = std::numbers::pi / 2;
  for (double angle = start; time < duration; angle += h) {
    const double sine = std::sin(angle + h / 2);
    const double slowness = std::sqrt((1 + 4 * sine * sine) / constant);
    if (angle + h > next) {
      times.push_back(time + (next - angle) * slowness);
      next += std::numbers::pi;
    }
    time += h * slowness;
  }
  if (times.back() > duration) times.pop_back();
  ASSERT_GE(times.size(), 5U);
  std::vector<double> found;
  for (const EventRecord& record : motion.statistics.events)
    if (record.what.starts_with("singular pose, a branch")) found.push_back(record.time);
  ASSERT_EQ(found.size(), times.size());
  for (std::size_t k = 0; k < times.size(); ++k) EXPECT_NEAR(found[k], times[k], 1e-5) << k;
}

// The distance from singular poses is known from the last check as long as no dof has moved by
// much.
TEST(RankWatch, factors_no_rows_far_from_singular_poses) {
  MotionOf motion("stewart_platform");
  std::ranges::fill(motion.state.v, 0.0);
  motion.state.v[5] = 0.1;  // the platform rises
  ASSERT_TRUE(assemble(motion.model, motion.state, motion.workspace).ok());
  RankWatch watch(1e-7);
  watch.enter(motion.model, motion.state, 0, false, generic_rows(motion.model, motion.workspace));
  EXPECT_FALSE(watch.nears_singular_pose(motion.state, 1e-3));
  const long before = watch.factored_rows();
  EXPECT_GT(before, 0);
  const auto displaced = [&](double by) {
    State there = motion.state;
    std::vector<double> away(there.v.size(), 0.0);
    away[5] = by;
    integrate(motion.model, motion.state.q, away, there.q);
    return there;
  };
  EXPECT_FALSE(watch.nears_singular_pose(displaced(1e-3), 1e-3));
  EXPECT_EQ(watch.factored_rows(), before);
  // this displacement may have used up the distance
  (void)watch.nears_singular_pose(displaced(1), 1e-3);
  EXPECT_GT(watch.factored_rows(), before);
}

// Four wheels with parallel axles have fewer independent rows than generically. A wheel that is
// steered by 1e-9 rad is a hundredth of the slack away, which counts as moved: a thousandth does
// not.
TEST(RankWatch, has_the_same_rows_while_no_dof_moves) {
  RedundantWheels wheels("e_09", false);
  Random random(1);
  wheels.place(random);
  wheels.stand_alike(0.3, 1, 0.2);
  RankWatch watch(1e-7);
  watch.enter(wheels.model, wheels.state, generic_rank(wheels.model, wheels.workspace), false);
  ASSERT_GE(watch.rank_to_freeze(), 0);
  EXPECT_FALSE(watch.has_same_rows(wheels.state));  // the first time
  EXPECT_TRUE(watch.has_same_rows(wheels.state));
  EXPECT_FALSE(watch.has_locked(wheels.state));
  State state = wheels.state;
  const auto steer = std::size_t(wheels.steer[0]) + 1;
  state.q[steer] += 1e-11;
  EXPECT_TRUE(watch.has_same_rows(state));
  state.q[steer] += 1e-9;
  EXPECT_FALSE(watch.has_same_rows(state));
  EXPECT_TRUE(watch.has_same_rows(state));
  EXPECT_FALSE(watch.has_locked(state));  // below the slack
  state.q[steer] += 1e-4;
  EXPECT_TRUE(watch.has_locked(state));
  EXPECT_TRUE(watch.has_locked(state));
  EXPECT_FALSE(watch.has_locked(wheels.state));
}

}  // namespace
}  // namespace trammel::rank_watch_test
