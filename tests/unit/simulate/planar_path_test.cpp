// Planar paths: [Saha 1991, section 3.10], and its numbers in S-T01, S-T04 and S-T06.
#include "trammel/simulate/path/planar_path.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "tests/support/capability.hpp"

namespace trammel::planar_path_test {
namespace {

constexpr double pi = std::numbers::pi, ahead = pi / 2;

// Rates and accelerations are the derivatives of their values.
void expect_consistent(const PlanarPath& path, double time, double tolerance) {
  const double h = 1e-4 * path.duration();  // fourth order below: errors of 1e-16 T^4 / h
  const auto slope = [&](auto&& of) {
    return (8 * (of(path.at(time + h)) - of(path.at(time - h))) -
            (of(path.at(time + 2 * h)) - of(path.at(time - 2 * h)))) /
           (12 * h);
  };
  const PlanarMotion now = path.at(time);
  EXPECT_NEAR(slope([](const PlanarMotion& m) { return m.x; }), now.x_rate, tolerance) << time;
  EXPECT_NEAR(slope([](const PlanarMotion& m) { return m.y; }), now.y_rate, tolerance) << time;
  EXPECT_NEAR(slope([](const PlanarMotion& m) { return m.yaw; }), now.yaw_rate, tolerance) << time;
  EXPECT_NEAR(slope([](const PlanarMotion& m) { return m.x_rate; }), now.x_acceleration, tolerance)
      << time;
  EXPECT_NEAR(slope([](const PlanarMotion& m) { return m.y_rate; }), now.y_acceleration, tolerance)
      << time;
  EXPECT_NEAR(slope([](const PlanarMotion& m) { return m.yaw_rate; }), now.yaw_acceleration,
              tolerance)
      << time;
}

TEST(planar_path, circle_with_a_quintic_sweep_begins_and_ends_at_rest) {
  shows({"S-45", "circle_path"});
  const PlanarPath path = circle_path(5, 2 * pi, 60, ahead);
  for (const double time : {0.0, 60.0}) {
    const PlanarMotion end = path.at(time);
    EXPECT_NEAR(end.x, 5, 1e-14);
    EXPECT_NEAR(end.y, 0, 1e-14);
    EXPECT_NEAR(end.yaw, time == 0 ? 0 : 2 * pi, 1e-14);
    for (const double rest : {end.x_rate, end.y_rate, end.yaw_rate, end.x_acceleration,
                              end.y_acceleration, end.yaw_acceleration})
      EXPECT_NEAR(rest, 0, 1e-15);
  }
  // (4.31): 20 pi / T^3, -30 pi / T^4, 12 pi / T^5; S-T01 at 15 s
  const PlanarMotion quarter = path.at(15);
  const double t = 15, T = 60;
  EXPECT_NEAR(
      quarter.yaw,
      20 * pi * std::pow(t / T, 3) - 30 * pi * std::pow(t / T, 4) + 12 * pi * std::pow(t / T, 5),
      1e-14);
  EXPECT_NEAR(quarter.yaw, 0.6504079, 5.1e-8);
  EXPECT_NEAR(quarter.yaw_rate, 0.1104466, 5.1e-8);
  EXPECT_NEAR(quarter.yaw_acceleration, 0.00981748, 5.1e-9);
  EXPECT_NEAR(quarter.x, 3.9791845, 5.1e-8);
  EXPECT_NEAR(quarter.y, 3.0275552, 5.1e-8);
  EXPECT_NEAR(path.at(30).yaw_rate, 0.1963495, 5.1e-8);
  // no side slip: the heading is along the path
  EXPECT_NEAR(in_vehicle_axes(quarter).x_rate, 0, 1e-15);
  for (const double time : {7.0, 22.0, 51.0}) expect_consistent(path, time, 1e-9);
}

TEST(planar_path, two_straights_are_joined_as_computed) {
  shows({"S-46", "two_straights_path"});
  const PlanarPath path = two_straights_path({}, ahead);
  EXPECT_EQ(path.duration(), 60);
  // t1, t2 and the end, implied: (-2.32, 2.65)
  EXPECT_NEAR(path.at(15).y, -1.85, 1e-14);
  EXPECT_NEAR(path.at(45).y, 1.75, 1e-14);
  EXPECT_NEAR(path.at(60).y, 2.65, 1e-14);
  EXPECT_NEAR(path.at(60).x, -2.32, 1e-14);
  const PlanarMotion m = path.at(20);
  EXPECT_NEAR(m.x, 2.2381847, 5.1e-8);
  EXPECT_NEAR(m.x_rate, -0.0580133, 5.1e-8);
  EXPECT_NEAR(m.x_acceleration, -0.0278464, 5.1e-8);
  EXPECT_NEAR(m.y, -1.25, 1e-14);
  EXPECT_NEAR(m.yaw, 0.4503152, 5.1e-8);
  EXPECT_NEAR(m.yaw_rate, 0.1880925, 5.1e-8);
  EXPECT_NEAR(m.yaw_acceleration, 0.0071730, 5.1e-8);
  EXPECT_NEAR(std::hypot(m.x_rate, m.y_rate), 0.1332874, 5.1e-8);
  double most_yaw = 0, most_speed = 0, most_turn = 0;
  for (int k = 0; k <= 6000; ++k) {
    const PlanarMotion now = path.at(0.01 * k);
    most_yaw = std::max(most_yaw, std::abs(now.yaw));
    most_speed = std::max(most_speed, std::hypot(now.x_rate, now.y_rate));
    most_turn = std::max(most_turn, std::abs(now.yaw_rate));
  }
  EXPECT_NEAR(most_yaw, 1.229959, 5.1e-7);
  EXPECT_NEAR(most_speed, 0.358984, 5.1e-7);
  EXPECT_NEAR(most_turn, 0.188834, 1e-6);
  for (const double time : {5.0, 18.0, 33.0, 44.0, 55.0}) expect_consistent(path, time, 1e-9);
  // at rest the heading is that of the motion after, or before, it
  EXPECT_NEAR(path.at(0).yaw, 0, 1e-14);
  EXPECT_NEAR(path.at(60).yaw, 0, 1e-14);
}

TEST(planar_path, straights_are_cycloidal_and_yaw_is_independent) {
  const PlanarPath along_x = straight_path(4, 0, 60, 0.3);
  EXPECT_NEAR(along_x.at(30).x_rate, 2 * 4.0 / 60, 1e-15);
  EXPECT_NEAR(along_x.at(15).x_acceleration, 2 * pi * 4 / 3600, 1e-15);
  EXPECT_EQ(along_x.at(20).yaw, 0.3);
  EXPECT_EQ(along_x.at(60).x, 4);
  const PlanarPath turning =
      two_straights_path({}, ahead).with_yaw(cycloidal_profile(0, pi / 2, 15, 30));
  EXPECT_EQ(turning.at(10).yaw, 0);
  EXPECT_NEAR(turning.at(30).yaw, pi / 4, 1e-15);
  EXPECT_NEAR(turning.at(50).yaw, pi / 2, 1e-15);
  expect_consistent(turning, 27, 1e-9);
}

TEST(planar_path, goes_through_points_smoothly) {
  const std::vector<double> t = {0, 2, 3, 5, 8}, x = {0, 1, 2, 2.5, 3}, y = {0, 0.2, 1, 2, 4},
                            yaw = {0, 0.1, 0.5, 0.4, 1};
  const PlanarPath facing = path_through(t, x, y, yaw, 0), tangent = path_through(t, x, y, {}, 0);
  for (std::size_t k = 0; k < t.size(); ++k) {
    EXPECT_NEAR(facing.at(t[k]).x, x[k], 1e-14);
    EXPECT_NEAR(facing.at(t[k]).y, y[k], 1e-14);
    EXPECT_NEAR(facing.at(t[k]).yaw, yaw[k], 1e-14);
  }
  for (const double inner : {2.0, 3.0, 5.0}) {  // continuous velocities and accelerations
    const PlanarMotion before = facing.at(inner - 1e-9), after = facing.at(inner + 1e-9);
    EXPECT_NEAR(before.x_rate, after.x_rate, 1e-7);
    EXPECT_NEAR(before.y_acceleration, after.y_acceleration, 1e-6);
  }
  for (const double end : {0.0, 8.0}) {
    EXPECT_NEAR(facing.at(end).x_rate, 0, 1e-14);
    EXPECT_NEAR(facing.at(end).y_acceleration, 0, 1e-13);
  }
  for (const double time : {0.7, 2.6, 4.1, 6.5}) {
    expect_consistent(facing, time, 1e-8);
    expect_consistent(tangent, time, 1e-6);
    EXPECT_NEAR(in_vehicle_axes(tangent.at(time)).y_rate, 0, 1e-14);
  }
}

TEST(planar_path, refuses_corners_and_holes) {
  const auto message = [](auto&& make) -> std::string {
    try {
      make();
    } catch (const std::invalid_argument& error) { return error.what(); }
    return "";
  };
  // there and back again: at rest in the middle, then reversed
  const std::vector<double> t = {0, 1, 2}, there = {0, 1, 0}, none = {0, 0, 0};
  const std::string back = message([&] { return path_through(t, there, none, {}, 0); });
  EXPECT_NE(back.find("corner of"), std::string::npos) << back;
  EXPECT_NE(back.find("at t = 1"), std::string::npos) << back;
  EXPECT_EQ(message([&] { return path_through(t, there, none, none, 0); }), "");
  const std::vector<double> still = {0, 1, 1}, late = {1, 2, 3}, two = {0, 1};
  EXPECT_NE(message([&] { return path_through(still, there, none, none, 0); }).find("point 3"),
            std::string::npos);
  EXPECT_NE(message([&] { return path_through(late, there, none, none, 0); }).find("begin at 0"),
            std::string::npos);
  EXPECT_NE(message([&] { return path_through(t, two, none, none, 0); }).find("2 x"),
            std::string::npos);
  const std::vector<double> holes = {0, std::nan(""), 1};
  EXPECT_NE(message([&] { return path_through(t, holes, none, none, 0); }).find("finite"),
            std::string::npos);
}

// Polylines that turn by 45 degrees or more: distance of the path from the corner.
TEST(planar_path, corners_between_points_are_rounded_and_reported) {
  const auto corners = [](const std::vector<double>& times, const std::vector<double>& x,
                          const std::vector<double>& y) { return rounded_corners(times, x, y); };
  const std::vector<RoundedCorner> right = corners({0, 5, 10}, {0, 1, 1}, {0, 0, 1});
  ASSERT_EQ(right.size(), 1u);
  EXPECT_EQ(right[0].time, 5);
  EXPECT_NEAR(right[0].angle, pi / 2, 1e-15);
  // a nonzero distance, much smaller than the lines
  EXPECT_GT(right[0].deviation, 0.01);
  EXPECT_LT(right[0].deviation, 0.5);
  // it is invariant under translation, rotation and reflection, and scales with the size
  const std::vector<RoundedCorner> elsewhere = corners({0, 5, 10}, {3, 3, 1}, {-1, 1, 1});
  EXPECT_NEAR(elsewhere[0].deviation, 2 * right[0].deviation, 1e-12);
  EXPECT_NEAR(elsewhere[0].angle, pi / 2, 1e-15);
  // points close to the corner reduce it
  const std::vector<RoundedCorner> closer =
      corners({0, 4.5, 5, 5.5, 10}, {0, 0.9, 1, 1, 1}, {0, 0, 0, 0.1, 1});
  ASSERT_EQ(closer.size(), 1u);
  EXPECT_LT(closer[0].deviation, 0.3 * right[0].deviation);
  // a straight line, or a turn in small steps, has no corner
  EXPECT_TRUE(corners({0, 1, 2}, {0, 1, 2}, {0, 1, 2}).empty());
  std::vector<double> times, x, y;
  for (int k = 0; k <= 12; ++k) {
    times.push_back(k);
    x.push_back(std::cos(k * pi / 6)), y.push_back(std::sin(k * pi / 6));
  }
  EXPECT_TRUE(corners(times, x, y).empty());
}

// From rest with an acceleration along x, much smaller than the jerk along y: at the start the
// heading is along x. By hand: x = 0.025 t^2, y = t^3 / 6, direction atan2(t / 2, 0.05).
TEST(planar_path, faces_along_its_acceleration_where_it_leaves_rest) {
  const Profile x = [](double t) -> Jet { return {0.025 * t * t, 0.05 * t, 0.05, 0}; };
  const Profile y = [](double t) -> Jet { return {t * t * t / 6, t * t / 2, t, 1}; };
  const PlanarPath path(x, y, 1, 0);
  EXPECT_NEAR(path.at(0).yaw, 0, 1e-15);
  for (const double time : {1e-3, 0.1, 0.5, 1.0})
    EXPECT_NEAR(path.at(time).yaw, std::atan2(time / 2, 0.05), 1e-14) << time;
  // and reversed in time, coming to rest: the heading of arrival
  const Profile x_back = [&](double t) -> Jet {
    const Jet jet = x(1 - t);
    return {jet.value, -jet.rate, jet.acceleration, -jet.jerk};
  };
  const Profile y_back = [&](double t) -> Jet {
    const Jet jet = y(1 - t);
    return {jet.value, -jet.rate, jet.acceleration, -jet.jerk};
  };
  const PlanarPath back(x_back, y_back, 1, 0);
  EXPECT_NEAR(std::remainder(back.at(1).yaw - pi, 2 * pi), 0, 1e-14);
}

// Clockwise as counterclockwise: the heading on a circle is along the motion.
TEST(planar_path, a_circle_faces_where_it_goes_in_both_directions) {
  for (const double angle : {pi, -pi}) {
    const PlanarMotion now = circle_path(2, angle, 10, 0.3).at(4);
    const double goes = std::atan2(now.y_rate, now.x_rate);
    EXPECT_NEAR(std::remainder(now.yaw + 0.3 - goes, 2 * pi), 0, 1e-14) << angle;
  }
}

// On a circle at constant speed the velocities in vehicle axes are constant, for any heading.
TEST(planar_path, a_vehicle_that_goes_steadily_round_feels_no_change) {
  const double rate = 0.7, radius = 3, yaw = 0.4;
  // relative to the position on the circle
  const double c = std::cos(yaw - 0.9), s = std::sin(yaw - 0.9);
  const PlanarMotion now{.x = radius * c,
                         .y = radius * s,
                         .yaw = yaw,
                         .x_rate = -radius * rate * s,
                         .y_rate = radius * rate * c,
                         .yaw_rate = rate,
                         .x_acceleration = -radius * rate * rate * c,
                         .y_acceleration = -radius * rate * rate * s};
  const VehicleMotion seen = in_vehicle_axes(now);
  EXPECT_NEAR(std::hypot(seen.x_rate, seen.y_rate), radius * rate, 1e-14);
  EXPECT_GT(std::min(std::abs(seen.x_rate), std::abs(seen.y_rate)), 1);
  EXPECT_NEAR(seen.x_change, 0, 1e-14);
  EXPECT_NEAR(seen.y_change, 0, 1e-14);
}

// 45 degrees count as a corner, 44 do not.
TEST(planar_path, corners_begin_at_45_degrees) {
  const std::vector<double> times = {0, 1, 2}, x = {0, 1, 2};
  const std::vector<double> right = {0, 0, 1}, less = {0, 0, std::tan(44 * pi / 180)};
  const std::vector<RoundedCorner> found = rounded_corners(times, x, right);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NEAR(found[0].angle, pi / 4, 1e-15);
  EXPECT_TRUE(rounded_corners(times, x, less).empty());
}

}  // namespace
}  // namespace trammel::planar_path_test
