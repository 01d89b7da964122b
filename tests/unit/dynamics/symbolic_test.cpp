// Symbolic dynamics through the public interface: the double pendulum against its closed form, and
// what it refuses.
#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "trammel/trammel.hpp"

namespace trammel::symbolic_test {
namespace {

// Two point masses on massless rods, angles from the vertical, the second relative to the first.
struct DoublePendulum {
  DoublePendulum() {
    Description description("double pendulum");
    const Expr l1 = description.parameter("l1", 1.0), l2 = description.parameter("l2", 0.7);
    const Expr m1 = description.parameter("m1", 1.5), m2 = description.parameter("m2", 0.8);
    description.body("upper", point_mass(m1, {0.0, 0.0, -l1}));
    description.body("lower", point_mass(m2, {0.0, 0.0, -l2}));
    description.joint("shoulder", JointKind::revolute, "ground", "upper",
                      {.axis = {1.0, 0.0, 0.0}});
    description.joint("elbow", JointKind::revolute, "upper", "lower",
                      {.at = {{0.0, 0.0, -l1}, {}}, .axis = {1.0, 0.0, 0.0}});
    model = build_model(description);
    for (const ParameterDescription& p : model->parameters())
      parameters.push_back(graph.symbol(p.name));
    for (const char* k : {"1", "2"}) {
      q.push_back(graph.symbol(std::string("q") + k));
      v.push_back(graph.symbol(std::string("v") + k));
      x.push_back(graph.symbol(std::string("x") + k));
    }
  }
  // Value of an expression at a state and other lengths and masses than the nominal ones.
  double at(const Expr& e) const {
    const double symbols[] = {0.9, 1.3, 0.4, 2.1, 0.3, 0.7, 1.9, -1.1, -0.2, 0.6};  // as made
    return Values<double>(graph, symbols)(e);
  }
  std::optional<Model> model;
  Graph graph;
  std::vector<Expr> parameters, q, v, x;
};

TEST(symbolic, double_pendulum_has_its_closed_form) {
  const DoublePendulum pendulum;
  std::vector<Expr> M, tau;
  ASSERT_TRUE(symbolic::mass_matrix(*pendulum.model, pendulum.q, pendulum.parameters, M).ok());
  ASSERT_TRUE(symbolic::inverse_dynamics(*pendulum.model, pendulum.q, pendulum.v, pendulum.x,
                                         pendulum.parameters, tau)
                  .ok());
  const double l1 = 0.9, l2 = 1.3, m1 = 0.4, m2 = 2.1, q1 = 0.3, q2 = -1.1, v1 = 0.7, v2 = -0.2,
               a1 = 1.9, a2 = 0.6, g = 9.81;
  const double M22 = m2 * l2 * l2, M12 = M22 + m2 * l1 * l2 * std::cos(q2),
               M11 = (m1 + m2) * l1 * l1 + M22 + 2 * m2 * l1 * l2 * std::cos(q2);
  const double h = -m2 * l1 * l2 * std::sin(q2);
  // a dozen products of numbers near 1: some ulps
  EXPECT_NEAR(pendulum.at(M[0]), M11, 1e-14);
  EXPECT_NEAR(pendulum.at(M[1]), M12, 1e-14);
  EXPECT_NEAR(pendulum.at(M[2]), M12, 1e-14);
  EXPECT_NEAR(pendulum.at(M[3]), M22, 1e-14);
  EXPECT_NEAR(pendulum.at(tau[0]),
              M11 * a1 + M12 * a2 + h * (2 * v1 * v2 + v2 * v2) +
                  (m1 + m2) * g * l1 * std::sin(q1) + m2 * g * l2 * std::sin(q1 + q2),
              1e-13);
  EXPECT_NEAR(pendulum.at(tau[1]),
              M12 * a1 + M22 * a2 - h * v1 * v1 + m2 * g * l2 * std::sin(q1 + q2), 1e-13);
}

TEST(symbolic, forward_dynamics_inverts_inverse_dynamics) {
  const DoublePendulum pendulum;
  std::vector<Expr> tau, a;
  ASSERT_TRUE(symbolic::inverse_dynamics(*pendulum.model, pendulum.q, pendulum.v, pendulum.x,
                                         pendulum.parameters, tau)
                  .ok());
  ASSERT_TRUE(symbolic::forward_dynamics(*pendulum.model, pendulum.q, pendulum.v, tau,
                                         pendulum.parameters, a)
                  .ok());
  EXPECT_NEAR(pendulum.at(a[0]), 1.9, 1e-12);  // the mass matrix has condition 30 here
  EXPECT_NEAR(pendulum.at(a[1]), 0.6, 1e-12);
}

TEST(symbolic, parameters_that_are_not_given_are_nominal) {
  const DoublePendulum pendulum;
  std::vector<Expr> M;
  ASSERT_TRUE(symbolic::mass_matrix(*pendulum.model, pendulum.q, {}, M).ok());
  EXPECT_NEAR(pendulum.at(M[3]), 0.8 * 0.7 * 0.7, 1e-15);
}

TEST(symbolic, lengths_are_checked) {
  const DoublePendulum pendulum;
  std::vector<Expr> M;
  const std::vector<Expr> three(3, Expr(0.0));
  EXPECT_THROW(static_cast<void>(symbolic::mass_matrix(*pendulum.model, three, {}, M)),
               std::invalid_argument);
  EXPECT_THROW(static_cast<void>(symbolic::mass_matrix(*pendulum.model, pendulum.q, three, M)),
               std::invalid_argument);
}

TEST(symbolic, elements_that_are_not_supported_are_named) {
  Description description("geared");
  for (const char* name : {"a", "b"}) {
    description.body(name, sphere(1.0, 0.1));
    description.joint(std::string("turn_") + name, JointKind::revolute, "ground", name,
                      {.drive = name[0] == 'b' ? Drive::locked : Drive::none});
  }
  const Model locked = build_model(description);
  const std::vector<Expr> zero(2, Expr(0.0));
  std::vector<Expr> out;
  EXPECT_TRUE(symbolic::mass_matrix(locked, zero, {}, out).ok());
  Status status = symbolic::forward_dynamics(locked, zero, zero, zero, {}, out);
  EXPECT_NE(status.message().find("the drive of joint 'turn_b'"), std::string::npos)
      << status.message();

  description.couplings.push_back({.name = "gears", .terms = {{"turn_a", 1.0}, {"turn_b", -3.0}}});
  status = symbolic::mass_matrix(build_model(description), zero, {}, out);
  EXPECT_NE(status.message().find("gears"), std::string::npos) << status.message();
}

TEST(symbolic, model_without_joints_has_an_empty_matrix) {
  const Model empty = build_model(Description("nothing"));
  std::vector<Expr> M = {Expr(1.0)};
  EXPECT_TRUE(symbolic::mass_matrix(empty, {}, {}, M).ok());
  EXPECT_TRUE(M.empty());
}

}  // namespace
}  // namespace trammel::symbolic_test
