// Equations of motion M a + h = tau derived from a Lagrangian written by hand, by symbolic
// differentiation and without the recursive algorithms of the engine. The constraint rows J q' = 0
// are written by hand, too.
#pragma once

#include <Eigen/Dense>
#include <functional>
#include <string>
#include <vector>

#include "trammel/scalar/expr.hpp"
#include "trammel/scalar/expr_derivative.hpp"
#include "trammel/scalar/expr_evaluate.hpp"

namespace trammel {

struct Lagrangian {
  explicit Lagrangian(int n) {
    for (int k = 0; k < n; ++k) q.push_back(graph.symbol("q" + std::to_string(k)));
    for (int k = 0; k < n; ++k) v.push_back(graph.symbol("v" + std::to_string(k)));
  }
  int n() const { return int(q.size()); }

  double value(const Expr& x, const Eigen::VectorXd& at_q, const Eigen::VectorXd& at_v) const {
    std::vector<double> symbols(at_q.begin(), at_q.end());
    symbols.insert(symbols.end(), at_v.begin(), at_v.end());
    const Expr list[] = {x};
    return Values<double>(graph, symbols, list)(x);
  }
  Eigen::MatrixXd values(const std::vector<std::vector<Expr>>& rows, const Eigen::VectorXd& at_q,
                         const Eigen::VectorXd& at_v) const {
    Eigen::MatrixXd out(Eigen::Index(rows.size()), Eigen::Index(rows.front().size()));
    for (Eigen::Index i = 0; i < out.rows(); ++i)
      for (Eigen::Index j = 0; j < out.cols(); ++j)
        out(i, j) = value(rows[std::size_t(i)][std::size_t(j)], at_q, at_v);
    return out;
  }
  // d/dt dL/dv - dL/dq = M a + h
  Eigen::MatrixXd M(const Eigen::VectorXd& at_q, const Eigen::VectorXd& at_v) const {
    Eigen::MatrixXd out(n(), n());
    for (int i = 0; i < n(); ++i)
      for (int j = 0; j < n(); ++j)
        out(i, j) =
            value(derivative(derivative(L, v[std::size_t(i)]), v[std::size_t(j)]), at_q, at_v);
    return out;
  }
  Eigen::VectorXd h(const Eigen::VectorXd& at_q, const Eigen::VectorXd& at_v) const {
    Eigen::VectorXd out(n());
    for (int i = 0; i < n(); ++i) {
      Expr sum = -derivative(L, q[std::size_t(i)]);
      const Expr momentum = derivative(L, v[std::size_t(i)]);
      for (int j = 0; j < n(); ++j)
        sum = sum + derivative(momentum, q[std::size_t(j)]) * v[std::size_t(j)];
      out[i] = value(sum, at_q, at_v);
    }
    return out;
  }
  // dJ/dt of constraint rows along v
  std::vector<std::vector<Expr>> rate(const std::vector<std::vector<Expr>>& rows) const {
    std::vector<std::vector<Expr>> out = rows;
    for (std::vector<Expr>& row : out)
      for (Expr& entry : row) {
        Expr sum = 0.0;
        for (int k = 0; k < n(); ++k)
          sum = sum + derivative(entry, q[std::size_t(k)]) * v[std::size_t(k)];
        entry = sum;
      }
    return out;
  }

  Graph graph;
  std::vector<Expr> q, v;
  Expr L;
  std::vector<std::vector<Expr>> J;  // J v = 0
};

// Thin rolling disk with coordinates theta, phi, psi, x, y [Saha 1991, (1.4) and section 3.12];
// theta is the tilt.
inline Lagrangian rolling_disk_by_hand(double m, double r, double g) {
  Lagrangian disk(5);
  const std::vector<Expr>&q = disk.q, &v = disk.v;
  const Expr s = sin(q[0]), c = cos(q[0]), sf = sin(q[1]), cf = cos(q[1]);
  const Expr height_rate = -r * s * v[0], spin = v[2] + v[1] * s;
  disk.L = m / 2 * (v[3] * v[3] + v[4] * v[4] + height_rate * height_rate) +
           m * r * r / 8 * (v[0] * v[0] + v[1] * v[1] * c * c + 2.0 * spin * spin) - m * g * r * c;
  disk.J = {{r * c * sf, r * s * cf, r * cf, 1.0, 0.0},
            {-r * c * cf, r * s * sf, r * sf, 0.0, 1.0}};
  return disk;
}

// Two wheels on an axle and a body with its center of mass at the distance a ahead (S-T02).
// Coordinates: theta1, theta2, psi and the middle x, y of the axle. J: the three rolling
// constraints.
struct TwoWheeler {
  double r = 0.05, l = 0.4, a = 0.101, wheel = 2, body = 20, turn = 20 * 2 * 0.35 * 0.35 / 12;
  Lagrangian by_hand() const {
    Lagrangian all(5);
    const std::vector<Expr>&q = all.q, &v = all.v;
    const Expr s = sin(q[2]), c = cos(q[2]);
    const double about = wheel * r * r / 2, across = about / 2;
    all.L = (body + 2 * wheel) / 2 * (v[3] * v[3] + v[4] * v[4]) -
            body * a * v[2] * (v[3] * c + v[4] * s) +
            (turn + body * a * a + 2 * (across + wheel * l * l / 4)) / 2 * v[2] * v[2] +
            about / 2 * (v[0] * v[0] + v[1] * v[1]);
    all.J = {{-r / l, r / l, 1.0, 0.0, 0.0},
             {-r / 2 * s, -r / 2 * s, 0.0, 1.0, 0.0},
             {r / 2 * c, r / 2 * c, 0.0, 0.0, 1.0}};
    return all;
  }
};

}  // namespace trammel
