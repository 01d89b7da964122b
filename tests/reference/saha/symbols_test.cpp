// The vehicle with a caster [Saha 1991] with symbols: its equations of motion as formulas of its
// lengths, masses and angles, by the natural orthogonal complement, against the closed form of
// section 3.7.
#include <gtest/gtest.h>

#include <random>

#include "trammel/dynamics/kernel/tree/inverse_dynamics.hpp"
#include "trammel/dynamics/kernel/tree/kinematics.hpp"
#include "trammel/dynamics/kernel/tree/mass_matrix.hpp"
#include "trammel/dynamics/workspace_buffers.hpp"
#include "trammel/model/build/builder.hpp"
#include "trammel/scalar/expr_derivative.hpp"
#include "trammel/scalar/expr_evaluate.hpp"

namespace trammel::symbols_test {
namespace {

using Matrix = std::vector<std::vector<Expr>>;

// Tree of S-T03: platform (x, y, psi), left and right wheel, fork, wheel of the caster. Heights do
// not matter and are zero.
Description caster_vehicle() {
  Description description("in letters");
  description.parameter("r", 0.05);  // of the wheels: it occurs in the rows
  const Expr l = description.parameter("l", 0.4), a = description.parameter("a", 0.101),
             b = description.parameter("b", 0.202), d = description.parameter("d", 0.025),
             m = description.parameter("m", 20), I_zz = description.parameter("I_zz", 0.4),
             m_w = description.parameter("m_w", 2), I_a = description.parameter("I_a", 0.0025),
             I_t = description.parameter("I_t", 0.00125);
  description.body("platform", {.mass = m, .inertia = {I_zz, 0.0, 0.0, I_zz, 0.0, I_zz}});
  const Solid wheel{.mass = m_w, .inertia = {I_a, 0.0, 0.0, I_t, 0.0, I_t}};
  for (const char* name : {"left_wheel", "right_wheel", "caster_wheel"})
    description.body(name, wheel);
  description.body("fork", {});
  description.gravity = {0.0, 0.0, 0.0};
  const auto turning = [](const Expr& x, const Expr& y, bool about_z) {
    JointOptions how;
    how.at.xyz = {x, y, 0.0};
    how.axis = about_z ? Vec3<Expr>{0.0, 0.0, 1.0} : Vec3<Expr>{1.0, 0.0, 0.0};
    return how;
  };
  description.joint("base", JointKind::planar, "ground", "platform");
  description.joint("left", JointKind::revolute, "platform", "left_wheel",
                    turning(-0.5 * l, -a, false));
  description.joint("right", JointKind::revolute, "platform", "right_wheel",
                    turning(0.5 * l, -a, false));
  description.joint("steer", JointKind::revolute, "platform", "fork", turning(0.0, b, true));
  description.joint("caster", JointKind::revolute, "fork", "caster_wheel", turning(0.0, -d, false));
  return description;
}

// The six steps of [Saha 1991], every quantity a formula.
class InLetters {
 public:
  static constexpr std::size_t n = 7;
  enum Dof : std::size_t { x, y, psi, left, right, steer, caster };

  InLetters() : model_(build_model(caster_vehicle())) {
    std::vector<Expr> parameters;
    for (const auto& parameter : model_.parameters())
      parameters.push_back(symbol(parameter.name, parameter.value));
    for (const char* name : {"x", "y", "psi", "theta1", "theta2", "theta4", "theta3"})
      q.push_back(symbol(name, 0.1 + 0.2 * double(q.size())));
    for (const char* name : {"u1", "u2"}) u.push_back(symbol(name, 0.7));
    numbers_.emplace(make_numbers<Expr>(model_, parameters));
    radius_ = parameters[0];
    make_complement();
    make_equations();
  }

  Values<double> at(const std::vector<double>& symbols) const { return {graph, symbols}; }

  Graph graph;
  std::vector<double> nominal;  // values of the symbols, in their order
  std::vector<Expr> q, u;
  Matrix T, inertia;            // 7 x 2, 2 x 2
  std::vector<Expr> bias;       // 2
  std::vector<Expr> v;          // T u
  std::vector<Expr> redundant;  // the row of J T that was not used: zero if T is right

 private:
  Expr symbol(const std::string& name, double value) {
    nominal.push_back(value);
    return graph.symbol(name);
  }
  KernelInput<Expr, Expr> input() const { return {model_, *numbers_}; }

