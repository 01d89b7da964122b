// Projection onto the constraint manifold with the smallest correction in the inertia metric, on
// 200 random mechanisms with loops.
#include "trammel/constraint/assembly/projection.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <numbers>

#include "tests/support/how_many.hpp"
#include "tests/support/random_closed_robot.hpp"
#include "trammel/constraint/solver/constrained_dynamics.hpp"
#include "trammel/dynamics/kinematics.hpp"
#include "trammel/dynamics/mass_matrix.hpp"
#include "trammel/dynamics/workspace_buffers.hpp"
#include "trammel/model/build/builder.hpp"
#include "trammel/model/description/solids.hpp"

namespace trammel::projection_test {
namespace {

class ProjectionOfEveryClosedRobot : public testing::TestWithParam<int> {
 protected:
  ProjectionOfEveryClosedRobot() : robot(GetParam(), GetParam() % 3 == 0) {
    EXPECT_TRUE(row_basis(robot.model, robot.state, robot.workspace, basis).ok());
  }
  Eigen::MatrixXd M(const State& state) {
    Eigen::MatrixXd out(robot.model.nv(), robot.model.nv());
    EXPECT_TRUE(mass_matrix(robot.model, state, robot.workspace, out).ok());
    return out;
  }
  Eigen::MatrixXd T(const State& state) {
    State still = state;
    std::fill(still.v.begin(), still.v.end(), 0.0);
    Eigen::MatrixXd J;
    EXPECT_TRUE(constraint_jacobian(robot.model, still, robot.workspace, J).ok());
    return null_space_basis(J, basis);
  }
  static Eigen::VectorXd view(const std::vector<double>& x) {
    return Eigen::Map<const Eigen::VectorXd>(x.data(), Eigen::Index(x.size()));
  }
  // loss of digits by nearly dependent rows
  double loss() const { return 1 / basis.least(); }

  RandomClosedRobot robot;
  RowBasis basis;
};
INSTANTIATE_TEST_SUITE_P(seeds, ProjectionOfEveryClosedRobot, testing::Range(1, 1 + how_many(200)));

TEST_P(ProjectionOfEveryClosedRobot, velocities_lose_only_what_the_loops_forbid) {
  State state = robot.state;
  Random random(GetParam() + 40);
  const std::vector<double> any = random.numbers(robot.model.nv());
  state.v = any;
  ASSERT_TRUE(project_velocity(robot.model, state, robot.workspace, &basis).ok());
  Eigen::MatrixXd J;
  ASSERT_TRUE(constraint_jacobian(robot.model, state, robot.workspace, J).ok());
  EXPECT_LT((J * view(state.v)).norm(), 1e-12 * loss() * (1 + J.norm()));
  // the change is M-orthogonal to every allowed motion
  const Eigen::VectorXd lost = M(state) * (view(state.v) - view(any));
  EXPECT_LT((T(state).transpose() * lost).norm(), 1e-11 * loss() * (1 + lost.norm()));
  // and a second projection changes nothing
  const std::vector<double> once = state.v;
  ASSERT_TRUE(project_velocity(robot.model, state, robot.workspace).ok());
  EXPECT_LT((view(state.v) - view(once)).norm(), 1e-10 * loss() * (1 + view(once).norm()));
}

TEST_P(ProjectionOfEveryClosedRobot, positions_come_back_by_the_shortest_way) {
  // a violation as left by a coarse integration step
  State state = robot.state;
  std::fill(state.v.begin(), state.v.end(), 0.0);
  Random random(GetParam() + 50);
  std::vector<double> off = random.numbers(robot.model.nv());
  for (double& x : off) x *= 1e-4;
  integrate(robot.model, robot.state.q, off, state.q);
  const std::vector<double> open = state.q;
  const Eigen::MatrixXd metric = [&] {
    State here = robot.state;
    return M(here);
  }();
  const Status status = project_position(robot.model, state, robot.workspace, &basis);
  ASSERT_TRUE(status.ok()) << status.message();
  Eigen::MatrixXd J;  // checks among others that the state is closed
  ASSERT_TRUE(constraint_jacobian(robot.model, state, robot.workspace, J).ok());
  std::vector<double> way(off.size());
  difference(robot.model, open, state.q, way);
  // orthogonal to every allowed motion, in the metric of the starting state; that differs from the
  // metric here by some parts in ten thousand, relative to |M| |d|, not to the remainder
  const Eigen::VectorXd moved = metric * view(way);
  EXPECT_LT((T(state).transpose() * moved).norm(),
            3e-3 * loss() * (1e-12 + metric.norm() * view(way).norm()));
}

// A body that flies is on a loop joint, turned over by half a turn about x: the rows, which are
// sines of angles, are zero there, but the joint is not closed.
class LoopJointTurnedOver : public testing::TestWithParam<JointKind> {};
INSTANTIATE_TEST_SUITE_P(kinds, LoopJointTurnedOver,
                         testing::Values(JointKind::revolute, JointKind::cylindrical,
                                         JointKind::planar, JointKind::prismatic));

TEST_P(LoopJointTurnedOver, is_not_closed) {
  Description description("turned over");
  description.body("plate", box(1.0, {0.3, 0.2, 0.1}));
  description.body("tip", box(0.1, {0.1, 0.1, 0.1}));
  description.joint("fly", JointKind::free, "ground", "plate");
  description.joint("wave", JointKind::revolute, "plate", "tip", {.at = {{0.3, 0.0, 0.0}, {}}});
  description.joint("loop", GetParam(), "ground", "plate", {.axis = {0.0, 0.0, 1.0}});
  const Model model = build_model(description);
  ASSERT_EQ(model.closures().size(), 1u);
  ASSERT_EQ((*model.closures()[0].named), *model.find_joint("loop"));
  Workspace workspace(model);
  State state = neutral_state(model);
  const NamedJoint& fly = model[*model.find_joint("fly")];
  std::vector<double> turn(std::size_t(model.nv()), 0.0), q = state.q;
  turn[std::size_t(fly.v_start)] = std::numbers::pi;  // about x
  integrate(model, q, turn, state.q);
  const Status status =
      workspace->constrained->project_to_manifold(model, state, workspace, 1e-10, {});
  if (!status.ok()) return;
  Positions positions(model);
  const Status posed = trammel::positions(model, state, workspace, positions);
  ASSERT_TRUE(posed.ok()) << posed.message();
  const Pose<double> X = pose(model, positions, {*model.find_body("plate")});
  EXPECT_GT(X.R.z.z, 0.999) << "the axes are opposite, and the joint counts as closed";
}

}  // namespace
}  // namespace trammel::projection_test
