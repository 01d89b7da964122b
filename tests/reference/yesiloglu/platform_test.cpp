// E-01 [Yesiloglu 2007], number for number. Nine decimals are printed: half of the last is the
// tolerance, a little more where our own rounding adds.
#include "tests/reference/yesiloglu/platform.hpp"

#include "tests/support/capability.hpp"
#include "tests/support/operator_lemmas.hpp"
#include "trammel/dynamics/energy.hpp"
#include "trammel/dynamics/forward_dynamics.hpp"
#include "trammel/dynamics/inverse_dynamics.hpp"
#include "trammel/dynamics/jacobian.hpp"
#include "trammel/dynamics/reactions.hpp"

namespace trammel::platform_test {
namespace {

constexpr double printed = 6e-10;

Eigen::VectorXd acceleration_of(Platform& platform) {
  std::vector<double> a(platform.tau.size());
  EXPECT_TRUE(
      forward_dynamics(platform.model, platform.state, {.tau = platform.tau}, platform.workspace, a)
          .ok());
  return column(a);
}

TEST(yesiloglu_platform, spatial_vectors_are_stacked_outward_with_the_angular_part_first) {
  shows({"Y-05", "spatial_operators", "velocity"});
  Platform platform;
  const SpatialOperators O = operators_of(platform.model, platform.state, platform.workspace);
  const Eigen::VectorXd V = O.Phi * O.H * column(platform.state.v);
  ASSERT_EQ(V.size(), 6 * 5);
  // base, then arm 1 from base to tip, then arm 2
  const Kinematics at = kinematics_of(platform.model, platform.state, platform.workspace);
  const char* const outward[] = {"base", "upper", "lower", "sleeve", "rod"};
  for (int i = 0; i < 5; ++i) {
    const Motion<double> expected =
        velocity(platform.model, at, trammel::frame_ref(platform.model, outward[i]));
    EXPECT_LT(largest(V.segment<6>(6 * i) - column(expected)), 1e-14) << outward[i];
  }
  // rows of the base are its rates, omega first, as in the state
  expect_near(V.head<6>(), {0.1, -0.2, 0.3, 0.5, -0.4, 0.2}, 1e-15, "base");
  // a revolute axis in the angular rows, a prismatic one in the linear rows (section 3.1)
  expect_near(O.H.block<6, 1>(6, 6), {0, 0, 1, 0, 0, 0}, 1e-15, "shoulder");
  expect_near(O.H.block<6, 1>(24, 9), {0, 0, 0, -1, 0, 0}, 1e-15, "slide");
  // forces likewise: a unit effort on the slide is a force, on the shoulder a moment
  EXPECT_EQ(column(Force<double>{{1, 2, 3}, {4, 5, 6}}), Vector6::LinSpaced(1, 6));
}

TEST(yesiloglu_platform, mass_matrix_is_an_arrow_with_the_published_numbers) {
  shows({"Y-16", "mass_matrix", "inverse_dynamics"});
  Platform platform;
  const Eigen::MatrixXd M = mass_matrix_of(platform.model, platform.state, platform.workspace);
  expect_near(
      M.diagonal(),
      {1.128920374, 8.023428907, 9.080573465, 16.5, 16.5, 16.5, 0.884886861, 0.09, 0.015, 1.0},
      printed, "diagonal");
  expect_near(M.row(0),
              {1.128920374, -0.467777564, -0.172771255, 0, -0.143827662, 0.447203272, -0.100857424,
               -0.065498326, 0.015, 0},
              printed, "row 1");
  expect_near(
      M.row(6),
      {-0.100857424, -0.031198857, 1.607730163, -0.447203272, 1.445686604, 0, 0.884886861, 0, 0, 0},
      printed, "row 7");
  EXPECT_NEAR(M.determinant(), 160.432026275, printed);
  EXPECT_NEAR(M.trace(), 69.722809607, printed);

  // the arms meet at the base only
  EXPECT_EQ(largest(M.block<2, 2>(6, 8)), 0);
  const SpatialOperators O = operators_of(platform.model, platform.state, platform.workspace);
  EXPECT_LT(largest(O.mass_matrix() - M), 1e-13);

  // without gravity the power of the efforts is the rate of 1/2 v^T M v (section 3.4)
  const Model weightless = platform.model.with_gravity({0, 0, 0});
  const std::vector<double> a = {0.3, -0.7, 0.2, 0.9, -0.1, 0.4, -0.8, 0.5, 0.6, -0.3};
  std::vector<double> tau(a.size());
  ASSERT_TRUE(inverse_dynamics(weightless, platform.state, {.a = a}, platform.workspace, tau).ok());
  const Eigen::VectorXd rate = time_derivative([&](double t) {
    const State state = later(weightless, platform.state, a, t);
    const Eigen::VectorXd v = column(state.v);
    return Eigen::VectorXd::Constant(
        1, 0.5 * v.dot(mass_matrix_of(weightless, state, platform.workspace) * v));
  });
  EXPECT_NEAR(rate[0], column(tau).dot(column(platform.state.v)), 1e-10);  // rounding / step
}

TEST(yesiloglu_platform, bias_and_accelerations_are_the_published_ones) {
  shows({"Y-18", "forward_dynamics"}, {"Y-15", "forward_dynamics", "bias"});
  Platform platform;
  const Eigen::MatrixXd M = mass_matrix_of(platform.model, platform.state, platform.workspace);
  std::vector<double> bias_(platform.tau.size());
  ASSERT_TRUE(bias(platform.model, platform.state, {}, platform.workspace, bias_).ok());
  expect_near(column(bias_) - M * platform.turning_share(),
              {4.367909595, -4.148199282, -0.329057993, -0.752371495, -0.475166288, 161.757094073,
               -0.096674849, -2.658905844, 0, -0.169},
              printed, "C");

  const Eigen::VectorXd a = acceleration_of(platform);
  expect_near(a + platform.turning_share(),
              {-1.629481167, -1.230767114, -0.457013962, 0.134654554, -0.249416836, -9.342584666,
               2.316095771, 27.965975902, 201.629481167, 4.303654554},
              printed, "accelerations");
  const Eigen::VectorXd dense = M.llt().solve(column(platform.tau) - column(bias_));
  EXPECT_LT(largest(dense - a), 1e-10);  // condition of M, near 2e3, times rounding of 200
}

TEST(yesiloglu_platform, articulated_inertias_are_the_published_ones_with_the_base_included) {
  shows({"Y-23", "articulated_inertias"}, {"Y-27", "spatial_operators"});
  Platform platform;
  const ArticulatedInertias factors =
      factors_of(platform.model, platform.state, platform.workspace);
  expect_near(Eigen::Vector4d(factors.D[6][0], factors.D[7][0], factors.D[8][0], factors.D[9][0]),
              {0.884886861, 0.09, 0.015, 1.0}, printed, "D of joints 1 to 4");
  const SpatialOperators O = operators_of(platform.model, platform.state, platform.workspace);
  expect_near(O.D.diagonal().tail<4>(), {0.884886861, 0.09, 0.015, 1.0}, printed, "D");

  const Matrix6 P_base = O.P.topLeftCorner<6, 6>();
  expect_near(P_base.diagonal(),
              {1.054757863, 6.712252835, 6.154507976, 15.064217196, 14.118031902, 15.729848847},
              printed, "diagonal of P at the base");
  EXPECT_NEAR(P_base.determinant(), 134298.002655, 6e-7);  // printed with six decimals
  // the joint of the base has all six degrees of freedom: its D is P itself (correction to (3.3))
  EXPECT_LT(largest(O.D.topLeftCorner<6, 6>() - P_base), 1e-14);
}

TEST(yesiloglu_platform, its_operators_obey_the_lemmas_and_factor_the_mass_matrix) {
  shows({"Y-24", "spatial_operators"}, {"Y-25", "spatial_operators"},
        {"Y-26", "mass_matrix_inverse"});
  Platform platform;
  const SpatialOperators O = operators_of(platform.model, platform.state, platform.workspace);
  expect_lemmas(O, "E-01");
  const Eigen::MatrixXd M = mass_matrix_of(platform.model, platform.state, platform.workspace);
  const Eigen::MatrixXd one = identity_like(M), L = one + O.K * O.Phi * O.H;
  // reference: 7e-15, of entries up to 16.5
  EXPECT_LT(largest(L.transpose() * O.D * L - M), 1e-13);
  const Eigen::MatrixXd L_inverse = one - O.K * O.Psi * O.H;
  const Eigen::MatrixXd inverse = L_inverse * O.D.inverse() * L_inverse.transpose();
  EXPECT_LT(largest(M * inverse - one), 1e-12);  // its entries reach 70
  const ArticulatedInertias factors =
      factors_of(platform.model, platform.state, platform.workspace);
  Eigen::MatrixXd swept(10, 10);
  ASSERT_TRUE(mass_matrix_inverse(platform.model, factors, platform.workspace, swept).ok());
  EXPECT_LT(largest(swept - inverse), 1e-12);
}

TEST(yesiloglu_platform, bias_acceleration_has_the_slides_coriolis_term) {
  shows({"Y-12", "spatial_bias"});
  Platform platform;
  const SpatialOperators O = operators_of(platform.model, platform.state, platform.workspace);
  const SpatialBias bias_ = bias_of(platform.model, platform.state, platform.workspace);
  const Kinematics at_ = kinematics_of(platform.model, platform.state, platform.workspace);
  const char* const links[][2] = {
      {"base", "upper"}, {"upper", "lower"}, {"base", "sleeve"}, {"sleeve", "rod"}};
  for (int i = 0; i < 4; ++i) {
    // a = [w' x w; w' x (w' x l) + 2 w' x h d], w' of the parent (section 3.2, corrected)
    const FrameRef inner = frame_ref(platform.model, links[i][0]),
                   outer = frame_ref(platform.model, links[i][1]);
    const Eigen::Vector3d w = column(velocity(platform.model, at_, inner).angular),
                          w_outer = column(velocity(platform.model, at_, outer).angular);
    const Eigen::Vector3d l =
        column(pose(platform.model, at_, outer).p - pose(platform.model, at_, inner).p);
    const Eigen::Vector3d sliding =
        O.H.block<3, 1>(6 * (i + 1) + 3, 6 + i) * platform.state.v[std::size_t(6 + i)];
    Vector6 expected;
    expected << w.cross(w_outer), w.cross(w.cross(l)) + 2 * w.cross(sliding);
    EXPECT_LT(largest(bias_.acceleration.segment<6>(6 * (i + 1)) - expected), 1e-15) << links[i][1];
  }
  const std::vector<double> a = {0.3, -0.7, 0.2, 0.9, -0.1, 0.4, -0.8, 0.5, 0.6, -0.3};
  const Eigen::VectorXd by_differences = time_derivative([&](double t) {
    const State there = later(platform.model, platform.state, a, t);
    return stacked_velocity(platform.model,
                            kinematics_of(platform.model, there, platform.workspace));
  });
  const Eigen::VectorXd V_dot = O.Phi * (O.H * column(a) + bias_.acceleration);
  EXPECT_LT(largest(V_dot - by_differences), 1e-11);  // rounding / step
}

TEST(yesiloglu_platform, tips_are_where_published_and_move_as_the_operators_give) {
  shows({"Y-10", "spatial_operators"}, {"Y-11", "place_operator"});
  Platform platform;
  const SpatialOperators O = operators_of(platform.model, platform.state, platform.workspace);
  const Kinematics at_ = kinematics_of(platform.model, platform.state, platform.workspace);
  const FrameRef tips[] = {frame_ref(platform.model, "tip 1"), frame_ref(platform.model, "tip 2")};
  const std::initializer_list<double> positions[] = {{1.313022902, 0.251497455, 0.191770215},
                                                     {-1.4, 0, 0}};
  const std::initializer_list<double> velocities[] = {
      {0.277312124, -0.773201893, 0.7, 0.175674688, 0.265935826, 0.698374141},
      {0.9, -0.2, 0.3, 0.4, -0.82, -0.08}};
  for (int i = 0; i < 2; ++i) {
    const Vec3<double> p = pose(platform.model, at_, tips[i]).p;
    expect_near(column(p), positions[i], printed, "position");
    const Eigen::MatrixXd J =
        place_operator_of(platform.model, platform.state, tips[i], platform.workspace) * O.Phi *
        O.H;
    expect_near(J * column(platform.state.v), velocities[i], printed, "velocity");
    expect_near(column(velocity(platform.model, at_, tips[i])), velocities[i], printed, "sweep");
    // the columns of the base are the shift from the base to the tip, those of the other arm are
    // zero
    EXPECT_LT(largest(J.leftCols<6>() - twist_shift(column(p))), 1e-14);
    EXPECT_EQ(largest(J.middleCols<2>(i == 0 ? 8 : 6)), 0);
  }
}

TEST(yesiloglu_platform, rate_of_the_jacobian_times_velocity_is_the_published_one) {
  shows({"Y-19", "jacobian_rate"});
  Platform platform;
  const std::initializer_list<double> expected[] = {
      {0.321241325, 0.084118487, -0.021857765, -0.652550125, -0.396877079, -0.080292566},
      {0, 0.24, 0.16, 0.182, -0.032, -0.082}};
  const char* const tips[] = {"tip 1", "tip 2"};
  const Kinematics at_ = kinematics_of(platform.model, platform.state, platform.workspace);
  for (int i = 0; i < 2; ++i) {
    const FrameRef tip = frame_ref(platform.model, tips[i]);
    Motion<double> ours;
    ASSERT_TRUE(
        jacobian_rate(platform.model, platform.state, tip, Axes::world, platform.workspace, ours)
            .ok());
    // our columns for the base turn with it: their rate contains omega x v of the base as well
    Vector6 seeds = column(ours);
    seeds.tail<3>() -= platform.turning_share().segment<3>(3);
    expect_near(seeds, expected[i], printed, tips[i]);
  }
}

TEST(yesiloglu_platform, every_joint_carries_the_published_force) {
  shows({"Y-13", "reactions", "spatial_operators"});
  Platform platform;
  const std::vector<double> a = numbers(acceleration_of(platform));
  std::vector<Force<double>> carried;
  ASSERT_TRUE(
      reactions(platform.model, platform.state, {.a = a}, platform.workspace, carried).ok());
  const Kinematics at_ = kinematics_of(platform.model, platform.state, platform.workspace);

  const SpatialOperators O = operators_of(platform.model, platform.state, platform.workspace);
  const SpatialBias bias_ = bias_of(platform.model, platform.state, platform.workspace);
  Eigen::VectorXd V_dot = O.Phi * (O.H * column(a) + bias_.acceleration);
  for (int i = 0; i < 5; ++i) V_dot[6 * i + 5] += 9.81;  // gravity as an upward acceleration
  const Eigen::VectorXd F = O.Phi.transpose() * (O.M * V_dot + bias_.force);

  const std::initializer_list<double> expected[] = {
      {0, 0, 0, 0, 0, 0},
      {-1.310518833, 3.632301036, 1.0, 2.189145351, 1.966779774, -2.506251422},
      {-0.742443513, 1.863838511, 0.279390208, 2.580653734, 2.13803648, -5.069011549},
      {3.0, -1.279941559, -0.328653707, -3.535690892, 0.527388586, -2.167901918},
      {1.0, -0.132415863, -0.034940271, -4.0, 0.310701315, -1.211581915}};
  const char* const joints[] = {"float", "shoulder", "elbow", "roll", "slide"};
  for (int i = 0; i < 5; ++i) {
    const JointId joint = *platform.model.find_joint(joints[i]);
    const Mat3<double> R_WC = pose(platform.model, at_, {platform.model[joint].child}).R;
    expect_near(column(turned(R_WC, carried[std::size_t(index(joint))])), expected[i], printed,
                joints[i]);
    expect_near(F.segment<6>(6 * i), expected[i], printed, joints[i]);
  }
  // the reaction along the axis of a joint is its effort
  EXPECT_LT(largest(O.H.transpose() * F - column(platform.tau)), 1e-11);
}

TEST(yesiloglu_platform, an_arm_on_a_moving_base_needs_the_same_efforts_alone) {
  shows({"Y-14", "inverse_dynamics"});
  Platform platform;
  const std::vector<double> a = {0.3, -0.7, 0.2, 0.9, -0.1, 0.4, -0.8, 0.5, 0.6, -0.3};
  const Force<double> F_t{{0.2, -0.5, 0.7}, {3, -2, 5}};  // of the tip on its load

  // (2.24): T = M a + C + M_b dV_b/dt + J^T F_t, rows of the arm in the operators of the system
  const SpatialOperators O = operators_of(platform.model, platform.state, platform.workspace);
  const SpatialBias bias_ = bias_of(platform.model, platform.state, platform.workspace);
  const FrameRef tip = frame_ref(platform.model, "tip 1");
  const Eigen::MatrixXd Phi_t =
      place_operator_of(platform.model, platform.state, tip, platform.workspace);
  Eigen::VectorXd lift = Eigen::VectorXd::Zero(30);
  // the bias acceleration of the base contains gravity, (2.29) with its sign corrected
  lift[5] = 9.81;
  const Eigen::VectorXd V_dot = O.Phi * (O.H * column(a) + bias_.acceleration + lift);
  const Eigen::VectorXd T = O.H.transpose() * O.Phi.transpose() *
                            (O.M * V_dot + bias_.force + Phi_t.transpose() * column(F_t));

  // the arm alone on a ground with the motion of the base
  Description description("arm");
  Platform::add_arm_1(description, "ground");
  const Model arm = build_model(description);
  Workspace workspace(arm);
  State state = neutral_state(arm);
  state.q = {platform.state.q[7], platform.state.q[8]};
  state.v = {platform.state.v[6], platform.state.v[7]};
  const std::vector<double> a_arm = {a[6], a[7]};
  const Wrench on_tip[] = {{frame_ref(arm, "tip 1"), -F_t, Axes::world}};
  const Vector6 V_b = column(platform.state.v).head<6>(),
                A_b = (column(a) + platform.turning_share()).head<6>();
  std::vector<double> tau(2);
  ASSERT_TRUE(inverse_dynamics(arm, state,
                               {.a = a_arm,
                                .wrenches = on_tip,
                                .ground = {.velocity = motion(V_b), .acceleration = motion(A_b)}},
                               workspace, tau)
                  .ok());
  EXPECT_NEAR(tau[0], T[6], 1e-13);
  EXPECT_NEAR(tau[1], T[7], 1e-13);
}

TEST(yesiloglu_platform, links_add_up_to_the_published_kinetic_energy) {
  shows({"R-02", "spatial_operators", "energy"});
  Platform platform;
  const SpatialOperators O = operators_of(platform.model, platform.state, platform.workspace);
  const Eigen::VectorXd V = O.Phi * O.H * column(platform.state.v);
  const Kinematics at_ = kinematics_of(platform.model, platform.state, platform.workspace);
  struct Link {
    const char* name;
    double mass, com_x;
    Eigen::Vector3d central;
  };
  const Link links[] = {{"base", 10, 0, {1, 2, 3}},
                        {"upper", 2, 0.25, {.01, .05, .05}},
                        {"lower", 1.5, 0.2, {.01, .03, .03}},
                        {"sleeve", 2, -0.25, {.01, .05, .05}},
                        {"rod", 1, -0.1, {.005, .01, .01}}};
  double sum = 0;
  for (int i = 0; i < 5; ++i) {
    const Matrix6 m = O.M.block<6, 6>(6 * i, 6 * i);
    EXPECT_LT(largest(m - m.transpose()), 1e-16) << links[i].name;
    EXPECT_GT(Eigen::SelfAdjointEigenSolver<Matrix6>(m).eigenvalues()[0], 0) << links[i].name;
    // 1/2 V^T m V = 1/2 m |v_c|^2 + 1/2 omega^T I_c omega
    FrameRef com = frame_ref(platform.model, links[i].name);
    com.X_UA.p = {links[i].com_x, 0, 0};
    const Vector6 V_c = column(velocity(platform.model, at_, com, Axes::body));
    const double plain = 0.5 * links[i].mass * V_c.tail<3>().squaredNorm() +
                         0.5 * V_c.head<3>().dot(links[i].central.cwiseProduct(V_c.head<3>()));
    const Vector6 V_i = V.segment<6>(6 * i);
    EXPECT_NEAR(0.5 * V_i.dot(m * V_i), plain, 1e-14) << links[i].name;
    sum += plain;
  }
  EXPECT_NEAR(sum, 4.155374391, printed);
  Energy energy_;
  ASSERT_TRUE(energy(platform.model, platform.state, platform.workspace, energy_).ok());
  EXPECT_NEAR(energy_.kinetic, 4.155374391, printed);
}

// Twist [omega; v] of a body, by differences of its pose along the velocity of the state.
Vector6 twist_by_differences(Platform& platform, const char* body) {
  const auto X = [&](double t) {
    const State state = later(platform.model, platform.state, {}, t);
    return pose(platform.model, kinematics_of(platform.model, state, platform.workspace),
                frame_ref(platform.model, body));
  };
  const Eigen::VectorXd R_dot = time_derivative([&](double t) {
    const Eigen::Matrix3d R = matrix(X(t).R);
    return Eigen::VectorXd(R.reshaped());
  });
  const Eigen::Matrix3d W = R_dot.reshaped(3, 3) * matrix(X(0).R).transpose();
  Vector6 out;
  out << W(2, 1), W(0, 2), W(1, 0),
      time_derivative([&](double t) { return Eigen::VectorXd(column(X(t).p)); });
  return out;
}
// (2.6): V_k = Phi_{k,k-1} V_{k-1} + H_k times the rate of the joint
Vector6 propagated(Platform& platform, const char* parent, const char* child, const Vector6& H,
                   double rate) {
  const Kinematics at_ = kinematics_of(platform.model, platform.state, platform.workspace);
  const FrameRef inner = frame_ref(platform.model, parent),
                 outer = frame_ref(platform.model, child);
  const Vec3<double> l = pose(platform.model, at_, outer).p - pose(platform.model, at_, inner).p;
  return twist_shift(column(l)) * column(velocity(platform.model, at_, inner)) + rate * H;
}

TEST(yesiloglu_platform, a_revolute_joint_adds_its_rate_about_its_axis) {
  shows({"Y-06", "velocity"});
  Platform platform;
  const double c = std::cos(0.3), s = std::sin(0.3);
  const struct {
    const char *parent, *child;
    Vector6 H;
    double rate;
  } joints[] = {{"base", "upper", (Vector6() << 0, 0, 1, 0, 0, 0).finished(), 0.4},
                {"upper", "lower", (Vector6() << -s, c, 0, 0, 0, 0).finished(), -0.6},
                {"base", "sleeve", (Vector6() << 1, 0, 0, 0, 0, 0).finished(), 0.8}};
  const Kinematics at_ = kinematics_of(platform.model, platform.state, platform.workspace);
  for (const auto& [parent, child, H, rate] : joints) {
    const Vector6 V = column(velocity(platform.model, at_, frame_ref(platform.model, child)));
    EXPECT_LT(largest(V - propagated(platform, parent, child, H, rate)), 1e-15) << child;
    EXPECT_LT(largest(V - twist_by_differences(platform, child)), 1e-11) << child;  // rounding/step
  }
}

TEST(yesiloglu_platform, a_prismatic_joint_adds_its_rate_along_its_axis) {
  shows({"Y-07", "velocity"});
  Platform platform;
  const Kinematics at_ = kinematics_of(platform.model, platform.state, platform.workspace);
  const Vector6 V = column(velocity(platform.model, at_, frame_ref(platform.model, "rod")));
  const Vector6 H = (Vector6() << 0, 0, 0, -1, 0, 0).finished();
  EXPECT_LT(largest(V - propagated(platform, "sleeve", "rod", H, 0.1)), 1e-15);
  EXPECT_LT(largest(V - twist_by_differences(platform, "rod")), 1e-11);  // rounding / step
  // it does not turn: the two differ by the rate of the slide only
  const Vector6 sleeve = column(velocity(platform.model, at_, frame_ref(platform.model, "sleeve")));
  EXPECT_EQ(largest(V.head<3>() - sleeve.head<3>()), 0);
}

TEST(yesiloglu_platform, a_free_body_with_its_mass_off_center_obeys_euler) {
  shows({"Y-15", "forward_dynamics"});
  Description description("platform");
  description.gravity = {0.0, 0.0, -9.81};
  const Eigen::Vector3d c(0.2, -0.1, 0.3), principal(1, 2, 3);
  description.body("base",
                   {.mass = 10.0, .com = {0.2, -0.1, 0.3}, .inertia = Platform::diagonal(1, 2, 3)});
  description.joint("float", JointKind::free, "ground", "base");
  const Model model = build_model(description);
  Workspace workspace(model);
  State state = neutral_state(model);
  state.v = {0.7, -1.1, 0.4, 0.5, -0.2, 0.9};
  const Vector6 wrench = (Vector6() << 3, -2, 5, 7, -4, 6).finished();  // at the origin
  std::vector<double> a(6);
  ASSERT_TRUE(forward_dynamics(model, state, {.tau = numbers(wrench)}, workspace, a).ok());

  // Euler about the center of mass, Newton for it; the axes of the base are those of the world here
  const Eigen::Vector3d w = column(state.v).head<3>(), f = wrench.tail<3>(),
                        w_dot = column(a).head<3>(), v = column(state.v).tail<3>();
  const Eigen::Vector3d moment = wrench.head<3>() - c.cross(f);
  EXPECT_LT(largest(principal.cwiseProduct(w_dot) + w.cross(principal.cwiseProduct(w)) - moment),
            1e-13);
  const Eigen::Vector3d origin = column(a).tail<3>() + w.cross(v);  // its classical acceleration
  const Eigen::Vector3d center = origin + w_dot.cross(c) + w.cross(w.cross(c));
  EXPECT_LT(largest(center - f / 10 - Eigen::Vector3d(0, 0, -9.81)), 1e-13);
}

}  // namespace
}  // namespace trammel::platform_test