  // 1: velocities of the contact points, x and y of each wheel; the center of a wheel is r above
  // the floor
  std::vector<Expr> slip(const std::vector<Expr>& velocities) {
    BasicWorkspace<Expr> workspace(model_);
    BasicKinematics<Expr> moving(model_);
    const std::vector<Expr> zero(n);
    kernel::kinematics<Expr, Expr>(input(), q, velocities, zero, workspace, moving);
    std::vector<Expr> out;
    for (const char* name : {"left_wheel", "right_wheel", "caster_wheel"}) {
      const auto body = std::size_t(model_[*model_.find_body(name)].tree_body);
      const Motion<Expr>& V = moving.V[body];
      const Mat3<Expr>& R = moving.X_WB[body].R;
      const Vec3<Expr> linear = R * V.linear, angular = R * V.angular;
      out.push_back(linear.x - radius_ * angular.y);
      out.push_back(linear.y + radius_ * angular.x);
    }
    return out;
  }

  // 2: T by unit speeds and elimination: both rows of the left wheel and of the caster, and the row
  // along y of the right wheel; the other is redundant. Pivots are chosen numerically.
  void make_complement() {
    Matrix A(6, std::vector<Expr>(n));
    for (std::size_t k = 0; k < n; ++k) {
      std::vector<Expr> unit(n);
      unit[k] = 1.0;
      const std::vector<Expr> column = slip(unit);
      for (std::size_t i = 0; i < 6; ++i) A[i][k] = column[i];
    }
    const std::size_t dependent[] = {x, y, psi, steer, caster}, rows[] = {0, 1, 3, 4, 5};
    Matrix system(5, std::vector<Expr>(7));  // A_D v_D = -A_I u
    for (std::size_t i = 0; i < 5; ++i) {
      for (std::size_t k = 0; k < 5; ++k) system[i][k] = A[rows[i]][dependent[k]];
      system[i][5] = -A[rows[i]][left];
      system[i][6] = -A[rows[i]][right];
    }
    solve(system);
    T.assign(n, std::vector<Expr>(2));
    T[left][0] = T[right][1] = 1.0;
    for (std::size_t i = 0; i < 5; ++i)
      for (std::size_t k = 0; k < 2; ++k) T[dependent[i]][k] = system[i][5 + k];
    for (std::size_t k = 0; k < 2; ++k) {
      Expr sum = 0.0;
      for (std::size_t f = 0; f < n; ++f) sum = sum + A[2][f] * T[f][k];
      redundant.push_back(sum);
    }
  }
  void solve(Matrix& system) const {
    const std::size_t size = system.size();
    for (std::size_t k = 0; k < size; ++k) {
      const Values<double> value(graph, nominal);
      std::size_t best = k;
      for (std::size_t i = k; i < size; ++i)
        if (std::abs(value(system[i][k])) > std::abs(value(system[best][k]))) best = i;
      std::swap(system[k], system[best]);
      const Expr pivot = system[k][k];
      for (Expr& entry : system[k]) entry = entry / pivot;
      for (std::size_t i = 0; i < size; ++i) {
        if (i == k) continue;
        const Expr factor = system[i][k];
        for (std::size_t j = 0; j < system[i].size(); ++j)
          system[i][j] = system[i][j] - factor * system[k][j];
      }
    }
  }

  // 3 to 6: its rate, T^T M T, and the projected forces
  void make_equations() {
    for (std::size_t f = 0; f < n; ++f) v.push_back(T[f][0] * u[0] + T[f][1] * u[1]);
    std::vector<Expr> T_dot_u(n);
    for (std::size_t f = 0; f < n; ++f)
      for (std::size_t k = 0; k < n; ++k) T_dot_u[f] = T_dot_u[f] + derivative(v[f], q[k]) * v[k];
    BasicWorkspace<Expr> workspace(model_);
    std::vector<Expr> M(n * n), effort(n);
    kernel::mass_matrix<Expr, Expr>(input(), q, workspace, {M.data(), n, n});
    kernel::newton_euler<Expr, Expr>(input(), q, v, T_dot_u, workspace, effort);
    inertia.assign(2, std::vector<Expr>(2));
    bias.assign(2, Expr(0.0));
    for (std::size_t i = 0; i < 2; ++i) {
      for (std::size_t k = 0; k < 2; ++k)
        for (std::size_t f = 0; f < n; ++f)
          for (std::size_t g = 0; g < n; ++g)
            inertia[i][k] = inertia[i][k] + T[f][i] * M[f + n * g] * T[g][k];
      for (std::size_t f = 0; f < n; ++f) bias[i] = bias[i] + T[f][i] * effort[f];
    }
  }

