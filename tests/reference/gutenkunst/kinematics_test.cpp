// Poses of dyads, chains and trees as products of exponentials [Gutenkunst 2012, (3.2)-(3.7)].
#include "tests/reference/gutenkunst/common.hpp"
#include "tests/support/capability.hpp"

namespace trammel::gutenkunst::kinematics_test {
namespace {

// products of up to eight matrices
constexpr double rounding = 1e-13;

// T_ij(q) = T_ij(0) exp(s_j q), with the twist s_j in the frame of the child
Eigen::Matrix4d dyad(const Eigen::Matrix4d& at_zero, const Vector6& twist, double q) {
  return at_zero * Eigen::Matrix4d((wedge(twist) * q).exp());
}
const Vector6 about_x{0, 0, 0, 1, 0, 0};

Eigen::Matrix4d docked(const Module& module) {
  Eigen::Matrix4d T = Eigen::Matrix4d::Identity();
  T.topLeftCorner<3, 3>() =
      Eigen::AngleAxisd(module.turn, Eigen::Vector3d::UnitX()).toRotationMatrix();
  T.topRightCorner<3, 1>() << 0, module.side[0], module.side[1];
  return T;
}

TEST(Dyad, is_its_pose_at_zero_times_the_exponential_of_its_twist) {
  shows({"G-21", "kinematics", "pose"});
  Robot robot(nine_module_tree());
  // the position table of section 4.6; all modules are upright except v7
  for (std::size_t j = 0; j < nine_modules().size(); ++j) {
    const Pose<double> X = robot.pose_of(int(j) + 1);
    EXPECT_NEAR(X.p.x, 0, rounding);
    EXPECT_NEAR(X.p.y, nine_modules()[j].seen_at[0], rounding) << "v" << j + 1;
    EXPECT_NEAR(X.p.z, nine_modules()[j].seen_at[1], rounding) << "v" << j + 1;
    const Mat3<double> upright = Mat3<double>::identity(),
                       lying = exponential_rotation(Vec3<double>{std::acos(-1.0) / 2, 0, 0});
    EXPECT_LT(largest(eigen(X.R) - eigen(j + 1 == 7 ? lying : upright)), rounding);
  }
  // and each relative to its parent, bent
  robot = nine_module_robot();
  for (std::size_t j = 0; j < nine_modules().size(); ++j) {
    const Module& module = nine_modules()[j];
    const Pose<double> X_ij = inverse(robot.pose_of(module.parent)) * robot.pose_of(int(j) + 1);
    EXPECT_LT(largest(homogeneous(X_ij) - dyad(docked(module), about_x, robot.state.q[j])),
              rounding);
  }
}

class Chains : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(seeds, Chains, testing::Range(1, 31));

TEST_P(Chains, the_end_is_at_the_product_of_the_exponentials) {
  shows({"G-22", "kinematics", "pose"});
  // a chain with joint axes through any points: s = (-w x p; w) or (v; 0), in the frame of the
  // child
  Random random(GetParam());
  Description description("chain");
  Eigen::Matrix4d end = Eigen::Matrix4d::Identity();
  std::vector<double> q;
  for (int j = 1; j <= 8; ++j) {
    const Vec3<double> axis = random.direction(), through = random.vector();
    const Pose<double> at_zero = random_pose(random);
    const bool turns = random.below(2) == 0;
    q.push_back(random(-2, 2));

    // the frame of the joint lies on its axis, on the parent as on the child
    const Vec3<double> rpy = random.vector();
    const Mat3<double> R = exponential_rotation(Vec3<double>{0, 0, rpy.z}) *
                           exponential_rotation(Vec3<double>{0, rpy.y, 0}) *
                           exponential_rotation(Vec3<double>{rpy.x, 0, 0});
    const Pose<double> T{R, at_zero.p};
    const std::string name = "b" + std::to_string(j);
    description.body(name, box(1.0, {0.1, 0.2, 0.3}));
    description.joint("j" + std::to_string(j), turns ? JointKind::revolute : JointKind::prismatic,
                      j == 1 ? "ground" : "b" + std::to_string(j - 1), name,
                      {.at = {T * through, rpy}, .child_at = {through}, .axis = axis});

    const Motion<double> s =
        turns ? Motion<double>{axis, -cross(axis, through)} : Motion<double>{{}, axis};
    end = dyad(end * homogeneous(T), eigen(s), q.back());
  }
  Robot robot(description);
  robot.state.q = q;
  EXPECT_LT(largest(homogeneous(robot.pose_of(8)) - end), rounding * (1 + largest(end)));
}

TEST(Tree, every_pose_is_that_of_the_chain_that_leads_to_it) {
  shows({"G-23", "kinematics", "pose"});
  Robot robot = nine_module_robot();
  const Kinematics at = robot.at();
  const int n = int(nine_modules().size());
  int pairs = 0;
  for (int j = 1; j <= n; ++j) {
    // path from j to ground through all bodies between: (3.6), (3.7)
    Eigen::Matrix4d T = Eigen::Matrix4d::Identity();
    for (int i = j; i != 0;) {
      const Module& module = nine_modules()[std::size_t(i - 1)];
      T = dyad(docked(module), about_x, robot.state.q[std::size_t(i - 1)]) * T;
      i = module.parent;
      ++pairs;
      const Pose<double> X_ij =
          inverse(pose(robot.model, at, {BodyId(i)})) * pose(robot.model, at, {BodyId(j)});
      EXPECT_LT(largest(homogeneous(X_ij) - T), rounding) << "v" << i << " to v" << j;
    }
  }
  EXPECT_EQ(pairs, 15);  // the number of ones in the accessibility matrix (3.1)
}

}  // namespace
}  // namespace trammel::gutenkunst::kinematics_test
