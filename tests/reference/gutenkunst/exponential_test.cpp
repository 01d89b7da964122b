// Joints as exponentials of twists [Gutenkunst 2012, (2.18)-(2.28), corrected], against the matrix
// exponential by scaling, squaring and Pade approximants.
#include "tests/reference/gutenkunst/common.hpp"
#include "tests/support/capability.hpp"

namespace trammel::gutenkunst::exponential_test {
namespace {

// rotations of up to 4 rad at distances up to 4: the squarings of expm amplify its rounding
constexpr double rounding = 1e-13;

Eigen::Matrix4d expm(const Vector6& xi, double q) { return (wedge(xi) * q).exp(); }
Eigen::Matrix4d expm(const Motion<double>& xi, double q) { return expm(eigen(xi), q); }

// Pose of the body of one joint at q: the frames of the joint coincide with those of the bodies.
Pose<double> across(JointKind kind, const Vec3<double>& axis, double pitch, double q) {
  Description description("one joint");
  description.body("body", box(1.0, {0.1, 0.2, 0.3}));
  description.joint("joint", kind, "ground", "body", {.axis = axis, .pitch = pitch});
  Robot robot(description);
  robot.state.q = {q};
  return robot.pose_of(1);
}

class Exponential : public testing::TestWithParam<int> {
 protected:
  Random random{GetParam()};
  Vec3<double> axis = random.direction();
  double q = random(-4, 4);
};
INSTANTIATE_TEST_SUITE_P(seeds, Exponential, testing::Range(1, 51));

TEST_P(Exponential, a_revolute_joint_is_the_exponential_of_a_turn_about_any_axis) {
  shows({"G-04", "kinematics", "pose"});
  const Pose<double> X = across(JointKind::revolute, axis, 0, q);
  const Eigen::Matrix3d R = eigen(X.R);
  EXPECT_LT(largest(R * R.transpose() - Eigen::Matrix3d::Identity()), rounding);
  EXPECT_LT(largest(homogeneous(X) - expm(Motion<double>{axis, {}}, q)), rounding);
}

TEST_P(Exponential, a_prismatic_joint_moves_by_q) {
  shows({"G-05", "kinematics", "pose"});
  const Pose<double> X = across(JointKind::prismatic, axis, 0, q);
  EXPECT_LT(norm(X.p - q * axis), rounding);
  EXPECT_LT(largest(homogeneous(X) - expm(Motion<double>{{}, axis}, q)), rounding);
}

TEST_P(Exponential, of_a_twist_is_that_of_its_matrix) {
  shows({"G-13", "exponential"});
  // an axis through a point p has the twist (-w x p; w); a slide has (v; 0)
  const Motion<double> revolute{axis, -cross(axis, random.vector())}, prismatic{{}, axis};
  for (const Motion<double>& xi : {revolute, prismatic, random_twist(random)})
    EXPECT_LT(largest(homogeneous(exponential(q * xi)) - expm(xi, q)),
              rounding * std::exp(std::abs(q) * 0.5));  // random twists reach 20
  // slow rotations, for which closed forms cancel
  for (const double slow : {1e-3, 1e-6, 1e-9, 0.0})
    EXPECT_LT(largest(homogeneous(exponential(slow * revolute)) - expm(revolute, slow)), 1e-15);
}

TEST_P(Exponential, has_a_closed_form_for_every_screw) {
  shows({"G-14", "exponential"});
  // exp(X q) = 1 + q X + (1 - cos q) X^2 + (q - sin q) X^3 for |w| = 1 (section 3.1)
  const double pitch = random(-0.5, 0.5);
  const Vec3<double> p = random.vector();
  const Eigen::Matrix4d one = Eigen::Matrix4d::Identity();
  for (const Motion<double>& xi : {Motion<double>{axis, -cross(axis, p)},
                                   Motion<double>{axis, pitch * axis - cross(axis, p)}}) {
    const Eigen::Matrix4d X = wedge(eigen(xi));
    const Eigen::Matrix4d closed =
        one + q * X + (1 - std::cos(q)) * X * X + (q - std::sin(q)) * X * X * X;
    EXPECT_LT(largest(closed - expm(xi, q)), rounding);
    EXPECT_LT(largest(homogeneous(exponential(q * xi)) - closed), rounding);
  }
  const Motion<double> screw{axis, pitch * axis};
  EXPECT_LT(largest(homogeneous(across(JointKind::screw, axis, pitch, q)) - expm(screw, q)),
            rounding);
}

TEST(Rodrigues, the_printed_shortcut_holds_for_pure_turns_only) {
  // (2.28): 1 + X sin q + X^2 (1 - cos q); for a slide by 3 it gives sin 3 = 0.1411
  const auto printed = [](const Vector6& xi, double q) -> Eigen::Matrix4d {
    const Eigen::Matrix4d X = wedge(xi);
    return Eigen::Matrix4d::Identity() + std::sin(q) * X + (1 - std::cos(q)) * X * X;
  };
  const Vector6 turn{0, 0.3, 0, 1, 0, 0}, slide{1, 0, 0, 0, 0, 0}, screw{0.2, 0, 0, 1, 0, 0};
  EXPECT_LT(largest(printed(turn, 3) - homogeneous(exponential(3.0 * motion(turn)))), rounding);
  EXPECT_NEAR(printed(slide, 3)(0, 3), 0.1411, 5e-5);  // section 3.1, four digits
  EXPECT_EQ(exponential(3.0 * motion(slide)).p.x, 3);
  EXPECT_NEAR(exponential(3.0 * motion(screw)).p.x, 0.6, rounding);
  EXPECT_GT(largest(printed(screw, 3) - homogeneous(exponential(3.0 * motion(screw)))), 0.5);
}

}  // namespace
}  // namespace trammel::gutenkunst::exponential_test
