// Loops that share no joint are solved apart: the same dependent rows, efforts and reactions as
// from dense matrices of the whole mechanism, and as from each loop alone.
#include <gtest/gtest.h>

#include <Eigen/Core>
#include <algorithm>
#include <functional>
#include <numeric>
#include <string>

#include "tests/support/how_many.hpp"
#include "tests/support/random_closed_robot.hpp"
#include "tests/unit/constraint/mechanisms.hpp"
#include "trammel/base/linear_algebra.hpp"
#include "trammel/constraint/assembly/assembly.hpp"
#include "trammel/constraint/equations/constraint_rows.hpp"
#include "trammel/constraint/rank/component_qr.hpp"
#include "trammel/constraint/rank/row_basis.hpp"
#include "trammel/constraint/solver/constrained_dynamics.hpp"
#include "trammel/dynamics/forward_dynamics.hpp"
#include "trammel/dynamics/inverse_dynamics.hpp"
#include "trammel/dynamics/kernel/dispatch/table.hpp"
#include "trammel/simulate/simulate.hpp"

namespace trammel::components_test {
namespace {

using Eigen::MatrixXd, Eigen::VectorXd;

double largest_of(const MatrixXd& x) { return x.size() > 0 ? x.cwiseAbs().maxCoeff() : 0; }

class EveryClosedMechanism : public testing::TestWithParam<int> {
 protected:
  EveryClosedMechanism() : robot(GetParam(), GetParam() % 3 == 0), rows(robot.model) {
    Kinematics at(robot.model);
    const std::vector<double> zero(std::size_t(robot.model.nv()));
    kernel::kernels().kinematics({robot.model, robot.model.numbers()}, robot.state.q, zero, zero,
                                 *robot.workspace, at);
    rows.evaluate(robot.model, at, robot.state.q, zero, zero, {});
    EXPECT_TRUE(row_basis(robot.model, robot.state, robot.workspace, basis).ok());
  }
  RandomClosedRobot robot;
  ConstraintRows rows;
  RowBasis basis;
};
INSTANTIATE_TEST_SUITE_P(seeds, EveryClosedMechanism, testing::Range(1, 1 + how_many(200)));

TEST_P(EveryClosedMechanism, has_the_pivots_of_its_dense_rows) {
  ComponentQr parts;
  parts.compute(rows.sparse_jacobian(), rows.row_scales());
  MatrixXd columns = rows.jacobian().transpose();
  for (Eigen::Index k = 0; k < columns.cols(); ++k)
    if (rows.row_scales()[k] > 0) columns.col(k) /= rows.row_scales()[k];
  const PivotedQr whole(columns);
  ASSERT_EQ(parts.pivots().size(), whole.pivots().size());
  EXPECT_LT((parts.pivots() - whole.pivots()).lpNorm<Eigen::Infinity>(), 1e-13 * whole.pivots()[0]);
  EXPECT_EQ(parts.rank(1e-9), basis.rank());
}

TEST_P(EveryClosedMechanism, has_the_dependent_rows_of_its_dense_rows) {
  const std::vector<DependentSet> sets = dependent_sets(rows.sparse_jacobian(), basis);
  ASSERT_EQ(int(sets.size()), basis.redundant());
  const MatrixXd& J = rows.jacobian();
  const MatrixXd independent = J(basis.rows, Eigen::all);
  std::vector<int> redundant;
  for (int row = 0; row < basis.count; ++row)
    if (std::ranges::find(basis.rows, row) == basis.rows.end()) redundant.push_back(row);
  for (std::size_t k = 0; k < sets.size(); ++k) {
    VectorXd expected = VectorXd::Zero(basis.count), found = expected;
    const VectorXd parts =
        OrthogonalDecomposition(independent.transpose()).solve(J.row(redundant[k]).transpose());
    expected(basis.rows) = parts;
    expected[redundant[k]] = -1;
    expected /= expected.lpNorm<Eigen::Infinity>();
    for (std::size_t i = 0; i < sets[k].rows.size(); ++i)
      found[sets[k].rows[i]] = sets[k].weights[i];
    // smaller weights than 1e-9 are left out
    EXPECT_LT((found - expected).lpNorm<Eigen::Infinity>(), 1e-8);
    const DependentSet alone = dependent_set(rows.sparse_jacobian(), basis, redundant[k]);
    EXPECT_EQ(alone.rows, sets[k].rows);
    EXPECT_EQ(alone.weights, sets[k].weights);
  }
}

// Every joint is driven: minimum-norm efforts.
TEST_P(EveryClosedMechanism, has_the_efforts_of_the_dense_equations) {
  ConstrainedAnswer motion;
  ASSERT_TRUE(
      constrained_dynamics(robot.model, robot.state, {.tau = robot.tau}, robot.workspace, motion)
          .ok());
  const Inputs inputs{.a = {motion.a.data(), std::size_t(motion.a.size())}};
  DriveDemand demand;
  DriveEfforts efforts;
  ASSERT_TRUE(drive_demand(robot.model, robot.state, inputs, robot.workspace, demand).ok());
  ASSERT_TRUE(drive_efforts(robot.model, robot.state, inputs, robot.workspace, efforts).ok());
  const OrthogonalDecomposition solver(demand.A);
  if (demand.A.size() == 0) return;
  const VectorXd u = solver.solve(demand.needed);
  const MatrixXd determined = solver.solve(demand.A);
  for (std::size_t k = 0; k < demand.dofs.size(); ++k) {
    const auto at = Eigen::Index(k);
    EXPECT_NEAR(efforts.tau[demand.dofs[k]], u[at], 1e-10 * (1 + largest_of(u)));
    EXPECT_EQ(efforts.is_unique[std::size_t(demand.dofs[k])],
              std::abs(determined(at, at) - 1) < 1e-9);
  }
}

// Chains in which each four-bar stands on the rocker of the one before, and rows of four-bars on
// ground.
class EveryRow : public testing::TestWithParam<std::pair<int, bool>> {
 protected:
  static Description describe(int n, bool stand_on_ground) {
    Description description = mechanisms::four_bars(n, stand_on_ground);
    for (JointDescription& joint : description.joints)
      if (joint.name.starts_with("motor")) joint.options.drive = Drive::torque;
    return description;
  }
  // closed, with different crank angles in the chain's loops
  static State start(const Model& model) {
    State state = neutral_state(model);
    for (const NamedJoint& joint : model.joints()) {
      if (joint.role != NamedJoint::Role::tree) continue;
      const double sign = joint.name.starts_with("elbow") ? -1 : 1;
      const double k = std::stod(joint.name.substr(joint.name.find_first_of("0123456789")));
      state.q[std::size_t(joint.q_start)] = sign * (1.1 + 0.2 * std::sin(k));
      state.v[std::size_t(joint.v_start)] = sign * 0.3 * std::cos(k);
    }
    return state;
  }
  const int n = GetParam().first;
  Model model = build_model(describe(n, GetParam().second));
  Workspace workspace{model};
  State state = start(model);
};
INSTANTIATE_TEST_SUITE_P(rows, EveryRow,
                         testing::Values(std::pair{1, false}, std::pair{8, false},
                                         std::pair{64, false}, std::pair{8, true},
                                         std::pair{64, true}));

TEST_P(EveryRow, inverse_dynamics_returns_the_efforts_of_the_motors) {
  std::vector<double> tau(std::size_t(model.nv())), a(tau.size()), efforts(tau.size());
  for (int k = 0; k < n; ++k) {
    const NamedJoint& motor = model[*model.find_joint("motor" + std::to_string(k))];
    tau[std::size_t(motor.v_start)] = std::cos(1.0 + k);
  }
  Status status = forward_dynamics(model, state, {.tau = tau}, workspace, a);
  ASSERT_TRUE(status.ok()) << status.message();
  status = inverse_dynamics(model, state, {.a = a}, workspace, efforts);
  ASSERT_TRUE(status.ok()) << status.message();
  // each loop carries all that stand on it: efforts of the tree without loops grow with their
  // number
  for (std::size_t f = 0; f < tau.size(); ++f) EXPECT_NEAR(efforts[f], tau[f], 1e-9 * n * n);
  DriveEfforts all;
  ASSERT_TRUE(drive_efforts(model, state, {.a = a}, workspace, all).ok());
  EXPECT_TRUE(std::ranges::all_of(all.is_unique, std::identity()));
}

TEST_P(EveryRow, reactions_by_the_recursive_solver_equal_those_of_dense_matrices) {
  UniqueReactions quick, dense;
  Status status = constrained_reactions(model, state, {}, workspace, quick);
  ASSERT_TRUE(status.ok()) << status.message();
  status = constrained_reactions(model, state, {}, workspace, dense, ConstraintSolver::kkt);
  ASSERT_TRUE(status.ok()) << status.message();
  EXPECT_EQ(quick.is_unique, dense.is_unique);
  for (std::size_t j = 0; j < quick.force.size(); ++j) {
    EXPECT_LT(norm(quick.force[j].force - dense.force[j].force), 1e-8 * n);
    EXPECT_LT(norm(quick.force[j].moment - dense.force[j].moment), 1e-8 * n);
  }
}

// Four-bars on ground do not act on each other.
class EveryRowOnGround : public EveryRow {};
INSTANTIATE_TEST_SUITE_P(rows, EveryRowOnGround,
                         testing::Values(std::pair{8, true}, std::pair{64, true}));
TEST_P(EveryRowOnGround, has_the_reactions_of_each_four_bar_alone) {
  UniqueReactions together;
  Status status = constrained_reactions(model, state, {}, workspace, together);
  ASSERT_TRUE(status.ok()) << status.message();
  const Model one = build_model(describe(1, true));
  Workspace workspace_of_one(one);
  for (int k = 0; k < n; ++k) {
    State alone = neutral_state(one);
    for (const char* name : {"motor", "elbow", "foot"}) {
      const NamedJoint& from = model[*model.find_joint(name + std::to_string(k))];
      const NamedJoint& to = one[*one.find_joint(name + std::string("0"))];
      alone.q[std::size_t(to.q_start)] = state.q[std::size_t(from.q_start)];
      alone.v[std::size_t(to.v_start)] = state.v[std::size_t(from.v_start)];
    }
    UniqueReactions expected;
    status = constrained_reactions(one, alone, {}, workspace_of_one, expected);
    ASSERT_TRUE(status.ok()) << status.message();
    EXPECT_NEAR(together.length, expected.length, 1e-12);
    for (const char* name : {"motor", "elbow", "foot", "wrist"}) {
      const auto i = std::size_t(index(*model.find_joint(name + std::to_string(k))));
      const auto j = std::size_t(index(*one.find_joint(name + std::string("0"))));
      EXPECT_EQ(together.is_unique[i], expected.is_unique[j]) << name;
      EXPECT_LT(norm(together.force[i].force - expected.force[j].force), 1e-10) << name;
      EXPECT_LT(norm(together.force[i].moment - expected.force[j].moment), 1e-10) << name;
    }
  }
}

// Two four-bars stand on a bracket that is welded to ground. Their rows share no joint, but the
// weld carries the self-stresses of both: the reactions of minimum norm do not separate. They do
// not depend on the joints at which the loops are cut.
TEST(Components, self_stresses_of_two_loops_meet_in_a_weld) {
  const auto solve = [](const std::string& cut, UniqueReactions& out) {
    Description description = mechanisms::four_bars(2, true);
    description.body("bracket", mechanisms::solid(0.5));
    for (JointDescription& joint : description.joints) {
      if (joint.parent == "ground" && joint.name.starts_with("foot")) joint.parent = "bracket";
      joint.options.cut = joint.name.starts_with(cut);
    }
    std::erase_if(description.start_positions,
                  [&](const StartDescription& start) { return start.joint.starts_with(cut); });
    if (cut != "wrist")
      for (const char* name : {"wrist0", "wrist1"})
        description.start_positions.push_back({.joint = name, .values = {1.1}});
    description.joint("weld", JointKind::fixed, "ground", "bracket", {});
    const Model model = build_model(description);
    Workspace workspace(model);
    State state;
    ASSERT_TRUE(assembled_start(model, workspace, state).ok());
    const Status status = constrained_reactions(model, state, {}, workspace, out,
                                                ConstraintSolver::automatic, {.length = 0.3});
    ASSERT_TRUE(status.ok()) << status.message();
    // in the order of the names
    std::vector<std::size_t> order(model.joints().size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::ranges::sort(order, {}, [&](std::size_t j) { return model.joints()[j].name; });
    UniqueReactions sorted = out;
    for (std::size_t k = 0; k < order.size(); ++k) {
      sorted.force[k] = out.force[order[k]];
      sorted.is_unique[k] = out.is_unique[order[k]];
    }
    out = sorted;
  };
  UniqueReactions first, second;
  solve("wrist", first);
  solve("elbow", second);
  ASSERT_EQ(first.force.size(), 9u);
  EXPECT_EQ(first.is_unique, second.is_unique);
  for (std::size_t j = 0; j < first.force.size(); ++j) {
    EXPECT_LT(norm(first.force[j].force - second.force[j].force), 1e-9) << j;
    EXPECT_LT(norm(first.force[j].moment - second.force[j].moment), 1e-9) << j;
  }
}

// The second of two four-bars passes the pose in which its links lie flat, the first rests.
TEST(Components, a_singular_pose_names_the_rows_of_its_own_loop) {
  Description description = mechanisms::four_bars(2, true);
  description.gravity = {0.0, 0.0, 0.0};
  const Model model = build_model(description);
  Workspace workspace(model);
  State state = neutral_state(model);
  for (const NamedJoint& joint : model.joints()) {
    if (joint.role != NamedJoint::Role::tree) continue;
    const double sign = joint.name.starts_with("elbow") ? -1 : 1;
    const bool moves = joint.name.ends_with("1");
    state.q[std::size_t(joint.q_start)] = sign * (moves ? -0.3 : 1.1);
    state.v[std::size_t(joint.v_start)] = moves ? sign : 0;
  }
  RunOptions options;
  options.duration = 0.6;
  RunStatistics statistics;
  const Status status = simulate(
      model, state, SimulationInputs(model), options, workspace,
      [](const RunSnapshot&) { return Status(); }, statistics);
  ASSERT_TRUE(status.ok()) << status.message();
  ASSERT_EQ(statistics.events.size(), 1u);
  const EventRecord& event = statistics.events[0];
  EXPECT_TRUE(event.what.starts_with("singular pose, a branch: 1 more degree of freedom"))
      << event.what;
  EXPECT_NE(event.what.find("'wrist1'"), std::string::npos) << event.what;
  EXPECT_EQ(event.what.find("'wrist0'"), std::string::npos) << event.what;
}

}  // namespace
}  // namespace trammel::components_test
