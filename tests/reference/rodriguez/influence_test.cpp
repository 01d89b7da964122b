// The influence matrix [Rodriguez 1988, section 10]: every element of M^-1 from the factors of the
// articulated inertias, without forming or inverting M; and the operator identities behind it.
#include "tests/reference/rodriguez/arms.hpp"
#include "tests/support/capability.hpp"
#include "trammel/dynamics/forward_dynamics.hpp"

namespace trammel::influence_test {
namespace {

TipToBase counted(GenericArm& arm) { return {arm.model, arm.state, arm.tip, arm.workspace}; }
Eigen::MatrixXd inverse_of(GenericArm& arm) {
  Eigen::MatrixXd out(6, 6);
  const ArticulatedInertias factors = factors_of(arm.model, arm.state, arm.workspace);
  EXPECT_TRUE(mass_matrix_inverse(arm.model, factors, arm.workspace, out).ok());
  return out;
}

// (10.4), with the misprinted H D^-1 H^T read as H^T D^-1 H
struct OutputMaps {
  explicit OutputMaps(const TipToBase& arm)
      : Lambda(arm.size(), Matrix6::Zero()), H(arm.size(), Vector6::Zero()) {
    for (std::size_t i = std::size_t(arm.N); i > 0; --i) {
      H[i] = (arm.G[i + 1].transpose() * Lambda[i + 1] * arm.psi[i + 1]).transpose() -
             arm.h[i] / arm.D[i];
      Lambda[i] = arm.psi[i + 1].transpose() * Lambda[i + 1] * arm.psi[i + 1] +
                  arm.h[i] * arm.h[i].transpose() / arm.D[i];
    }
  }
  std::vector<Matrix6> Lambda;
  std::vector<Vector6> H;  // H~(i), as a column
};

TEST(rodriguez_influence, transitions_multiply_to_the_filters_operator) {
  shows({"R-38", "spatial_operators"});
  TwoArms two;
  for (GenericArm& arm : two.arm) {
    const TipToBase doc = counted(arm);
    const SpatialOperators O = operators_of(arm.model, arm.state, arm.workspace);
    for (int j = 1; j <= doc.N; ++j) {
      Matrix6 product = Matrix6::Identity();  // psi(k, j) = psi(k, k-1) ... psi(j+1, j)
      for (int k = j; k <= doc.N; ++k) {
        if (k > j) product = doc.psi[std::size_t(k)] * product;
        const Matrix6 Psi = O.Psi.block<6, 6>(6 * (doc.body(j) - 1), 6 * (doc.body(k) - 1));
        EXPECT_LT(largest(Psi.transpose() - product), 1e-12 * largest(product));
      }
    }
    // through the tip: D^-1/2 H psi(k, 0) is K, and K^T K the free inverse inertia at the tip
    Matrix6 psi_k0 = Matrix6::Identity(), KtK = Matrix6::Zero();
    for (std::size_t k = 1; k <= 6; ++k) {
      psi_k0 = doc.psi[k] * psi_k0;
      const Vector6 K = psi_k0.transpose() * doc.h[k] / std::sqrt(doc.D[k]);
      KtK += K * K.transpose();
    }
    const Eigen::MatrixXd J = arm.tip_jacobian();
    EXPECT_LT(largest(KtK - J * inverse_of(arm) * J.transpose()), 1e-12 * largest(KtK));
  }
}

TEST(rodriguez_influence, elements_in_closed_form_are_the_inverse_mass_matrix) {
  shows({"R-51", "spatial_operators", "mass_matrix"}, {"R-52", "forward_dynamics"});
  TwoArms two;
  for (GenericArm& arm : two.arm) {
    const TipToBase doc = counted(arm);
    const OutputMaps maps(doc);
    const SpatialOperators O = operators_of(arm.model, arm.state, arm.workspace);
    Eigen::MatrixXd W(6, 6);
    for (int i = 1; i <= 6; ++i) {
      const std::size_t j = std::size_t(i);
      W(i - 1, i - 1) = 1 / doc.D[j] + doc.G[j + 1].dot(maps.Lambda[j + 1] * doc.G[j + 1]);
      for (int k = 1; k < i; ++k) {
        // G^T(k+1, k) psi^T(i, k+1) H~^T(i)
        const Matrix6 psi_T = O.Psi.block<6, 6>(6 * (doc.body(k + 1) - 1), 6 * (doc.body(i) - 1));
        W(k - 1, i - 1) = W(i - 1, k - 1) = doc.G[std::size_t(k + 1)].dot(psi_T * maps.H[j]);
      }
    }
    const Eigen::MatrixXd expected = mass_matrix_of(arm.model, arm.state, arm.workspace).inverse();
    // the condition of M, near 1e5, multiplies rounding
    EXPECT_LT(largest(doc.to_base_to_tip(W) - expected), 1e-11 * largest(expected));

    // H~ is the effect of a wrench at the tip on the joints: a = a_free + H~(k) psi(k, 0) x(0)
    const Vector6 x = (Vector6() << 0.4, -1.1, 0.7, 5, -8, 13).finished();
    const Wrench on_tip[] = {{arm.tip, -force(x), Axes::world}};
    std::vector<double> held(6), free(6), added(doc.size());
    ASSERT_TRUE(forward_dynamics(arm.model, arm.state, {.tau = arm.tau, .wrenches = on_tip},
                                 arm.workspace, held)
                    .ok());
    ASSERT_TRUE(forward_dynamics(arm.model, arm.state, {.tau = arm.tau}, arm.workspace, free).ok());
    Vector6 carried = x;
    for (std::size_t k = 1; k <= 6; ++k) {
      carried = doc.psi[k] * carried;
      added[k] = maps.H[k].dot(carried);
    }
    const Eigen::VectorXd change = column(held) - column(free);
    EXPECT_LT(largest(doc.to_base_to_tip(added) - change), 1e-11 * largest(column(free)));
  }
}

TEST(rodriguez_influence, vertical_sweeps_fill_the_inverse_mass_matrix) {
  shows({"R-53", "mass_matrix_inverse"});
  TwoArms two;
  double trace = 0;
  for (GenericArm& arm : two.arm) {
    const TipToBase doc = counted(arm);
    const OutputMaps maps(doc);
    Eigen::MatrixXd W(6, 6);
    for (int i = doc.N; i > 0; --i) {
      const std::size_t j = std::size_t(i);
      W(i - 1, i - 1) = 1 / doc.D[j] + doc.G[j + 1].dot(maps.Lambda[j + 1] * doc.G[j + 1]);
      Vector6 y = maps.H[j];
      for (int k = i - 1; k > 0; --k) {
        W(k - 1, i - 1) = W(i - 1, k - 1) = doc.G[std::size_t(k + 1)].dot(y);
        y = doc.psi[std::size_t(k + 1)].transpose() * y;
      }
    }
    const Eigen::MatrixXd ours = inverse_of(arm);
    EXPECT_LT(largest(doc.to_base_to_tip(W) - ours), 1e-13 * largest(ours));
    trace += ours.trace();
  }
  EXPECT_NEAR(trace, 4630.160683647, 1e-9);  // nine printed decimals
}

// Block matrices in the order of [Rodriguez 1988], from tip to base.
struct DocumentOperators {
  explicit DocumentOperators(const TipToBase& arm)
      : Phi(Eigen::MatrixXd::Zero(36, 36)),
        Psi(Phi),
        M(Phi),
        H(Eigen::MatrixXd::Zero(6, 36)),
        G(Eigen::MatrixXd::Zero(36, 6)),
        S(Eigen::MatrixXd::Zero(6, 6)),
        B(Eigen::MatrixXd::Zero(36, 6)),
        D(Eigen::VectorXd::Zero(6)) {
    for (int j = 0; j < 6; ++j) {
      Matrix6 phi = Matrix6::Identity(), psi = phi;
      for (int k = j; k < 6; ++k) {
        if (k > j) {
          phi = arm.phi[std::size_t(k + 1)] * phi;
          psi = arm.psi[std::size_t(k + 1)] * psi;
        }
        Phi.block<6, 6>(6 * k, 6 * j) = phi;
        Psi.block<6, 6>(6 * k, 6 * j) = psi;
      }
      const std::size_t joint = std::size_t(j + 1);
      M.block<6, 6>(6 * j, 6 * j) = arm.m[joint];
      H.block<1, 6>(j, 6 * j) = arm.h[joint].transpose();
      G.block<6, 1>(6 * j, j) = arm.G[joint];
      D[j] = arm.D[joint];
      if (j > 0) S(j, j - 1) = 1;
    }
    B.topRows<6>() = arm.phi[1];
  }
  Eigen::MatrixXd L() const { return H * Psi * G * S; }
  Eigen::MatrixXd K() const { return D.cwiseSqrt().cwiseInverse().asDiagonal() * H * Psi * B; }

