// Changes of the rank of the constraints are reported with their time, and nothing else is.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/support/motion_of.hpp"
#include "trammel/model/build/builder.hpp"

namespace trammel::rank_change_test {

namespace {

// Time at which the crank of F2 has turned by an angle: theta'' = w sin(theta) from the upright, 1
// rad/s; integral of dtheta / theta' by Simpson's rule.
double time_to_turn(double angle) {
  const double w = 9.81 * 7.0 / 6.0;  // (3/2 + 2) g m l over (3 / 3 + 2) m l^2
  const auto slowness = [&](double x) { return 1 / std::sqrt(1 + 2 * w * (1 - std::cos(x))); };
  const int n = 20000;
  const double h = angle / n;
  double sum = slowness(0) + slowness(angle);
  for (int k = 1; k < n; ++k) sum += (k % 2 == 1 ? 4 : 2) * slowness(k * h);
  return sum * h / 3;
}

std::vector<EventRecord> told_of_rank(const RunStatistics& statistics) {
  std::vector<EventRecord> out;
  for (const EventRecord& event_record : statistics.events)
    if (event_record.what.find("singular pose") == 0 || event_record.what.find("rank of") == 0)
      out.push_back(event_record);
  return out;
}

// Model e_09, steering one wheel out of line after 0.5 s, and back after 2.5 s.
struct SteersOutOfLine : MotionOf {
  SteersOutOfLine() : MotionOf(build_model(description())) {
    std::ranges::fill(state.v, 0.0);
    for (const char* corner : {"front_left", "front_right", "rear_left", "rear_right"}) {
      const double times[] = {0, 0.5, 1, 2, 2.5, 3}, angles[] = {0, 0, 0.3, 0.3, 0, 0};
      run_inputs.prescribe(
          model[*model.find_joint(std::string(corner) + "_steer")].v_start,
          std::string(corner) == "front_left" ? Signal::table(times, angles) : Signal::constant(0));
    }
  }
  static Description description() {
    Description description = load_model("@e_09").description();
    for (JointDescription& joint : description.joints)
      if (joint.name.ends_with("_steer")) joint.options.drive = Drive::motion;
    description.inputs.clear();
    return description;
  }
};

}  // namespace

// All links lie flat at a quarter and three quarters of each turn: mobility 3 there, 1 before and
// after.
TEST(RankChange, F2_passes_singular_poses) {
  MotionOf bars("f2");
  ASSERT_TRUE(bars.go(10, {}).ok());
  const std::vector<EventRecord> told = told_of_rank(bars.statistics);
  std::size_t flat = 0;
  for (; time_to_turn((2 * double(flat) + 1) * std::numbers::pi / 2) < 10; ++flat) {
    ASSERT_GT(told.size(), flat);
    // each step has an error of 1e-8, and some hundred of them add up
    EXPECT_NEAR(told[flat].time, time_to_turn((2 * double(flat) + 1) * std::numbers::pi / 2), 1e-5);
    EXPECT_EQ(told[flat].what.find("singular pose, a branch: 2 more degrees of freedom"), 0u)
        << told[flat].what;
    for (const char* row : {"loop joint 'right0'", "loop joint 'right1'"})
      EXPECT_NE(told[flat].what.find(row), std::string::npos) << told[flat].what;
    // moments and forces out of the plane are always dependent and are not reported
    EXPECT_EQ(told[flat].what.find("moment"), std::string::npos) << told[flat].what;
  }
  EXPECT_GE(flat, 5u);
  EXPECT_EQ(told.size(), flat);
}

// A platform at rest: with a wheel out of line it is locked.
TEST(RankChange, E_09_is_locked_by_its_steering) {
  SteersOutOfLine platform;
  const Status status = platform.go(3, {});
  ASSERT_TRUE(status.ok()) << status.message();
  const std::vector<EventRecord> told = told_of_rank(platform.statistics);
  ASSERT_EQ(told.size(), 2u);
  // integration errors sum to some 1e-6: at 0.6 rad/s the wheel is then certainly out of line
  EXPECT_NEAR(told[0].time, 0.5, 1e-5);
  EXPECT_EQ(told[0].lost, 0);  // it stood
  EXPECT_NE(told[0].what.find("locked: 1 degree of freedom is lost"), std::string::npos)
      << told[0].what;
  EXPECT_NEAR(told[1].time, 2.5, 1e-6);
  EXPECT_NE(told[1].what.find("freed: 1 more degree of freedom"), std::string::npos)
      << told[1].what;
}

// The same while it rolls with 1 m/s: all of its kinetic energy is lost, and reported.
TEST(RankChange, energy_lost_at_a_lock_is_reported) {
  SteersOutOfLine platform;
  platform.state.v[4] = 1;
  for (const char* corner : {"front_left", "front_right", "rear_left", "rear_right"})
    platform.state.v[std::size_t(
        platform.model[*platform.model.find_joint(std::string(corner) + "_drive")].v_start)] =
        -1 / 0.15;
  const Status status = platform.go(1.5, {});
  ASSERT_TRUE(status.ok()) << status.message();
  const std::vector<EventRecord> told = told_of_rank(platform.statistics);
  ASSERT_EQ(told.size(), 1u);
  EXPECT_NEAR(told[0].time, 0.5, 1e-5);
  // 88 kg and four turning wheels: 0.045 kg m^2 each, radius 0.15 m
  EXPECT_NEAR(told[0].lost, 0.5 * (88 + 4 * 0.045 / (0.15 * 0.15)), 1e-6);
  EXPECT_NEAR(platform.state.q[5], 0.5, 1e-5);
  // only the leg that steers has moved since
  for (int k = 0; k < 6; ++k) EXPECT_NEAR(platform.state.v[std::size_t(k)], 0, 1e-9);
}

// Nothing is reported if the rank does not change.
TEST(RankChange, is_not_reported_for_other_models) {
  for (const char* name : {"four_bar", "e_05", "s_t01", "f7", "r_ex2"}) {
    MotionOf run(name);
    const Status status = run.go(10, {});
    ASSERT_TRUE(status.ok()) << status.message();
    for (const EventRecord& event_record : told_of_rank(run.statistics))
      ADD_FAILURE() << name << ": " << event_record.time << ": " << event_record.what;
  }
}

// A crank and a rod of equal length whose ends only slide: where the slider reaches the axis of the
// crank, the crank may turn alone. The motion is the same at every size: slides are scaled by the
// size of the mechanism, or the whole motion of one of a millimeter would count as zero.
TEST(RankChange, is_reported_for_slides_of_any_size) {
  const double begin = std::numbers::pi / 3;
  // m s^2 (1 + 4 sin^2 theta) theta'^2 is constant, from 1 rad/s: by Simpson's rule
  const int n = 1000;
  const double h = (std::numbers::pi / 2 - begin) / n;
  const auto slowness = [](double x) { return std::sqrt((1 + 4 * std::pow(std::sin(x), 2)) / 4); };
  double time = slowness(begin) + slowness(std::numbers::pi / 2);
  for (int k = 1; k < n; ++k) time += (k % 2 == 1 ? 4 : 2) * slowness(begin + k * h);
  time *= h / 3;

  for (const double size : {1e-3, 1.0, 1e3}) {
    Description description("slides");
    description.gravity = {0.0, 0.0, 0.0};
    description.frame("axis", "ground", {});
    for (const char* body : {"tip", "slider"}) {
      description.body(body, {.mass = 1.0});
      description.frame(std::string("at ") + body, body, {});
    }
    const double c = size * std::cos(begin), s = size * std::sin(begin);
    JointOptions plane;
    plane.motions = {slide({1.0, 0.0, 0.0}), slide({0.0, 1.0, 0.0})};
    description.joint("plane", JointKind::compound, "ground", "tip", plane);
    description.joint("rail", JointKind::prismatic, "ground", "slider", {.axis = {1.0, 0.0, 0.0}});
    for (const auto& [name, from, to] :
         {std::tuple("crank", "axis", "at tip"), std::tuple("rod", "at tip", "at slider")})
      description.constraints.push_back({.name = name,
                                         .kind = ConstraintDescription::Kind::distance,
                                         .frame = from,
                                         .other_frame = to,
                                         .distance = size});
    description.start_positions = {{"plane", {c, s}}, {"rail", {2 * c}}};
    description.start_velocities = {{"plane", {-s, c}}, {"rail", {-2 * s}}};
    MotionOf motion(build_model(description));
    RunOptions options;
    options.absolute = 1e-10 * size;
    const Status status = motion.go(0.8, options);
    ASSERT_TRUE(status.ok()) << size << ": " << status.message();
    const std::vector<EventRecord> told = told_of_rank(motion.statistics);
    ASSERT_EQ(told.size(), 1u) << size;
    EXPECT_NEAR(told[0].time, time, 1e-6) << size;  // steps wrong by 1e-8 each
    EXPECT_EQ(told[0].what.find("singular pose, a branch: 1 more degree of freedom"), 0u)
        << size << ": " << told[0].what;
  }
}

}  // namespace trammel::rank_change_test
