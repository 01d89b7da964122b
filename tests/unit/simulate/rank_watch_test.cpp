// Rank changes late in a run: all of many singular poses are reported.
#include <cmath>
#include <numbers>

#include "tests/support/motion_of.hpp"
#include "trammel/model/build/builder.hpp"

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

}  // namespace
}  // namespace trammel::rank_watch_test
