// The spatial operators of [Yesiloglu 2007, chapters 2 and 3] equal the results of the recursions,
// and satisfy their lemmas, on random trees of every joint, half on a fixed base and half floating.
#include "tests/support/how_many.hpp"
#include "trammel/dynamics/operators.hpp"

#include "tests/support/capability.hpp"
#include "tests/support/operator_lemmas.hpp"
#include "tests/support/operator_matrices.hpp"
#include "tests/support/random_robot.hpp"
#include "trammel/dynamics/forward_dynamics.hpp"
#include "trammel/dynamics/inverse_dynamics.hpp"
#include "trammel/dynamics/jacobian.hpp"
#include "trammel/model/build/parameters.hpp"

namespace trammel::spatial_operators_test {
namespace {

struct OperatorRobot : RandomRobot {
  explicit OperatorRobot(int seed_)
      : RandomRobot(seed_, {.bodies = 2 + seed_ % 9,
                            .springs = false,
                            .floating = seed_ % 2 == 0,
                            .only_fixed_base = seed_ % 2 == 1}),
        n(int(model.bodies().size()) - 1),
        O(operators_of(model, state, workspace)) {}

  // parent of a body of the tree; its rows are 6 (i - 1) to 6 i
  int parent(int i) const { return model.bodies()[std::size_t(i)].parent; }
  bool is_inboard(int j, int i) const {
    while (i > j) i = parent(i);
    return i == j;
  }
  Eigen::MatrixXd block(const Eigen::MatrixXd& A, int i, int j) const {
    return A.block(6 * (i - 1), 6 * (j - 1), 6, 6);
  }
  // on a body that can move
  FrameRef random_place() {
    BodyId body{};
    while (model[body].tree_body == 0)
      body = BodyId(random.below(int(model.named_bodies().size())));
    return {body, {exponential_rotation(random.vector(2)), random.vector(0.5)}};
  }

