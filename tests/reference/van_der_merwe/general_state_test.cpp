// MX-1 [van der Merwe 1995]: the Stanford arm with six degrees of freedom in a state in which every
// term of the equations counts; the formulas as printed there are wrong by whole units.
#include <gtest/gtest.h>

#include "tests/reference/posed.hpp"
#include "tests/reference/sdof_arms.hpp"
#include "tests/support/capability.hpp"

namespace trammel::general_state_test {
namespace {

// half a unit of the seventh decimal printed
constexpr double mx1_digits = 5.1e-8;

Posed mx1() { return Posed(stanford6(), mx1_q, mx1_v); }

TEST(StanfordArmMoving, has_the_efforts_of_mx1) {
  shows({"M-29", "inverse_dynamics"}, {"M-32", "inverse_dynamics"});
  Posed arm = mx1();
  const Eigen::VectorXd tau = arm.tau({.a = mx1_a});
  EXPECT_LT(largest_of(tau - numbers({4.1657836, 16.9154769, -15.3572519, -0.7281995, 1.6917318,
                                      0.0056616})),
            mx1_digits);
  EXPECT_LT(largest_of(arm.M() * vector_of(mx1_a) + arm.bias_forces() - tau), 1e-13);
}

TEST(StanfordArmMoving, has_the_bias_and_gravity_forces_of_mx1) {
  shows({"M-43", "bias"});
  Posed arm = mx1();
  const Eigen::VectorXd bias_ = arm.bias_forces();
  EXPECT_LT(largest_of(bias_ - numbers({3.5660278, 19.2510537, -18.0253274, -0.7679027, 2.0657160,
                                        0.0029412})),
            mx1_digits);
  EXPECT_LT(largest_of(bias_ - arm.tau()), 1e-14);
  EXPECT_LT(largest_of(arm.gravity_forces() -
                       numbers({0, 19.8047460, -12.6066400, -0.6167419, 1.8842121, 0})),
            mx1_digits);
}

TEST(StanfordArmMoving, falls_as_mx1_says) {
  shows({"M-47", "forward_dynamics"});
  Posed arm = mx1();
  const Eigen::VectorXd a = arm.a();
  EXPECT_LT(largest_of(a - numbers({-1.5706133, -10.6357129, 5.2565343, -9.1977285, 8.9022792,
                                    7.7285664})),
            mx1_digits);
  // ABA and a Cholesky solve agree up to the condition of M, 3.6e3
  EXPECT_LT(largest_of(a + Eigen::LLT<Eigen::MatrixXd>(arm.M()).solve(arm.bias_forces())), 1e-11);
}

TEST(StanfordArmMoving, has_the_mass_matrix_of_mx1) {
  shows({"M-41", "mass_matrix"}, {"M-42", "mass_matrix"});
  Posed arm = mx1();
  const Eigen::MatrixXd H = arm.M();
  EXPECT_LT(
      largest_of(H.diagonal() - numbers({1.851733, 1.9770858, 3.3, 0.0244854, 0.05477, 0.001})),
      mx1_digits);
  EXPECT_NEAR(H(0, 1), -0.0873259, mx1_digits);
  EXPECT_NEAR(H(0, 2), -0.3930565, mx1_digits);
  EXPECT_NEAR(H(0, 4), -0.0803565, mx1_digits);
  EXPECT_NEAR(H(1, 4), 0.1815693, mx1_digits);
  EXPECT_EQ(Eigen::LLT<Eigen::MatrixXd>(H).info(), Eigen::Success);  // positive definite

  // the recursion of the reference, H_i = J_i^T I_i J_i + H_(i-1), with links in their own frames
  Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(6, 6);
  for (int i = 1; i <= 4; ++i) {
    const Eigen::MatrixXd J = arm.J("link" + std::to_string(i), Axes::body);
    const Solid& s = arm.model.description().bodies[std::size_t(i - 1)].solid;
    const Inertia<double> I = inertia_about_com<double>(
        s.mass.constant(), {s.com.x.constant(), s.com.y.constant(), s.com.z.constant()},
        {s.inertia.xx.constant(), 0, 0, s.inertia.yy.constant(), 0, s.inertia.zz.constant()});
    for (int k = 0; k < 6; ++k) {
      const Motion<double> V{{J(0, k), J(1, k), J(2, k)}, {J(3, k), J(4, k), J(5, k)}};
      sum.col(k) += J.transpose() * six(I * V);
    }
  }
  EXPECT_LT(largest_of(sum - H), 1e-14);
}

TEST(StanfordArmMoving, moves_its_tip_as_mx1_says) {
  shows({"M-38", "jacobian"}, {"M-44", "jacobian_rate"}, {"M-48", "acceleration"});
  Posed arm = mx1();
  EXPECT_LT(largest_of(three(arm.X("tip").p) - numbers({0.9912532, 0.2052440, -0.3828198})),
            mx1_digits);
  const Eigen::VectorXd v = arm.J("tip", Axes::world) * vector_of(mx1_v);
  EXPECT_LT(
      largest_of(v - numbers({2.4781623, 2.0386009, 1.749958, -0.1159379, 0.7544686, -1.6510461})),
      mx1_digits);
  EXPECT_LT(largest_of(v - six(velocity(arm.model, arm.moving(), frame_ref(arm.model, "tip")))),
            1e-14);
  const Eigen::VectorXd bias_ = arm.J_rate("tip", Axes::world);
  EXPECT_LT(largest_of(bias_ - numbers({1.9391544, 5.0468738, -3.3724355, -3.539832, 0.4735517,
                                        -0.6743864})),
            mx1_digits);
  const Kinematics moving = arm.moving({.a = mx1_a});
  EXPECT_LT(largest_of(arm.J("tip", Axes::world) * vector_of(mx1_a) + bias_ -
                       six(acceleration(arm.model, moving, frame_ref(arm.model, "tip")))),
            1e-14);
}

TEST(StanfordArmMoving, has_the_energies_of_mx1) {
  Posed arm = mx1();
  EXPECT_NEAR(arm.energies().kinetic, 2.5206069, mx1_digits);
  EXPECT_NEAR(arm.energies().gravity, 15.0299286, mx1_digits);
}

TEST(StanfordArmMoving, turns_the_axes_of_its_wrist_as_mx1_says) {
  shows({"M-14", "jacobian"});
  Posed arm = mx1();
  const Eigen::VectorXd phi = arm.J("link3", Axes::body).col(3);  // Rx of joint 3
  EXPECT_LT(largest_of(phi - numbers({0.7648422, -0.6442177, 0, 0, 0, 0})), mx1_digits);
}

TEST(StanfordArmMoving, is_the_same_with_its_wrist_split_by_a_massless_link) {
  SdofChain split = stanford_chain();
  split.links.insert(split.links.begin() + 2, {.free = {Sdof::rx}});
  Posed one = mx1(), two(described(split, {0.0, -9.81, 0.0}), mx1_q, mx1_v);
  ASSERT_EQ(two.model.bodies().size(), one.model.bodies().size() + 1);
  // MX-1: to 1e-15 of numbers up to twenty
  EXPECT_LT(largest_of(one.M() - two.M()), 4e-15);
  EXPECT_LT(largest_of(one.tau({.a = mx1_a}) - two.tau({.a = mx1_a})), 2e-14);
}

}  // namespace
}  // namespace trammel::general_state_test