  Model model_;
  std::optional<ModelParameters<Expr>> numbers_;
  Expr radius_ = 1.0;
};

TEST(saha_symbols, complement_gives_the_closed_form_of_the_caster_vehicle) {
  const InLetters vehicle;
  std::mt19937 random(38);
  const auto any = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  for (int round = 0; round < 50; ++round) {
    const double r = any(0.05, 0.5), l = any(0.3, 2), a = any(0.1, 1), b = any(0.1, 1),
                 d = any(0.1, 0.5), m = any(1, 30), I_zz = any(0.1, 3), m_w = any(0.5, 3),
                 I_a = any(0.01, 0.5), I_t = any(0.01, 0.5);
    const double psi = any(-3, 3), theta4 = any(-3, 3), u1 = any(-5, 5), u2 = any(-5, 5);
    const Values<double> value =
        vehicle.at({r, l, a, b, d, m, I_zz, m_w, I_a, I_t, any(-1, 1), any(-1, 1), psi, any(-3, 3),
                    any(-3, 3), theta4, any(-3, 3), u1, u2});

    // [Saha 1991, section 3.7]
    const double eta = r / l, s4 = std::sin(theta4), c4 = std::cos(theta4), f = a + b;
    const double e[] = {1, -1};
    double u3[2], u4[2], w4[2];
    for (int k = 0; k < 2; ++k) {
      u3[k] = c4 / 2 - e[k] * f * s4 / l;
      u4[k] = r * s4 / (2 * d) + e[k] * eta * (f * c4 / d - 1);
      w4[k] = u4[k] + eta * e[k];
    }
    const double steering = u4[0] * u1 + u4[1] * u2, turning = eta * (u1 - u2);
    double u3_dot = 0, w4_dot = 0;  // times u
    for (int k = 0; k < 2; ++k) {
      const double uk = k == 0 ? u1 : u2;
      u3_dot += steering * (-s4 / 2 - e[k] * f * c4 / l) * uk;
      w4_dot += steering * (r * c4 / (2 * d) - e[k] * eta * f * s4 / d) * uk;
    }
    const double rolls = m_w * r * r + I_a;
    const double h_platform[] = {-m * a * r * eta * eta * (u1 - u2) * u2,
                                 m * a * r * eta * eta * (u1 - u2) * u1};
    // sums of terms of some hundreds, through five pivots
    const double size = 1 + rolls * (u3[0] * u3[0] + u3[1] * u3[1]) + m * r * r +
                        I_t * (w4[0] * w4[0] + w4[1] * w4[1]) + m * a * a * eta * eta;
    const double rounding = 1e-11 * size * (1 + steering * steering + u1 * u1 + u2 * u2);
    for (std::size_t i = 0; i < 2; ++i) {
      for (std::size_t k = 0; k < 2; ++k) {
        const double I = (i == k ? rolls : 0) +
                         (2 * I_t + I_zz + m * a * a) * eta * eta * e[i] * e[k] + m * r * r / 4 +
                         rolls * u3[i] * u3[k] + I_t * w4[i] * w4[k];
        EXPECT_NEAR(value(vehicle.inertia[i][k]), I, 1e-11 * size) << round;
      }
      const double h = rolls * u3[i] * u3_dot + I_t * w4[i] * w4_dot + h_platform[i];
      EXPECT_NEAR(value(vehicle.bias[i]), h, rounding) << round;
      EXPECT_NEAR(value(vehicle.T[InLetters::caster][i]), u3[i], 1e-11 * (1 + std::abs(u3[i])));
      EXPECT_NEAR(value(vehicle.T[InLetters::steer][i]), u4[i], 1e-11 * (1 + std::abs(u4[i])));
      EXPECT_NEAR(value(vehicle.T[InLetters::psi][i]), eta * e[i], 1e-12);
      // the right wheel does not slip sideways, although this row was not used
      EXPECT_NEAR(value(vehicle.redundant[i]), 0, 1e-11 * r);
    }
    EXPECT_NEAR(value(vehicle.v[InLetters::psi]), turning, 1e-11);
  }
}

}  // namespace
}  // namespace trammel::symbols_test
