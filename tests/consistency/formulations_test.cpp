// The formulations reviewed in [Saha 1991, section 3.5] (corrected) against the engine: Lagrange
// multipliers, Caplygin, Hamilton, Gibbs-Appell, Kane, Passerello-Huston, Maggi, Voronec; on a
// rolling disk (S-T12) and on two wheels with a body ahead of their axle (S-T02).
#include "tests/support/capability.hpp"
#include "tests/support/formulation_cases.hpp"

namespace trammel::formulations_test {
namespace {

using Eigen::MatrixXd, Eigen::VectorXd, Eigen::Vector2d, Eigen::Vector3d;
using Disk = DiskTwice;
using Cart = CartTwice;
using Rows2 = std::vector<std::vector<Expr>>;

constexpr double m = Disk::m, r = Disk::r, g = Disk::g;

TEST(formulations, Lagrange_with_multipliers_moves_the_disk_as_the_complement_does) {
  shows({"S-12", "constrained_dynamics"});
  Disk disk;
  EXPECT_LT(largest_of(disk.J * disk.v), 1e-15);  // the printed rows are those of the engine
  // [M -J^T; J 0] [a; lambda] = [-h; -J' v]
  MatrixXd K = MatrixXd::Zero(7, 7);
  K.topLeftCorner(5, 5) = disk.by_hand.M(disk.q, disk.v);
  K.topRightCorner(5, 2) = -disk.J.transpose();
  K.bottomLeftCorner(2, 5) = disk.J;
  VectorXd right(7);
  right << -disk.by_hand.h(disk.q, disk.v), -disk.J_dot_v;
  const VectorXd found = K.fullPivLu().solve(right);
  EXPECT_LT(largest_of(found.head(5) - disk.engine_acceleration()), 1e-10);
  // numbers of S-T12, seven digits; the multipliers are the friction forces at the floor
  const double printed[] = {21.4120519, 8.3740128, -4.8630312, -0.4378529, 2.0397795};
  for (int k = 0; k < 5; ++k) EXPECT_NEAR(found[k], printed[k], 1e-7);
  EXPECT_NEAR(found[5], -0.00875706, 1e-8);
  EXPECT_NEAR(found[6], 0.04079559, 1e-8);
  // accelerations and multipliers of the engine; these are across and along the rolling direction
  const ConstrainedAnswer engine = disk.engine.solve(ConstraintSolver::kkt);
  EXPECT_NEAR(-engine.a[4], printed[0], 1e-7);
  EXPECT_NEAR(engine.a[3], printed[1], 1e-7);
  EXPECT_NEAR(engine.a[5], printed[2], 1e-7);
  EXPECT_NEAR(std::hypot(engine.lambda[1], engine.lambda[2]), std::hypot(0.00875706, 0.04079559),
              1e-8);
}

// Maggi: Lagrange's equations of the unconstrained body, projected on the null space of the rows.
TEST(formulations, Maggi_moves_the_disk_as_the_complement_does) {
  Disk disk;
  const MatrixXd T = disk.T();
  const MatrixXd M = disk.by_hand.M(disk.q, disk.v);
  VectorXd drift = VectorXd::Zero(5);
  drift.tail(2) = -disk.J_dot_v;  // a = T u' + drift
  const VectorXd u_dot = (T.transpose() * M * T)
                             .llt()
                             .solve(-T.transpose() * (disk.by_hand.h(disk.q, disk.v) + M * drift));
  EXPECT_LT(largest_of(T * u_dot + drift - disk.engine_acceleration()), 1e-10);
}

// Gibbs-Appell, with the components of omega in the frame F that follows the disk as rates of
// quasi-coordinates: dS/d(omega') is I omega' - C omega of (6.4), and equals the moment of gravity
// about the contact.
TEST(formulations, Gibbs_Appell_equations_give_the_published_disk) {
  Disk disk;
  const double theta = 0.3, theta_rate = 0.5, phi_rate = 3, psi_rate = -8;
  const double s = std::sin(theta), c = std::cos(theta);
  const Vector3d omega(-theta_rate, phi_rate * c, psi_rate + phi_rate * s);
  const Vector3d sigma(-theta_rate, phi_rate * c, phi_rate * s);
  const Vector3d arm(0, r, 0);
  const Vector3d down(0, -c, -s);  // -k in F
  const Vector3d moments = m * r * r / 4 * Vector3d(1, 1, 2);
  const auto S = [&](const Vector3d& rate) {  // in components of F
    const Vector3d alpha = rate + sigma.cross(omega);
    const Vector3d center = alpha.cross(arm) + omega.cross(sigma.cross(arm));
    const Vector3d spin = moments.cwiseProduct(omega);
    return m / 2 * center.squaredNorm() + alpha.dot(moments.cwiseProduct(alpha)) / 2 +
           alpha.dot(omega.cross(spin));
  };
  // S is quadratic, so central differences are exact
  const auto slope = [&](const Vector3d& at) {
    Vector3d out;
    for (int k = 0; k < 3; ++k)
      out[k] = (S(at + Vector3d::Unit(k)) - S(at - Vector3d::Unit(k))) / 2;
    return out;
  };
  // (6.4) in F: I = (m r^2/4) diag(5, 1, 6), C = -sigma x I_C - m r^2 (sigma . f2) (f2 x)
  const Vector3d inertia = m * r * r / 4 * Vector3d(5, 1, 6);
  const Vector3d gyroscopic = sigma.cross(moments.cwiseProduct(omega)) +
                              m * r * r * sigma[1] * Vector3d(0, 1, 0).cross(omega);
  const Vector3d tried[] = {{0, 0, 0}, {1, -2, 3}, {-40, 7, 0.5}};
  for (const Vector3d& rate : tried)
    EXPECT_LT(largest_of(slope(rate) - (inertia.cwiseProduct(rate) + gyroscopic)), 1e-15);
  const Vector3d gravity = m * g * arm.cross(down);
  const Vector3d rate = (gravity - gyroscopic).cwiseQuotient(inertia);

  const VectorXd a = disk.engine_acceleration();
  const Vector3d expected(-a[0], a[1] * c - phi_rate * s * theta_rate,
                          a[2] + a[1] * s + phi_rate * c * theta_rate);
  EXPECT_LT(largest_of(rate - expected), 1e-11);
}

// Dependent velocities theta_D' = U theta_I', and the Lagrangian L* after their substitution.
struct Reduced {
  // The `independent` coordinates come first; J is the identity in the others.
  Reduced(const Lagrangian& all, int independent) : system(all), n(independent) {
    for (std::size_t i = 0; i < all.J.size(); ++i) {
      U.emplace_back();
      for (int b = 0; b < n; ++b) U.back().push_back(-all.J[i][std::size_t(b)]);
    }
    // L* = L(q, T theta_I'): L is quadratic in the rates, without linear terms
    const int d = int(U.size());
    std::vector<Expr> rates(all.v.begin(), all.v.begin() + n);
    for (int i = 0; i < d; ++i) {
      Expr sum = 0.0;
      for (int b = 0; b < n; ++b)
        sum = sum + U[std::size_t(i)][std::size_t(b)] * all.v[std::size_t(b)];
      rates.push_back(sum);
    }
    L = 0.0;
    for (int i = 0; i < n + d; ++i)
      for (int j = 0; j < n + d; ++j)
        L = L + 0.5 * derivative(derivative(all.L, all.v[std::size_t(i)]), all.v[std::size_t(j)]) *
                    rates[std::size_t(i)] * rates[std::size_t(j)];
  }
  // sum of (dU_ia/db - dU_ib/da) theta_b' p_i, the derivatives along the motions (Voronec); those
  // by theta_D are zero for Caplygin
  Expr gyroscopic(int a, const std::vector<Expr>& momenta, bool with_dependent) const {
    const auto slope = [&](std::size_t i, int of, int by) {
      Expr sum = derivative(U[i][std::size_t(of)], system.q[std::size_t(by)]);
      if (with_dependent)
        for (std::size_t j = 0; j < U.size(); ++j)
          sum = sum + derivative(U[i][std::size_t(of)], system.q[std::size_t(n) + j]) *
                          U[j][std::size_t(by)];
      return sum;
    };
    Expr sum = 0.0;
    for (std::size_t i = 0; i < U.size(); ++i)
      for (int b = 0; b < n; ++b)
        sum = sum + (slope(i, a, b) - slope(i, b, a)) * system.v[std::size_t(b)] * momenta[i];
    return sum;
  }
  std::vector<Expr> dependent_momenta() const {
    std::vector<Expr> out;
    for (std::size_t i = 0; i < U.size(); ++i)
      out.push_back(derivative(system.L, system.v[std::size_t(n) + i]));
    return out;
  }

