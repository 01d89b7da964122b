// Projection onto the constraint manifold by recursion, by the sparse solver and by dense matrices:
// the same positions and velocities, and for a row of loops too large for dense matrices the
// properties of the minimum.
#include "trammel/constraint/assembly/projection.hpp"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <algorithm>
#include <numbers>

#include "tests/support/how_many.hpp"
#include "tests/support/lattice.hpp"
#include "tests/support/motion_of.hpp"
#include "tests/support/random_closed_robot.hpp"
#include "tests/support/tower_of_four_bars.hpp"
#include "trammel/constraint/assembly/recursive_projection.hpp"
#include "trammel/constraint/equations/closure_error.hpp"
#include "trammel/constraint/solver/constrained_dynamics.hpp"
#include "trammel/constraint/system/sparse_projection.hpp"
#include "trammel/dynamics/inverse_dynamics.hpp"

namespace trammel::projection_consistency_test {
namespace {

using internal::Projection;

TEST(Projection, by_recursion_is_that_of_dense_matrices) {
  int compared = 0;
  const int seeds = how_many(100);
  for (int seed = 1; seed <= seeds; ++seed) {
    SCOPED_TRACE(seed);
    RandomClosedRobot robot(seed, seed % 3 == 0);
    const Model& model = robot.model;
    RowBasis basis;
    ASSERT_TRUE(row_basis(model, robot.state, robot.workspace, basis).ok());
    Random random(seed + 60);
    std::vector<double> off = random.numbers(model.nv());
    for (double& x : off) x *= 1e-3;
    State open = robot.state;
    integrate(model, robot.state.q, off, open.q);
    std::ranges::fill(open.v, 0.0);
    State dense = open, recursive = open;
    // as for every Newton step, a loss of digits by nearly dependent rows
    const double loss = 1 / basis.least();
    if (internal::project_position(model, recursive, robot.workspace, nullptr, {},
                                   Projection::recursive)
            .ok()) {
      ASSERT_TRUE(
          internal::project_position(model, dense, robot.workspace, nullptr, {}, Projection::dense)
              .ok());
      // Newton's method ends at steps of 1e-9 of the way
      EXPECT_LT(apart(model, dense, recursive), 1e-9 * loss);
      ++compared;
    }
    State moving = robot.state;
    moving.v = random.numbers(model.nv());
    dense = recursive = moving;
    if (!internal::project_velocity(model, recursive, robot.workspace, nullptr, {},
                                    Projection::recursive)
             .ok())
      continue;
    ASSERT_TRUE(
        internal::project_velocity(model, dense, robot.workspace, nullptr, {}, Projection::dense)
            .ok());
    EXPECT_LT(apart(model, dense, recursive), 1e-11 * loss);
  }
  EXPECT_GT(compared,
            seeds / 10);  // the others have rows that the recursion does not evaluate itself
}

// As in a step in time: a displacement of 1e-6 and velocities that open the loops. Newton steps of
// least change end at the nearest closed position to second order, 1e-12.
void expect_sparse_as_dense(const Model& model, const State& closed, Workspace& workspace) {
  RowBasis basis;
  ASSERT_TRUE(row_basis(model, closed, workspace, basis).ok());
  SparseSolver solver(model, basis.rows);
  ConstraintEvaluation evaluation(model);
  Random random(11);
  std::vector<double> off = random.numbers(model.nv());
  for (double& x : off) x *= 1e-6;
  State open = closed;
  integrate(model, closed.q, off, open.q);
  open.v = random.numbers(model.nv());
  State sparse = open, dense = open;
  ASSERT_TRUE(project_sparse(model, sparse, workspace, evaluation, solver, 1e-13));
  ASSERT_TRUE(
      internal::project_position(model, dense, workspace, &basis, {}, Projection::dense).ok());
  ASSERT_TRUE(
      internal::project_velocity(model, dense, workspace, &basis, {}, Projection::dense).ok());
  const double loss = 1 / basis.least();
  EXPECT_LT(closure_error(model, sparse, workspace).position, 1e-12);
  EXPECT_LT(apart(model, dense, sparse), 1e-10 * loss * loss);
  EXPECT_GT(apart(model, open, sparse), 1e-3);
}
TEST(Projection, by_the_sparse_solver_is_that_of_dense_matrices) {
  for (int seed = 1; seed <= how_many(50); ++seed) {
    SCOPED_TRACE(seed);
    RandomClosedRobot robot(seed, seed % 3 == 0);
    if (!robot.model.wheels().empty() || robot.model.has_prescribed_joints()) continue;
    expect_sparse_as_dense(robot.model, robot.state, robot.workspace);
  }
  for (const int n : {3, 5, 8}) {
    SCOPED_TRACE(n);
    const Model model = build_model(lattice(n));
    Workspace workspace(model);
    State state;
    ASSERT_TRUE(assembled_start(model, workspace, state).ok());
    expect_sparse_as_dense(model, state, workspace);
  }
}
// At the flat pose of a parallelogram its rows are dependent: no result.
TEST(Projection, by_the_sparse_solver_fails_at_a_singular_pose) {
  MotionOf motion("f2");
  RowBasis basis;
  ASSERT_TRUE(row_basis(motion.model, motion.state, motion.workspace, basis).ok());
  SparseSolver solver(motion.model, basis.rows);
  ConstraintEvaluation evaluation(motion.model);
  State flat = motion.state;
  for (const NamedJoint& joint : motion.model.joints())
    if (joint.role == NamedJoint::Role::tree)
      flat.q[std::size_t(joint.q_start)] +=
          (joint.name.starts_with("foot") ? -0.5 : 0.5) * std::numbers::pi;
  ASSERT_LT(closure_error(motion.model, flat, motion.workspace).position, 1e-12);
  EXPECT_FALSE(project_sparse(motion.model, flat, motion.workspace, evaluation, solver, 1e-13));
}
// Turned over by half a turn about x, the axis of a loop joint about z is parallel to its other
// side again, but the loop is open.
TEST(Projection, by_the_sparse_solver_refuses_a_joint_that_is_turned_over) {
  Description description("turned over");
  description.body("body", {.mass = 1.0, .inertia = {1.0, 0, 0, 1.0, 0, 1.0}});
  description.joint("float", JointKind::free, "ground", "body");
  description.joint("hinge", JointKind::revolute, "ground", "body", {.cut = true});
  const Model model = build_model(description);
  Workspace workspace(model);
  State state = neutral_state(model);
  RowBasis basis;
  ASSERT_TRUE(row_basis(model, state, workspace, basis).ok());
  ASSERT_EQ(basis.rank(), 5);
  SparseSolver solver(model, basis.rows);
  ConstraintEvaluation evaluation(model);
  State upright = state;
  EXPECT_TRUE(project_sparse(model, upright, workspace, evaluation, solver, 1e-13));
  const auto w = std::size_t(model.quaternion_starts()[0]);
  state.q[w] = 0, state.q[w + 1] = 1;
  EXPECT_FALSE(project_sparse(model, state, workspace, evaluation, solver, 1e-13));
}

// 300 loops: 900 coordinates and 1500 rows. The displacement is orthogonal, in the metric at the
// start, to the motions that the loops permit: there M x is a sum of multipliers, so that the
// accelerations of the closed mechanism under the efforts M x are zero.
TEST(Projection, of_a_tower_is_the_nearest_closed_position) {
  const int loops = 300;
  Description description = tower_of_four_bars(loops);
  description.gravity = {};
  const Model model = build_model(description);
  Workspace workspace(model);
  const State closed = neutral_state(model);
  Random random(7);
  std::vector<double> off = random.numbers(model.nv());
  for (double& x : off) x *= 1e-6;
  State state = closed;
  integrate(model, closed.q, off, state.q);
  const std::vector<double> start = state.q;
  ASSERT_GT(closure_error(model, state, workspace).position, 1e-7);
  const Status status = project_position(model, state, workspace);
  ASSERT_TRUE(status.ok()) << status.message();
  EXPECT_LT(closure_error(model, state, workspace).position, 1e-11);

  const auto n = std::size_t(model.nv());
  std::vector<double> way(n), efforts(n), zero(n, 0.0);
  difference(model, start, state.q, way);
  // M x at the start: efforts of a tree without loops
  Description tree = description;
  std::erase_if(tree.joints, [](const JointDescription& joint) { return joint.options.cut; });
  const Model open = build_model(tree);
  ASSERT_EQ(open.nv(), model.nv());
  Workspace open_workspace(open);
  State there = neutral_state(open);
  there.q = start;
  ASSERT_TRUE(inverse_dynamics(open, there, {.a = way}, open_workspace, efforts).ok());
  ConstrainedAnswer answer;
  ASSERT_TRUE(constrained_dynamics(model, state, {.tau = efforts}, workspace, answer).ok());
  double largest = 0;
  for (const double x : way) largest = std::max(largest, std::abs(x));
  // the rows at the end and the inertia at the start differ by the displacement itself
  EXPECT_LT(answer.a.lpNorm<Eigen::Infinity>(), 1e-3 * largest);

  State moving = closed;
  moving.v = random.numbers(model.nv());
  ASSERT_TRUE(project_velocity(model, moving, workspace).ok());
  EXPECT_LT(closure_error(model, moving, workspace).velocity, 1e-9);
  State again = moving;
  ASSERT_TRUE(project_velocity(model, again, workspace).ok());
  EXPECT_LT(apart(model, moving, again), 1e-9);
}

}  // namespace
}  // namespace trammel::projection_consistency_test
