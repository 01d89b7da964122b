// Recursive constraint solvers (RecursiveSolver): which one a model selects, agreement of all, and
// fallback to dense solvers at special poses.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/unit/constraint/mechanisms.hpp"
#include "trammel/constraint/assembly/assembly.hpp"
#include "trammel/constraint/solver/constrained_dynamics.hpp"
#include "trammel/dynamics/forward_dynamics.hpp"
#include "trammel/read/load.hpp"

namespace trammel::recursive_solver_test {
namespace {

using mechanisms::four_bars, mechanisms::planar_arms;

struct Closed {
  explicit Closed(const Description& description)
      : model(build_model(description)), workspace(model) {
    const Status status = assembled_start(model, workspace, state);
    EXPECT_TRUE(status.ok()) << status.message();
    for (int k = 0; k < model.nv(); ++k) tau.push_back(std::sin(1.0 + k));
    set_velocities(state);
  }
  void set_velocities(State& at) {
    for (std::size_t k = 0; k < at.v.size(); ++k) at.v[k] = std::cos(2.0 * double(k));
    EXPECT_TRUE(assemble(model, at, workspace).ok());
  }
  ConstrainedAnswer solve(ConstraintSolver solver) {
    ConstrainedAnswer answer;
    const Status status =
        constrained_dynamics(model, state, {.tau = tau}, workspace, answer, solver);
    EXPECT_TRUE(status.ok()) << status.message();
    return answer;
  }
  std::string refusal(ConstraintSolver solver) {
    ConstrainedAnswer answer;
    return constrained_dynamics(model, state, {.tau = tau}, workspace, answer, solver).message();
  }
  Eigen::VectorXd a(const State& at, Workspace& room) const {
    std::vector<double> out(tau.size());
    const Status status = forward_dynamics(model, at, {.tau = tau}, room, out);
    EXPECT_TRUE(status.ok()) << status.message();
    return Eigen::Map<Eigen::VectorXd>(out.data(), model.nv());
  }
  // rounding times the ratio of the largest to the smallest body
  void expect_agreement(ConstraintSolver solver) {
    const Eigen::VectorXd right = solve(ConstraintSolver::kkt).a;
    EXPECT_LT((solve(solver).a - right).lpNorm<Eigen::Infinity>(),
              1e-10 * right.lpNorm<Eigen::Infinity>())
        << to_string(solver);
  }

