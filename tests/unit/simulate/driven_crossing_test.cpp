// Singular poses crossed by prescribed motions: nodes of the interpolation are poses at other
// times, with the inputs of those times.
#include <cmath>
#include <numbers>

#include "tests/support/motion_of.hpp"
#include "trammel/model/build/builder.hpp"

namespace trammel::driven_crossing_test {
namespace {

constexpr double turn = std::numbers::pi / 2;  // [rad/s]
constexpr double begin = std::numbers::pi / 4, between = std::numbers::pi / 3;

// A crank with rods of its own length to two sliders, on rails at 0 and 60 degrees. At a crank
// angle a the sliders are at 2 cos(a) and 2 cos(a - 60 deg), the pins at -2 a and -2 a + 120 deg
// (the second measured from the first slider's rail). At 90 degrees the first slider is on the axis
// of the crank, and two branches meet.
Description engine(bool has_two_drives) {
  Description description("engine");
  const Solid solid{.mass = 1.0, .com = {}, .inertia = {0.1, 0, 0, 0.1, 0, 0.1}};
  for (const char* body : {"crank", "rod0", "rod1", "slider0", "slider1"})
    description.body(body, solid);
  description.joint("motor", JointKind::revolute, "ground", "crank", {.drive = Drive::motion});
  for (int k = 0; k < 2; ++k) {
    const std::string n = std::to_string(k);
    description.joint("pin" + n, JointKind::revolute, "crank", "rod" + n,
                      {.at = {{1.0, 0.0, 0.0}, {}}});
    description.joint("rail" + n, JointKind::prismatic, "ground", "slider" + n,
                      {.axis = {std::cos(k * between), std::sin(k * between), 0.0},
                       .drive = has_two_drives && k == 1 ? Drive::motion : Drive::none});
    description.joint("end" + n, JointKind::revolute, "rod" + n, "slider" + n,
                      {.at = {{1.0, 0.0, 0.0}, {}}, .cut = true});
  }
  description.start_positions = {{"motor", {begin}},
                                 {"pin0", {-2 * begin}},
                                 {"pin1", {-2 * begin + 2 * between}},
                                 {"rail0", {2 * std::cos(begin)}},
                                 {"rail1", {2 * std::cos(begin - between)}}};
  description.start_velocities = {{"motor", {turn}},
                                  {"pin0", {-2 * turn}},
                                  {"pin1", {-2 * turn}},
                                  {"rail0", {-2 * turn * std::sin(begin)}},
                                  {"rail1", {-2 * turn * std::sin(begin - between)}}};
  return description;
}

// 90 degrees after 0.5 s, in a step and, with fixed steps, at the end of one.
void expect_crossed(bool has_two_drives, const RunOptions& options) {
  MotionOf motion(build_model(engine(has_two_drives)));
  const auto dof = [&](const char* joint) {
    return motion.model[*motion.model.find_joint(joint)].v_start;
  };
  motion.run_inputs.prescribe(dof("motor"), Signal::ramp(begin, begin + 4 * turn, 0, 4));
  if (has_two_drives)
    motion.run_inputs.prescribe(
        dof("rail1"),
        Signal::sine(2, turn / (2 * std::numbers::pi), begin - between + std::numbers::pi / 2, 0));
  const Status status = motion.go(0.8, options);
  ASSERT_TRUE(status.ok()) << status.message();
  int poses = 0;
  for (const EventRecord& record : motion.statistics.events)
    poses += record.what.starts_with("singular pose") ? 1 : 0;
  EXPECT_EQ(poses, 1);
  for (const State& seen : motion.samples) {
    const double a = begin + turn * seen.time;
    const auto expect = [&](const char* joint, double q) {
      EXPECT_NEAR(seen.q[std::size_t(motion.model[*motion.model.find_joint(joint)].q_start)], q,
                  1e-9)
          << joint << " at " << seen.time;
    };
    expect("pin0", -2 * a);
    expect("rail0", 2 * std::cos(a));
    expect("pin1", -2 * a + 2 * between);
    expect("rail1", 2 * std::cos(a - between));
  }
}
RunOptions fixed_steps_of(double step) {
  RunOptions options;
  options.method = Method::rk4;
  options.step = step;
  return options;
}

TEST(DrivenCrossing, keeps_the_branch) {
  expect_crossed(false, MotionOf::precise());
  expect_crossed(false, fixed_steps_of(0.01));
}

// The motor and the second slider follow motions that agree, but not at different times.
TEST(DrivenCrossing, evaluates_each_node_with_the_inputs_of_its_time) {
  expect_crossed(true, MotionOf::precise());
  expect_crossed(true, fixed_steps_of(0.01));
}

}  // namespace
}  // namespace trammel::driven_crossing_test
