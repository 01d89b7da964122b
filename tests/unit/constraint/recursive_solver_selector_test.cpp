// Selection of the constraint solver: by request, by the mechanism, by the state, by a frozen rank;
// consistency of the rows that are left out. Ranks are counted by hand (mechanisms.hpp).
#include "trammel/constraint/system/recursive_solver_selector.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/support/redundant_wheels.hpp"
#include "tests/unit/constraint/mechanisms.hpp"
#include "trammel/constraint/assembly/assembly.hpp"
#include "trammel/constraint/solver/consistency.hpp"
#include "trammel/constraint/solver/constrained_dynamics.hpp"
#include "trammel/constraint/solver/freeze_rank.hpp"

namespace trammel::recursive_solver_selector_test {
namespace {

struct Mechanism {
  explicit Mechanism(const Description& description)
      : model(build_model(description)), workspace(model) {
    const Status status = assembled_start(model, workspace, state);
    EXPECT_TRUE(status.ok()) << status.message();
  }
  ConstrainedAnswer solve(ConstraintSolver solver, const Inputs& inputs = {}) {
    ConstrainedAnswer answer;
    const Status status = constrained_dynamics(model, state, inputs, workspace, answer, solver);
    EXPECT_TRUE(status.ok()) << status.message();
    return answer;
  }
  int rank() {
    RowBasis basis;
    EXPECT_TRUE(row_basis(model, state, workspace, basis).ok());
    return basis.rank();
  }