  Model model;
  Workspace workspace;
  State state;
  std::vector<double> tau;
};

TEST(RecursiveSolver, loops_in_a_row_are_clusters) {
  Closed bars(four_bars(4));
  EXPECT_EQ(bars.solve(ConstraintSolver::automatic).solver, ConstraintSolver::cluster);
  for (const ConstraintSolver solver :
       {ConstraintSolver::automatic, ConstraintSolver::cluster, ConstraintSolver::schur})
    bars.expect_agreement(solver);
}

TEST(RecursiveSolver, arms_on_an_object_are_a_star_in_any_order_of_the_file) {
  for (const bool object_first : {true, false}) {
    Closed arms(planar_arms(3, object_first));
    EXPECT_EQ(arms.solve(ConstraintSolver::automatic).solver, ConstraintSolver::star);
    for (const ConstraintSolver solver :
         {ConstraintSolver::automatic, ConstraintSolver::star, ConstraintSolver::schur})
      arms.expect_agreement(solver);
  }
}

TEST(RecursiveSolver, an_unavailable_solver_is_reported) {
  Closed arms(planar_arms(2, false));
  EXPECT_NE(arms.refusal(ConstraintSolver::cluster)
                .find("solver 'cluster' is not applicable to model 'arms'"),
            std::string::npos)
      << arms.refusal(ConstraintSolver::cluster);
}

TEST(RecursiveSolver, multipliers_hold_what_the_answer_says_they_hold) {
  Closed bars(four_bars(3));
  Eigen::MatrixXd J;
  ASSERT_TRUE(constraint_jacobian(bars.model, bars.state, bars.workspace, J).ok());
  const ConstrainedAnswer sweep = bars.solve(ConstraintSolver::cluster),
                          kkt = bars.solve(ConstraintSolver::kkt);
  const Eigen::VectorXd held = J.transpose() * kkt.lambda;
  EXPECT_LT((J.transpose() * sweep.lambda - held).lpNorm<Eigen::Infinity>(),
            1e-10 * held.lpNorm<Eigen::Infinity>());
}

TEST(RecursiveSolver, earlier_calls_change_no_bit) {
  Closed bars(four_bars(2));
  Workspace fresh(bars.model);
  const Eigen::VectorXd first = bars.a(bars.state, fresh);
  State other = bars.state;
  other.q[0] += 0.3;
  ASSERT_TRUE(assemble(bars.model, other, bars.workspace).ok());
  bars.a(other, bars.workspace);
  EXPECT_EQ(bars.a(bars.state, bars.workspace), first);
}

// A flat parallelogram has one independent row less: the dense solver is used there; a neighboring
// state uses the recursion again, with the same limit.
TEST(RecursiveSolver, steps_aside_where_rows_become_dependent) {
  Closed bars(four_bars(1));
  State flat = bars.state;
  flat.q = {0, 0, 0};
  flat.v = {0, 0, 0};
  ASSERT_TRUE(assemble(bars.model, flat, bars.workspace).ok());
  ConstrainedAnswer answer;
  const Status status =
      constrained_dynamics(bars.model, flat, {.tau = bars.tau}, bars.workspace, answer);
  ASSERT_TRUE(status.ok()) << status.message();
  EXPECT_EQ(answer.basis.rank(), 1);
  ConstrainedAnswer kkt;
  ASSERT_TRUE(constrained_dynamics(bars.model, flat, {.tau = bars.tau}, bars.workspace, kkt,
                                   ConstraintSolver::kkt));
  EXPECT_LT((answer.a - kkt.a).norm(), 1e-9 * kkt.a.norm());
}

// Outboard links of a chain in line cannot move its tip along that line: the remainder of the row
// there is rounding, and must not be a divisor.
TEST(RecursiveSolver, links_in_line_are_looked_at_closely) {
  const Model model = load_model("@me_3");
  Workspace workspace(model);
  for (const double turn : {-0.4, -0.05, -0.01, 0.0, 0.005, 0.009, 0.01, 0.011, 0.05, 0.2, 0.3}) {
    State state = neutral_state(model);
    // links 2 to 4 hang below the tip; 3 and 4 stay in line
    state.q = {M_PI / 2, -M_PI, M_PI / 2 + turn, -M_PI / 2};
    const AssemblyOptions keep{.keep = {*model.find_joint("joint3"), *model.find_joint("joint4")}};
    ASSERT_TRUE(assemble(model, state, workspace, keep).ok()) << turn;
    std::vector<double> a(4);
    ASSERT_TRUE(forward_dynamics(model, state, {}, workspace, a).ok());
    ConstrainedAnswer answer;
    ASSERT_TRUE(
        constrained_dynamics(model, state, {}, workspace, answer, ConstraintSolver::kkt).ok());
    for (int k = 0; k < 4; ++k)
      EXPECT_NEAR(a[std::size_t(k)], answer.a[k], 1e-9 * (1 + answer.a.norm())) << turn << " " << k;
  }
}

TEST(RecursiveSolver, open_loops_and_torn_velocities_are_refused_all_the_same) {
  Closed bars(four_bars(1));
  std::vector<double> a(3);
  State open = bars.state;
  open.q[0] += 1e-3;
  EXPECT_NE(
      forward_dynamics(bars.model, open, {}, bars.workspace, a).message().find("is violated by"),
      std::string::npos);
  State torn = bars.state;
  torn.v[1] += 1e-3;
  EXPECT_NE(forward_dynamics(bars.model, torn, {}, bars.workspace, a)
                .message()
                .find("the velocities violate"),
            std::string::npos);
  // upside down, its axes appear parallel to their cross product
  Description upside_down = four_bars(1);
  upside_down.joints[3].options.child_at = {{0.3, 0.0, 0.0}, {M_PI, 0.0, 0.0}};
  const Model model = build_model(upside_down);
  Workspace workspace(model);
  EXPECT_NE(forward_dynamics(model, bars.state, {}, workspace, a).message().find("is violated by"),
            std::string::npos);
}

}  // namespace
}  // namespace trammel::recursive_solver_test
