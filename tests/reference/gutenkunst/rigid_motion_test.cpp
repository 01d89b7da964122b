// Rigid motions, points and vectors, twists as matrices [Gutenkunst 2012, section 2.3].
#include "tests/reference/gutenkunst/common.hpp"
#include "tests/support/capability.hpp"

namespace trammel::gutenkunst::rigid_motion_test {
namespace {

// all numbers here are below 10 and pass through some ten operations
constexpr double rounding = 1e-13;

class RigidMotion : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(seeds, RigidMotion, testing::Range(1, 51));

TEST_P(RigidMotion, keeps_distances_and_handedness) {
  shows({"G-08", "exponential", "pose"}, {"G-11", "exponential", "pose"});
  Random random(GetParam());
  RandomRobot robot(GetParam());
  Kinematics at(robot.model);
  ASSERT_TRUE(kinematics(robot.model, robot.state, {}, robot.workspace, at).ok());

  // bodies of every kind of joint, the exponential, their products and inverses
  std::vector<Pose<double>> poses = {exponential(random_twist(random)), random_pose(random)};
  for (std::size_t b = 1; b < robot.model.named_bodies().size(); ++b)
    poses.push_back(pose(robot.model, at, {BodyId(int(b))}));
  poses.push_back(inverse(poses.back()) * poses.front());
  for (const Pose<double>& X : poses) {
    const Eigen::Matrix3d R = eigen(X.R);
    EXPECT_LT(largest(R * R.transpose() - Eigen::Matrix3d::Identity()), rounding) << robot;
    EXPECT_NEAR(R.determinant(), 1, rounding) << robot;
    const Vec3<double> a = random.vector(), b = random.vector();
    EXPECT_NEAR(norm(X * a - X * b), norm(a - b), rounding * (1 + norm(X.p))) << robot;
    EXPECT_LT(norm(X.R * cross(a, b) - cross(X.R * a, X.R * b)), rounding) << robot;
    EXPECT_LT(largest(homogeneous(X) * homogeneous(inverse(X)) - Eigen::Matrix4d::Identity()),
              rounding * (1 + norm(X.p)))
        << robot;
  }
}

TEST_P(RigidMotion, the_skew_matrix_of_a_vector_is_its_cross_product) {
  shows({"G-09", "skew", "cross"});
  Random random(GetParam());
  const Vec3<double> a = random.vector(), b = random.vector();
  // (2.2)-(2.4): the same products in the same order, so exactly
  EXPECT_EQ(eigen(skew(a)), hat(eigen(a)));
  EXPECT_EQ(eigen(skew(a)).transpose(), -eigen(skew(a)));
  EXPECT_LT((eigen(skew(a) * b) - eigen(a).cross(eigen(b))).norm(), rounding);
  EXPECT_LT((eigen(cross(a, b)) - eigen(a).cross(eigen(b))).norm(), rounding);
  // R [a] R^T = [R a]
  const Mat3<double> R = random_pose(random).R;
  EXPECT_LT(largest(eigen(R * skew(a) * transpose(R)) - hat(eigen(R * a))), rounding);
}

TEST_P(RigidMotion, moves_points_and_turns_vectors) {
  shows({"G-10", "Pose"});
  Random random(GetParam());
  const Pose<double> X = random_pose(random), Y = random_pose(random);
  const Vec3<double> a = random.vector(), b = random.vector();
  const Eigen::Matrix4d T = homogeneous(X);
  // a point has 1 as its fourth coordinate, a vector 0 (2.5)-(2.10)
  const auto point = [](const Vec3<double>& x) { return Eigen::Vector4d(x.x, x.y, x.z, 1); };
  const auto vector = [](const Vec3<double>& x) { return Eigen::Vector4d(x.x, x.y, x.z, 0); };
  EXPECT_LT((T * point(a) - point(X * a)).norm(), rounding);
  EXPECT_LT((T * vector(a) - vector(X.R * a)).norm(), rounding);
  EXPECT_LT((T * (point(a) - point(b)) - vector(X.R * (a - b))).norm(), rounding);
  EXPECT_LT(largest(T * homogeneous(Y) - homogeneous(X * Y)), rounding);
}

TEST_P(RigidMotion, twists_and_their_matrices_are_one_to_one) {
  shows({"G-12", "logarithm", "exponential", "unskew"});
  Random random(GetParam());
  const Motion<double> xi = random_twist(random);
  const Vector6 x = eigen(xi);
  EXPECT_EQ(eigen(unskew(skew(xi.angular))), eigen(xi.angular));
  EXPECT_EQ(vee(wedge(x)), x);
  EXPECT_EQ(eigen(motion(x)), x);
  EXPECT_EQ(x.head<3>(), eigen(xi.linear));  // linear part first (2.29)
  // the matrix is the velocity field: a point r of the body has velocity v + w x r
  const Vec3<double> r = random.vector();
  const Eigen::Vector4d velocity_ = wedge(x) * Eigen::Vector4d(r.x, r.y, r.z, 1);
  EXPECT_LT((velocity_.head<3>() - eigen(xi.linear + cross(xi.angular, r))).norm(), rounding);
  EXPECT_EQ(velocity_[3], 0);
  // and the logarithm of the exponential, for rotations below pi
  const Motion<double> small{0.5 * xi.angular, xi.linear};
  EXPECT_LT((eigen(logarithm(exponential(small))) - eigen(small)).norm(), 1e-12);  // near pi: /10
}

}  // namespace
}  // namespace trammel::gutenkunst::rigid_motion_test
