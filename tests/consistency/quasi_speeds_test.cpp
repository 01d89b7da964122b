// More of the formulations named in [Saha 1991, section 2.2.3]: Volterra's equations in
// quasi-speeds, with the transitivity coefficients; Maggi's equations with the reactions after
// Papastavridis; constraints nonlinear in the speeds. On the rolling disk and on two wheels,
// against the engine.
#include "tests/support/formulation_cases.hpp"
#include "trammel/constraint/forces/wheel_contacts.hpp"

namespace trammel::quasi_speeds_test {
namespace {

using Eigen::MatrixXd, Eigen::VectorXd, Eigen::Vector2d, Eigen::Vector3d;
using Table = std::vector<std::vector<Expr>>;

// pi = A(q) q', all of them; the last are the rows, which are zero. B = A^-1, by hand. In `all` the
// symbols v are pi, and L is that of the system, L(q, B pi).
struct QuasiSpeeds {
  QuasiSpeeds(const Lagrangian& system, int independent,
              const std::function<void(QuasiSpeeds&)>& write)
      : all(system.n()), n(system.n()), free(independent) {
    write(*this);
    std::vector<Expr> symbols = all.q;
    for (int k = 0; k < n; ++k) {
      Expr sum = 0.0;
      for (int s = 0; s < n; ++s) sum = sum + B[at(k)][at(s)] * all.v[at(s)];
      symbols.push_back(sum);
    }
    const Expr list[] = {system.L};
    all.L = Values<Expr>(system.graph, symbols, list)(system.L);
  }
  static std::size_t at(int k) { return std::size_t(k); }
  // [top 0; J_I 1] and its inverse, for rows with an identity in the dependent coordinates
  void write_blocks(const Table& J, const Table& top, const Table& top_inverse) {
    A.assign(at(n), std::vector<Expr>(at(n), 0.0));
    B = A;
    for (int i = 0; i < n; ++i)
      for (int k = 0; k < free; ++k) {
        if (i < free) {
          A[at(i)][at(k)] = top[at(i)][at(k)];
          B[at(i)][at(k)] = top_inverse[at(i)][at(k)];
          continue;
        }
        A[at(i)][at(k)] = J[at(i - free)][at(k)];
        for (int l = 0; l < free; ++l)
          B[at(i)][at(k)] = B[at(i)][at(k)] - J[at(i - free)][at(l)] * top_inverse[at(l)][at(k)];
      }
    for (int i = free; i < n; ++i) A[at(i)][at(i)] = B[at(i)][at(i)] = 1.0;
  }

  // Volterra: for every s
  //
  //   p_s' - sum_k B_ks dL/dq_k + sum_a p_a sum_r gamma^a_sr pi_r = sum_k B_ks effort_k + lambda_s
  //   gamma^a_sr = sum_kl (dA_ak/dq_l - dA_al/dq_k) B_ks B_lr,   p = dL/dpi
  //
  // with lambda_s only for the last, and p_a of those, too, although their pi_a is zero.
  struct Answer {
    VectorXd rates;      // of the independent speeds
    VectorXd reactions;  // lambda
  };
  Answer solve(const VectorXd& q, const VectorXd& pi, const VectorXd& effort) const {
    const MatrixXd B_now = all.values(B, q, pi);
    MatrixXd inertia(n, n);
    VectorXd rest(n);
    for (int s = 0; s < n; ++s) {
      const Expr p = derivative(all.L, all.v[at(s)]);
      for (int r = 0; r < n; ++r) inertia(s, r) = all.value(derivative(p, all.v[at(r)]), q, pi);
      double sum = 0;
      for (int k = 0; k < n; ++k) {
        double q_rate = 0;
        for (int r = 0; r < n; ++r) q_rate += B_now(k, r) * pi[r];
        sum += all.value(derivative(p, all.q[at(k)]), q, pi) * q_rate -
               B_now(k, s) * (all.value(derivative(all.L, all.q[at(k)]), q, pi) + effort[k]);
      }
      for (int a = 0; a < n; ++a) {
        const double momentum = all.value(derivative(all.L, all.v[at(a)]), q, pi);
        for (int r = 0; r < n; ++r) sum += momentum * transitivity(a, s, r, q, B_now) * pi[r];
      }
      rest[s] = sum;
    }
    Answer out;
    out.rates = inertia.topLeftCorner(free, free).llt().solve(-rest.head(free));
    out.reactions = inertia.bottomLeftCorner(n - free, free) * out.rates + rest.tail(n - free);
    return out;
  }
  double transitivity(int a, int s, int r, const VectorXd& q, const MatrixXd& B_now) const {
    double sum = 0;
    for (int k = 0; k < n; ++k)
      for (int l = 0; l < n; ++l) {
        const double turn = all.value(
            derivative(A[at(a)][at(k)], all.q[at(l)]) - derivative(A[at(a)][at(l)], all.q[at(k)]),
            q, VectorXd::Zero(n));
        sum += turn * B_now(k, s) * B_now(l, r);
      }
    return sum;
  }