  int n;
  SpatialOperators O;
};

class Operators : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(seeds, Operators, testing::Range(1, 1 + how_many(40)));

TEST_P(Operators, shifts_compose_and_add_up_to_phi) {
  shows({"Y-09", "spatial_operators"}, {"R-08", "spatial_operators"});
  OperatorRobot robot(GetParam());
  const Kinematics at = kinematics_of(robot.model, robot.state, robot.workspace);
  const Eigen::MatrixXd& Phi = robot.O.Phi;
  // rounding of sums of a few lengths
  const double tolerance = 4e-15 * largest(Phi);
  for (int i = 1; i <= robot.n; ++i) {
    EXPECT_LT(largest(robot.block(Phi, i, i) - Matrix6::Identity()), 1e-15) << robot;
    for (int j = 1; j <= robot.n; ++j) {
      if (!robot.is_inboard(j, i)) {
        EXPECT_LT(largest(robot.block(Phi, i, j)), tolerance) << robot;
        continue;
      }
      // it is the shift by the vector between them, and its inverse the shift back
      const Eigen::Vector3d l = column(at.X_WB[std::size_t(i)].p - at.X_WB[std::size_t(j)].p);
      const Eigen::MatrixXd Phi_ij = robot.block(Phi, i, j);
      EXPECT_LT(largest(Phi_ij - twist_shift(l)), tolerance) << robot;
      EXPECT_LT(largest(Phi_ij * twist_shift(-l) - Matrix6::Identity()), tolerance) << robot;
      for (int m = j; m <= i; ++m) {
        if (!robot.is_inboard(j, m) || !robot.is_inboard(m, i)) continue;
        EXPECT_LT(largest(robot.block(Phi, i, m) * robot.block(Phi, m, j) - Phi_ij), tolerance)
            << robot;
      }
    }
  }
}

TEST_P(Operators, stacked_velocities_are_those_of_the_outward_sweep) {
  shows({"Y-10", "spatial_operators", "place_operator"}, {"R-15", "spatial_operators"},
        {"R-14", "kinematics"});
  OperatorRobot robot(GetParam());
  const Eigen::VectorXd V = robot.O.Phi * robot.O.H * column(robot.state.v);
  const Kinematics at = kinematics_of(robot.model, robot.state, robot.workspace);
  const Eigen::VectorXd swept = stacked_velocity(robot.model, at);
  EXPECT_LT(largest(V - swept), 1e-13 * (1 + largest(swept))) << robot;

  // moving ground: V = Phi (H v + Phi_b V_b), Phi_b from ground to the bodies attached to it
  const Vector6 V_b = Vector6::NullaryExpr([&] { return robot.random(); });
  Eigen::MatrixXd Phi_b = Eigen::MatrixXd::Zero(6 * robot.n, 6);
  for (int i = 1; i <= robot.n; ++i)
    if (robot.parent(i) == 0)
      Phi_b.middleRows<6>(6 * (i - 1)) = twist_shift(column(at.X_WB[std::size_t(i)].p));
  const Kinematics carried = kinematics_of(robot.model, robot.state, robot.workspace,
                                           {.ground = {.velocity = motion(V_b)}});
  const Eigen::VectorXd moved = stacked_velocity(robot.model, carried);
  EXPECT_LT(largest(V + robot.O.Phi * Phi_b * V_b - moved), 1e-13 * (1 + largest(moved))) << robot;

  // and the tip: V_t = Phi_t V
  const FrameRef tip = robot.random_place();
  const Eigen::MatrixXd Phi_t = place_operator_of(robot.model, robot.state, tip, robot.workspace);
  EXPECT_LT(largest(Phi_t * V - column(velocity(robot.model, at, tip))),
            1e-13 * (1 + largest(swept)))
      << robot;
}

TEST_P(Operators, arm_jacobian_is_the_numeric_one) {
  shows({"Y-11", "place_operator", "jacobian"}, {"R-15", "spatial_operators"});
  OperatorRobot robot(GetParam());
  const FrameRef tip = robot.random_place();
  const Eigen::MatrixXd J =
      place_operator_of(robot.model, robot.state, tip, robot.workspace) * robot.O.Phi * robot.O.H;
  const Kinematics at = kinematics_of(robot.model, robot.state, robot.workspace);
  Eigen::MatrixXd swept(6, robot.model.nv());
  ASSERT_TRUE(jacobian(robot.model, at, tip, Axes::world, swept).ok());
  EXPECT_LT(largest(J - swept), 1e-13 * (1 + largest(J))) << robot;

  for (int k = 0; k < robot.model.nv(); ++k) {
    State moving = robot.state;
    std::fill(moving.v.begin(), moving.v.end(), 0.0);
    moving.v[std::size_t(k)] = 1;
    const auto X = [&](double t) {
      const State there = later(robot.model, moving, {}, t);
      return pose(robot.model, kinematics_of(robot.model, there, robot.workspace), tip);
    };
    const Eigen::VectorXd R_dot = time_derivative([&](double t) {
      const Eigen::Matrix3d R = matrix(X(t).R);
      return Eigen::VectorXd(R.reshaped());
    });
    const Eigen::Matrix3d W = R_dot.reshaped(3, 3) * matrix(X(0).R).transpose();
    Vector6 column_k;
    column_k << W(2, 1), W(0, 2), W(1, 0),
        time_derivative([&](double t) { return Eigen::VectorXd(column(X(t).p)); });
    // rounding divided by the step
    EXPECT_LT(largest(column_k - J.col(k)), 1e-10 * (1 + largest(J))) << robot << ", " << k;
  }
}

TEST_P(Operators, articulated_inertias_obey_the_recursion_from_the_tips) {
  shows({"Y-23", "articulated_inertias"}, {"R-28", "articulated_inertias"});
  OperatorRobot robot(GetParam());
  const SpatialOperators& O = robot.O;
  const ArticulatedInertias factors = factors_of(robot.model, robot.state, robot.workspace);
  const Kinematics at = kinematics_of(robot.model, robot.state, robot.workspace);

  // (3.1)-(3.3), joint by joint in world axes
  Eigen::MatrixXd P = O.M;
  for (int i = robot.n; i > 0; --i) {
    const Body& body = robot.model.bodies()[std::size_t(i)];
    const int nv = factors.dofs[std::size_t(i)], start = body.v_start;
    const Matrix6 P_i = robot.block(P, i, i);
    const Eigen::MatrixXd H_i = O.H.block(6 * (i - 1), start, 6, nv);
    const Eigen::MatrixXd D_i = H_i.transpose() * P_i * H_i;
    const Eigen::MatrixXd G_i = P_i * H_i * D_i.inverse();
    const double scale = largest(P_i);
    EXPECT_LT(largest(P_i - robot.block(O.P, i, i)), 1e-12 * scale) << robot << ", body " << i;
    for (int k = 0; k < nv; ++k) {
      // D and gains of the stage; the inverse of D multiplies rounding by its condition
      const auto dof = std::size_t(start + k);
      for (int l = 0; l < nv; ++l)
        EXPECT_NEAR(factors.D[dof][std::size_t(l)], D_i(k, l), 1e-12 * scale) << robot;
      const Vector6 W = column(turned(at.X_WB[std::size_t(i)].R, factors.W[dof]));
      EXPECT_LT(largest(W - G_i.col(k)), 1e-11 * scale * largest(D_i.inverse())) << robot;
    }
    if (body.parent == 0) continue;
    const Matrix6 Psi_i =
        (Matrix6::Identity() - H_i * G_i.transpose()) *
        twist_shift(column(at.X_WB[std::size_t(i)].p - at.X_WB[std::size_t(body.parent)].p));
    P.block<6, 6>(6 * (body.parent - 1), 6 * (body.parent - 1)) += Psi_i.transpose() * P_i * Psi_i;
  }
}

TEST_P(Operators, obey_the_six_lemmas) {
  shows({"Y-24", "spatial_operators"});
  const OperatorRobot robot(GetParam());
  expect_lemmas(robot.O, "seed " + std::to_string(robot.seed));
}

TEST_P(Operators, factors_multiply_to_the_mass_matrix) {
  shows({"Y-25", "mass_matrix_factors"}, {"Y-27", "mass_matrix_factors"});
  OperatorRobot robot(GetParam());
  const SpatialOperators& O = robot.O;
  const Eigen::MatrixXd M = mass_matrix_of(robot.model, robot.state, robot.workspace);
  const int nv = robot.model.nv();
  const Eigen::MatrixXd L = identity_like(M) + O.K * O.Phi * O.H;
  const double scale = largest(M) * (1 + largest(L) * largest(L));
  EXPECT_LT(largest(O.mass_matrix() - M), 1e-12 * scale) << robot;
  EXPECT_LT(largest(L.transpose() * O.D * L - M), 1e-12 * scale) << robot;

  // factors of the recursion, unit lower triangular in the order of v
  const ArticulatedInertias factors = factors_of(robot.model, robot.state, robot.workspace);
  Eigen::MatrixXd L_swept(nv, nv), D_swept(nv, nv);
  ASSERT_TRUE(mass_matrix_factors(robot.model, factors, L_swept, D_swept).ok());
  EXPECT_LT(largest(L_swept - L), 1e-11 * (1 + largest(L))) << robot;
  EXPECT_LT(largest(D_swept - O.D), 1e-12 * scale) << robot;
  const Eigen::MatrixXd above = L_swept.triangularView<Eigen::StrictlyUpper>();
  EXPECT_EQ(largest(above), 0) << robot;
  EXPECT_EQ(L_swept.diagonal(), Eigen::VectorXd::Ones(nv)) << robot;
}

TEST_P(Operators, factors_multiply_to_the_inverse) {
  shows({"Y-26", "mass_matrix_inverse"}, {"Y-27", "mass_matrix_inverse"},
        {"R-39", "mass_matrix_inverse_factors"});
  OperatorRobot robot(GetParam());
  const SpatialOperators& O = robot.O;
  const Eigen::MatrixXd M = mass_matrix_of(robot.model, robot.state, robot.workspace);
  const int nv = robot.model.nv();
  const Eigen::MatrixXd L_inverse = identity_like(M) - O.K * O.Psi * O.H;
  const Eigen::MatrixXd inverse = L_inverse * O.D.inverse() * L_inverse.transpose();
  // the condition of M multiplies rounding
  const double scale = largest(M) * largest(inverse) * nv;
  EXPECT_LT(largest(M * inverse - identity_like(M)), 1e-13 * scale) << robot;
  EXPECT_LT(largest(O.mass_matrix_inverse() - inverse), 1e-14 * scale * largest(inverse)) << robot;
  EXPECT_LT(largest(inverse - M.inverse()), 1e-13 * scale * largest(inverse)) << robot;

  // those of the recursion, from the stage
  const ArticulatedInertias factors = factors_of(robot.model, robot.state, robot.workspace);
  Eigen::MatrixXd L_swept(nv, nv), D_swept(nv, nv), swept(nv, nv);
  ASSERT_TRUE(mass_matrix_inverse_factors(robot.model, factors, L_swept, D_swept).ok());
  EXPECT_LT(largest(L_swept - L_inverse), 1e-11 * (1 + largest(L_inverse))) << robot;
  EXPECT_LT(largest(D_swept * O.D - identity_like(M)), 1e-12 * scale) << robot;
  ASSERT_TRUE(mass_matrix_inverse(robot.model, factors, robot.workspace, swept).ok());
  EXPECT_LT(largest(swept - inverse), 1e-13 * scale * largest(inverse)) << robot;
}

TEST_P(Operators, the_sweeps_written_out_are_forward_dynamics) {
  shows({"Y-23", "spatial_operators"}, {"Y-18", "forward_dynamics"});
  OperatorRobot robot(GetParam());
  const SpatialOperators& O = robot.O;
  const SpatialBias bias_ = bias_of(robot.model, robot.state, robot.workspace);
  const std::vector<double> tau = robot.random.numbers(robot.model.nv());
  const FrameRef tip = robot.random_place();
  const Force<double> F_t = force(Vector6::NullaryExpr([&] { return 5 * robot.random(); }));
  const Eigen::MatrixXd Phi_t = place_operator_of(robot.model, robot.state, tip, robot.workspace);

  // gravity as bias acceleration of the bodies attached to ground (2.29)
  Eigen::VectorXd a = bias_.acceleration;
  const Vec3<double> g = robot.model.gravity();
  for (int i = 1; i <= robot.n; ++i)
    if (robot.parent(i) == 0) a.segment<3>(6 * (i - 1) + 3) -= column(g);

  // [Yesiloglu 2007, section 3.9], inward pass, then outward pass
  Eigen::VectorXd z = bias_.force + Phi_t.transpose() * column(F_t), alpha(6 * robot.n);
  Eigen::VectorXd epsilon(robot.model.nv()), qdd(robot.model.nv());
  const auto dofs = factors_of(robot.model, robot.state, robot.workspace).dofs;
  const auto slice = [&](int i) {
    return std::pair(robot.model.bodies()[std::size_t(i)].v_start, dofs[std::size_t(i)]);
  };
  for (int i = robot.n; i > 0; --i) {
    const auto [start, nv] = slice(i);
    const int row = 6 * (i - 1);
    const Vector6 z_plus = z.segment<6>(row) + robot.block(O.P, i, i) * a.segment<6>(row);
    epsilon.segment(start, nv) =
        column(tau).segment(start, nv) - O.H.block(row, start, 6, nv).transpose() * z_plus;
    if (const int p = robot.parent(i); p > 0)
      z.segment<6>(6 * (p - 1)) +=
          robot.block(O.E_phi, i, p).transpose() *
          (z_plus + O.G.block(row, start, 6, nv) * epsilon.segment(start, nv));
  }
  for (int i = 1; i <= robot.n; ++i) {
    const auto [start, nv] = slice(i);
    const int row = 6 * (i - 1), p = robot.parent(i);
    Vector6 inboard = Vector6::Zero();
    if (p > 0) inboard = robot.block(O.E_phi, i, p) * alpha.segment<6>(6 * (p - 1));
    qdd.segment(start, nv) =
        O.D.block(start, start, nv, nv).inverse() * epsilon.segment(start, nv) -
        O.G.block(row, start, 6, nv).transpose() * inboard;
    alpha.segment<6>(row) =
        inboard + O.H.block(row, start, 6, nv) * qdd.segment(start, nv) + a.segment<6>(row);
  }

  // F_t is the force of the tip on its load, so the tip gets the opposite
  const Wrench on_tip[] = {{tip, -F_t, Axes::world}};
  std::vector<double> swept(tau.size()), C(tau.size());
  ASSERT_TRUE(forward_dynamics(robot.model, robot.state, {.tau = tau, .wrenches = on_tip},
                               robot.workspace, swept)
                  .ok());
  ASSERT_TRUE(bias(robot.model, robot.state, {}, robot.workspace, C).ok());
  const Eigen::MatrixXd M = mass_matrix_of(robot.model, robot.state, robot.workspace);
  const Eigen::VectorXd generalized =
      column(tau) - column(C) -
      O.H.transpose() * O.Phi.transpose() * Phi_t.transpose() * column(F_t);
  // (2.38): T = M a + C + J^T F_t; compared as forces, since the condition of M multiplies rounding
  const double scale = 1 + largest(generalized) + largest(M) * largest(qdd);
  EXPECT_LT(largest(M * column(swept) - generalized), 1e-12 * scale) << robot;
  EXPECT_LT(largest(M * (qdd - column(swept))), 1e-12 * scale) << robot;
}

TEST_P(Operators, accelerations_are_the_derivatives_of_velocities) {
  shows({"Y-12", "spatial_bias"}, {"R-23", "spatial_bias"});
  OperatorRobot robot(GetParam());
  const SpatialBias bias_ = bias_of(robot.model, robot.state, robot.workspace);
  const Eigen::VectorXd V_dot = robot.O.Phi * (robot.O.H * column(robot.a) + bias_.acceleration);
  const Eigen::VectorXd by_differences = time_derivative([&](double t) {
    const State there = later(robot.model, robot.state, robot.a, t);
    return stacked_velocity(robot.model, kinematics_of(robot.model, there, robot.workspace));
  });
  // 1e-9 as in [Yesiloglu 2007], relative to the size of the accelerations
  EXPECT_LT(largest(V_dot - by_differences), 1e-9 * (1 + largest(V_dot))) << robot;
}

TEST_P(Operators, forces_are_those_of_newton_and_euler) {
  shows({"Y-13", "spatial_operators", "spatial_bias"},
        {"R-26", "spatial_operators", "inverse_dynamics"}, {"R-04", "inverse_dynamics"});
  OperatorRobot robot(GetParam());
  const SpatialOperators& O = robot.O;
  const SpatialBias bias_ = bias_of(robot.model, robot.state, robot.workspace);
  const FrameRef tip = robot.random_place();
  const Force<double> F_t = force(Vector6::NullaryExpr([&] { return 5 * robot.random(); }));
  const Eigen::MatrixXd Phi_t = place_operator_of(robot.model, robot.state, tip, robot.workspace);
  Eigen::VectorXd V_dot = O.Phi * (O.H * column(robot.a) + bias_.acceleration);
  for (int i = 0; i < robot.n; ++i) V_dot.segment<3>(6 * i + 3) -= column(robot.model.gravity());
  const Eigen::VectorXd F =
      O.Phi.transpose() * (O.M * V_dot + bias_.force + Phi_t.transpose() * column(F_t));

  const Wrench on_tip[] = {{tip, -F_t, Axes::world}};
  std::vector<double> tau(robot.a.size());
  ASSERT_TRUE(inverse_dynamics(robot.model, robot.state, {.a = robot.a, .wrenches = on_tip},
                               robot.workspace, tau)
                  .ok());
  EXPECT_LT(largest(O.H.transpose() * F - column(tau)), 1e-12 * (1 + largest(F))) << robot;
}

TEST_P(Operators, rate_of_the_jacobian_needs_no_differentiation) {
  shows({"Y-19", "jacobian_rate"});
  OperatorRobot robot(GetParam());
  const FrameRef tip = robot.random_place();
  const SpatialBias bias_ = bias_of(robot.model, robot.state, robot.workspace);
  const Kinematics at = kinematics_of(robot.model, robot.state, robot.workspace);
  const Eigen::MatrixXd Phi_t = place_operator_of(robot.model, robot.state, tip, robot.workspace);
  // Phi_t Phi a + a_t, a_t = [0; omega x (omega x l)], l from the body's joint to the tip
  const int tree_body = robot.model[tip.body].tree_body;
  const Eigen::Vector3d w = column(velocity(robot.model, at, tip).angular),
                        l = column(pose(robot.model, at, tip).p -
                                   at.X_WB[std::size_t(tree_body)].p);
  Vector6 expected = Phi_t * robot.O.Phi * bias_.acceleration;
  expected.tail<3>() += w.cross(w.cross(l));

  Motion<double> swept;
  ASSERT_TRUE(
      jacobian_rate(robot.model, robot.state, tip, Axes::world, robot.workspace, swept).ok());
  EXPECT_LT(largest(column(swept) - expected), 1e-12 * (1 + largest(bias_.acceleration))) << robot;
  const Eigen::VectorXd v = column(robot.state.v);
  const Eigen::VectorXd by_differences = time_derivative([&](double t) {
    const State there = later(robot.model, robot.state, {}, t);
    Eigen::MatrixXd J(6, robot.model.nv());
    EXPECT_TRUE(jacobian(robot.model, kinematics_of(robot.model, there, robot.workspace), tip,
                         Axes::world, J)
                    .ok());
    return Eigen::VectorXd(J * v);
  });
  EXPECT_LT(largest(by_differences - expected), 1e-9 * (1 + largest(expected))) << robot;
}

TEST_P(Operators, gravity_is_a_ground_that_rises_or_a_weight_on_every_body) {
  shows({"Y-17", "inverse_dynamics"});
  OperatorRobot robot(GetParam());
  const Vec3<double> g = robot.model.gravity();
  const Model weightless = robot.model.with_gravity({0, 0, 0});
  std::vector<double> heavy(robot.a.size()), weighed(robot.a.size()), risen(robot.a.size());
  ASSERT_TRUE(
      inverse_dynamics(robot.model, robot.state, {.a = robot.a}, robot.workspace, heavy).ok());

  // explicit weights at the centers of mass
  std::vector<Wrench> weights;
  const Description& description = robot.description;
  for (std::size_t b = 0; b < description.bodies.size(); ++b) {
    const Solid& solid = description.bodies[b].solid;
    FrameRef center = frame_ref(robot.model, description.bodies[b].name);
    center.X_UA.p = {solid.com.x.constant(), solid.com.y.constant(), solid.com.z.constant()};
    weights.push_back({center, {{}, solid.mass.constant() * g}, Axes::world});
  }
  ASSERT_TRUE(inverse_dynamics(weightless, robot.state, {.a = robot.a, .wrenches = weights},
                               robot.workspace, weighed)
                  .ok());
  EXPECT_LT(largest(column(weighed) - column(heavy)), 1e-12 * (1 + largest(column(heavy))))
      << robot;
  // a_b = [0; -g] (the sign of (2.29) corrected)
  ASSERT_TRUE(inverse_dynamics(weightless, robot.state,
                               {.a = robot.a, .ground = {.acceleration = {{}, -g}}},
                               robot.workspace, risen)
                  .ok());
  EXPECT_LT(largest(column(risen) - column(heavy)), 1e-12 * (1 + largest(column(heavy)))) << robot;

  // T-04: as an acceleration of the ground it does not enter the acceleration of a point
  const FrameRef tip = robot.random_place();
  Motion<double> with, without;
  ASSERT_TRUE(
      jacobian_rate(robot.model, robot.state, tip, Axes::world, robot.workspace, with).ok());
  ASSERT_TRUE(
      jacobian_rate(weightless, robot.state, tip, Axes::world, robot.workspace, without).ok());
  EXPECT_EQ(column(with), column(without)) << robot;
}

}  // namespace
}  // namespace trammel::spatial_operators_test
