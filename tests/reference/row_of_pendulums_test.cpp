// Parallelogram pendulums side by side, in closed form. A parallelogram of cranks of length L and
// mass m and a coupler of mass m, uniform bars, has one degree of freedom, the angle p of the
// cranks from the horizontal. The coupler only translates, so with gravity g
//
//   (5/3) m L^2 p'' = -2 m g L cos p ,
//
// and the linearization has the eigenvalues +- sqrt((6 g / (5 L)) sin p): oscillations below,
// growth above the pivots.
#include <gtest/gtest.h>

#include <numbers>

#include "trammel/analyze/linearize.hpp"
#include "trammel/analyze/linearized_dynamics.hpp"
#include "trammel/base/linear_algebra.hpp"
#include "trammel/constraint/assembly/assembly.hpp"
#include "trammel/model/build/builder.hpp"

namespace trammel::row_of_pendulums_test {
namespace {

constexpr double g = 9.81;

// Parallelograms of these crank lengths and angles, closed and at rest.
struct Pendulums {
  Pendulums(const std::vector<double>& lengths, double angle)
      : model(build_model(describe(lengths))), workspace(model), state(neutral_state(model)) {
    for (std::size_t k = 0; k < lengths.size(); ++k)
      for (const auto& [joint, q] :
           {std::pair("left", angle), std::pair("right", angle), std::pair("knee", -angle)})
        state.q[std::size_t(model[*model.find_joint(joint + std::to_string(k))].q_start)] = q;
  }

  static Description describe(const std::vector<double>& lengths) {
    Description description("pendulums");
    description.gravity = {0.0, -g, 0.0};
    double x = 0;
    for (std::size_t k = 0; k < lengths.size(); ++k) {
      const double L = lengths[k], m = 1 + 0.1 * double(k % 3);
      const auto name = [&](const char* what) { return what + std::to_string(k); };
      const auto bar = [&](double length) {
        const double I = m * length * length / 12;
        return Solid{.mass = m, .com = {0.5 * length, 0.0, 0.0}, .inertia = {I, 0, 0, I, 0, I}};
      };
      description.body(name("crank"), bar(L));
      description.body(name("rocker"), bar(L));
      description.body(name("coupler"), bar(1.0));
      description.joint(name("left"), JointKind::revolute, "ground", name("crank"),
                        {.at = {{x, 0.0, 0.0}, {}}});
      description.joint(name("right"), JointKind::revolute, "ground", name("rocker"),
                        {.at = {{x + 1.0, 0.0, 0.0}, {}}});
      description.joint(name("knee"), JointKind::revolute, name("crank"), name("coupler"),
                        {.at = {{L, 0.0, 0.0}, {}}});
      description.joint(
          name("elbow"), JointKind::revolute, name("coupler"), name("rocker"),
          {.at = {{1.0, 0.0, 0.0}, {}}, .child_at = {{L, 0.0, 0.0}, {}}, .cut = true});
      x += 2;
    }
    return description;
  }

