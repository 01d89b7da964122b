// Adjoints and Lie brackets as 6x6 matrices, linear part first [Gutenkunst 2012, (2.34)-(2.40)],
// against to_parent, to_child and cross of Trammel.
#include "tests/reference/gutenkunst/common.hpp"
#include "tests/support/capability.hpp"

namespace trammel::gutenkunst::adjoint_test {
namespace {

// products of a few matrices with entries below 10
constexpr double rounding = 1e-13;

Matrix6 motions_to_parent(const Pose<double>& X) {
  return matrix_of([&](const Vector6& V) { return eigen(to_parent(X, motion(V))); });
}
Matrix6 motions_to_child(const Pose<double>& X) {
  return matrix_of([&](const Vector6& V) { return eigen(to_child(X, motion(V))); });
}
Matrix6 forces_to_parent(const Pose<double>& X) {
  return matrix_of([&](const Vector6& F) { return eigen(to_parent(X, force(F))); });
}
Matrix6 forces_to_child(const Pose<double>& X) {
  return matrix_of([&](const Vector6& F) { return eigen(to_child(X, force(F))); });
}
Matrix6 cross_motions(const Motion<double>& V) {
  return matrix_of([&](const Vector6& U) { return eigen(cross(V, motion(U))); });
}
Matrix6 cross_forces(const Motion<double>& V) {
  return matrix_of([&](const Vector6& F) { return eigen(cross(V, force(F))); });
}

class Adjoint : public testing::TestWithParam<int> {
 protected:
  Random random{GetParam()};
  Pose<double> A = random_pose(random), B = random_pose(random);
  Motion<double> V = random_twist(random), U = random_twist(random);
  Force<double> F = {random.vector(2), random.vector(2)};
};
INSTANTIATE_TEST_SUITE_P(seeds, Adjoint, testing::Range(1, 51));

TEST_P(Adjoint, of_a_product_is_the_product) {
  shows({"G-16", "to_parent", "to_child"});
  EXPECT_LT(largest(motions_to_parent(A) - adjoint(A)), rounding);
  EXPECT_LT(largest(motions_to_child(A) - adjoint(inverse(A))), rounding);
  EXPECT_LT(largest(motions_to_parent(A * B) - motions_to_parent(A) * motions_to_parent(B)),
            rounding);
  EXPECT_LT(largest(motions_to_child(A * B) - motions_to_child(B) * motions_to_child(A)), rounding);
  EXPECT_LT(largest(motions_to_child(A) * motions_to_parent(A) - Matrix6::Identity()), rounding);
  // forces transform with the transposes: Ad^T of T^-1 from child to parent, Ad^T of T back
  EXPECT_LT(largest(forces_to_parent(A) - adjoint(inverse(A)).transpose()), rounding);
  EXPECT_LT(largest(forces_to_child(A) - adjoint(A).transpose()), rounding);
  // and Ad is the conjugation of the matrix of a twist: Ad_T xi = vee(T X T^-1) (2.35)
  const Eigen::Matrix4d T = homogeneous(A);
  EXPECT_LT((eigen(to_parent(A, V)) - vee(T * wedge(eigen(V)) * T.inverse())).norm(), rounding);
}

TEST_P(Adjoint, a_wrench_and_a_twist_make_power) {
  shows({"G-15", "dot"});
  // (f; moment) against (v; w), and against the work of a force at a point of the body
  EXPECT_NEAR(eigen(F).dot(eigen(V)), dot(V, F), rounding);
  const Vec3<double> point = random.vector(), push = random.vector();
  const Force<double> at_point{cross(point, push), push};
  EXPECT_NEAR(dot(V, at_point), dot(push, V.linear + cross(V.angular, point)), rounding);
}

TEST_P(Adjoint, power_is_the_same_in_every_frame) {
  shows({"G-33", "to_child", "dot"});
  // twist, acceleration and wrench from the mass frame j* to the module frame j, with A = T_{j*j}:
  // (3.14) F_j = Ad^T F_j*, (3.15) corrected V_j = Ad of T^-1 V_j*, (3.16)
  const Motion<double> V_j = to_child(A, V), U_j = to_child(A, U);
  const Force<double> F_j = to_child(A, F);
  EXPECT_LT((eigen(V_j) - adjoint(inverse(A)) * eigen(V)).norm(), rounding);
  EXPECT_LT((eigen(F_j) - adjoint(A).transpose() * eigen(F)).norm(), rounding);
  EXPECT_NEAR(dot(V_j, F_j), dot(V, F), rounding);
  EXPECT_NEAR(dot(U_j, F_j), dot(U, F), rounding);
  EXPECT_LT(norm(to_parent(A, F_j).moment - F.moment), rounding);
  // the printed (3.15), V_j = Ad^T V_j*, does not preserve power
  const Vector6 printed = adjoint(A).transpose() * eigen(V);
  EXPECT_GT(std::abs(printed.dot(eigen(F_j)) - dot(V, F)), 1e-6);
  // the acceleration of a frame fixed to the body transforms as its velocity
  const double h = 1e-6;
  const Motion<double> later = V + h * U;
  const Vector6 rate_ = (eigen(to_child(A, later)) - eigen(V_j)) / h;
  EXPECT_LT((rate_ - eigen(U_j)).norm(), 1e-8);  // rounding / h
}

TEST_P(Adjoint, brackets_are_carried_along) {
  shows({"G-17", "cross"});
  const Matrix6 ad_V = cross_motions(V);
  EXPECT_LT(largest(ad_V - bracket(eigen(V))), rounding);
  EXPECT_LT(largest(cross_forces(V) + bracket(eigen(V)).transpose()), rounding);  // -ad^T
  // Ad ad_V = ad_{Ad V} Ad (2.40)
  const Matrix6 Ad = motions_to_parent(A);
  EXPECT_LT(largest(Ad * ad_V - cross_motions(to_parent(A, V)) * Ad), rounding);
  // the bracket of matrices: XY - YX
  const Eigen::Matrix4d X = wedge(eigen(V)), Y = wedge(eigen(U));
  EXPECT_LT((eigen(cross(V, U)) - vee(X * Y - Y * X)).norm(), rounding);
  // and the rate of Ad along exp(V t)
  const double h = 1e-5;
  const Matrix6 rate_ =
      (motions_to_parent(exponential(h * V)) - motions_to_parent(exponential(-h * V))) / (2 * h);
  EXPECT_LT(largest(rate_ - ad_V), 1e-8);  // h^2 of the third derivative
}

}  // namespace
}  // namespace trammel::gutenkunst::adjoint_test
