// The single arms of R-EX2 [Rodriguez 1988], number for number: kinematics, filter, smoother,
// forces.
#include "tests/reference/rodriguez/arms.hpp"

#include "tests/support/capability.hpp"
#include "trammel/dynamics/forward_dynamics.hpp"
#include "trammel/dynamics/inverse_dynamics.hpp"
#include "trammel/dynamics/reactions.hpp"

namespace trammel::arms_test {
namespace {

TipToBase counted(GenericArm& arm) { return {arm.model, arm.state, arm.tip, arm.workspace}; }

std::vector<double> free_acceleration(GenericArm& arm) {
  std::vector<double> a(arm.tau.size());
  EXPECT_TRUE(forward_dynamics(arm.model, arm.state, {.tau = arm.tau}, arm.workspace, a).ok());
  return a;
}
const Vector6 some_wrench = (Vector6() << 0.4, -1.1, 0.7, 5, -8, 13).finished();

TEST(rodriguez_arms, velocities_run_from_base_to_tip_and_carry_the_object) {
  shows({"R-14", "velocity"});
  TwoArms two;
  // ten printed decimals
  expect_near(two.arm[0].tip_position(), {-0.2506780458, 0.2062174968, 0.2963255903}, 6e-11, "tip");
  expect_near(two.arm[1].tip_position(), {0.2413309054, 0.1052993579, 0.3434168349}, 6e-11, "tip");
  expect_near(two.C, {-0.0046735702, 0.1557584273, 0.3698712126}, 6e-11, "C");
  expect_near(
      column(two.arm[0].state.v),
      {-0.0255556584, 0.2437602499, -0.0983085380, 0.5333879343, -0.2498738263, -0.7348434658},
      6e-11, "rates of arm 1");
  expect_near(
      column(two.arm[1].state.v),
      {-0.2725105775, -0.0553958144, 0.1505446076, 0.5636990730, -0.0035215441, -1.0217633277},
      6e-11, "rates of arm 2");

  for (int i = 0; i < 2; ++i) {
    GenericArm& arm = two.arm[i];
    const TipToBase doc = counted(arm);
    const Kinematics at = kinematics_of(arm.model, arm.state, arm.workspace);
    EXPECT_LT(largest(doc.V[0] - two.tip_twist[i]), 1e-14);
    EXPECT_LT(largest(column(velocity(arm.model, at, arm.tip)) - doc.V[0]), 1e-14);
    const Eigen::VectorXd swept = stacked_velocity(arm.model, at);
    for (int k = 1; k <= doc.N; ++k)
      EXPECT_LT(largest(swept.segment<6>(6 * (doc.body(k) - 1)) - doc.V[std::size_t(k)]), 1e-14);
    // column k of J is phi^T(k, 0) H^T(k)
    const Eigen::MatrixXd J = arm.tip_jacobian();
    Matrix6 phi_k0 = Matrix6::Identity();
    for (int k = 1; k <= doc.N; ++k) {
      phi_k0 = doc.phi[std::size_t(k)] * phi_k0;
      EXPECT_LT(largest(J.col(doc.N - k) - phi_k0.transpose() * doc.h[std::size_t(k)]), 1e-14);
    }
  }
}

TEST(rodriguez_arms, transition_matrices_shift_wrenches_between_points) {
  shows({"R-08", "to_parent", "to_child", "spatial_operators"});
  GenericArm arm(1);
  const Kinematics at_ = kinematics_of(arm.model, arm.state, arm.workspace);
  std::vector<Vec3<double>> points = {pose(arm.model, at_, arm.tip).p};  // 0, then joints 1 to 6
  for (int k = 1; k <= 6; ++k) points.push_back(at_.X_WB[std::size_t(7 - k)].p);
  // our shift of a force, wrench by wrench
  const auto phi = [&](int k, int j) {
    const Pose<double> X_kj{Mat3<double>::identity(),
                            points[std::size_t(j)] - points[std::size_t(k)]};
    Matrix6 out;
    for (int c = 0; c < 6; ++c) out.col(c) = column(to_parent(X_kj, force(Vector6::Unit(c))));
    return out;
  };
  const SpatialOperators O = operators_of(arm.model, arm.state, arm.workspace);
  for (int k = 0; k <= 6; ++k) {
    EXPECT_EQ(phi(k, k), Matrix6::Identity());
    for (int j = 0; j <= 6; ++j) {
      // [1 [L(k,j)]; 0 1], of lengths below 1.2
      Matrix6 expected = Matrix6::Identity();
      expected.topRightCorner<3, 3>() =
          cross_matrix(column(points[std::size_t(j)] - points[std::size_t(k)]));
      EXPECT_LT(largest(phi(k, j) - expected), 1e-15);
      EXPECT_LT(largest(phi(k, j) * phi(j, k) - Matrix6::Identity()), 1e-15);
      for (int i = 0; i <= 6; ++i) EXPECT_LT(largest(phi(k, i) * phi(i, j) - phi(k, j)), 1e-15);
      if (j > 0 && j <= k) {
        const Matrix6 Phi = O.Phi.block<6, 6>(6 * (6 - j), 6 * (6 - k));
        EXPECT_LT(largest(Phi.transpose() - phi(k, j)), 1e-15);
      }
      // the transpose shifts a twist from k to j: our shift of a motion
      const Pose<double> X_kj{Mat3<double>::identity(),
                              points[std::size_t(j)] - points[std::size_t(k)]};
      EXPECT_LT(largest(phi(k, j).transpose() * some_wrench -
                        column(to_child(X_kj, motion(some_wrench)))),
                1e-14);
    }
  }
}

TEST(rodriguez_arms, filter_has_the_published_joint_inertias_and_innovations) {
  shows({"R-28", "articulated_inertias"});
  TwoArms two;
  const std::initializer_list<double> D[] = {
      {0.0005, 0.0142, 0.009889618, 0.424252568, 1.758514307, 3.342916633},
      {0.0005, 0.0142, 0.008804156, 0.409557496, 1.875033561, 3.142980852}};
  for (int i = 0; i < 2; ++i) {
    GenericArm& arm = two.arm[i];
    const TipToBase doc = counted(arm);
    const FilterAndSmoother filter(doc, doc.from_base_to_tip(arm.tau));
    expect_near(doc.to_base_to_tip(doc.D).reverse(), D[i], 6e-10, "D of the stage");
    expect_near(doc.to_base_to_tip(filter.D).reverse(), D[i], 6e-10, "D of the filter");
    for (std::size_t k = 1; k <= 6; ++k) {
      EXPECT_GT(doc.D[k], 0);
      EXPECT_LT(largest(doc.P[k] - doc.P[k].transpose()), 1e-15 * largest(doc.P[k]));
      EXPECT_LT(largest(doc.P[k] - filter.P[k]), 1e-14 * largest(filter.P[k]));
      EXPECT_LT(largest(doc.G[k] - filter.G[k]), 1e-12 * (1 + largest(filter.G[k])));
    }
    if (i == 0)
      expect_near(doc.to_base_to_tip(filter.epsilon).reverse(),
                  {0.5, -11.452985193, 0.423122322, 0.152860077, -44.597179038, 22.518698464},
                  6e-10, "innovations");
  }
}

TEST(rodriguez_arms, smoother_has_the_published_free_accelerations_and_covariance) {
  shows({"R-29", "forward_dynamics", "operational_space_inertia_inverse"});
  TwoArms two;
  const std::initializer_list<double> joints[] = {
      {6.736242909, -25.573580820, 54.670317598, 24.463704786, -912.857820938, 980.360982267},
      {-6.527655166, -27.994327681, 68.467347239, 110.672276320, -913.240238024, -698.380271351}};
  const std::initializer_list<double> tips[] = {{582.5143519292, -575.2715613858, -1053.715399329,
                                                 140.718511005, -8.2722407828, 89.3814689092},
                                                {341.3842985982, 757.9888047295, 658.4559297985,
                                                 -124.2173775097, -24.3521979828, 99.1055622167}};
  for (int i = 0; i < 2; ++i) {
    GenericArm& arm = two.arm[i];
    const TipToBase doc = counted(arm);
    const FilterAndSmoother smoother(doc, doc.from_base_to_tip(arm.tau));
    // nine printed decimals
    const std::vector<double> a = free_acceleration(arm);
    expect_near(column(a), joints[i], 1e-9, "free joint accelerations");
    expect_near(doc.to_base_to_tip(smoother.acceleration), joints[i], 1e-9, "smoother");
    const Kinematics at = kinematics_of(arm.model, arm.state, arm.workspace, {.a = a});
    expect_near(column(acceleration(arm.model, at, arm.tip)), tips[i], 1e-9, "free tip");
    expect_near(smoother.lambda[0], tips[i], 1e-9, "smoother's tip");

    // Lambda(0) = J M^-1 J^T, by the stage in O(depth)
    const ArticulatedInertias factors = factors_of(arm.model, arm.state, arm.workspace);
    Eigen::MatrixXd Lambda(6, 6);
    ASSERT_TRUE(operational_space_inertia_inverse(arm.model, arm.state, factors, arm.tip,
                                                  Axes::world, arm.workspace, Lambda)
                    .ok());
    const double rounding = 1e-12 * largest(Lambda);
    EXPECT_LT(largest(Lambda - smoother.Lambda[0]), rounding);
    const Eigen::MatrixXd J = arm.tip_jacobian();
    const Eigen::MatrixXd M = mass_matrix_of(arm.model, arm.state, arm.workspace);
    EXPECT_LT(largest(Lambda - J * M.llt().solve(J.transpose())), rounding);
    if (i == 0)
      expect_near(
          Lambda.diagonal(),
          {537.590557878, 231.014914244, 1354.162363533, 2.258228197, 1.238727395, 0.878753520},
          1e-9, "Lambda of arm 1");
    // and the accelerations are M^-1 (T - bias)
    std::vector<double> C(a.size());
    ASSERT_TRUE(bias(arm.model, arm.state, {}, arm.workspace, C).ok());
    EXPECT_LT(largest(M * column(a) - column(arm.tau) + column(C)), 1e-11);
  }
}

TEST(rodriguez_arms, forces_velocities_and_accelerations_balance_on_every_link) {
  shows({"R-07", "reactions", "velocity", "acceleration"}, {"R-04", "inverse_dynamics"});
  TwoArms two;
  GenericArm& arm = two.arm[0];
  const TipToBase doc = counted(arm);
  const std::vector<double> a = {1.2, -0.7, 0.4, 2.1, -1.5, 0.9};
  const Wrench on_tip[] = {{arm.tip, -force(some_wrench), Axes::world}};
  const Inputs inputs{.a = a, .wrenches = on_tip};
  std::vector<Force<double>> carried;
  ASSERT_TRUE(reactions(arm.model, arm.state, inputs, arm.workspace, carried).ok());
  std::vector<double> tau(6);
  ASSERT_TRUE(inverse_dynamics(arm.model, arm.state, inputs, arm.workspace, tau).ok());
  const Kinematics at_ = kinematics_of(arm.model, arm.state, arm.workspace, inputs);

  Vector6 outer = some_wrench;  // x(0), on the object
  for (int k = 1; k <= doc.N; ++k) {
    const std::size_t j = std::size_t(k);
    const FrameRef link = frame_ref(arm.model, "link " + std::to_string(doc.body(k)));
    const Mat3<double> R = pose(arm.model, at_, link).R;
    // x(k): wrench of link k + 1 on link k, about joint k; lambda(k): the rate of V(k)
    const Vector6 x = column(turned(R, carried[std::size_t(doc.body(k) - 1)]));
    const Vector6 lambda = column(acceleration(arm.model, at_, link));
    EXPECT_LT(largest(column(velocity(arm.model, at_, link)) - doc.V[j]), 1e-14);
    EXPECT_LT(largest(x - doc.phi[j] * outer - doc.m[j] * lambda - doc.b[j]), 1e-11);
    EXPECT_NEAR(doc.h[j].dot(x), tau[std::size_t(doc.N - k)], 1e-11);  // T = H x
    outer = x;
  }
}

TEST(rodriguez_arms, acceleration_bias_is_right_in_both_variants) {
  shows({"R-23", "acceleration"});
  for (const bool with_slides : {false, true}) {
    GenericArm arm(1, with_slides);
    arm.state.v = {0.9, -0.6, 1.1, 0.7, -1.3, 0.5};
    const std::vector<double> a = {1.2, -0.7, 0.4, 2.1, -1.5, 0.9};
    const TipToBase doc = counted(arm);
    const std::vector<double> a_doc = doc.from_base_to_tip(a);
    const Kinematics at_ = kinematics_of(arm.model, arm.state, arm.workspace, {.a = a});

    // variant I by its recursion, against differences of the velocities
    const Eigen::VectorXd differences = time_derivative([&](double t) {
      const State there = later(arm.model, arm.state, a, t);
      const Kinematics at_t = kinematics_of(arm.model, there, arm.workspace);
      Eigen::VectorXd out(42);
      out << stacked_velocity(arm.model, at_t), column(velocity(arm.model, at_t, arm.tip));
      return out;
    });
    std::vector<Vector6> lambda(doc.size(), Vector6::Zero()), spatial(lambda);
    for (std::size_t k = 6; k > 0; --k) {
      lambda[k] = doc.phi[k + 1].transpose() * lambda[k + 1] + doc.h[k] * a_doc[k] + doc.eta[k];
      // variant II: eta' = V x H^T rate
      const Vector6 eta = column(cross(motion(doc.V[k]), motion(Vector6(doc.h[k] * doc.rate[k]))));
      spatial[k] = doc.phi[k + 1].transpose() * spatial[k + 1] + doc.h[k] * a_doc[k] + eta;
      const Vector6 by_differences = differences.segment<6>(6 * (doc.body(int(k)) - 1));
      EXPECT_LT(largest(lambda[k] - by_differences), 1e-10);  // rounding / step
      Vector6 plain = spatial[k];
      plain.tail<3>() += doc.V[k].head<3>().cross(doc.V[k].tail<3>());
      EXPECT_LT(largest(plain - lambda[k]), 1e-13);
      const auto i = std::size_t(doc.body(int(k)));
      // Trammel internally uses variant II
      EXPECT_LT(largest(column(turned(at_.X_WB[i].R, at_.A[i])) - spatial[k]), 1e-13);
    }
    lambda[0] = doc.phi[1].transpose() * lambda[1] + doc.eta[0];
    EXPECT_LT(largest(lambda[0] - differences.tail<6>()), 1e-10);
    EXPECT_LT(largest(column(acceleration(arm.model, at_, arm.tip)) - lambda[0]), 1e-13);
  }
}

TEST(rodriguez_arms, efforts_follow_from_a_sweep_with_the_tips_wrench) {
  shows({"R-25", "inverse_dynamics"});
  TwoArms two;
  const std::vector<double> a = {1.2, -0.7, 0.4, 2.1, -1.5, 0.9};
  for (GenericArm& arm : two.arm) {
    const TipToBase doc = counted(arm);
    const std::vector<double> a_doc = doc.from_base_to_tip(a);
    std::vector<Vector6> lambda(doc.size(), Vector6::Zero());
    for (std::size_t k = 6; k > 0; --k)
      lambda[k] = doc.phi[k + 1].transpose() * lambda[k + 1] + doc.h[k] * a_doc[k] + doc.eta[k];
    std::vector<double> T(doc.size());
    Vector6 x = some_wrench;
    for (std::size_t k = 1; k <= 6; ++k) {
      x = doc.phi[k] * x + doc.m[k] * lambda[k] + doc.b[k];
      T[k] = doc.h[k].dot(x);
    }
    const Wrench on_tip[] = {{arm.tip, -force(some_wrench), Axes::world}};
    std::vector<double> tau(6);
    ASSERT_TRUE(
        inverse_dynamics(arm.model, arm.state, {.a = a, .wrenches = on_tip}, arm.workspace, tau)
            .ok());
    EXPECT_LT(largest(doc.to_base_to_tip(T) - column(tau)), 1e-11);  // of moments near 200
  }
}

// All link accelerations, joint forces and joint accelerations as one linear system, without any
// elimination.
Eigen::VectorXd by_maximal_coordinates(const TipToBase& doc, const std::vector<double>& T) {
  const int N = doc.N, forces = 6 * N, joints = 12 * N;
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(13 * N, 13 * N);
  Eigen::VectorXd right(13 * N);
  for (int k = 1; k <= N; ++k) {
    const std::size_t i = std::size_t(k);
    const int row = 6 * (k - 1);
    // m lambda - x(k) + phi x(k-1) = -b
    A.block<6, 6>(row, row) = doc.m[i];
    A.block<6, 6>(row, forces + row) = -Matrix6::Identity();
    if (k > 1) A.block<6, 6>(row, forces + row - 6) = doc.phi[i];
    right.segment<6>(row) = -doc.b[i];
    // lambda(k) - phi^T lambda(k+1) - h a = eta
    A.block<6, 6>(forces + row, row) = Matrix6::Identity();
    if (k < N) A.block<6, 6>(forces + row, row + 6) = -doc.phi[i + 1].transpose();
    A.block<6, 1>(forces + row, joints + k - 1) = -doc.h[i];
    right.segment<6>(forces + row) = doc.eta[i];
    // h^T x = T
    A.block<1, 6>(joints + k - 1, forces + row) = doc.h[i].transpose();
    right[joints + k - 1] = T[i];
  }
  return A.fullPivLu().solve(right).tail(N).reverse();  // base to tip
}

TEST(rodriguez_arms, prismatic_joints_obey_the_equations_of_all_links_at_once) {
  shows({"R-05", "forward_dynamics"});
  GenericArm arm(1, /*with_slides=*/true);
  arm.state.v = {0.9, -0.6, 1.1, 0.7, -1.3, 0.5};
  const TipToBase doc = counted(arm);
  ASSERT_EQ(arm.model.joints()[1].kind, JointKind::prismatic);
  EXPECT_LT(doc.h[5].head<3>().norm() + doc.h[3].head<3>().norm(), 1e-15);  // h = [0; axis]
  const Eigen::VectorXd a = column(free_acceleration(arm));
  const Eigen::VectorXd expected = by_maximal_coordinates(doc, doc.from_base_to_tip(arm.tau));
  // agreement of the reference; the condition of M is near 1e5
  EXPECT_LT(largest(a - expected), 1e-11 * largest(expected));

  // all revolute, the same system gives the printed numbers
  TwoArms two;
  const TipToBase revolute = counted(two.arm[0]);
  expect_near(
      by_maximal_coordinates(revolute, revolute.from_base_to_tip(two.arm[0].tau)),
      {6.736242909, -25.573580820, 54.670317598, 24.463704786, -912.857820938, 980.360982267}, 1e-8,
      "maximal coordinates");
}

}  // namespace
}  // namespace trammel::arms_test