  Model model;
  Workspace workspace;
  State state;
};

TEST(row_of_pendulums, eigenvalues_are_those_by_hand) {
  const std::vector<double> lengths = {0.3, 0.5, 0.8, 1.1, 1.7};
  for (const double angle : {-0.5 * std::numbers::pi, -1.0, 1.2}) {
    Pendulums row(lengths, angle);
    Linearization found;
    const Status status = linearize(row.model, row.state, {}, row.workspace, found);
    ASSERT_TRUE(status.ok()) << status.message();
    ASSERT_EQ(found.A.rows(), 10);
    EXPECT_TRUE(found.uncontrollable_modes.empty());
    for (const double L : lengths) {
      const std::complex<double> wanted =
          std::sqrt(std::complex<double>(6 * g / (5 * L) * std::sin(angle)));
      for (const double side : {1.0, -1.0}) {
        double nearest = 1e9;
        for (const std::complex<double>& value : found.eigenvalues)
          nearest = std::min(nearest, std::abs(value - side * wanted));
        EXPECT_LT(nearest, 1e-12 * std::abs(wanted)) << L << " m, " << angle;  // rounding
      }
    }
    for (Eigen::Index k = 0; k < 10; ++k)
      EXPECT_LT(max_abs(Eigen::VectorXcd(found.A * found.modes.col(k) -
                                         found.eigenvalues[k] * found.modes.col(k))),
                1e-12 * max_abs(found.A));
  }
}

// With all bars in line a parallelogram has two degrees of freedom, beside that pose one.
TEST(row_of_pendulums, a_pose_beside_the_singular_one_is_refused) {
  Pendulums row({0.8, 1.1}, 1e-9);
  const std::string expected =
      ": the constraint rows are nearly dependent, so the number of degrees of freedom is "
      "uncertain: move away from the singular pose";
  Linearization found;
  EXPECT_EQ(linearize(row.model, row.state, {}, row.workspace, found).message(),
            "linearize" + expected);
  std::optional<LinearizedDynamics> motion;
  EXPECT_EQ(linearized_dynamics(row.model, row.state, {}, row.workspace, motion).message(),
            "linearized_dynamics" + expected);
}

// The fastest growth of a thousand pendulums that stand above their pivots, by power iterations on
// A^2, whose largest eigenvalue is that of the shortest cranks. No matrix is formed.
TEST(row_of_pendulums, power_iterations_find_the_fastest_of_a_thousand) {
  std::vector<double> lengths;
  for (int k = 0; k < 1000; ++k) lengths.push_back(1 + 0.5 * std::cos(double(k)));
  lengths[617] = 0.2;
  const double angle = 1.0;
  Pendulums row(lengths, angle);
  std::optional<LinearizedDynamics> motion;
  const Status status = linearized_dynamics(row.model, row.state, {}, row.workspace, motion);
  ASSERT_TRUE(status.ok()) << status.message();
  const Eigen::Index n = Eigen::Index(motion->states().size());
  ASSERT_EQ(n, 2000);
  const double wanted = 6 * g / (5 * 0.2) * std::sin(angle);
  for (const bool is_transposed : {false, true}) {
    const auto product = [&](const Eigen::VectorXd& x) {
      return is_transposed ? motion->apply_transposed(x) : motion->apply(x);
    };
    Eigen::VectorXd x = Eigen::VectorXd::Ones(n);
    double square = 0;
    // the next eigenvalue of A^2 is 0.4 times the largest: 0.4^40 = 1e-16
    for (int step = 0; step < 40; ++step) {
      const Eigen::VectorXd next = product(product(x));
      square = x.dot(next) / x.squaredNorm();
      x = next / next.norm();
    }
    EXPECT_NEAR(square, wanted, 1e-11 * wanted);  // rounding of 40 products
  }
}

// In a row of pendulums that hang on the coupler of the one before, all couplers stay parallel to
// ground: the mechanism is a chain of translating bars, and at rest, hanging, its stiffness is
// diagonal. With cranks of length L, mass 1 each: the bars k, ..., n - 1 hang on the cranks k, so
// with s = n - k - 1 mechanisms of mass 3 below, the stiffness of p_k is g L (1 + 1 + 3 s), and
// T^T M T has the entries
// L^2 (2/3 + 1 + 3 s) on the diagonal and L^2 (2 + 3 s) beside it (s of the lower of the two).
TEST(row_of_pendulums, a_hanging_row_by_hand) {
  const int k = 600;  // above the limit of the factorization: the recursive solver
  Description description("hanging row");
  description.gravity = {0.0, -g, 0.0};
  const double L = 0.7, I = L * L / 12;
  std::string base = "ground";
  for (int i = 0; i < k; ++i) {
    const auto name = [&](const char* what) { return what + std::to_string(i); };
    for (const char* link : {"crank", "rocker"})
      description.body(name(link),
                       {.mass = 1.0, .com = {0.0, -0.5 * L, 0.0}, .inertia = {I, 0, 0, I, 0, I}});
    description.body(
        name("coupler"),
        {.mass = 1.0, .com = {0.5, 0.0, 0.0}, .inertia = {1.0 / 12, 0, 0, 1.0 / 12, 0, 1.0 / 12}});
    description.joint(name("left"), JointKind::revolute, base, name("crank"));
    description.joint(name("right"), JointKind::revolute, base, name("rocker"),
                      {.at = {{1.0, 0.0, 0.0}, {}}});
    description.joint(name("knee"), JointKind::revolute, name("crank"), name("coupler"),
                      {.at = {{0.0, -L, 0.0}, {}}});
    description.joint(name("elbow"), JointKind::revolute, name("coupler"), name("rocker"),
                      {.at = {{1.0, 0.0, 0.0}, {}}, .child_at = {{0.0, -L, 0.0}, {}}, .cut = true});
    base = name("coupler");
  }
  const Model model = build_model(description);
  Workspace workspace(model);
  const State state = neutral_state(model);
  std::optional<LinearizedDynamics> motion;
  const Status status = linearized_dynamics(model, state, {}, workspace, motion);
  ASSERT_TRUE(status.ok()) << status.message();
  ASSERT_EQ(motion->states().size(), std::size_t(2 * k));

  // x such that the crank angles are p: the independent joint of each parallelogram is one of
  // three, which turn by p, p and -p
  Eigen::VectorXd p(k), sign(k);
  for (int i = 0; i < k; ++i) p[i] = std::cos(1.0 + i * i);
  for (int i = 0; i < k; ++i)
    sign[i] = motion->states()[std::size_t(i)].starts_with("q.knee") ? -1 : 1;
  Eigen::VectorXd x = Eigen::VectorXd::Zero(2 * k);
  x.head(k) = p.cwiseProduct(sign);
  const Eigen::VectorXd p_dot_dot = motion->apply(x).tail(k).cwiseProduct(sign);
  Eigen::VectorXd residual(k);
  double size = 0;
  for (int i = 0; i < k; ++i) {
    double sum = L * g * (2 + 3 * (k - i - 1)) * p[i];
    for (int j = 0; j < k; ++j) {
      const double s = k - std::max(i, j) - 1;
      const double term = L * L * (i == j ? 5.0 / 3 + 3 * s : 2 + 3 * s) * p_dot_dot[j];
      sum += term;
      size = std::max(size, std::abs(term));
    }
    residual[i] = sum;
  }
  // rounding of 1,800 bodies
  EXPECT_LT(max_abs(residual), 1e-10 * size * k);
}

}  // namespace
}  // namespace trammel::row_of_pendulums_test
