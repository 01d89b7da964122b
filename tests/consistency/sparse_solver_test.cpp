// The sparse solver against the dense ones, the equations of motion and closed forms.
#include "trammel/constraint/solver/sparse_solver.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "tests/support/how_many.hpp"
#include "tests/support/lattice.hpp"
#include "tests/support/n_four_bar.hpp"
#include "tests/support/random_closed_robot.hpp"
#include "tests/support/star.hpp"
#include "tests/unit/constraint/mechanisms.hpp"
#include "trammel/base/linear_algebra.hpp"
#include "trammel/constraint/assembly/assembly.hpp"
#include "trammel/constraint/solver/constrained_dynamics.hpp"
#include "trammel/constraint/solver/dynamics_with_rows.hpp"
#include "trammel/constraint/system/sparse_solver_selector.hpp"
#include "trammel/dynamics/forward_dynamics.hpp"
#include "trammel/dynamics/kernel/dispatch/table.hpp"
#include "trammel/dynamics/matrices.hpp"
#include "trammel/dynamics/workspace_buffers.hpp"

namespace trammel::sparse_solver_test {
namespace {

using Eigen::VectorXd;

// Both solutions; dense solvers lose the square of the condition of the rows.
void expect_same(const ConstrainedAnswer& sparse, const ConstrainedAnswer& dense,
                 double tolerance) {
  ASSERT_EQ(sparse.basis.rows, dense.basis.rows);
  EXPECT_LE(max_abs(sparse.a - dense.a), tolerance * (1 + max_abs(dense.a)));
  EXPECT_LE(max_abs(sparse.lambda - dense.lambda), tolerance * (1 + max_abs(dense.lambda)));
}
double tolerance_of(const RowBasis& basis) {
  return std::max(1e-9, 1e-14 / (basis.least() * basis.least()));
}

class EveryMechanismSolvedSparsely : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(seeds, EveryMechanismSolvedSparsely, testing::Range(1, 1 + how_many(200)));

TEST_P(EveryMechanismSolvedSparsely, has_the_solution_of_the_dense_solvers) {
  RandomClosedRobot robot(GetParam(), GetParam() % 3 == 0);
  ConstrainedAnswer sparse, dense;
  for (const ConstraintSolver solver : {ConstraintSolver::schur, ConstraintSolver::kkt}) {
    const Inputs inputs{.tau = robot.tau};
    // schur may be recursive: its rows are another basis
    const Status by_dense =
        constrained_dynamics(robot.model, robot.state, inputs, robot.workspace, dense, solver);
    const Status status = constrained_dynamics(robot.model, robot.state, inputs, robot.workspace,
                                               sparse, ConstraintSolver::sparse, &dense.basis);
    ASSERT_TRUE(by_dense.ok()) << by_dense.message();
    ASSERT_TRUE(status.ok()) << status.message();
    EXPECT_EQ(sparse.solver, ConstraintSolver::sparse);
    if (solver == ConstraintSolver::kkt)
      expect_same(sparse, dense, tolerance_of(dense.basis));
    else
      EXPECT_LE((sparse.a - dense.a).norm(), 1e-7 * (1 + dense.a.norm()));
  }
}

// A mechanism at a state with velocities; rows of its loops in the plane, or all, are the basis.
struct Case {
  explicit Case(const Description& description) : model(build_model(description)) {
    state = neutral_state(model);
    evaluate();
  }
  void evaluate() {
    const std::vector<double> zero(static_cast<std::size_t>(model.nv()));
    std::vector<double> bias(zero.size());
    kernel::kernels().inverse_dynamics({model, model.numbers()}, state.q, state.v, zero, *workspace,
                                       bias);
    kernel::kernels().kinematics({model, model.numbers()}, state.q, state.v, zero, *workspace,
                                 workspace->kinematics);
    rows.evaluate(model, workspace->kinematics, state.q, state.v, zero, {});
    f = tau - Eigen::Map<VectorXd>(bias.data(), std::ssize(bias));
    gamma = -rows.acceleration();
  }
  // Rows of the forces in the plane, or of all forces.
  void set_basis(bool in_plane) {
    basis = {};
    basis.count = rows.count();
    for (const ConstraintRows::RowWrench& wrench : rows.row_wrenches())
      if (norm(wrench.F.moment) < 1e-9 && (!in_plane || std::abs(wrench.F.force.z) < 1e-9))
        basis.rows.push_back(wrench.row);
  }
  // Random velocities, corrected to satisfy the loops: least change in the kinetic norm.
  void set_velocities(Random& random) {
    for (double& v : state.v) v = random();
    evaluate();
    SparseSolver solver(model, basis.rows);
    const std::vector<double> no_force(state.v.size());
    const VectorXd back = -rows.rate();
    ASSERT_TRUE(solver.solve(model, workspace->kinematics, rows, no_force, back, a, lambda).ok());
    for (std::size_t k = 0; k < state.v.size(); ++k) state.v[k] += a[Eigen::Index(k)];
    evaluate();
  }
  Status solve() {
    SparseSolver solver(model, basis.rows);
    return solver.solve(model, workspace->kinematics, rows, {f.data(), std::size_t(f.size())},
                        gamma, a, lambda);
  }
  // Largest residual of M a + h = tau + J^T lambda by the kernel's inverse dynamics, and of
  // J a = gamma, relative to the largest effort and acceleration.
  double force_residual() {
    std::vector<double> effort(std::size_t(model.nv()));
    kernel::kernels().inverse_dynamics({model, model.numbers()}, state.q, state.v,
                                       {a.data(), std::size_t(a.size())}, *workspace, effort);
    const VectorXd loops = rows.sparse_jacobian().transpose_times(lambda);
    const VectorXd missed = Eigen::Map<VectorXd>(effort.data(), std::ssize(effort)) - tau - loops;
    return max_abs(missed) / (max_abs(f) + max_abs(loops));
  }
  double motion_residual() const {
    const VectorXd missed = rows.sparse_jacobian() * a - gamma;
    return max_abs(missed(basis.rows)) / (max_abs(a) + max_abs(gamma));
  }
  double left_out_residual() const { return max_abs(rows.sparse_jacobian() * a - gamma); }
  void expect_dense_solution(ConstraintSolver which, double tolerance) {
    Eigen::MatrixXd M(model.nv(), model.nv());
    kernel::kernels().mass_matrix({model, model.numbers()}, state.q, *workspace, span_of(M));
    ConstrainedSolution dense;
    const Status status =
        solve_constrained_dense(which, M, rows.jacobian(), f, gamma, basis, dense);
    ASSERT_TRUE(status.ok()) << status.message();
    EXPECT_LE(max_abs(a - dense.a), tolerance * max_abs(dense.a)) << to_string(which);
    EXPECT_LE(max_abs(lambda - dense.lambda), tolerance * max_abs(dense.lambda))
        << to_string(which);
  }

