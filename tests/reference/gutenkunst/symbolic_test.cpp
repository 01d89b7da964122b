// The double pendulum with symbols: the kernels, evaluated on symbols, give the printed formulas
// (5.13) of [Gutenkunst 2012].
#include "tests/reference/gutenkunst/common.hpp"
#include "trammel/dynamics/kernel/tree/inverse_dynamics.hpp"
#include "trammel/dynamics/kernel/tree/mass_matrix.hpp"
#include "trammel/dynamics/workspace_buffers.hpp"
#include "trammel/scalar/expr_count.hpp"
#include "trammel/scalar/expr_evaluate.hpp"

namespace trammel::gutenkunst::symbolic_test {
namespace {

// M, C v + N and N of the double pendulum as formulas of l1 l2 m1 m2 g, q and v.
struct LetteredPendulum {
  LetteredPendulum() : model(build_model(describe())) {
    std::vector<Expr> parameters, q, v;
    for (const auto& parameter : model.parameters())
      parameters.push_back(graph.symbol(parameter.name));
    for (const char* name : {"q1", "q2"}) q.push_back(graph.symbol(name));
    for (const char* name : {"v1", "v2"}) v.push_back(graph.symbol(name));
    const ModelParameters<Expr> numbers = make_numbers<Expr>(model, parameters);
    const KernelInput<Expr, Expr> input{model, numbers};
    BasicWorkspace<Expr> workspace(model);
    const std::vector<Expr> zero(2);
    kernel::mass_matrix<Expr, Expr>(input, q, workspace, {M.data(), 2, 2});
    kernel::newton_euler<Expr, Expr>(input, q, v, zero, workspace, h);
    kernel::newton_euler<Expr, Expr>(input, q, zero, zero, workspace, N);
  }
  static Description describe() {
    Description symbols;
    const Expr l1 = symbols.parameter("l1", 1), l2 = symbols.parameter("l2", 1),
               m1 = symbols.parameter("m1", 1), m2 = symbols.parameter("m2", 1),
               g = symbols.parameter("g", 9.81);
    Description description = pendulum({l1, l2}, {m1, m2});
    description.graph = symbols.graph;
    description.parameters = symbols.parameters;
    description.gravity = {0.0, g, 0.0};
    return description;
  }

  Graph graph;
  Model model;
  std::vector<Expr> M = std::vector<Expr>(4), h = std::vector<Expr>(2), N = std::vector<Expr>(2);
};

TEST(LetteredPendulum, has_the_printed_mass_matrix_and_loads) {
  const LetteredPendulum pendulum;
  Random random(513);
  for (int k = 0; k < 50; ++k) {
    const double l1 = random(0.3, 2), l2 = random(0.3, 2), m1 = random(0.3, 2), m2 = random(0.3, 2),
                 g = random(1, 10), q1 = random(-3, 3), q2 = random(-3, 3), v1 = random(-2, 2),
                 v2 = random(-2, 2);
    const std::vector<double> symbols = {l1, l2, m1, m2, g, q1, q2, v1, v2};
    const Values<double> value(pendulum.graph, symbols);
    const double rounding = 1e-14 * 200;  // sums of terms of at most 100

    // (5.13)
    const double c2 = std::cos(q2), a = l1 * l2 * m2 * std::sin(q2);
    const double M12 = l2 * m2 * (l2 + l1 * c2);
    EXPECT_NEAR(value(pendulum.M[0]), l1 * l1 * (m1 + m2) + l2 * l2 * m2 + 2 * l1 * l2 * m2 * c2,
                rounding);
    EXPECT_NEAR(value(pendulum.M[1]), M12, rounding);
    EXPECT_NEAR(value(pendulum.M[2]), M12, rounding);
    EXPECT_NEAR(value(pendulum.M[3]), l2 * l2 * m2, rounding);
    const double N1 = g * (l2 * m2 * std::sin(q1 + q2) + l1 * (m1 + m2) * std::sin(q1)),
                 N2 = g * l2 * m2 * std::sin(q1 + q2);
    EXPECT_NEAR(value(pendulum.N[0]), N1, rounding);
    EXPECT_NEAR(value(pendulum.N[1]), N2, rounding);
    // C = [-2 a v2, -a v2; a (v1 - v2), a v1]; only C v is unique and compared
    EXPECT_NEAR(value(pendulum.h[0]) - value(pendulum.N[0]), -2 * a * v2 * v1 - a * v2 * v2,
                rounding);
    EXPECT_NEAR(value(pendulum.h[1]) - value(pendulum.N[1]), a * (v1 - v2) * v1 + a * v1 * v2,
                rounding);
  }
}

TEST(LetteredPendulum, needs_neither_division_nor_root) {
  const LetteredPendulum pendulum;
  std::vector<Expr> all = pendulum.M;
  all.insert(all.end(), pendulum.h.begin(), pendulum.h.end());
  const OperationCount count = operations(all);
  EXPECT_EQ(count.divisions, 0);
  EXPECT_EQ(count.choices, 0);
  EXPECT_EQ(count.functions, 4);  // sine and cosine of both angles, once each
  // the axis x was turned to z by ones and zeros, so M contains only cos q2 (and sin q2)
  EXPECT_LE(operations(pendulum.M).functions, 2);
  EXPECT_TRUE(is_same(pendulum.M[1], pendulum.M[2]));
}

}  // namespace
}  // namespace trammel::gutenkunst::symbolic_test
