// [Rodriguez 1988, sections 2 and 3]: the matrices of the arms at equal joint index stacked to one,
// so that one recursion handles all arms; and the operators of the engine for both arms, which are
// this stack.
#include "tests/reference/rodriguez/five_stages.hpp"
#include "tests/support/capability.hpp"

namespace trammel::stacked_arms_test {
namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

// diag(x_1, x_2, ...) of the entries of the arms at index k
template <class Entry> Matrix diagonal(const std::vector<TipToBase>& arms, const Entry& entry) {
  Matrix out;
  for (const TipToBase& arm : arms) {
    const Matrix block = entry(arm);
    Matrix larger = Matrix::Zero(out.rows() + block.rows(), out.cols() + block.cols());
    larger.topLeftCorner(out.rows(), out.cols()) = out;
    larger.bottomRightCorner(block.rows(), block.cols()) = block;
    out = larger;
  }
  return out;
}
template <class Entry> Vector stacked(const std::vector<TipToBase>& arms, const Entry& entry) {
  Vector out(0);
  for (std::size_t i = 0; i < arms.size(); ++i) {
    const Vector part = entry(arms[i], i);
    Vector longer(out.size() + part.size());
    longer << out, part;
    out = longer;
  }
  return out;
}
Vector scalar(double x) { return Vector::Constant(1, x); }

TEST(rodriguez_stacked_arms, are_the_arms_one_by_one) {
  shows({"R-03", "spatial_operators"});
  const TwoArmsOnObject seed;
  const std::vector<TipToBase>& arms = seed.arms;
  const std::size_t N = 6;
  // the composite matrices: H(k) is 2 x 12, M(k) and phi(k, k-1) 12 x 12
  std::vector<Matrix> H(N + 1), M(N + 1), phi(N + 2), P(N + 1), psi(N + 2), G(N + 2), D(N + 1);
  std::vector<Vector> T(N + 1), rate(N + 1), eta(N + 1), b(N + 1);
  for (std::size_t k = 1; k <= N; ++k) {
    H[k] = diagonal(arms, [&](const TipToBase& arm) { return Matrix(arm.h[k].transpose()); });
    M[k] = diagonal(arms, [&](const TipToBase& arm) { return Matrix(arm.m[k]); });
    T[k] =
        stacked(arms, [&](const TipToBase&, std::size_t i) { return scalar(seed.torques[i][k]); });
    rate[k] = stacked(arms, [&](const TipToBase& arm, std::size_t) { return scalar(arm.rate[k]); });
    eta[k] = stacked(arms, [&](const TipToBase& arm, std::size_t) { return Vector(arm.eta[k]); });
    b[k] = stacked(arms, [&](const TipToBase& arm, std::size_t) { return Vector(arm.b[k]); });
    EXPECT_EQ(H[k].rows(), 2);
    EXPECT_EQ(H[k].cols(), 12);
  }
  for (std::size_t k = 1; k <= N + 1; ++k)
    phi[k] = diagonal(arms, [&](const TipToBase& arm) { return Matrix(arm.phi[k]); });
  // phi(k, j) of the stack is the product
  Matrix far = Matrix::Identity(12, 12);
  for (std::size_t k = 1; k <= N; ++k) far = phi[k] * far;
  EXPECT_LT(largest(far - diagonal(arms,
                                   [&](const TipToBase& arm) {
                                     Matrix6 product = Matrix6::Identity();
                                     for (std::size_t k = 1; k <= N; ++k)
                                       product = (arm.phi[k] * product).eval();
                                     return Matrix(product);
                                   })),
            1e-14);

  // velocities, base to tip
  std::vector<Vector> V(N + 2, Vector::Zero(12));
  for (std::size_t k = N; k > 0; --k)
    V[k] = phi[k + 1].transpose() * V[k + 1] + H[k].transpose() * rate[k];
  // filter, tip to base
  std::vector<Vector> z(N + 1), epsilon(N + 1);
  G[1] = Matrix::Zero(12, 2), psi[1] = phi[1];
  for (std::size_t k = 1; k <= N; ++k) {
    P[k] = M[k], z[k] = b[k];
    if (k > 1) {
      G[k] = phi[k] * P[k - 1] * H[k - 1].transpose() * D[k - 1].inverse();
      psi[k] = phi[k] - G[k] * H[k - 1];
      z[k] += psi[k] * (z[k - 1] + P[k - 1] * eta[k - 1]) + G[k] * T[k - 1];
      P[k] += psi[k] * P[k - 1] * psi[k].transpose();
    }
    D[k] = H[k] * P[k] * H[k].transpose();
    epsilon[k] = T[k] - H[k] * (z[k] + P[k] * eta[k]);
    EXPECT_LT(std::abs(D[k](0, 1)) + std::abs(D[k](1, 0)), 1e-15);  // arms are decoupled
  }
  G[N + 1] = Matrix::Zero(12, 2), psi[N + 1] = phi[N + 1];
  // smoother, base to tip
  std::vector<Vector> lambda(N + 2, Vector::Zero(12)), second(N + 1);
  Matrix Lambda = Matrix::Zero(12, 12);
  for (std::size_t k = N; k > 0; --k) {
    second[k] = D[k].inverse() * epsilon[k] - G[k + 1].transpose() * lambda[k + 1];
    lambda[k] = phi[k + 1].transpose() * lambda[k + 1] + H[k].transpose() * second[k] + eta[k];
    Lambda =
        (psi[k + 1].transpose() * Lambda * psi[k + 1] + H[k].transpose() * D[k].inverse() * H[k])
            .eval();
  }
  Lambda = (phi[1].transpose() * Lambda * phi[1]).eval();
  // forces, tip to base: nothing at the tips
  std::vector<Vector> x(N + 1, Vector::Zero(12));
  for (std::size_t k = 1; k <= N; ++k) {
    x[k] = M[k] * lambda[k] + b[k];
    if (k > 1) x[k] += phi[k] * x[k - 1];
    EXPECT_LT(largest(H[k] * x[k] - T[k]), 1e-10);  // T(k) = H(k) x(k), of torques near 150
  }

  // separately, with loops over the arms outside
  for (std::size_t i = 0; i < 2; ++i) {
    const FilterAndSmoother one(arms[i], seed.torques[i]);
    const auto row = Eigen::Index(6 * i), joint = Eigen::Index(i);
    for (std::size_t k = 1; k <= N; ++k) {
      EXPECT_LT(largest(V[k].segment<6>(row) - arms[i].V[k]), 1e-14);
      EXPECT_LT(largest(P[k].block<6, 6>(row, row) - one.P[k]), 1e-13 * largest(one.P[k]));
      EXPECT_NEAR(D[k](joint, joint), one.D[k], 1e-13 * one.D[k]);
      EXPECT_LT(largest(z[k].segment<6>(row) - one.z[k]), 1e-12 * (1 + largest(one.z[k])));
      EXPECT_NEAR(epsilon[k][joint], one.epsilon[k], 1e-11);
      // free accelerations near 1000
      EXPECT_NEAR(second[k][joint], one.acceleration[k], 1e-10);
      EXPECT_LT(largest(lambda[k].segment<6>(row) - one.lambda[k]), 1e-10);
    }
    EXPECT_LT(largest(Lambda.block<6, 6>(row, row) - one.Lambda[0]),
              1e-12 * largest(one.Lambda[0]));
  }

  // operators of the engine for one mechanism with both arms
  Description description("both arms");
  GenericArm::add_to(description, 1, false, "one ");
  GenericArm::add_to(description, 2, false, "two ");
  const Model model = build_model(description);
  Workspace workspace(model);
  State state = neutral_state(model);
  state.q = seed.two.arm[0].state.q;
  state.v = seed.two.arm[0].state.v;
  state.q.insert(state.q.end(), seed.two.arm[1].state.q.begin(), seed.two.arm[1].state.q.end());
  state.v.insert(state.v.end(), seed.two.arm[1].state.v.begin(), seed.two.arm[1].state.v.end());
  const SpatialOperators O = operators_of(model, state, workspace);
  const Vector swept = stacked_velocity(model, kinematics_of(model, state, workspace));
  const auto rows_at = [&](std::size_t k) {  // of both arms, joint k from the tip
    std::vector<int> rows;
    for (int i = 0; i < 2; ++i)
      for (int r = 0; r < 6; ++r) rows.push_back(6 * (6 * i + int(N - k)) + r);
    return rows;
  };
  const auto joints_at = [&](std::size_t k) {
    return std::vector<int>{int(N - k), 6 + int(N - k)};
  };
  for (std::size_t k = 1; k <= N; ++k) {
    const std::vector<int> rows = rows_at(k), joints = joints_at(k);
    EXPECT_LT(largest(O.H(rows, joints).transpose() - H[k]), 1e-14);
    EXPECT_LT(largest(O.M(rows, rows) - M[k]), 1e-14 * largest(M[k]));
    EXPECT_LT(largest(O.P(rows, rows) - P[k]), 1e-12 * largest(P[k]));
    EXPECT_LT(largest(O.D(joints, joints) - D[k]), 1e-12 * largest(D[k]));
    EXPECT_LT(largest(swept(rows) - V[k]), 1e-14);
    if (k > 1) {
      EXPECT_LT(largest(O.E_phi(rows_at(k - 1), rows).transpose() - phi[k]), 1e-14);
      EXPECT_LT(largest(O.E_psi(rows_at(k - 1), rows).transpose() - psi[k]),
                1e-12 * largest(psi[k]));
    }
  }
}

}  // namespace
}  // namespace trammel::stacked_arms_test