  Lagrangian all;
  int n, free;
  Table A, B;
};

// Quasi-speeds of the disk: w in the frame F that follows it, and its two rows.
QuasiSpeeds of_disk(const DiskTwice& disk) {
  return QuasiSpeeds(disk.by_hand, 3, [&](QuasiSpeeds& description) {
    const Expr s = sin(description.all.q[0]), c = cos(description.all.q[0]),
               sf = sin(description.all.q[1]), cf = cos(description.all.q[1]);
    const double r = DiskTwice::r;
    description.write_blocks({{r * c * sf, r * s * cf, r * cf}, {-r * c * cf, r * s * sf, r * sf}},
                             {{-1.0, 0.0, 0.0}, {0.0, c, 0.0}, {0.0, s, 1.0}},
                             {{-1.0, 0.0, 0.0}, {0.0, 1.0 / c, 0.0}, {0.0, -s / c, 1.0}});
  });
}
// Quasi-speeds of the cart: speed r/2 (theta1' + theta2') and yaw rate eta (theta1' - theta2').
QuasiSpeeds of_cart(const CartTwice& cart) {
  return QuasiSpeeds(cart.by_hand, 2, [&](QuasiSpeeds& description) {
    const double r = TwoWheeler().r, eta = r / TwoWheeler().l;
    const Expr s = sin(description.all.q[2]), c = cos(description.all.q[2]);
    description.write_blocks({{-eta, eta}, {-r / 2 * s, -r / 2 * s}, {r / 2 * c, r / 2 * c}},
                             {{r / 2, r / 2}, {eta, -eta}},
                             {{1 / r, 1 / (2 * eta)}, {1 / r, -1 / (2 * eta)}});
  });
}

// Total force of the floor on all wheels: x, y, and the vertical moment about a point.
Vector3d push_of_floor(Posed& engine, const std::vector<double>& tau, const Vector2d& about) {
  std::vector<WheelContact> contacts;
  const Status status =
      wheel_contacts(engine.model, engine.state, {.tau = tau}, engine.workspace, contacts);
  EXPECT_TRUE(status.ok()) << status.message();
  Vector3d out = Vector3d::Zero();
  for (const WheelContact& contact : contacts)
    for (const WheelContact::RowForce& push : contact.row_forces) {
      const Vector3d F = push.force * three(push.direction);
      out +=
          Vector3d(F.x(), F.y(),
                   (contact.point.x - about.x()) * F.y() - (contact.point.y - about.y()) * F.x());
    }
  return out;
}

TEST(quasi_speeds, Volterra_Maggi_and_Papastavridis_move_and_hold_the_disk_as_the_engine_does) {
  DiskTwice disk;
  const QuasiSpeeds speeds = of_disk(disk);
  const MatrixXd A = speeds.all.values(speeds.A, disk.q, disk.v),
                 B = speeds.all.values(speeds.B, disk.q, disk.v);
  EXPECT_LT(largest_of(A * B - MatrixXd::Identity(5, 5)), 1e-15);
  EXPECT_LT(largest_of(A.bottomRows(2) - disk.J), 1e-16);
  // gamma of the components of w in F is not zero: they are not rates of any coordinates
  EXPECT_GT(std::abs(speeds.transitivity(0, 1, 2, disk.q, B)) +
                std::abs(speeds.transitivity(1, 0, 1, disk.q, B)),
            0.1);

  const VectorXd pi = A * disk.v;
  EXPECT_LT(largest_of(pi.tail(2)), 1e-15);
  const QuasiSpeeds::Answer found = speeds.solve(disk.q, pi, VectorXd::Zero(5));
  // pi' = A q'' + A' q'
  const VectorXd a = disk.engine_acceleration();
  const VectorXd expected =
      A * a + speeds.all.values(speeds.all.rate(speeds.A), disk.q, disk.v) * disk.v;
  EXPECT_LT(largest_of(found.rates - expected.head(3)), 1e-11 * largest_of(expected));
  EXPECT_LT(largest_of(expected.tail(2)), 1e-12);

  // Papastavridis: the equations of the zero quasi-speeds give the reactions, and so do Maggi's
  const VectorXd maggi =
      B.transpose() * (disk.by_hand.M(disk.q, disk.v) * a + disk.by_hand.h(disk.q, disk.v));
  EXPECT_LT(largest_of(maggi.head(3)), 1e-14);  // no force there
  const Vector3d floor = push_of_floor(disk.engine.posed, {}, {0, 0});
  for (const VectorXd& reactions : {VectorXd(found.reactions), VectorXd(maggi.tail(2))})
    EXPECT_LT(largest_of(reactions - floor.head(2)), 1e-13);
  EXPECT_NEAR(found.reactions[0], -0.00875706, 1e-8);  // S-T12
  EXPECT_NEAR(found.reactions[1], 0.04079559, 1e-8);
}

TEST(quasi_speeds, Voronec_Volterra_Maggi_and_Papastavridis_agree_on_two_wheels) {
  CartTwice cart;
  const QuasiSpeeds speeds = of_cart(cart);
  const MatrixXd A = speeds.all.values(speeds.A, cart.q, cart.v),
                 B = speeds.all.values(speeds.B, cart.q, cart.v);
  EXPECT_LT(largest_of(A * B - MatrixXd::Identity(5, 5)), 1e-14);
  EXPECT_LT(largest_of(A.bottomRows(3) - cart.J), 1e-16);
  VectorXd effort = VectorXd::Zero(5);
  effort.head<2>() = cart.torque;

  const Vector2d a_wheels = cart.engine_acceleration();
  const VectorXd rates_of_rows =
      cart.by_hand.values(cart.by_hand.rate(cart.by_hand.J), cart.q, cart.v) * cart.v;
  VectorXd a(5);
  a << a_wheels, -rates_of_rows - cart.J.leftCols(2) * a_wheels;
  const QuasiSpeeds::Answer volterra = speeds.solve(cart.q, A * cart.v, effort);
  EXPECT_LT(largest_of(volterra.rates - A.topLeftCorner(2, 2) * a_wheels), 1e-12);
  // the terms of the zero quasi-speeds matter: without them the motion would be another
  const double forgotten = speeds.transitivity(3, 0, 1, cart.q, B);
  EXPECT_GT(std::abs(forgotten) + std::abs(speeds.transitivity(4, 0, 1, cart.q, B)), 0.1);

  // Maggi, with any independent quasi-speeds, and Papastavridis' reactions
  const VectorXd maggi = B.transpose() * (cart.by_hand.M(cart.q, cart.v) * a +
                                          cart.by_hand.h(cart.q, cart.v) - effort);
  EXPECT_LT(largest_of(maggi.head(2)), 1e-12);
  EXPECT_LT(largest_of(maggi.tail(3) - volterra.reactions), 1e-12);
  const Vector3d floor =
      push_of_floor(cart.engine, {0, 0, 0, cart.torque[0], cart.torque[1]}, {cart.q[3], cart.q[4]});
  EXPECT_LT(largest_of(volterra.reactions - Vector3d(floor[2], floor[0], floor[1])), 1e-11);
  EXPECT_GT(floor.norm(), 0.1);

  // Voronec, in theta1 and theta2: U = -J_I, whose derivatives are by psi alone
  //   L' the Lagrangian with the rows substituted; d/dt dL'/dv_a - dL'/dq_a - sum_i U_ia dL'/dq_i
  //     - sum_ib p_i (D_b U_ia - D_a U_ib) v_b = effort_a,  D_b = d/dq_b + sum_i U_ib d/dq_i
  // is Volterra with pi = theta': the same matrices with an identity on top
  const QuasiSpeeds voronec(cart.by_hand, 2, [&](QuasiSpeeds& description) {
    const double r = TwoWheeler().r, eta = r / TwoWheeler().l;
    const Expr s = sin(description.all.q[2]), c = cos(description.all.q[2]);
    const Table one = {{1.0, 0.0}, {0.0, 1.0}};
    description.write_blocks({{-eta, eta}, {-r / 2 * s, -r / 2 * s}, {r / 2 * c, r / 2 * c}}, one,
                             one);
  });
  VectorXd theta_rates = VectorXd::Zero(5);
  theta_rates.head(2) = cart.v.head(2);
  EXPECT_LT(largest_of(voronec.solve(cart.q, theta_rates, effort).rates - a_wheels), 1e-12);
}

// Constraints nonlinear in the speeds (Papastavridis 1988; virtual displacements after Chetaev):
// the square of the speed of the axle's middle.
TEST(quasi_speeds, rows_may_be_of_second_degree_in_the_speeds) {
  CartTwice cart;
  const Lagrangian& all = cart.by_hand;
  const double r = TwoWheeler().r, eta = r / TwoWheeler().l;
  const std::vector<Expr>&q = all.q, &v = all.v;
  const Expr turns = v[0] + v[1];
  const Expr rows[] = {
      v[2] - eta * (v[0] - v[1]),                                // heading
      v[3] * cos(q[2]) + v[4] * sin(q[2]),                       // no sideways motion
      v[3] * v[3] + v[4] * v[4] - r * r / 4.0 * turns * turns};  // speed of rolling
  MatrixXd J(3, 5);
  VectorXd drift(3);
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(all.value(rows[i], cart.q, cart.v), 0, 1e-15);
    drift[i] = 0;
    for (int k = 0; k < 5; ++k) {
      J(i, k) = all.value(derivative(rows[i], v[std::size_t(k)]), cart.q, cart.v);
      drift[i] += all.value(derivative(rows[i], q[std::size_t(k)]), cart.q, cart.v) * cart.v[k];
    }
  }
  const Eigen::PartialPivLU<MatrixXd> dependent(J.rightCols(3));
  MatrixXd T(5, 2);
  T << MatrixXd::Identity(2, 2), -dependent.solve(J.leftCols(2));
  VectorXd follows = VectorXd::Zero(5);
  follows.tail(3) = -dependent.solve(drift);
  VectorXd effort = VectorXd::Zero(5);
  effort.head<2>() = cart.torque;
  const MatrixXd M = all.M(cart.q, cart.v);
  const VectorXd rates = (T.transpose() * M * T)
                             .llt()
                             .solve(T.transpose() * (effort - all.h(cart.q, cart.v) - M * follows));
  EXPECT_LT(largest_of(rates - cart.engine_acceleration()), 1e-12);
}

}  // namespace
}  // namespace trammel::quasi_speeds_test
