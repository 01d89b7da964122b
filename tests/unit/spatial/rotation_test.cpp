// Rotations and rigid motions: all representations agree, and exponential and logarithm are
// inverse.
#include "trammel/spatial/rotation.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "tests/support/random_robot.hpp"

namespace trammel::rotation_test {
namespace {

double distance(const Mat3<double>& A, const Mat3<double>& B) {
  return norm(A.x - B.x) + norm(A.y - B.y) + norm(A.z - B.z);
}

TEST(Rotation, quaternion_and_matrix_of_a_rotation_vector_agree) {
  Random random(1);
  for (int i = 0; i < 1000; ++i) {
    const Vec3<double> r = random.vector(i % 2 == 0 ? 4 : 1e-4);
    EXPECT_LT(distance(rotation(exponential(r)), exponential_rotation(r)), 1e-14);
  }
}

TEST(Rotation, logarithm_undoes_the_exponential_up_to_half_a_turn) {
  Random random(2);
  for (const double angle :
       {0.0, 1e-12, 1e-7, 1e-3, 0.249, 0.251, 1.0, 3.0, std::numbers::pi - 1e-9})
    for (int i = 0; i < 50; ++i) {
      const Vec3<double> r = angle * random.direction();
      EXPECT_LT(norm(logarithm(exponential(r)) - r), 1e-14 + 1e-15 * angle) << angle;
    }
}

TEST(Rotation, quaternion_of_a_matrix_is_right_in_every_quarter) {
  Random random(3);
  for (int i = 0; i < 1000; ++i) {
    const Mat3<double> R = exponential_rotation(random.vector(4));
    EXPECT_LT(distance(rotation(quaternion(R)), R), 1e-14);
    EXPECT_GE(quaternion(R).w, 0);
  }
}

TEST(Rotation, roll_pitch_yaw_say_the_rotation_again_also_nose_up_and_down) {
  Random random(4);
  const double right_angle = std::numbers::pi / 2;
  for (int i = 0; i < 1000; ++i) {
    const double pitch = i % 4 == 0 ? right_angle : i % 4 == 1 ? -right_angle : random(-1.5, 1.5);
    const Mat3<double> R =
        rotation_rpy(sin_cos(random(-3, 3)), sin_cos(pitch), sin_cos(random(-3, 3)));
    const Vec3<double> description = roll_pitch_yaw(R);
    EXPECT_LT(distance(rotation_rpy(sin_cos(description.x), sin_cos(description.y),
                                    sin_cos(description.z)),
                       R),
              1e-13)
        << pitch;
  }
}

TEST(Rotation, turns_about_the_coordinate_axes_are_turns_about_any_axis) {
  const auto t = sin_cos(0.7);
  EXPECT_LT(distance(turn_about(Vec3<double>{1, 0, 0}, t), turn_about_x(t)), 1e-16);
  EXPECT_LT(distance(turn_about(Vec3<double>{0, 1, 0}, t), turn_about_y(t)), 1e-16);
  EXPECT_LT(distance(turn_about(Vec3<double>{0, 0, 1}, t), turn_about_z(t)), 1e-16);
  EXPECT_LT(distance(turn_about(Vec3<double>{0.6, 0, 0.8}, t),
                     exponential_rotation(Vec3<double>{0.7 * 0.6, 0, 0.7 * 0.8})),
            1e-15);
}

TEST(Motion, logarithm_undoes_the_exponential_of_a_twist) {
  Random random(5);
  for (int i = 0; i < 500; ++i) {
    const Motion<double> xi{random.vector(i % 3 == 0 ? 1e-5 : 1.7), random.vector(2)};
    const Motion<double> back = logarithm(exponential(xi));
    EXPECT_LT(norm(back.angular - xi.angular) + norm(back.linear - xi.linear), 1e-13);
  }
}

TEST(Motion, power_is_frame_invariant) {
  Random random(6);
  const Pose<double> X{exponential_rotation(random.vector()), random.vector()};
  const Motion<double> V{random.vector(), random.vector()};
  const Force<double> F{random.vector(), random.vector()};
  EXPECT_NEAR(dot(V, to_parent(X, F)), dot(to_child(X, V), F), 1e-15 * 10);
  EXPECT_NEAR(dot(to_parent(X, V), F), dot(V, to_child(X, F)), 1e-15 * 10);
}

TEST(Inertia, moves_with_its_frame_so_that_kinetic_energy_stays) {
  Random random(7);
  const auto I =
      inertia_about_com<double>(1.3, random.vector(), {0.3, 0.01, 0.02, 0.4, -0.03, 0.5});
  const Pose<double> X{exponential_rotation(random.vector()), random.vector()};
  const Motion<double> V_A{random.vector(), random.vector()};
  const Motion<double> V_B = to_child(X, V_A);
  EXPECT_NEAR(dot(V_A, to_parent(X, I) * V_A), dot(V_B, I * V_B), 1e-14 * 10);
  // and so does the same body as an articulated inertia
  const auto I_A = to_parent(PoseView<double, double>(X), articulated<double>(I));
  EXPECT_NEAR(dot(V_A, I_A * V_A), dot(V_B, I * V_B), 1e-14 * 10);
}

}  // namespace
}  // namespace trammel::rotation_test