  Model model;
  Workspace workspace;
  State state;
};

// Folded flat, one of the two rows of a parallelogram is zero: no velocity moves its pin along it.
Description flat_parallelogram() {
  Description bars = mechanisms::four_bars(1);
  for (StartDescription& start : bars.start_positions) start.values = {0.0};
  return bars;
}
Description pendulum() {
  Description description("pendulum");
  description.body("rod", mechanisms::solid(1.0));
  description.joint("pivot", JointKind::revolute, "ground", "rod", mechanisms::pin(0.0));
  return description;
}

TEST(SolverSelection, null_space_and_kkt_are_dense_and_sparse_is_not_recursive) {
  for (const ConstraintSolver solver : {ConstraintSolver::automatic, ConstraintSolver::schur,
                                        ConstraintSolver::star, ConstraintSolver::cluster})
    EXPECT_TRUE(RecursiveSolverSelector::is_one(solver)) << to_string(solver);
  for (const ConstraintSolver solver :
       {ConstraintSolver::null_space, ConstraintSolver::kkt, ConstraintSolver::sparse})
    EXPECT_FALSE(RecursiveSolverSelector::is_one(solver)) << to_string(solver);
}

TEST(SolverSelection, a_requested_solver_is_used_and_reported) {
  Mechanism bar(mechanisms::four_bars(1));
  const Eigen::VectorXd a = bar.solve(ConstraintSolver::kkt).a;
  for (const ConstraintSolver solver :
       {ConstraintSolver::schur, ConstraintSolver::star, ConstraintSolver::null_space,
        ConstraintSolver::kkt, ConstraintSolver::sparse}) {
    const ConstrainedAnswer answer = bar.solve(solver);
    EXPECT_EQ(answer.solver, solver);
    EXPECT_EQ(answer.basis.rank(), 2) << to_string(solver);
    // rounding times the condition of the mass matrix, some hundred
    EXPECT_LT((answer.a - a).norm(), 1e-12 * a.norm()) << to_string(solver);
  }
}

TEST(SolverSelection, automatic_is_by_the_mechanism) {
  using enum ConstraintSolver;
  // one side of a loop on ground comes first, then the other: star; loops on bodies: cluster
  EXPECT_EQ(Mechanism(mechanisms::four_bars(1)).solve(automatic).solver, star);
  EXPECT_EQ(Mechanism(mechanisms::four_bars(3)).solve(automatic).solver, cluster);
  EXPECT_EQ(Mechanism(mechanisms::planar_arms(3, true)).solve(automatic).solver, star);
  EXPECT_EQ(Mechanism(mechanisms::sarrus()).solve(automatic).solver, star);
  EXPECT_EQ(Mechanism(mechanisms::door()).solve(automatic).solver, schur);  // no row to eliminate
  // rows become dependent: the recursion does not apply, a dense solver does
  Mechanism flat(flat_parallelogram());
  const ConstrainedAnswer answer = flat.solve(automatic);
  EXPECT_EQ(answer.solver, schur);
  EXPECT_EQ(answer.basis.rank(), 1);
}

// A massless coupler moves with the others, but its own row and column of M are zero.
TEST(SolverSelection, automatic_takes_kkt_with_a_singular_mass_matrix) {
  Description description = mechanisms::four_bars(1);
  description.bodies[1].solid = {};
  Mechanism bar(description);
  std::vector<double> tau = {0.7, 0.0, 0.0};
  const ConstrainedAnswer answer = bar.solve(ConstraintSolver::automatic, {.tau = tau});
  const ConstrainedAnswer kkt = bar.solve(ConstraintSolver::kkt, {.tau = tau});
  EXPECT_EQ(answer.solver, ConstraintSolver::kkt);
  EXPECT_LT((answer.a - kkt.a).norm(), 1e-12 * kkt.a.norm());
  // a parallelogram with cranks of one angle: (I1 + I3) a = tau - gravity, inertias about the pins
  const double I1 = 0.015 + 1.0 * (0.1 * 0.1 + 0.01 * 0.01);  // solid(): zz and the center of mass
  const double I3 = 0.015 + 0.8 * (0.1 * 0.1 + 0.01 * 0.01);
  const double c = std::cos(1.1), s = std::sin(1.1), arm = 0.1 * c - 0.01 * s;
  const double expected = (0.7 - 9.81 * 1.8 * arm) / (I1 + I3);
  EXPECT_NEAR(answer.a[0], expected, 1e-11 * std::abs(expected));
  EXPECT_NEAR(answer.a[1], -expected, 1e-11 * std::abs(expected));
  EXPECT_NEAR(answer.a[2], expected, 1e-11 * std::abs(expected));
}

TEST(SolverSelection, generic_rank_is_that_of_nearly_all_states) {
  const auto rank = [](const Description& description) {
    Mechanism mechanism(description);
    return generic_rank(mechanism.model, mechanism.workspace);
  };
  EXPECT_EQ(rank(mechanisms::four_bars(1)), 2);
  EXPECT_EQ(rank(mechanisms::four_bars(3)), 6);
  EXPECT_EQ(rank(mechanisms::planar_arms(3, false)), 12);
  EXPECT_EQ(rank(mechanisms::sarrus()), 4);
  EXPECT_EQ(rank(mechanisms::door()), 0);
  EXPECT_EQ(rank(flat_parallelogram()), 2);  // although its start has rank 1
  EXPECT_EQ(rank(pendulum()), 0);
}

TEST(SolverSelection, a_frozen_rank_is_kept_until_it_is_released) {
  Mechanism flat(flat_parallelogram());
  ASSERT_EQ(flat.rank(), 1);
  ASSERT_TRUE(freeze_rank(flat.model, flat.state, flat.workspace, 1).ok());
  Mechanism bar(mechanisms::four_bars(1));  // the same model elsewhere
  flat.state = bar.state;
  EXPECT_EQ(flat.rank(), 1);
  unfreeze_rank(flat.workspace);
  EXPECT_EQ(flat.rank(), 2);
  // no effect if nothing is left out
  for (const int rank : {2, 5}) {
    ASSERT_TRUE(freeze_rank(flat.model, flat.state, flat.workspace, rank).ok());
    EXPECT_EQ(flat.rank(), 2);
  }
  // a tree has no rows to freeze
  Mechanism tree(pendulum());
  EXPECT_TRUE(freeze_rank(tree.model, tree.state, tree.workspace, 0).ok());
}

// Crank and rocker of a parallelogram have one angle: two prescribed motions depend on each other.
TEST(SolverSelection, prescribed_motions_must_agree_with_each_other) {
  Description description = mechanisms::four_bars(1);
  description.joints[0].options.drive = description.joints[2].options.drive = Drive::motion;
  Mechanism bar(description);
  EXPECT_EQ(bar.rank(), 3);  // of 5 + 2 rows
  const std::vector<double> agreeing = {1.5, 0.0, 1.5};
  const ConstrainedAnswer answer = bar.solve(ConstraintSolver::automatic, {.a = agreeing});
  EXPECT_NEAR(answer.a[0], 1.5, 1e-12);
  EXPECT_NEAR(answer.a[1], -1.5, 1e-12);  // the coupler does not turn
  EXPECT_NEAR(answer.a[2], 1.5, 1e-12);
  for (const ConstraintSolver solver : {ConstraintSolver::automatic, ConstraintSolver::schur,
                                        ConstraintSolver::null_space, ConstraintSolver::kkt}) {
    const std::vector<double> differing = {1.5, 0.0, 1.75};
    ConstrainedAnswer none;
    const std::string message =
        constrained_dynamics(bar.model, bar.state, {.a = differing}, bar.workspace, none, solver)
            .message();
    const auto has = [&](const char* text) { return message.find(text) != std::string::npos; };
    EXPECT_TRUE(has("contradicts")) << to_string(solver) << ": " << message;
    EXPECT_TRUE(has("'motor0'") && has("'foot0'")) << message;
    // the consistent value of either is that of the other
    EXPECT_TRUE(has("(1.75 and 1.5); 1.5 of the first would agree") ||
                has("(1.5 and 1.75); 1.75 of the first would agree"))
        << message;
  }
}

// One row of the pair is left out on purpose: only velocities that satisfy it are accepted.
TEST(SolverSelection, velocities_must_satisfy_the_rows_left_out) {
  Mechanism bar(mechanisms::four_bars(1));
  RowBasis basis;
  ASSERT_TRUE(row_basis(bar.model, bar.state, bar.workspace, basis).ok());
  ConstraintEvaluation evaluation(bar.model);
  const auto check = [&](const std::vector<double>& v) {
    evaluation.evaluate(bar.model, bar.state.q, v, bar.workspace);
    RowBasis one = basis;
    one.rows.resize(1);
    return check_left_out_rates(bar.model, evaluation.rows, one, v);
  };
  EXPECT_TRUE(check({0, 0, 0}).ok());
  EXPECT_TRUE(check({2, -2, 2}).ok());  // crank and rocker alike, and the coupler does not turn
  // row kept: k . v = 0; a velocity along both others' remainder violates the row left out
  evaluation.evaluate(bar.model, bar.state.q, bar.state.v, bar.workspace);
  const Eigen::Vector3d kept = evaluation.rows.jacobian().row(basis.rows[0]),
                        left = evaluation.rows.jacobian().row(basis.rows[1]);
  const Eigen::Vector3d v = left - kept * (kept.dot(left) / kept.squaredNorm());
  ASSERT_GT(v.norm(), 1e-3);
  const Status status = check({v[0], v[1], v[2]});
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.message().find("loop joint 'wrist0'"), std::string::npos) << status.message();
}

// Four steered wheels: with axles that are parallel or meet in one point, the vehicle can move, and
// two of the three conditions across the wheels are independent; otherwise it cannot, by three.
TEST(SolverSelection, solvers_of_redundant_wheels_are_by_the_state) {
  RedundantWheels vehicle("e_09", false);
  ConstraintEvaluation evaluation(vehicle.model);
  RecursiveSolverSelector selector;
  const int generic = selector.generic_basis(vehicle.model, vehicle.workspace, evaluation).rank();
  const auto choose = [&] {
    const Inputs inputs;
    const EvalContext context("choose", vehicle.model, vehicle.state, inputs, vehicle.workspace,
                              Constraints::honored_unchecked, Forces::acting);
    EXPECT_TRUE(context.ok()) << context.status().message();
    return selector.choose(context, vehicle.workspace, evaluation);
  };
  Random random(3);
  RecursiveSolver* general = nullptr;
  for (int k = 0; k < 20; ++k) {
    vehicle.stand_somehow(random);
    const RecursiveSolverSelector::Choice moving = choose();
    ASSERT_NE(moving.solver, nullptr);
    EXPECT_EQ(int(moving.solver->rows().size()), generic - 1) << k;
    EXPECT_TRUE(moving.skip.are_dependent) << k;
    // the same state, the same solver
    EXPECT_EQ(choose().solver, moving.solver) << k;

    vehicle.place(random);
    for (const int f : vehicle.steer) vehicle.angle(f) = random(-1, 1);
    const RecursiveSolverSelector::Choice standing = choose();
    ASSERT_NE(standing.solver, nullptr);
    EXPECT_EQ(int(standing.solver->rows().size()), generic) << k;
    EXPECT_FALSE(standing.skip.are_dependent) << k;
    if (general == nullptr) general = standing.solver;
    EXPECT_EQ(standing.solver, general) << k;
  }
}

}  // namespace
}  // namespace trammel::recursive_solver_selector_test
