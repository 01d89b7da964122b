// A change of rank in one loop leaves the motion of another one as it is alone.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "tests/support/motion_of.hpp"
#include "trammel/model/build/builder.hpp"

namespace trammel::independent_loops_test {
namespace {

// A parallelogram of links of 1 m and 1 kg on the ground, cranks upright at zero.
void add_parallelogram(Description& description, const std::string& name, double x, double speed) {
  const Solid crank{
      .mass = 1.0, .com = {0.0, 0.5, 0.0}, .inertia = {1.0 / 12, 0, 0, 0, 0, 1.0 / 12}};
  description.body(name + "crank", crank);
  description.body(name + "rocker", crank);
  description.body(
      name + "coupler",
      {.mass = 1.0, .com = {0.5, 0.0, 0.0}, .inertia = {0, 0, 0, 1.0 / 12, 0, 1.0 / 12}});
  description.joint(name + "foot", JointKind::revolute, "ground", name + "crank",
                    {.at = {{x, 0.0, 0.0}, {}}});
  description.joint(name + "other", JointKind::revolute, "ground", name + "rocker",
                    {.at = {{x + 1.0, 0.0, 0.0}, {}}});
  description.joint(name + "left", JointKind::revolute, name + "crank", name + "coupler",
                    {.at = {{0.0, 1.0, 0.0}, {}}});
  description.joint(name + "right", JointKind::revolute, name + "coupler", name + "rocker",
                    {.at = {{1.0, 0.0, 0.0}, {}}, .child_at = {{0.0, 1.0, 0.0}, {}}, .cut = true});
  description.start_velocities.push_back({name + "foot", {-speed}});
}
Description described(bool turning, bool swinging) {
  Description description("parallelograms");
  description.gravity = {0.0, -9.81, 0.0};
  if (turning) add_parallelogram(description, "turning ", 0, 1.0);
  if (swinging) {
    add_parallelogram(description, "swinging ", 4, 2.0);
    // it hangs: no pose of its swing is flat
    for (const auto& [joint, angle] : {std::pair("foot", 3.0), {"other", 3.0}, {"left", -3.0}})
      description.start_positions.push_back({std::string("swinging ") + joint, {angle}});
  }
  return description;
}

TEST(IndependentLoops, move_as_each_of_them_alone) {
  MotionOf both(build_model(described(true, true)));
  MotionOf turning(build_model(described(true, false)));
  MotionOf swinging(build_model(described(false, true)));
  constexpr double end = 3;
  for (MotionOf* motion : {&both, &turning, &swinging}) {
    RunOptions options;
    options.relative = 1e-10;
    options.absolute = 1e-12;
    const Status status = motion->go(end, options);
    ASSERT_TRUE(status.ok()) << status.message();
  }
  const auto poses = [](const MotionOf& motion) {
    return std::ranges::count_if(motion.statistics.events, [](const EventRecord& event) {
      return event.what.starts_with("singular pose");
    });
  };
  EXPECT_GT(poses(turning), 2);
  EXPECT_EQ(poses(swinging), 0);
  EXPECT_EQ(poses(both), poses(turning));
  // a hundred steps with errors of the tolerance each, which a falling crank doubles ten times
  for (const char* joint : {"foot", "other", "left"}) {
    const std::string swings = std::string("swinging ") + joint,
                      turns = std::string("turning ") + joint;
    EXPECT_NEAR(both.q(swings), swinging.q(swings), 1e-8);
    EXPECT_NEAR(both.v(swings), swinging.v(swings), 1e-8);
    EXPECT_NEAR(both.q(turns), turning.q(turns), 1e-6);
    EXPECT_NEAR(both.v(turns), turning.v(turns), 1e-6);
  }
}

}  // namespace
}  // namespace trammel::independent_loops_test
