// One link assembly: its generalized mass and its equation of motion, in the mass frame j* and in
// the module frame j [Gutenkunst 2012, (2.1), (3.8)-(3.19), corrected].
#include "tests/reference/gutenkunst/common.hpp"
#include "tests/support/capability.hpp"
#include "trammel/dynamics/operators.hpp"

namespace trammel::gutenkunst::link_assembly_test {
namespace {

// sums of some ten products of numbers below 10
constexpr double rounding = 1e-12;

// A body with any mass frame: X = T_{j*j} is the pose of j in j*.
class LinkAssembly : public testing::TestWithParam<int> {
 protected:
  // M* = diag(m 1, J*)
  Matrix6 mass_frame_mass() const {
    Matrix6 out = Matrix6::Zero();
    out.topLeftCorner<3, 3>() = mass * Eigen::Matrix3d::Identity();
    out.bottomRightCorner<3, 3>() = eigen(full(J));
    return out;
  }
  // M_j = Ad^T M* Ad
  Matrix6 module_frame_mass() const {
    return adjoint(X).transpose() * mass_frame_mass() * adjoint(X);
  }
  // the center of mass is the origin of j*, so in j it lies at -R^T p; J* rotates with it
  Solid solid() const {
    const Vec3<double> com = -transpose_times(X.R, X.p);
    const SymMat3<double> central = rotate(transpose(X.R), J);
    return {.mass = mass, .com = com, .inertia = central};
  }
  Robot free_body() const {
    Description description("free body");
    description.gravity = {};
    description.body("module", solid());
    description.joint("free", JointKind::free, "ground", "module");
    return Robot(description);
  }

  mutable Random random{GetParam()};
  double mass = random(0.5, 2);
  SymMat3<double> J =
      rotate(exponential_rotation(random.vector(2)), SymMat3<double>{0.3, 0, 0, 0.4, 0, 0.6});
  Pose<double> X = random_pose(random);
  Motion<double> V = random_twist(random), V_dot = random_twist(random);  // of j, in j
};
INSTANTIATE_TEST_SUITE_P(seeds, LinkAssembly, testing::Range(1, 51));

TEST_P(LinkAssembly, its_mass_is_carried_from_the_mass_frame_to_the_module_frame) {
  shows({"G-07", "transmission_form"}, {"G-32", "transmission_form"});
  Robot robot = free_body();
  TransmissionForm form;
  ASSERT_TRUE(transmission_form(robot.model, robot.state, robot.workspace, form).ok());
  const double tolerance = rounding * largest(module_frame_mass());
  EXPECT_LT(largest(form.M - module_frame_mass()), tolerance);

  // the blocks of section 3.4
  const Eigen::Matrix3d R = eigen(X.R), p = hat(eigen(X.p)), turned_p = R.transpose() * p * R;
  EXPECT_LT(largest(form.M.topLeftCorner<3, 3>() - mass * Eigen::Matrix3d::Identity()), tolerance);
  EXPECT_LT(largest(form.M.topRightCorner<3, 3>() - mass * turned_p), tolerance);
  EXPECT_LT(largest(form.M.bottomLeftCorner<3, 3>() + mass * turned_p), tolerance);
  EXPECT_LT(largest(form.M.bottomRightCorner<3, 3>() -
                    R.transpose() * (eigen(full(J)) - mass * p * p) * R),
            tolerance);

  // the parallel-axis theorem, about any axis through the origin of the module
  const Vec3<double> axis = random.direction(), com = -transpose_times(X.R, X.p);
  const double distance2 = dot(com, com) - dot(com, axis) * dot(com, axis);
  const Vec3<double> axis_star = X.R * axis;
  const double about = eigen(axis).dot(form.M.bottomRightCorner<3, 3>() * eigen(axis));
  EXPECT_NEAR(about, dot(axis_star, J * axis_star) + mass * distance2, tolerance);
}

TEST_P(LinkAssembly, a_free_body_obeys_newton_and_euler_in_its_mass_frame) {
  shows({"G-31", "forward_dynamics"});
  X = {};  // the module frame is the mass frame
  X.R = Mat3<double>::identity();
  Robot robot = free_body();
  const Vector6 v = eigen(V);
  const auto order = angular_first(V);
  robot.state.v.assign(order.begin(), order.end());

  // no forces: M* dV/dt = ad^T (M* V)
  const Eigen::VectorXd a = robot.accelerations();
  Vector6 V_dot_free;
  V_dot_free << a.tail<3>(), a.head<3>();
  const Matrix6 M = mass_frame_mass();
  EXPECT_LT((M * V_dot_free - bracket(v).transpose() * (M * v)).norm(), rounding * 10);
  // which is Euler's J dw/dt = -w x J w, and a center of mass in uniform motion
  const Eigen::Matrix3d inertia = eigen(full(J));
  const Eigen::Vector3d w = eigen(V.angular);
  EXPECT_LT((inertia * a.head<3>() + w.cross(inertia * w)).norm(), rounding * 10);
  EXPECT_LT((a.tail<3>() + w.cross(eigen(V.linear))).norm(), rounding * 10);
}

TEST_P(LinkAssembly, the_module_frame_and_the_mass_frame_tell_the_same_motion) {
  shows({"G-34", "inverse_dynamics"});
  Robot robot = free_body();
  const auto v = angular_first(V), a = angular_first(V_dot);
  robot.state.v.assign(v.begin(), v.end());
  const Eigen::VectorXd tau = robot.efforts({.a = a});
  Vector6 F_j;  // the wrench on the free body, (f; moment) at j
  F_j << tau.tail<3>(), tau.head<3>();

  // (3.19) in j; and (3.13) in j*, transformed to j by (3.14)
  const Vector6 V_j = eigen(V), V_star = adjoint(X) * V_j;
  const Vector6 V_dot_star = adjoint(X) * eigen(V_dot);
  const Matrix6 M_j = module_frame_mass(), M_star = mass_frame_mass();
  const Vector6 in_j = M_j * eigen(V_dot) - bracket(V_j).transpose() * (M_j * V_j);
  const Vector6 in_star = M_star * V_dot_star - bracket(V_star).transpose() * (M_star * V_star);
  const double scale = 1 + F_j.norm();
  EXPECT_LT((F_j - in_j).norm(), rounding * scale);
  EXPECT_LT((F_j - adjoint(X).transpose() * in_star).norm(), rounding * scale);
}

}  // namespace
}  // namespace trammel::gutenkunst::link_assembly_test
