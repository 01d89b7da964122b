// Property tests with symbols: parameters and state are symbols, rates are symbolic derivatives.
#include <gtest/gtest.h>

#include "tests/support/symbolic_robot.hpp"
#include "trammel/dynamics/energy.hpp"
#include "trammel/dynamics/kernel/instantiate.hpp"
#include "trammel/dynamics/kernel/tree/forward_dynamics.hpp"
#include "trammel/dynamics/kernel/tree/inverse_dynamics.hpp"
#include "trammel/dynamics/kernel/tree/kinematics.hpp"
#include "trammel/dynamics/kernel/tree/mass_matrix.hpp"
#include "trammel/dynamics/momentum.hpp"
#include "trammel/dynamics/scalar_kernels.hpp"
#include "trammel/dynamics/workspace_buffers.hpp"
#include "trammel/scalar/expr_derivative.hpp"

namespace trammel::symbols_test {
namespace {

class SymbolicLaws : public testing::TestWithParam<int>, public SymbolicRobot {
 protected:
  explicit SymbolicLaws(bool floating = false)
      : SymbolicRobot(GetParam(),
                      {.bodies = 1 + GetParam() % 4, .symbols = true, .floating = floating}),
        workspace(plain.model),
        kinematics_(plain.model),
        q_dot(q.size()) {
    kernel::kinematics<Expr, Expr>(input(), q, v, a, workspace, kinematics_);
    // q' of the moving robot, joint by joint
    for (const Body& body : plain.model.bodies().subspan(1))
      std::visit(
          [&](const auto& joint) {
            joint.rate(&q[std::size_t(body.q_start)], &v[std::size_t(body.v_start)],
                       &q_dot[std::size_t(body.q_start)]);
          },
          body.joint);
  }
  // d/dt of an expression of q and v
  Expr rate_of(const Expr& e, const std::vector<Expr>& v_dot) const {
    Expr sum = 0.0;
    const auto by_q = gradient(e, q), by_v = gradient(e, v);
    for (std::size_t k = 0; k < q.size(); ++k) sum += by_q[k] * q_dot[k];
    for (std::size_t k = 0; k < v.size(); ++k) sum += by_v[k] * v_dot[k];
    return sum;
  }
  double number(const Expr& e) const { return (*this)(e); }

  BasicWorkspace<Expr> workspace;
  BasicKinematics<Expr> kinematics_;
  std::vector<Expr> q_dot;
};
class FloatingLawsInLetters : public SymbolicLaws {
 protected:
  FloatingLawsInLetters() : SymbolicLaws(/*floating=*/true) {}
};
INSTANTIATE_TEST_SUITE_P(seeds, SymbolicLaws, testing::Range(1, 25));
INSTANTIATE_TEST_SUITE_P(seeds, FloatingLawsInLetters, testing::Range(1, 13));

TEST_P(SymbolicLaws, power_is_the_rate_of_energy) {
  std::vector<Expr> tau(v.size());
  kernel::inverse_dynamics<Expr, Expr>(input(), q, v, a, workspace, tau);
  const Expr total = kernel::energy<Expr, Expr>(input(), q, kinematics_).total();
  Expr power = 0.0;
  for (std::size_t k = 0; k < v.size(); ++k) power += tau[k] * v[k];
  for (const auto& element : numbers.passive)
    power -= element.damping * v[std::size_t(element.v)] * v[std::size_t(element.v)];
  const double p = number(power);
  EXPECT_NEAR(number(rate_of(total, a)), p, 1e-11 * (1 + std::abs(p)) * 10) << plain;
}

TEST_P(SymbolicLaws, mass_matrix_is_symmetric_and_is_the_derivative_of_inverse_dynamics) {
  const std::size_t n = v.size();
  std::vector<Expr> tau(n), M(n * n);
  kernel::inverse_dynamics<Expr, Expr>(input(), q, v, a, workspace, tau);
  kernel::mass_matrix<Expr, Expr>(input(), q, workspace, {M.data(), int(n), int(n)});
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      EXPECT_TRUE(is_same(M[i * n + j], M[j * n + i]));
      EXPECT_NEAR(number(derivative(tau[i], a[j])), number(M[j * n + i]), 1e-12) << plain;
    }
}

TEST_P(SymbolicLaws, forward_dynamics_undoes_inverse_dynamics) {
  std::vector<Expr> tau(v.size()), back(v.size());
  kernel::inverse_dynamics<Expr, Expr>(input(), q, v, a, workspace, tau);
  kernel::forward_dynamics<Expr, Expr>(input(), q, v, tau, workspace, back);
  for (std::size_t k = 0; k < v.size(); ++k)
    EXPECT_NEAR(number(back[k]), plain.a[k], 1e-9) << plain;  // condition of small robots
}

TEST_P(FloatingLawsInLetters, momentum_is_kept_when_nothing_holds_the_base) {
  numbers.gravity = {};  // no external force
  std::vector<Expr> tau = a, back(v.size());
  for (std::size_t k = 0; k < 6; ++k) tau[k] = 0.0;  // no effort on the base
  kernel::forward_dynamics<Expr, Expr>(input(), q, v, tau, workspace, back);
  const BasicMomentum<Expr> h = kernel::momentum<Expr, Expr>(input(), kinematics_);
  double size = 1;
  for (const Expr& x : back) size = std::max(size, std::abs(number(x)));
  for (const Expr& x : {h.angular.x, h.angular.y, h.angular.z, h.linear.x, h.linear.y, h.linear.z})
    EXPECT_NEAR(number(rate_of(x, back)), 0, 1e-11 * size) << plain;
}

}  // namespace
}  // namespace trammel::symbols_test