  Model model;
  Workspace workspace{model};
  State state;
  ConstraintRows rows{model};
  RowBasis basis;
  VectorXd tau = VectorXd::Zero(model.nv()), f, gamma, a, lambda;
};

// Plane and space lattices, moving and under efforts; links with full inertia, or thin ones, whose
// inertia about their own axes is zero.
TEST(SparseSolver, has_the_solution_of_the_dense_solvers_for_lattices) {
  Random random(3);
  for (const auto& [description, in_plane] :
       {std::pair(lattice(8), true), std::pair(lattice(8, true), true),
        std::pair(space_lattice(3), false)}) {
    Case mechanism(description);
    EXPECT_LT(max_abs(mechanism.rows.error()), 1e-14);
    mechanism.set_basis(in_plane);
    for (double& effort : mechanism.tau) effort = random();
    mechanism.set_velocities(random);
    if (in_plane) { EXPECT_EQ(mechanism.model.nv() - mechanism.basis.rank(), lattice_mobility(8)); }
    const Status status = mechanism.solve();
    ASSERT_TRUE(status.ok()) << status.message();
    EXPECT_LT(mechanism.motion_residual(), 1e-12);
    EXPECT_LT(mechanism.left_out_residual(), 1e-10);  // also of the redundant rows
    EXPECT_LT(mechanism.force_residual(), 1e-13);
    // rounding times the condition of the dense matrices, some thousand
    mechanism.expect_dense_solution(ConstraintSolver::schur, 1e-9);
    mechanism.expect_dense_solution(ConstraintSolver::kkt, 1e-9);
  }
}

TEST(SparseSolver, satisfies_the_equations_of_a_large_lattice) {
  Random random(4);
  Case mechanism(lattice(24));
  mechanism.set_basis(true);
  for (double& effort : mechanism.tau) effort = random();
  mechanism.set_velocities(random);
  const Status status = mechanism.solve();
  ASSERT_TRUE(status.ok()) << status.message();
  EXPECT_LT(mechanism.motion_residual(), 1e-12);
  EXPECT_LT(mechanism.left_out_residual(), 1e-9);
  EXPECT_LT(mechanism.force_residual(), 1e-13);
}

// All cranks at the angle theta from the upright, turning at the given speed.
Case ladder(int n, double theta, double speed) {
  Case out(n_four_bar(n));
  for (const NamedJoint& joint : out.model.joints()) {
    if (joint.role != NamedJoint::Role::tree) continue;
    const double sign = joint.name.starts_with("foot") ? -1 : 1;
    out.state.q[std::size_t(joint.q_start)] = sign * theta;
    out.state.v[std::size_t(joint.v_start)] = sign * speed;
  }
  out.evaluate();
  out.set_basis(true);
  return out;
}

// theta'' = m g sin(theta) / I, at any speed.
TEST(SparseSolver, has_the_closed_form_of_ladders) {
  for (const int n : {1, 2, 16, 256, 1024})
    for (const double theta : {0.3, 1.2, 2.5}) {
      Case mechanism = ladder(n, theta, 2);
      const Status status = mechanism.solve();
      ASSERT_TRUE(status.ok()) << status.message();
      const double expected = 9.81 * ((n + 1) / 2.0 + n) * std::sin(theta) / ((n + 1) / 3.0 + n);
      for (const NamedJoint& joint : mechanism.model.joints())
        if (joint.role == NamedJoint::Role::tree) {
          // places are known to n roundings, and the errors of n couplers add up
          EXPECT_NEAR(mechanism.a[joint.v_start],
                      joint.name.starts_with("foot") ? -expected : expected, 1e-12 + 5e-16 * n * n);
        }
      EXPECT_LT(mechanism.motion_residual(), 1e-13);
      EXPECT_LT(mechanism.force_residual(), 1e-13);
    }
}

// At theta = pi / 2 all links lie flat and the two rows of each loop depend on each other.
TEST(SparseSolver, keeps_the_digits_of_the_dense_solvers_near_singular_poses) {
  for (const double away : {1e-1, 1e-2, 1e-3, 1e-4, 1e-5}) {
    Case mechanism = ladder(3, std::numbers::pi / 2 - away, 0);
    for (Eigen::Index k = 0; k < mechanism.tau.size(); ++k)
      mechanism.tau[k] = std::cos(2.0 * double(k));
    mechanism.evaluate();
    const Status status = mechanism.solve();
    ASSERT_TRUE(status.ok()) << away << ": " << status.message();
    // kkt and schur lose the square of the rows' condition, 1 / away
    mechanism.expect_dense_solution(ConstraintSolver::kkt, 1e-14 / (away * away) + 1e-12);
    EXPECT_LT(mechanism.force_residual(), 1e-13);
  }
}

TEST(SparseSolver, solves_stars) {
  Random random(6);
  for (const int arms : {1, 3, 64}) {
    Case mechanism(star(arms));
    EXPECT_LT(max_abs(mechanism.rows.error()), 1e-14);
    mechanism.set_basis(true);
    for (double& effort : mechanism.tau) effort = random();
    mechanism.set_velocities(random);
    const Status status = mechanism.solve();
    ASSERT_TRUE(status.ok()) << status.message();
    EXPECT_LT(mechanism.motion_residual(), 1e-12);
    EXPECT_LT(mechanism.left_out_residual(), 1e-10);
    EXPECT_LT(mechanism.force_residual(), 1e-13);
    // rounding times the condition of the dense matrices, some hundred
    mechanism.expect_dense_solution(ConstraintSolver::schur, 1e-10);
    mechanism.expect_dense_solution(ConstraintSolver::kkt, 1e-10);
  }
}

TEST(SparseSolver, solves_rows_of_four_bars_and_arms) {
  for (const Description& description :
       {mechanisms::four_bars(1), mechanisms::four_bars(8), mechanisms::four_bars(32),
        mechanisms::four_bars(8, true), mechanisms::planar_arms(2, false),
        mechanisms::planar_arms(2, true), mechanisms::door(), mechanisms::sarrus()}) {
    const Model model = build_model(description);
    Workspace workspace(model);
    State state;
    ASSERT_TRUE(assembled_start(model, workspace, state).ok());
    Random random(5);
    const std::vector<double> tau = random.numbers(model.nv());
    state.v = random.numbers(model.nv());
    ASSERT_TRUE(assemble(model, state, workspace).ok());
    ConstrainedAnswer dense, sparse;
    Status status =
        constrained_dynamics(model, state, {.tau = tau}, workspace, dense, ConstraintSolver::kkt);
    ASSERT_TRUE(status.ok()) << status.message();
    status = constrained_dynamics(model, state, {.tau = tau}, workspace, sparse,
                                  ConstraintSolver::sparse);
    ASSERT_TRUE(status.ok()) << status.message();
    expect_same(sparse, dense, tolerance_of(dense.basis) * model.nv());
  }
}

TEST(SparseSolver, takes_trees_and_models_without_dofs) {
  Description pendulum("pendulum");
  pendulum.body("rod", mechanisms::solid(1.0));
  pendulum.joint("pivot", JointKind::revolute, "ground", "rod", mechanisms::pin(0.0));
  for (const Description& description : {pendulum, Description("nothing")}) {
    const Model model = build_model(description);
    Workspace workspace(model);
    const State state = neutral_state(model);
    ConstrainedAnswer answer;
    const Status status =
        constrained_dynamics(model, state, {}, workspace, answer, ConstraintSolver::sparse);
    ASSERT_TRUE(status.ok()) << status.message();
    std::vector<double> a(std::size_t(model.nv()));
    ASSERT_TRUE(forward_dynamics(model, state, {}, workspace, a).ok());
    ASSERT_EQ(answer.a.size(), model.nv());
    for (int k = 0; k < model.nv(); ++k)
      EXPECT_NEAR(answer.a[k], a[std::size_t(k)], 1e-13 * (1 + std::abs(a[std::size_t(k)])));
    EXPECT_EQ(answer.lambda.size(), 0);
  }
}

// A rod between two balls turns about its own axis without inertia: no acceleration is determined,
// in a large mechanism either. With a little inertia, it is.
TEST(SparseSolver, names_a_motion_without_inertia) {
  for (const int n : {1, 64})
    for (const double own : {0.0, 1e-9}) {
      Description description = n_four_bar(n);
      description.body("rod", {.mass = 1, .com = {0.5, 0, 0}, .inertia = {own, 0, 0, 0.1, 0, 0.1}});
      description.joint("ball", JointKind::spherical, "coupler0", "rod", {});
      Case mechanism(description);
      mechanism.set_basis(true);
      const Status status = mechanism.solve();
      EXPECT_EQ(status.ok(), own > 0) << status.message();
      if (own == 0) {
        EXPECT_NE(status.message().find("no inertia"), std::string::npos) << status.message();
      }
    }
}

// Two massless links in a chain, as in a universal joint made of single ones: the chain has
// inertia, and the sparse solver adds and removes its own.
TEST(SparseSolver, corrects_the_inertia_it_adds) {
  Description description("massless links");
  description.gravity = {0.1, -9.81, 0.3};
  const char* const names[] = {"first", "second", "third"};
  const Vec3<Expr> axes[] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
  std::string parent = "ground";
  for (int chain = 0; chain < 2; ++chain)
    for (int k = 0; k < 3; ++k) {
      const std::string name = names[k] + std::to_string(chain);
      // a thin rod at the end: no inertia about its own axis, which others carry
      description.body(
          name, k == 2
                    ? Solid{.mass = 1, .com = {0.5, 0.1, 0.2}, .inertia = {0.0, 0, 0, 0.1, 0, 0.1}}
                    : Solid{});
      description.joint(
          "j" + name, JointKind::revolute, parent, name,
          {.at = {{k == 0 && chain == 1 ? 1.0 : 0.0, 0.0, 0.0}, {}}, .axis = axes[k]});
      parent = name;
    }
  Case mechanism(description);
  for (std::size_t k = 0; k < 6; ++k) mechanism.state.q[k] = 0.3 + 0.2 * double(k);
  for (std::size_t k = 0; k < 6; ++k) mechanism.state.v[k] = std::cos(double(k));
  mechanism.evaluate();
  mechanism.basis.count = 0;
  const Status status = mechanism.solve();
  ASSERT_TRUE(status.ok()) << status.message();
  EXPECT_LT(mechanism.force_residual(), 1e-13);
  mechanism.expect_dense_solution(ConstraintSolver::schur, 1e-10);
}

// By counts of operations: small mechanisms are solved by dense matrices, large ones by the sparse
// solver; and instead of the recursive solver, where rows stay pending over a large part of it.
TEST(SparseSolverSelector, counts_operations) {
  const auto is_faster_than_dense = [](const Description& description, bool in_plane) {
    Case mechanism(description);
    mechanism.set_basis(in_plane);
    return SparseSolverSelector().is_faster_than_dense(mechanism.model, mechanism.basis);
  };
  EXPECT_FALSE(is_faster_than_dense(lattice(3), true));
  EXPECT_TRUE(is_faster_than_dense(lattice(12), true));
  EXPECT_FALSE(is_faster_than_dense(n_four_bar(2), true));
  EXPECT_TRUE(is_faster_than_dense(n_four_bar(64), true));
  EXPECT_TRUE(is_faster_than_dense(space_lattice(4), false));
}

TEST(SparseSolverSelector, takes_the_sparse_solver_for_lattices_and_the_recursive_one_for_ladders) {
  for (const auto& [description, is_sparse] :
       {std::pair(lattice(16), true), std::pair(n_four_bar(32), false)}) {
    const Model model = build_model(description);
    Workspace workspace(model);
    State state = neutral_state(model);
    if (!is_sparse)  // the upright ladder is in equilibrium
      for (const NamedJoint& joint : model.joints())
        if (joint.role == NamedJoint::Role::tree)
          state.q[std::size_t(joint.q_start)] = joint.name.starts_with("foot") ? -0.7 : 0.7;
    ConstrainedAnswer automatic, dense;
    const ConstraintRows* rows = nullptr;
    Status status = dynamics_with_rows("test", model, state, {}, workspace, automatic, rows);
    ASSERT_TRUE(status.ok()) << status.message();
    EXPECT_EQ(automatic.solver == ConstraintSolver::sparse, is_sparse)
        << to_string(automatic.solver);
    std::vector<double> a(std::size_t(model.nv()));
    ASSERT_TRUE(forward_dynamics(model, state, {}, workspace, a).ok());
    for (int k = 0; k < model.nv(); ++k) EXPECT_EQ(a[std::size_t(k)], automatic.a[k]);
    RowBasis basis;
    basis.rows = automatic.basis.rows;
    basis.count = automatic.basis.count;
    status =
        constrained_dynamics(model, state, {}, workspace, dense, ConstraintSolver::schur, &basis);
    ASSERT_TRUE(status.ok()) << status.message();
    // rounding times the condition of the dense matrices
    EXPECT_LT(max_abs(automatic.a - dense.a), 1e-9 * max_abs(dense.a));
  }
}

// The decomposition is kept from call to call at the same positions, and only there.
TEST(SparseSolver, has_the_same_bits_after_calls_at_other_positions) {
  Case mechanism(lattice(5));
  mechanism.set_basis(true);
  SparseSolver used(mechanism.model, mechanism.basis.rows);
  const auto solved_by = [&](SparseSolver& solver) {
    mechanism.evaluate();
    VectorXd a, lambda;
    EXPECT_TRUE(solver
                    .solve(mechanism.model, mechanism.workspace->kinematics, mechanism.rows,
                           {mechanism.f.data(), std::size_t(mechanism.f.size())}, mechanism.gamma,
                           a, lambda)
                    .ok());
    return a;
  };
  const auto expect_bits_of_a_new_one = [&] {
    SparseSolver fresh(mechanism.model, mechanism.basis.rows);
    const VectorXd a = solved_by(used), expected = solved_by(fresh);
    EXPECT_TRUE((a.array() == expected.array()).all());
    return a;
  };
  const VectorXd first = expect_bits_of_a_new_one();
  mechanism.tau.setConstant(0.7);  // other forces, same positions
  const VectorXd forced = expect_bits_of_a_new_one();
  EXPECT_GT(max_abs(forced - first), 1e-3);
  for (std::size_t k = 0; k < mechanism.state.q.size(); ++k)
    mechanism.state.q[k] += 1e-3 * std::cos(2.4 * double(k));
  const VectorXd moved = expect_bits_of_a_new_one();
  EXPECT_GT(max_abs(moved - forced), 1e-6);
}

}  // namespace
}  // namespace trammel::sparse_solver_test
