// The chains of [van der Merwe 1995] before they are closed: the first step of ME-3, one chain of
// ME-4, and the equations of motion of chapter 5 in the general state of MX-1.
#include <gtest/gtest.h>

#include <numbers>

#include "tests/reference/posed.hpp"
#include "tests/reference/sdof_arms.hpp"
#include "tests/support/capability.hpp"
#include "tests/support/plain_mechanics.hpp"
#include "tests/support/random_robot.hpp"

namespace trammel::open_chain_test {
namespace {

// half a unit of the seventh decimal printed
constexpr double digits = 5.1e-8;
// exact in the reference: rounding of sums of size thirty
constexpr double rounding = 2e-14;

Posed me3() { return Posed(planar_chain(), {0, 0, 0, 0}); }
Posed me4() { return Posed(carrying_link(), {std::numbers::pi / 4}); }
Posed mx1() { return Posed(stanford6(), mx1_q, mx1_v); }

// H^-1 J^T: joint accelerations under a unit wrench at the tip, from forward dynamics
Eigen::MatrixXd Omega(Posed& chain, Axes axes) {
  Eigen::MatrixXd out(chain.model.nv(), 6);
  const Eigen::VectorXd at_rest = chain.a();
  for (std::size_t k = 0; k < 6; ++k) {
    std::array<double, 6> unit{};
    unit[(k + 3) % 6] = 1;
    const Wrench wrench{frame_ref(chain.model, "tip"), force_from_linear_first(unit), axes};
    out.col(int(k)) = chain.a({.wrenches = {&wrench, 1}}) - at_rest;
  }
  return out;
}
int rank_of(const Eigen::MatrixXd& matrix) {
  Eigen::FullPivLU<Eigen::MatrixXd> lu(matrix);
  lu.setThreshold(1e-10);  // relative to the largest pivot, section 3.11
  return int(lu.rank());
}

TEST(ClosedChainOpened, has_the_mass_matrices_of_me3_link_after_link) {
  shows({"M-41", "mass_matrix", "mass_matrix_inverse"});
  Eigen::MatrixXd H(4, 4), H3(3, 3), H2(2, 2);
  H << 26.35, 8.35, 5.40, 0.95, 8.35, 5.35, 2.40, 0.95, 5.40, 2.40, 1.90, 0.45, 0.95, 0.95, 0.45,
      0.45;
  H3 << 14.9, 2.9, 1.45, 2.9, 1.9, 0.45, 1.45, 0.45, 0.45;
  H2 << 7.45, 0.45, 0.45, 0.45;
  EXPECT_LT(largest_of(me3().M() - H), rounding);
  EXPECT_LT(largest_of(Posed(planar_chain(3), {0, 0, 0}).M() - H3), rounding);
  EXPECT_LT(largest_of(Posed(planar_chain(2), {0, 0}).M() - H2), rounding);
  EXPECT_NEAR(Posed(planar_chain(1), {0}).M()(0, 0), 3, rounding);

  Eigen::MatrixXd inverse(4, 4);
  // clang-format off
  inverse <<  0.1137255, -0.1137255, -0.2352941,  0.2352941,
             -0.1137255,  0.6415847, -0.2925651, -0.8218044,
             -0.2352941, -0.2925651,  1.7043298, -0.5899603,
              0.2352941, -0.8218044, -0.5899603,  4.0503709;
  // clang-format on
  Posed chain = me3();
  ArticulatedInertias factors(chain.model);
  ASSERT_TRUE(articulated_inertias(chain.model, chain.state, chain.workspace, factors).ok());
  Eigen::MatrixXd M_inverse(4, 4);
  ASSERT_TRUE(mass_matrix_inverse(chain.model, factors, chain.workspace, M_inverse).ok());
  EXPECT_LT(largest_of(M_inverse - inverse), digits);
}

TEST(ClosedChainOpened, has_the_jacobian_and_the_bias_of_me3) {
  shows({"M-38", "jacobian"}, {"M-43", "bias"});
  Posed chain = me3();
  Eigen::MatrixXd J = Eigen::MatrixXd::Zero(6, 4);
  J.row(1) << 1, 1, 1, 1;
  J.row(3) << 3, 1, 1, 0;
  J.row(5) << -2, -2, -1, -1;
  EXPECT_LT(largest_of(chain.J("tip", Axes::world) - J), rounding);
  EXPECT_LT(largest_of(chain.bias_forces() - numbers({-30, -30, -5, -5})), rounding);
}

TEST(ClosedChainOpened, answers_to_a_force_at_its_tip_as_in_me3) {
  shows({"M-46", "operational_space_inertia_inverse", "forward_dynamics"});
  Posed chain = me3();
  const Eigen::MatrixXd omega = Omega(chain, Axes::world);
  Eigen::MatrixXd printed = Eigen::MatrixXd::Zero(4, 6);
  printed.col(1) << 0, -0.5865103, 0.5865103, 2.8739003;
  printed.col(3) << -0.0078431, 0.0078431, 0.7058824, -0.7058824;
  printed.col(5) << 0, 0.0586510, -0.0586510, -2.2873900;
  EXPECT_LT(largest_of(omega - printed), digits);

  const Eigen::MatrixXd Lambda_inverse = chain.Lambda_inverse("tip", Axes::world);
  Eigen::MatrixXd expected = Eigen::MatrixXd::Zero(6, 6);
  expected(1, 1) = 2.8739003;
  expected(1, 5) = expected(5, 1) = -2.2873900;
  expected(3, 3) = 0.6901961;
  expected(5, 5) = 2.2287390;
  EXPECT_LT(largest_of(Lambda_inverse - expected), digits);
  EXPECT_LT(largest_of(Lambda_inverse - chain.J("tip", Axes::world) * omega), 1e-13);
  EXPECT_EQ(rank_of(Lambda_inverse), 3);
}

TEST(ClosedChainOpened, falls_as_in_me3) {
  shows({"M-47", "forward_dynamics"}, {"M-48", "acceleration", "jacobian_rate"});
  Posed chain = me3();
  const Eigen::VectorXd a = chain.a();
  EXPECT_LT(largest_of(a - numbers({0, 10.2639296, -10.2639296, -0.2932551})), digits);
  const Eigen::VectorXd tip = chain.J("tip", Axes::world) * a + chain.J_rate("tip", Axes::world);
  EXPECT_LT(largest_of(tip - numbers({0, -0.2932551, 0, 0, 0, -9.9706745})), digits);
  const std::vector<double> given = list_of(a);
  EXPECT_LT(largest_of(six(acceleration(chain.model, chain.moving({.a = given}),
                                        frame_ref(chain.model, "tip"))) -
                       tip),
            1e-13);
}

TEST(CarryingLink, answers_as_in_me4) {
  shows({"M-27", "inertia_about_com"}, {"M-46", "operational_space_inertia_inverse"},
        {"M-48", "jacobian_rate"});
  Posed link = me4();
  const Inertia<double> I =
      inertia_about_com<double>(1, {0.75, 0, 0}, {0.025, 0, 0, 0.25, 0, 0.25});
  EXPECT_NEAR(I.rotational.xx, 0.025, 1e-16);
  EXPECT_NEAR(I.rotational.yy, 0.8125, 1e-16);
  EXPECT_NEAR(I.rotational.zz, 0.8125, 1e-16);
  EXPECT_NEAR(link.M()(0, 0), 0.8125, 1e-15);
  EXPECT_LT(largest_of(Omega(link, Axes::body).row(0).transpose() -
                       numbers({0, 1.2307692, 0, 0, 0, -1.8461538})),
            digits);
  const Eigen::MatrixXd Lambda_inverse = link.Lambda_inverse("tip", Axes::body);
  EXPECT_NEAR(Lambda_inverse(1, 1), 1.2307692, digits);
  EXPECT_NEAR(Lambda_inverse(1, 5), -1.8461538, digits);
  EXPECT_NEAR(Lambda_inverse(5, 5), 2.7692308, digits);
  EXPECT_EQ(rank_of(Lambda_inverse), 1);
  EXPECT_NEAR(link.bias_forces()[0], -5.3033009, digits);
  EXPECT_NEAR(link.a()[0], 6.5271395, digits);
  EXPECT_LT(largest_of(link.J("tip", Axes::body) * link.a() + link.J_rate("tip", Axes::body) -
                       numbers({0, 6.5271395, 0, 0, 0, -9.7907093})),
            digits);
  // under the torque of the static test the tip would accelerate upward
  const std::vector<double> held = {-31.8198052};
  EXPECT_NEAR(link.a({.tau = held})[0], -32.635698, 1e-6);
}

TEST(SdofOpenChain, obeys_the_equation_of_motion_of_its_joints) {
  shows({"M-39", "inverse_dynamics", "forward_dynamics"});
  Posed arm = mx1();
  // H a + C v + G + J^T f = tau with f the force of the tip on its surroundings
  const Force<double> f{{0.3, -0.2, 0.5}, {4, -3, 2}};
  const Wrench back{frame_ref(arm.model, "tip"), -f, Axes::world};
  const Eigen::VectorXd tau = arm.M() * vector_of(mx1_a) + arm.bias_forces() +
                              arm.J("tip", Axes::world).transpose() * six(f);
  EXPECT_LT(largest_of(arm.tau({.a = mx1_a, .wrenches = {&back, 1}}) - tau), 1e-13);
  // and forward: up to the condition of H, 3.6e3, times forces of size twenty
  const std::vector<double> given = list_of(tau);
  EXPECT_LT(largest_of(arm.a({.tau = given, .wrenches = {&back, 1}}) - vector_of(mx1_a)), 1e-11);
}

TEST(SdofOpenChain, obeys_the_equation_of_motion_of_its_tip) {
  shows({"M-40", "operational_space_inertia"});
  Posed arm = mx1();
  ArticulatedInertias factors(arm.model);
  ASSERT_TRUE(articulated_inertias(arm.model, arm.state, arm.workspace, factors).ok());
  Eigen::MatrixXd Lambda(6, 6);
  const FrameRef tip = frame_ref(arm.model, "tip");
  ASSERT_TRUE(operational_space_inertia(arm.model, arm.state, factors, tip, Axes::world,
                                        arm.workspace, Lambda)
                  .ok());
  const Eigen::MatrixXd J = arm.J("tip", Axes::world), H = arm.M();
  const Eigen::MatrixXd H_inverse = H.inverse();
  const Eigen::MatrixXd Lambda_inverse = J * H_inverse * J.transpose();
  const Eigen::VectorXd values =
      Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(Lambda_inverse).eigenvalues();
  const double condition = values[5] / values[0];
  EXPECT_LT(largest_of(Lambda * Lambda_inverse - Eigen::MatrixXd::Identity(6, 6)),
            1e-14 * condition);

  // Lambda xddot + mu + p = F, with mu + p = Lambda (J H^-1 (C v + G) - Jdot v)
  const Eigen::VectorXd rate = arm.J_rate("tip", Axes::world);
  const Eigen::VectorXd mu_p = Lambda * (J * H_inverse * arm.bias_forces() - rate);
  const Force<double> F{{0.1, 0.2, -0.3}, {1, -2, 3}};
  const Wrench pull{tip, F, Axes::world};
  const Eigen::VectorXd xddot = J * arm.a({.wrenches = {&pull, 1}}) + rate;
  EXPECT_LT(largest_of(Lambda * xddot + mu_p - six(F)), 1e-13 * condition);

  // a tip without full mobility has no Lambda
  Posed five(stanford5(), {0.3, -0.4, 0.9, 0.7, -0.6});
  ArticulatedInertias few(five.model);
  ASSERT_TRUE(articulated_inertias(five.model, five.state, five.workspace, few).ok());
  EXPECT_FALSE(operational_space_inertia(five.model, five.state, few, frame_ref(five.model, "tip"),
                                         Axes::world, five.workspace, Lambda)
                   .ok());
}

TEST(SdofOpenChain, loses_rank_at_its_tip_only_where_its_jacobian_does) {
  shows({"M-46", "operational_space_inertia_inverse"});
  Posed six_dofs = mx1(), five(stanford5(), {0.3, -0.4, 0.9, 0.7, -0.6}),
        straight(stanford6(), {0.3, -0.4, 0.9, 0, 0, 0});  // Rx3 and Rx4 in line
  const int ranks[] = {6, 5, 5};
  int which = 0;
  for (Posed* arm : {&six_dofs, &five, &straight}) {
    EXPECT_EQ(rank_of(arm->J("tip", Axes::world)), ranks[which]);
    EXPECT_EQ(rank_of(arm->Lambda_inverse("tip", Axes::world)), ranks[which++]);
  }
}

// The Jacobian at time t of a steady motion through the state of MX-1.
Eigen::MatrixXd jacobian_at(Posed& arm, double t) {
  for (std::size_t k = 0; k < 6; ++k) arm.state.q[k] = mx1_q[k] + t * mx1_v[k];
  const Eigen::MatrixXd J = arm.J("tip", Axes::world);
  arm.state.q = mx1_q;
  return J;
}

TEST(SdofOpenChain, has_the_rate_of_its_jacobian_without_differences) {
  shows({"M-44", "jacobian_rate"});
  Posed arm = mx1();
  const auto central = [&](double h) -> Eigen::MatrixXd {
    return (jacobian_at(arm, h) - jacobian_at(arm, -h)) / (2 * h);
  };
  // extrapolated twice: the error is h^6 and rounding over h
  const double h = 4e-3;
  const Eigen::MatrixXd one = (4 * central(h / 2) - central(h)) / 3;
  const Eigen::MatrixXd two = (4 * central(h / 4) - central(h / 2)) / 3;
  const Eigen::MatrixXd J_dot = (16 * two - one) / 15;
  EXPECT_LT(largest_of(J_dot * vector_of(mx1_v) - arm.J_rate("tip", Axes::world)), 1e-10);
}

TEST(SdofOpenChain, nears_that_rate_by_backward_differences_as_fast_as_the_step_falls) {
  Posed arm = mx1();
  const Eigen::VectorXd exact = arm.J_rate("tip", Axes::world);
  const auto error = [&](double h) {
    const Eigen::MatrixXd J_dot = (jacobian_at(arm, 0) - jacobian_at(arm, -h)) / h;
    return (J_dot * vector_of(mx1_v) - exact).norm();
  };
  for (const double h : {1e-3, 1e-4, 1e-5}) {
    EXPECT_LT(error(h), 100 * h);  // first order: second derivatives of size a hundred
    EXPECT_NEAR(error(h) / error(h / 2), 2, 50 * h);  // and not second
  }
}

// Lagrange's equations from the description alone: energies by definition, their derivatives by
// differences.
Eigen::VectorXd lagrangian_tau(const Posed& tree, const std::vector<double>& a) {
  const PlainMechanics plain(tree.model);
  const std::vector<double>& v = tree.state.v;
  const int n = tree.model.nv();
  const double h = 1e-4;
  const auto moved = [&](const std::vector<double>& way, double by) {
    std::vector<double> q = tree.state.q;
    for (std::size_t k = 0; k < q.size(); ++k) q[k] += by * way[k];
    return q;
  };
  const Eigen::MatrixXd M_dot =
      (plain.mass_matrix(moved(v, h)) - plain.mass_matrix(moved(v, -h))) / (2 * h);
  Eigen::VectorXd tau = plain.mass_matrix(tree.state.q) * vector_of(a) + M_dot * vector_of(v);
  for (int k = 0; k < n; ++k) {
    std::vector<double> unit(static_cast<std::size_t>(n));
    unit[std::size_t(k)] = 1;
    const auto L = [&](double by) {
      const std::vector<double> q = moved(unit, by);
      return plain.kinetic_energy(q, v) - plain.gravity_energy(q);
    };
    tau[k] -= (L(h) - L(-h)) / (2 * h);
  }
  return tau;
}

TEST(SdofTree, obeys_lagrange) {
  shows({"M-76", "inverse_dynamics", "forward_dynamics"});
  // a trunk, and two Stanford arms on it, the second rotated and without one link
  Description description;
  description.gravity = {0.5, -9.81, 0.3};
  add_sdof_chain(description, {.links = {{.free = {Sdof::rx, Sdof::rz, Sdof::dy},
                                          .solid = solid(3, {0.1, 0.2, 0.0}, 0.2, 0.1, 0.2)}}});
  SdofChain left = stanford_chain({Sdof::rx, Sdof::rz}), right = stanford_chain();
  left.prefix = "left_", right.prefix = "right_";
  left.base = right.base = "link1";
  left.offset = {0.0, 0.4, 0.3};
  right.offset = {0.0, 0.4, -0.3};
  right.links[0].mount = {0.3, -0.5, 2.0};
  right.links.pop_back();
  add_sdof_chain(description, left);
  add_sdof_chain(description, right);

  Random random(4);
  const std::vector<double> q = random.numbers(13), v = random.numbers(13), a = random.numbers(13);
  Posed tree(description, q, v);
  const Eigen::VectorXd tau = lagrangian_tau(tree, a);
  EXPECT_LT(largest_of(tree.tau({.a = a}) - tau), 1e-6);  // h^2 times third derivatives of size ten
  const std::vector<double> given = list_of(tree.tau({.a = a}));
  // the smallest inertia is 1e-3, the largest 10: four digits are lost
  EXPECT_LT(largest_of(tree.a({.tau = given}) - vector_of(a)), 1e-10);
}

}  // namespace
}  // namespace trammel::open_chain_test
