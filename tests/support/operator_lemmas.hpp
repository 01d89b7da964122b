// Lemmas between the spatial operators of a mechanism [Yesiloglu 2007, section 3.8], true for any
// tree.
#pragma once

#include <string>

#include "tests/support/operator_matrices.hpp"

namespace trammel {

inline void expect_lemmas(const SpatialOperators& O, const std::string& whose) {
  SCOPED_TRACE(whose);
  const Eigen::MatrixXd one = identity_like(O.Phi), Psi_tilde = O.Psi - one;
  const double phi = largest(O.Phi), psi = largest(O.Psi), P = largest(O.P);
  const double products = double(O.Phi.rows());  // number of products summed per entry
  const double rounding = 1e-13 * products * psi * psi;

  // E_phi and E_psi are nilpotent: n steps outward leave the tree, so Phi and Psi are finite sums
  const auto sum_of_powers = [&](const Eigen::MatrixXd& E) {
    Eigen::MatrixXd power = one, sum = one;
    for (std::ptrdiff_t i = 6; i < E.rows(); i += 6) sum += power = power * E;
    EXPECT_EQ(largest(power * E), 0);
    return sum;
  };
  EXPECT_LT(largest(sum_of_powers(O.E_phi) - O.Phi), 1e-13 * phi);
  EXPECT_LT(largest(sum_of_powers(O.E_psi) - O.Psi), 1e-13 * products * psi);
  // Psi~ = Psi E_psi = E_psi Psi
  EXPECT_LT(largest(O.Psi * O.E_psi - Psi_tilde), rounding);
  EXPECT_LT(largest(O.E_psi * O.Psi - Psi_tilde), rounding);

  // 1: P = M + E_psi^T P E_psi
  EXPECT_LT(largest(O.M + O.E_psi.transpose() * O.P * O.E_psi - O.P), 1e-13 * psi * psi * P);
  // 2: Psi^T M Psi = P + Psi~^T P + P Psi~
  const Eigen::MatrixXd PsiMPsi = O.Psi.transpose() * O.M * O.Psi;
  EXPECT_LT(largest(PsiMPsi - O.P - Psi_tilde.transpose() * O.P - O.P * Psi_tilde), rounding * P);
  // 3 and 4: Psi^-1 Phi = 1 + H K Phi,  Phi Psi^-1 = 1 + Phi H K
  const Eigen::MatrixXd Psi_inverse = one - O.E_psi;
  const double gained = 1e-13 * products * (1 + largest(O.H) * largest(O.K)) * phi;
  EXPECT_LT(largest(Psi_inverse * O.Phi - one - O.H * O.K * O.Phi), gained);
  EXPECT_LT(largest(O.Phi * Psi_inverse - one - O.Phi * O.H * O.K), gained);
  // 5: H^T P E_psi = 0
  EXPECT_LT(largest(O.H.transpose() * O.P * O.E_psi), 1e-13 * products * P * psi);
  // 6: H^T Psi^T M Psi H = D
  EXPECT_LT(largest(O.H.transpose() * PsiMPsi * O.H - O.D), rounding * P);
}

}  // namespace trammel