  const Lagrangian& system;
  int n;
  Rows2 U;
  Expr L;
};

// Accelerations of the independent coordinates from their equations:
// d/dt dL*/dv - dL*/dq - U^T dL*/dq_D - gyroscopic = effort.
VectorXd accelerations(const Reduced& reduced, const VectorXd& q, const VectorXd& v,
                       const VectorXd& effort, bool with_dependent) {
  const Lagrangian& all = reduced.system;
  MatrixXd M(reduced.n, reduced.n);
  VectorXd right(reduced.n);
  for (int a = 0; a < reduced.n; ++a) {
    const Expr momentum = derivative(reduced.L, all.v[std::size_t(a)]);
    Expr rest = -derivative(reduced.L, all.q[std::size_t(a)]) -
                reduced.gyroscopic(a, reduced.dependent_momenta(), with_dependent);
    for (int k = 0; k < all.n(); ++k)
      rest = rest + derivative(momentum, all.q[std::size_t(k)]) * all.v[std::size_t(k)];
    if (with_dependent)
      for (std::size_t i = 0; i < reduced.U.size(); ++i)
        rest = rest - reduced.U[i][std::size_t(a)] *
                          derivative(reduced.L, all.q[std::size_t(reduced.n) + i]);
    right[a] = effort[a] - all.value(rest, q, v);
    for (int b = 0; b < reduced.n; ++b)
      M(a, b) = all.value(derivative(momentum, all.v[std::size_t(b)]), q, v);
  }
  return M.llt().solve(right);
}

// Caplygin's equations require that nothing depends on theta_D: psi is then a function of the wheel
// angles, eta (theta1 - theta2), and x and y are dependent.
Lagrangian in_wheel_angles(double psi_at_zero) {
  const TwoWheeler cart;
  const Lagrangian whole = cart.by_hand();
  Lagrangian out(4);  // theta1, theta2, x, y
  const double eta = cart.r / cart.l;
  const Expr psi = psi_at_zero + eta * (out.q[0] - out.q[1]);
  const Expr psi_rate = eta * (out.v[0] - out.v[1]);
  const std::vector<Expr> symbols = {out.q[0], out.q[1], psi,      out.q[2], out.q[3],
                                     out.v[0], out.v[1], psi_rate, out.v[2], out.v[3]};
  const auto put_in = [&](const Expr& x) {
    const Expr list[] = {x};
    return Values<Expr>(whole.graph, symbols, list)(x);
  };
  out.L = put_in(whole.L);
  for (const std::size_t row : {1, 2}) {
    const std::vector<Expr>& from = whole.J[row];
    out.J.push_back({put_in(from[0]), put_in(from[1]), put_in(from[3]), put_in(from[4])});
  }
  return out;
}

TEST(formulations, Caplygin_moves_two_wheels_as_the_complement_does) {
  shows({"S-13", "minimal_equations"});
  Cart cart;
  const Vector2d expected = cart.engine_acceleration();
  const double eta = TwoWheeler().r / TwoWheeler().l;
  const Lagrangian angles = in_wheel_angles(0.7 - eta * (0.4 - 0.9));
  const Reduced reduced(angles, 2);
  const VectorXd q = numbers({0.4, 0.9, cart.q[3], cart.q[4]});
  const VectorXd v = numbers({cart.v[0], cart.v[1], cart.v[3], cart.v[4]});
  EXPECT_LT(largest_of(accelerations(reduced, q, v, cart.torque, false) - expected), 1e-12);
  // without the gyroscopic term the motion would be another: constraints must not be substituted
  // into the Lagrangian before its differentiation
  Reduced naive(angles, 2);
  for (std::vector<Expr>& row : naive.U) row = {0.0, 0.0};
  EXPECT_GT(largest_of(accelerations(naive, q, v, cart.torque, false) - expected), 0.1);
  // and the closed form of S-T02
  const TwoWheeler sizes;
  const Vector2d e(1, -1), s(1, 1), rates = cart.v.head<2>();
  const double about = sizes.wheel * sizes.r * sizes.r / 2;
  const Eigen::Matrix2d I =
      (2 * about + about) * Eigen::Matrix2d::Identity() +
      (sizes.turn + sizes.body * sizes.a * sizes.a + about) * eta * eta * e * e.transpose() +
      sizes.body * sizes.r * sizes.r / 4 * s * s.transpose();
  const Vector2d h =
      sizes.body * sizes.a * sizes.r * eta * eta * e.dot(rates) * Vector2d(-rates[1], rates[0]);
  EXPECT_LT(largest_of(I.llt().solve(cart.torque - h) - expected), 1e-12);
  // also from the engine: its equations in the wheel rates, without multipliers
  const std::vector<double> tau = {0, 0, 0, cart.torque[0], cart.torque[1]};
  const MinimalEquations equations =
      minimal_of(cart.engine, wheel_basis(cart.engine), {.tau = tau});
  EXPECT_LT(largest_of(equations.inertia - I), 1e-14);
  EXPECT_LT(largest_of(equations.bias - h), 1e-13);
  EXPECT_LT(largest_of(equations.effort - cart.torque), 1e-15);
}

// Voronec: as Caplygin, for rows that depend on theta_D, here on psi.
TEST(formulations, Voronec_moves_two_wheels_as_the_complement_does) {
  Cart cart;
  const Reduced reduced(cart.by_hand, 2);
  EXPECT_LT(largest_of(accelerations(reduced, cart.q, cart.v, cart.torque, true) -
                       cart.engine_acceleration()),
            1e-12);
  Disk disk;  // and the disk, whose theta_D is (x, y); gravity in L by hand
  Reduced rolling(disk.by_hand, 3);
  rolling.L = rolling.L - m * g * r * cos(disk.by_hand.q[0]);
  EXPECT_LT(largest_of(accelerations(rolling, disk.q, disk.v, VectorXd::Zero(3), true) -
                       disk.engine_acceleration().head(3)),
            1e-10);
}

// Hamilton: theta_I' = dH/dp, p' = effort - dH/dtheta + gyroscopic, with p = dL*/dtheta_I'; follows
// the path of the engine.
TEST(formulations, Hamilton_goes_the_way_of_the_engine) {
  Cart cart({-4, -7}, {0, 0});
  const TwoWheeler sizes;
  const double eta = sizes.r / sizes.l;
  const Lagrangian angles = in_wheel_angles(0.7 - eta * (0.4 - 0.9));
  const Reduced reduced(angles, 2);
  // L* is quadratic in the rates: H = p^T M^-1 p / 2, dH/dtheta = -dL*/dtheta at those rates
  Expr momentum[2], pull[2];
  for (std::size_t a = 0; a < 2; ++a) {
    momentum[a] = derivative(reduced.L, angles.v[a]);
    pull[a] = derivative(reduced.L, angles.q[a]) +
              reduced.gyroscopic(int(a), reduced.dependent_momenta(), false);
  }
  Expr mass[2][2], follow[2];
  for (std::size_t a = 0; a < 2; ++a)
    for (std::size_t b = 0; b < 2; ++b) mass[a][b] = derivative(momentum[a], angles.v[b]);
  for (std::size_t i = 0; i < 2; ++i)
    follow[i] = reduced.U[i][0] * angles.v[0] + reduced.U[i][1] * angles.v[1];

  const auto rates_of = [&](const VectorXd& q, const Vector2d& p) -> Vector2d {
    Eigen::Matrix2d M;
    for (std::size_t a = 0; a < 2; ++a)
      for (std::size_t b = 0; b < 2; ++b)
        M(Eigen::Index(a), Eigen::Index(b)) = angles.value(mass[a][b], q, VectorXd::Zero(4));
    return M.llt().solve(p);
  };
  const auto slope = [&](const VectorXd& x) -> VectorXd {
    const VectorXd q = x.head(4);
    VectorXd v = VectorXd::Zero(4);
    v.head<2>() = rates_of(q, x.tail<2>());
    for (std::size_t i = 0; i < 2; ++i) v[Eigen::Index(2 + i)] = angles.value(follow[i], q, v);
    VectorXd out(6);
    out << v, angles.value(pull[0], q, v), angles.value(pull[1], q, v);
    return out;
  };
  VectorXd x(6);
  VectorXd v0(4);
  v0 << cart.v[0], cart.v[1], cart.v[3], cart.v[4];
  x << 0.4, 0.9, cart.q[3], cart.q[4], 0, 0;
  for (Eigen::Index a = 0; a < 2; ++a) x[4 + a] = angles.value(momentum[a], x.head(4), v0);
  const double step = 0.01;
  const int steps = 200;
  for (int k = 0; k < steps; ++k) {
    const VectorXd a = slope(x), b = slope(x + step / 2 * a), c = slope(x + step / 2 * b),
                   d = slope(x + step * c);
    x += step / 6 * (a + 2 * b + 2 * c + d);
  }
  cart.engine.run(step, steps);
  const std::vector<double>& q = cart.engine.state.q;
  // two methods of fourth order on different variables: errors of step^4, about 1e-8
  EXPECT_NEAR(x[0], q[3], 1e-6);
  EXPECT_NEAR(x[1], q[4], 1e-6);
  EXPECT_NEAR(x[2], q[0] + sizes.a * std::sin(q[2]), 1e-6);
  EXPECT_NEAR(x[3], q[1] - sizes.a * std::cos(q[2]), 1e-6);
  EXPECT_GT(std::abs(x[0] - 0.4), 1);  // it has moved
  const Vector2d rates = rates_of(x.head(4), x.tail<2>());
  EXPECT_NEAR(rates[0], cart.engine.state.v[3], 1e-6);
  EXPECT_NEAR(rates[1], cart.engine.state.v[4], 1e-6);
  EXPECT_GT(std::abs(rates[0] + 4), 0.01);
}

// Kane: partial velocities are the columns of T; Passerello-Huston: five quasi-speeds, of which the
// last are the rows, so that inertia forces follow from the kinetic energy alone.
TEST(formulations, Kane_and_Passerello_and_Huston_move_two_wheels_as_the_complement_does) {
  shows({"S-16", "natural_complement"});
  Cart cart;
  const Vector2d expected = cart.engine_acceleration();
  const OrthogonalComplement basis = wheel_basis(cart.engine);
  const NaturalComplement all = natural_of(cart.engine, basis);

  // partial velocities by definition: derivatives of the twists by one rate
  const Vector2d rates = cart.v.head<2>();
  MatrixXd V(all.T.rows(), 2);
  for (int which = 0; which < 2; ++which) {
    const auto twists = [&](const Vector2d& at) {
      cart.engine.state.v = list_of(basis.T * at);
      const Kinematics moving = cart.engine.moving();
      VectorXd out(all.T.rows());
      for (std::size_t b = 0; b < all.bodies.size(); ++b)
        out.segment<6>(Eigen::Index(6 * b)) =
            six(velocity(cart.engine.model, moving, FrameRef{all.bodies[b]}, Axes::world));
      return out;
    };
    V.col(which) = twists(rates + Vector2d::Unit(which)) - twists(rates);
  }
  cart.engine.state.v = list_of(basis.T * rates);
  EXPECT_LT(largest_of(V - all.T), 1e-13);
  // V^T (w + w*) = 0, w* = -M t' - gyroscopic
  const std::vector<double> tau = {0, 0, 0, cart.torque[0], cart.torque[1]};
  const NaturalComplement driven = natural_of(cart.engine, basis, {.tau = tau});
  const MatrixXd I = V.transpose() * driven.M * V;
  const VectorXd right =
      V.transpose() * (driven.working - driven.M * driven.T_dot_u - driven.gyroscopic);
  EXPECT_LT(largest_of(I.llt().solve(right) - expected), 1e-11);

  // quasi-speeds: rates of the wheels, and the rows, which are zero
  const auto speeds = [&](const VectorXd& q) {
    MatrixXd U(5, 5);
    U << MatrixXd::Identity(2, 5), cart.by_hand.values(cart.by_hand.J, q, VectorXd::Zero(5));
    return U;
  };
  const MatrixXd W = speeds(cart.q).inverse();
  EXPECT_LT(largest_of(W.leftCols(2) - cart.T()), 1e-15);
  const MatrixXd U_dot = [&] {
    MatrixXd out = MatrixXd::Zero(5, 5);
    out.bottomRows(3) = cart.by_hand.values(cart.by_hand.rate(cart.by_hand.J), cart.q, cart.v);
    return out;
  }();
  // q'' = W (u' - U' q'), and W^T (d/dt dK/dq' - dK/dq) = W^T effort in the first two
  const MatrixXd M = cart.by_hand.M(cart.q, cart.v);
  const VectorXd drift = -W * (U_dot * cart.v);
  VectorXd effort = VectorXd::Zero(5);
  effort.head<2>() = cart.torque;
  const MatrixXd P = W.leftCols(2);
  const VectorXd u_dot =
      (P.transpose() * M * P)
          .llt()
          .solve(P.transpose() * (effort - cart.by_hand.h(cart.q, cart.v) - M * drift));
  EXPECT_LT(largest_of(u_dot - expected), 1e-12);
}

}  // namespace
}  // namespace trammel::formulations_test