  Eigen::MatrixXd Phi, Psi, M, H, G, S, B;
  Eigen::VectorXd D;
};

TEST(rodriguez_influence, operators_factor_the_inverse_mass_matrix) {
  shows({"R-39", "mass_matrix_inverse_factors"}, {"R-15", "spatial_operators"});
  TwoArms two;
  for (int i = 0; i < 2; ++i) {
    GenericArm& arm = two.arm[i];
    const TipToBase doc = counted(arm);
    const DocumentOperators O(doc);
    const Eigen::MatrixXd L = O.L(), one = Eigen::MatrixXd::Identity(6, 6);
    const Eigen::MatrixXd on_or_above = L.triangularView<Eigen::Upper>();
    EXPECT_EQ(largest(on_or_above), 0);  // strictly lower
    // M^-1 = (1 - L^T) D^-1 (1 - L)
    const Eigen::MatrixXd inverse =
        (one - L).transpose() * O.D.cwiseInverse().asDiagonal() * (one - L);
    const Eigen::MatrixXd dense = mass_matrix_of(arm.model, arm.state, arm.workspace).inverse();
    EXPECT_LT(largest(doc.to_base_to_tip(inverse) - dense), 1e-11 * largest(dense));
    // our factor is the transpose, because of the reverse indexing
    const ArticulatedInertias factors = factors_of(arm.model, arm.state, arm.workspace);
    Eigen::MatrixXd ours(6, 6), D_inverse(6, 6);
    ASSERT_TRUE(mass_matrix_inverse_factors(arm.model, factors, ours, D_inverse).ok());
    EXPECT_LT(largest(doc.to_base_to_tip(one - L).transpose() - ours), 1e-12 * largest(ours));

    // V = Phi^T H^T rates, and at the tip B^T V, consistent with the object
    const Eigen::VectorXd rates = column(arm.state.v).reverse();
    const Eigen::VectorXd V = O.Phi.transpose() * O.H.transpose() * rates;
    for (int k = 1; k <= 6; ++k)
      EXPECT_LT(largest(V.segment<6>(6 * (k - 1)) - doc.V[std::size_t(k)]), 1e-14);
    EXPECT_LT(largest(O.B.transpose() * V - two.tip_twist[i]), 1e-14);
  }
}

TEST(rodriguez_influence, gains_whiten_the_tips_jacobian) {
  shows({"R-41", "mass_matrix_inverse_factors", "operational_space_inertia_inverse"});
  TwoArms two;
  for (GenericArm& arm : two.arm) {
    const DocumentOperators O(counted(arm));
    const Eigen::MatrixXd one = Eigen::MatrixXd::Identity(6, 6), HPsiB = O.H * O.Psi * O.B;
    // J^T = H Phi B, and (1 - L) J^T = H Psi B
    const Eigen::MatrixXd J = arm.tip_jacobian();
    EXPECT_LT(largest(O.H * O.Phi * O.B - J.transpose().colwise().reverse()), 1e-14);
    EXPECT_LT(largest((one - O.L()) * (O.H * O.Phi * O.B) - HPsiB), 1e-14 * largest(O.L()));
    // the same with our factor: L^-T J^T in our order
    const ArticulatedInertias factors = factors_of(arm.model, arm.state, arm.workspace);
    Eigen::MatrixXd L_inverse(6, 6), D_inverse(6, 6), Lambda(6, 6);
    ASSERT_TRUE(mass_matrix_inverse_factors(arm.model, factors, L_inverse, D_inverse).ok());
    EXPECT_LT(largest((L_inverse.transpose() * J.transpose()).colwise().reverse() - HPsiB),
              1e-14 * largest(L_inverse));
    // K^T K = Lambda(0), which the stage gives in O(depth)
    ASSERT_TRUE(operational_space_inertia_inverse(arm.model, arm.state, factors, arm.tip,
                                                  Axes::world, arm.workspace, Lambda)
                    .ok());
    EXPECT_LT(largest(O.K().transpose() * O.K() - Lambda), 1e-13 * largest(Lambda));
  }
}

}  // namespace
}  // namespace trammel::influence_test
