// Rotations of placements by quaternion and by axis and angle, and placements around an axis,
// against rotation matrices.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "tests/unit/read/reading.hpp"
#include "trammel/model/description/frames.hpp"
#include "trammel/spatial/rotation.hpp"

namespace trammel::toml_placement_test {
namespace {

using std::numbers::pi;

Pose<double> placed(const std::string& at, const std::string& before = "") {
  const Description given = described(before + "[frame.f]\nbody = 'ground'\nat = " + at + "\n");
  return pose_of(given.frames.at(0).at, evaluate_at_nominal(given));
}

double distance(const Mat3<double>& A, const Mat3<double>& B) {
  return std::sqrt(norm(A.x - B.x) * norm(A.x - B.x) + norm(A.y - B.y) * norm(A.y - B.y) +
                   norm(A.z - B.z) * norm(A.z - B.z));
}

std::string quaternion_text(const Quaternion<double>& q) {
  return fmt::format("{{ quaternion = [{}, {}, {}, {}] }}", q.w, q.x, q.y, q.z);
}

TEST(TomlPlacement, a_quaternion_is_its_rotation_near_an_upright_pitch_too) {
  std::mt19937 random(11);
  std::normal_distribution<double> normal;
  for (int trial = 0; trial < 300; ++trial) {
    Quaternion<double> q = normalized(
        Quaternion<double>{normal(random), normal(random), normal(random), normal(random)});
    if (trial % 3 == 0) {  // pitch within 1e-13 .. 1e-1 of 90 degrees
      const double near = std::pow(10, -1 - trial / 24.0), yaw = normal(random),
                   roll = normal(random);
      const auto turn = [](Vec3<double> r) { return exponential(r); };
      q = normalized(turn({0, 0, yaw}) * turn({0, pi / 2 - near, 0}) * turn({roll, 0, 0}));
    }
    // 2e-15: rounding of three angles and of the entries of the matrix; within 1e-12 of upright
    // yaw is set to 0, which moves the frame by that much
    EXPECT_LT(distance(placed(quaternion_text(q)).R, rotation(q)), 2e-15 + 3e-12 * (trial % 3 == 0))
        << trial;
  }
}

TEST(TomlPlacement, axis_and_angle_are_the_exponential_of_the_rotation_vector) {
  std::mt19937 random(12);
  std::normal_distribution<double> normal;
  for (int trial = 0; trial < 100; ++trial) {
    const Vec3<double> n{normal(random), normal(random), normal(random)};
    const double angle = normal(random);
    const Pose<double> X = placed(fmt::format(
        "{{ axis_angle = {{ axis = [{}, {}, {}], angle = {} }} }}", n.x, n.y, n.z, angle));
    EXPECT_LT(distance(X.R, exponential_rotation((angle / norm(n)) * n)), 4e-15) << trial;
  }
  // a third of a turn about the diagonal exchanges the axes: x to y to z to x
  const Pose<double> X = placed("{ axis_angle = { axis = [1, 1, 1], angle = '120 deg' } }");
  EXPECT_LT(distance(X.R, {{0, 1, 0}, {0, 0, 1}, {1, 0, 0}}), 1e-15);
}

TEST(TomlPlacement, an_angle_about_a_coordinate_axis_may_be_a_formula) {
  const std::string tilt = "[parameters]\ntilt = '15 deg'\n";
  for (const auto& [axis, r] :
       {std::pair("x", Vec3<double>{1, 0, 0}), std::pair("-y", Vec3<double>{0, -1, 0}),
        std::pair("z", Vec3<double>{0, 0, 1})}) {
    const Pose<double> X =
        placed(fmt::format("{{ axis_angle = {{ axis = '{}', angle = '2*tilt' }} }}", axis), tilt);
    EXPECT_LT(distance(X.R, exponential_rotation(pi / 6 * r)), 1e-15) << axis;
  }
}

TEST(TomlPlacement, around_an_axis_both_place_and_rotation_turn) {
  const Pose<double> before = placed("{ xyz = [1, 2, 3], rpy = [0.1, 0.2, 0.3] }");
  for (const auto& [axis, r] :
       {std::pair("'x'", Vec3<double>{1, 0, 0}), std::pair("'y'", Vec3<double>{0, 1, 0}),
        std::pair("'-z'", Vec3<double>{0, 0, -1}),
        std::pair("[1, 2, 2]", (1.0 / 3) * Vec3<double>{1, 2, 2})}) {
    const Pose<double> X = placed(
        fmt::format("{{ xyz = [1, 2, 3], rpy = [0.1, 0.2, 0.3], around = {{ axis = {}, angle = 0.7 "
                    "}} }}",
                    axis));
    const Mat3<double> R = exponential_rotation(0.7 * r);
    EXPECT_LT(distance(X.R, R * before.R), 2e-15) << axis;
    EXPECT_LT(norm(X.p - R * before.p), 2e-15) << axis;
  }
  // about z the angle may be a formula whatever the rotation
  const Pose<double> X = placed(
      "{ xyz = [1, 2, 3], rpy = [0.1, 0.2, 0.3], around = { axis = 'z', angle = '2*tilt' } }",
      "[parameters]\ntilt = 0.35\n");
  const Mat3<double> R = exponential_rotation(Vec3<double>{0, 0, 0.7});
  EXPECT_LT(distance(X.R, R * before.R), 2e-15);
  EXPECT_LT(norm(X.p - R * before.p), 2e-15);
}

}  // namespace
}  // namespace trammel::toml_placement_test
