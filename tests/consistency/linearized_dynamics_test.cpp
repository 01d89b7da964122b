// Linearization in closed form with sparse derivatives of the rows against Dual numbers for every
// direction; products without matrices against the matrices; products of the derivatives of inverse
// dynamics against these derivatives.
#include "trammel/analyze/linearized_dynamics.hpp"

#include <gtest/gtest.h>

#include "tests/support/n_four_bar.hpp"
#include "tests/support/random_closed_robot.hpp"
#include "tests/support/state_and_inputs.hpp"
#include "trammel/analyze/dual_linearization.hpp"
#include "trammel/analyze/tangent_operators.hpp"
#include "trammel/base/linear_algebra.hpp"
#include "trammel/constraint/equations/dense_rows.hpp"
#include "trammel/dynamics/derivatives.hpp"
#include "trammel/dynamics/eval_context.hpp"
#include "trammel/dynamics/kernel/tree/effort_products.hpp"

namespace trammel::linearized_dynamics_test {
namespace {

Eigen::VectorXd some_vector(Eigen::Index size, double from) {
  Eigen::VectorXd x(size);
  for (Eigen::Index k = 0; k < size; ++k) x[k] = std::cos(from + 1.3 * double(k * k));
  return x;
}
std::span<double> writable(Eigen::VectorXd& x) { return {x.data(), std::size_t(x.size())}; }

// The products of the operators against the matrices of `found`, to `tolerance` relative to the
// sizes of the terms.
void expect_products(const LinearizedDynamics& products, const Linearization& found,
                     double tolerance) {
  const Eigen::Index n = found.A.rows(), inputs = found.B.cols();
  ASSERT_EQ(products.states(), found.states);
  ASSERT_EQ(products.inputs(), found.inputs);
  ASSERT_EQ(products.outputs(), found.outputs);
  const auto expect_near = [&](const char* what, const Eigen::VectorXd& x,
                               const Eigen::MatrixXd& matrix, const Eigen::VectorXd& argument) {
    const double size = max_abs(Eigen::VectorXd(matrix.cwiseAbs() * argument.cwiseAbs()));
    EXPECT_LE(max_abs(Eigen::VectorXd(x - matrix * argument)),
              tolerance * (1 + max_abs(matrix) + size))
        << what;
  };
  const Eigen::VectorXd x = some_vector(n, 1), y = some_vector(n, 2), u = some_vector(inputs, 3);
  expect_near("A x", products.apply(x), found.A, x);
  expect_near("A^T y", products.apply_transposed(y), found.A.transpose(), y);
  expect_near("B u", products.apply_inputs(u), found.B, u);
  expect_near("B^T y", products.apply_inputs_transposed(y), found.B.transpose(), y);
  expect_near("C x", products.apply_outputs(x), found.C, x);
}

// Both ways of linearization, and all products, at a state.
void expect_consistent(const Model& model, const State& state, const Inputs& inputs,
                       Workspace& workspace) {
  Linearization duals, found;
  Status status = linearize_with_duals("linearize", model, state, inputs, workspace, duals);
  ASSERT_TRUE(status.ok()) << status.message();
  status = linearize(model, state, inputs, workspace, found, {.eigenvalues = false});
  ASSERT_TRUE(status.ok()) << status.message();
  EXPECT_EQ(found.eigenvalues.size(), 0);
  EXPECT_EQ(found.states, duals.states);
  EXPECT_EQ(found.inputs, duals.inputs);
  EXPECT_EQ(found.outputs, duals.outputs);
  // rounding of the accelerations and multipliers, which both ways solve for by other methods,
  // times the condition of the loops (1e3 to 1e5 for random ones)
  constexpr double tolerance = 1e-9;
  const double size = 1 + max_abs(duals.A);
  EXPECT_LE(max_abs(Eigen::MatrixXd(found.A - duals.A)), tolerance * size);
  EXPECT_LE(max_abs(Eigen::MatrixXd(found.B - duals.B)), tolerance * (1 + max_abs(duals.B)));
  EXPECT_LE(max_abs(Eigen::MatrixXd(found.C - duals.C)), tolerance * (1 + max_abs(duals.C)));
  EXPECT_LE(std::abs(found.acceleration - duals.acceleration),
            tolerance * (1 + duals.acceleration));

  std::optional<LinearizedDynamics> products;
  status = linearized_dynamics(model, state, inputs, workspace, products);
  ASSERT_TRUE(status.ok()) << status.message();
  // the same operators; fits of loop joints begin at those of the last call
  EXPECT_LE(max_abs(Eigen::MatrixXd(products->A() - found.A)), 1e-11 * size);
  expect_products(*products, found, 1e-10);
  // the recursive solver, where one applies
  std::unique_ptr<LinearizedDynamics::Operators> operators;
  bool is_undifferentiable = false;
  status = make_operators("linearize", model, state, inputs, workspace, operators,
                          is_undifferentiable, 0);
  ASSERT_TRUE(status.ok()) << status.message();
  expect_products(LinearizedDynamics(std::move(operators)), found, 1e-8);
}

class LinearizedGallery : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(models, LinearizedGallery, testing::ValuesIn(gallery_names()),
                         [](const auto& name) { return name.param; });

TEST_P(LinearizedGallery, sparse_derivatives_are_those_of_duals) {
  StateAndInputs here(load_model("@" + GetParam()));
  ASSERT_NO_FATAL_FAILURE(here.start());
  expect_consistent(here.model, here.state, here.inputs(), here.workspace);
}

TEST(linearized_dynamics, random_closed_mechanisms_with_wrenches_in_both_axes) {
  int compared = 0;
  for (int seed = 0; seed < 120; ++seed) {
    SCOPED_TRACE(seed);
    RandomClosedRobot robot(seed, seed % 3 == 0);
    Linearization duals;
    std::vector<Wrench> wrenches;
    for (int k = 1; k < int(robot.model.named_bodies().size()); k += 2)
      wrenches.push_back({{BodyId{k}},
                          {{0.3, -0.2, 0.1}, {1.0, 0.5 * k, -2.0}},
                          k % 4 == 1 ? Axes::world : Axes::body});
    const Inputs inputs{.tau = robot.tau, .wrenches = wrenches};
    // mechanisms that cannot move, or at a singular pose, have nothing to compare
    if (!linearize_with_duals("linearize", robot.model, robot.state, inputs, robot.workspace, duals)
             .ok() ||
        duals.A.size() == 0 || max_abs(duals.A) > 1e5)
      continue;
    ++compared;
    expect_consistent(robot.model, robot.state, inputs, robot.workspace);
  }
  EXPECT_GT(compared, 60);
}

TEST(linearized_dynamics, random_trees) {
  for (int seed = 0; seed < 40; ++seed) {
    RandomRobot robot(seed);
    SCOPED_TRACE(robot);
    expect_consistent(robot.model, robot.state, {.tau = robot.a}, robot.workspace);
  }
}

TEST(linearized_dynamics, products_of_effort_derivatives_are_those_of_the_matrices) {
  for (int seed = 0; seed < 60; ++seed) {
    RandomRobot robot(seed);
    SCOPED_TRACE(robot);
    DerivativeWorkspace derivative_workspace(robot.model);
    Derivatives matrices;
    const Inputs inputs{.a = robot.a};
    ASSERT_TRUE(inverse_dynamics_derivatives(robot.model, robot.state, inputs, robot.workspace,
                                             derivative_workspace, matrices)
                    .ok());
    const EvalContext context("test", robot.model, robot.state, inputs, robot.workspace);
    kernel::EffortProducts products(
        robot.model,
        kernel::inverse_dynamics_factors(context.input(), context.q(), context.v(), context.a()));
    const Eigen::Index nv = robot.model.nv();
    const Eigen::VectorXd dq = some_vector(nv, 1), dv = some_vector(nv, 2), da = some_vector(nv, 3),
                          y = some_vector(nv, 4);
    const std::vector<Force<double>> no_loads(robot.model.bodies().size());
    Eigen::VectorXd effort(nv), by_q(nv), by_v(nv), by_a(nv);
    products.apply(as_span(dq), as_span(dv), as_span(da), no_loads, writable(effort));
    std::vector<Motion<double>> motions;
    products.apply_transposed(as_span(y), writable(by_q), writable(by_v), writable(by_a), motions);
    // rounding of sums over at most 60 bodies
    const auto expect_near = [](const Eigen::VectorXd& x, const Eigen::VectorXd& exact,
                                double size) {
      EXPECT_LE(max_abs(Eigen::VectorXd(x - exact)), 1e-12 * size);
    };
    const double size = max_abs(Eigen::VectorXd(matrices.dq.cwiseAbs().rowwise().sum())) +
                        max_abs(Eigen::VectorXd(matrices.dv.cwiseAbs().rowwise().sum())) +
                        max_abs(Eigen::VectorXd(matrices.dx.cwiseAbs().rowwise().sum())) +
                        max_abs(Eigen::MatrixXd(matrices.dq.cwiseAbs().colwise().sum())) +
                        max_abs(Eigen::MatrixXd(matrices.dv.cwiseAbs().colwise().sum()));
    expect_near(effort, matrices.dq * dq + matrices.dv * dv + matrices.dx * da, size);
    expect_near(by_q, matrices.dq.transpose() * y, size);
    expect_near(by_v, matrices.dv.transpose() * y, size);
    expect_near(by_a, matrices.dx * y, size);
    products.apply_mass(as_span(da), writable(effort));
    expect_near(effort, matrices.dx * da, size);
  }
}

// In a ladder of any length each loop has the same few coordinates, so that the rows are
// differentiated in the same few directions.
TEST(linearized_dynamics, directions_of_the_rows_do_not_grow_with_the_loops) {
  std::vector<int> directions;
  for (const int loops : {4, 8, 40}) {
    const Model model = build_model(n_four_bar(loops));
    Workspace workspace(model);
    State state;
    ASSERT_TRUE(assembled_start(model, workspace, state).ok());
    const Inputs inputs;
    const EvalContext context("test", model, state, inputs, workspace, Constraints::honored,
                              Forces::acting);
    ConstraintRows rows(model);
    evaluate_rows(context, workspace, rows);
    const Kinematics kinematics = workspace->kinematics;
    LocalDerivatives derivatives;
    ASSERT_TRUE(local_derivatives(context, rows, kinematics, Eigen::VectorXd::Zero(model.nv()),
                                  Eigen::VectorXd::Zero(rows.count()), derivatives)
                    .ok());
    directions.push_back(derivatives.directions);
  }
  EXPECT_EQ(directions[0], directions[1]);
  EXPECT_EQ(directions[0], directions[2]);
  EXPECT_LE(directions[0], 8);
}

TEST(linearized_dynamics, refuses_what_linearize_refuses) {
  StateAndInputs open(load_model("@four_bar"));
  open.start();
  open.state.q[0] += 0.3;
  std::optional<LinearizedDynamics> products;
  const Status violated = linearized_dynamics(open.model, open.state, {}, open.workspace, products);
  EXPECT_NE(violated.message().find("linearized_dynamics: "), std::string::npos);
  EXPECT_NE(violated.message().find("is violated by"), std::string::npos) << violated.message();
  EXPECT_FALSE(products.has_value());
  open.start();
  ASSERT_TRUE(linearized_dynamics(open.model, open.state, {}, open.workspace, products).ok());
  EXPECT_THROW((void)products->apply(Eigen::VectorXd::Zero(7)), std::invalid_argument);
  EXPECT_THROW((void)products->apply_transposed(Eigen::VectorXd::Zero(1)), std::invalid_argument);
}

}  // namespace
}  // namespace trammel::linearized_dynamics_test
