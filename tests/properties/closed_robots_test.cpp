// Properties of mechanisms with loops, on 200 random ones: fixed and floating, all kinds of joints,
// half of them with redundant rows.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <limits>
#include <utility>

#include "tests/support/capability.hpp"
#include "tests/support/how_many.hpp"
#include "tests/support/random_closed_robot.hpp"
#include "trammel/constraint/equations/closure_error.hpp"
#include "trammel/constraint/equations/constraint_rows.hpp"
#include "trammel/constraint/solver/constrained_dynamics.hpp"
#include "trammel/constraint/system/manifold_dynamics.hpp"
#include "trammel/dynamics/constrained.hpp"
#include "trammel/dynamics/forward_dynamics.hpp"
#include "trammel/dynamics/inverse_dynamics.hpp"
#include "trammel/dynamics/kernel/dispatch/table.hpp"
#include "trammel/dynamics/mass_matrix.hpp"

namespace trammel::closed_robots_test {
namespace {

class EveryClosedRobot : public testing::TestWithParam<int> {
 protected:
  EveryClosedRobot() : robot(GetParam(), GetParam() % 3 == 0) {}

  Eigen::VectorXd errors(const std::vector<double>& q) {
    ConstraintRows rows(robot.model);
    Kinematics at(robot.model);
    const std::vector<double> zero(std::size_t(robot.model.nv()));
    kernel::kernels().kinematics({robot.model, robot.model.numbers()}, q, zero, zero,
                                 *robot.workspace, at);
    rows.evaluate(robot.model, at, q, zero, zero, {});
    return rows.error();
  }
  // constraint errors after a time, along time v + time^2/2 a
  Eigen::VectorXd errors_after(double time, const Eigen::VectorXd& v, const Eigen::VectorXd& a) {
    const Eigen::VectorXd step = time * v + time * time / 2 * a;
    std::vector<double> q(robot.state.q.size());
    integrate(robot.model, robot.state.q, {step.data(), std::size_t(step.size())}, q);
    return errors(q);
  }
  Eigen::VectorXd v() const {
    return Eigen::Map<const Eigen::VectorXd>(robot.state.v.data(), robot.model.nv());
  }
  ConstrainedAnswer solve(ConstraintSolver solver) {
    ConstrainedAnswer answer;
    const Status status = constrained_dynamics(robot.model, robot.state, {.tau = robot.tau},
                                               robot.workspace, answer, solver);
    EXPECT_TRUE(status.ok()) << status.message();
    return answer;
  }
  Eigen::MatrixXd J() {
    Eigen::MatrixXd out;
    const Status status = constraint_jacobian(robot.model, robot.state, robot.workspace, out);
    EXPECT_TRUE(status.ok()) << status.message();
    return out;
  }

  RandomClosedRobot robot;
};
INSTANTIATE_TEST_SUITE_P(seeds, EveryClosedRobot, testing::Range(1, 1 + how_many(200)));

TEST_P(EveryClosedRobot, is_closed_where_it_was_put_together) {
  EXPECT_LT(errors(robot.state.q).lpNorm<Eigen::Infinity>(), 1e-12);
  // assembly did not change the state
  EXPECT_LT(difference_of(robot.state.q, robot.open.state.q), 1e-11);
}

// Newton's method squares the violation; also for slides with large displacements and tilted axes.
TEST_P(EveryClosedRobot, is_projected_to_the_requested_tolerance) {
  Random random(GetParam());
  std::vector<double> away = random.numbers(robot.model.nv());
  for (double& x : away) x *= 1e-7;
  State state = robot.state;
  integrate(robot.model, robot.state.q, away, state.q);
  const double gap = 1e-10, length = robot.model.characteristic_length();
  const Status status = robot.workspace->constrained->project_to_manifold(robot.model, state,
                                                                          robot.workspace, gap, {});
  ASSERT_TRUE(status.ok()) << status.message();
  // largest row, where the tolerance bounds the mean; angles are scaled by the length
  EXPECT_LT(closure_error(robot.model, state, robot.workspace).position, gap * (1 + length));
}

TEST_P(EveryClosedRobot, rows_are_the_derivatives_of_the_violations) {
  // central difference of fourth order: its error, h^4 times the fifth derivative, is below
  // rounding / h
  const double h = 1e-3;
  Random random(GetParam());
  const std::vector<double> list = random.numbers(robot.model.nv());
  const Eigen::VectorXd any = Eigen::Map<const Eigen::VectorXd>(list.data(), robot.model.nv());
  const Eigen::VectorXd none = Eigen::VectorXd::Zero(any.size());
  const Eigen::VectorXd slope =
      (8 * (errors_after(h, any, none) - errors_after(-h, any, none)) -
       (errors_after(2 * h, any, none) - errors_after(-2 * h, any, none))) /
      (12 * h);
  EXPECT_LT((slope - J() * any).lpNorm<Eigen::Infinity>(),
            1e-9 * (1 + slope.lpNorm<Eigen::Infinity>()));
  EXPECT_LT((J() * v()).lpNorm<Eigen::Infinity>(), 1e-10 * (1 + v().lpNorm<Eigen::Infinity>()));
}

TEST_P(EveryClosedRobot, accelerations_keep_it_closed) {
  const Eigen::VectorXd a = solve(ConstraintSolver::automatic).a;
  const double h = 1e-3, scale = 1 + a.lpNorm<Eigen::Infinity>() + v().squaredNorm();
  // second difference of fourth order
  const Eigen::VectorXd bend =
      (16 * (errors_after(h, v(), a) + errors_after(-h, v(), a)) -
       (errors_after(2 * h, v(), a) + errors_after(-2 * h, v(), a)) - 30 * errors(robot.state.q)) /
      (12 * h * h);
  EXPECT_LT(bend.lpNorm<Eigen::Infinity>(), 2e-7 * scale);
}

TEST_P(EveryClosedRobot, what_holds_it_does_no_work_on_motions_it_allows) {
  const ConstrainedAnswer answer = solve(ConstraintSolver::automatic);
  Eigen::MatrixXd M(robot.model.nv(), robot.model.nv());
  ASSERT_TRUE(mass_matrix(robot.model, robot.state, robot.workspace, M).ok());
  std::vector<double> h(robot.tau.size()), passive(robot.tau.size());
  ASSERT_TRUE(bias(robot.model, robot.state, {}, robot.workspace, h).ok());
  ASSERT_TRUE(passive_forces(robot.model, robot.state, robot.workspace, passive).ok());
  const auto view = [](const std::vector<double>& x) {
    return Eigen::Map<const Eigen::VectorXd>(x.data(), Eigen::Index(x.size()));
  };
  const Eigen::VectorXd held = M * answer.a + view(h) - view(passive) - view(robot.tau);
  const double size = 1 + held.lpNorm<Eigen::Infinity>();
  EXPECT_LT((null_space_basis(J(), answer.basis).transpose() * held).lpNorm<Eigen::Infinity>(),
            1e-9 * size);
  EXPECT_LT((J().transpose() * answer.lambda - held).lpNorm<Eigen::Infinity>(), 1e-8 * size);
}

// A run calls the constraint module directly, other callers go through forward_dynamics: with
// workspaces of the same history results are the same to the last bit, and so are refusals.
TEST_P(EveryClosedRobot, accelerates_in_a_run_as_by_forward_dynamics) {
  std::vector<double> a(std::size_t(robot.model.nv())), in_run(a);
  Workspace one(robot.model), other(robot.model);
  const Inputs inputs{.tau = robot.tau};
  const auto both = [&](const State& state, const Inputs& given) {
    return std::pair(forward_dynamics(robot.model, state, given, one, a),
                     dynamics_on_manifold(robot.model, state, given, other, in_run));
  };
  const auto [status, status_in_run] = both(robot.state, inputs);
  ASSERT_TRUE(status.ok()) << status.message();
  ASSERT_TRUE(status_in_run.ok()) << status_in_run.message();
  EXPECT_EQ(a, in_run);

  State wrong = robot.state;
  wrong.v[0] = std::numeric_limits<double>::quiet_NaN();
  const auto [refused, refused_in_run] = both(wrong, inputs);
  EXPECT_FALSE(refused.ok());
  EXPECT_EQ(refused.message(), refused_in_run.message());

  const std::vector<double> ignored(a.size(), 1.0);  // no joint is driven by motion
  const auto [extra, extra_in_run] = both(robot.state, {.tau = robot.tau, .a = ignored});
  EXPECT_FALSE(extra.ok());
  EXPECT_EQ(extra.message(), extra_in_run.message());
}

TEST_P(EveryClosedRobot, all_solvers_have_one_solution) {
  const ConstrainedAnswer kkt = solve(ConstraintSolver::kkt);
  const double least = kkt.basis.least();
  const double tolerance = std::max(1e-9, 1e-14 / (least * least));
  const double size = 1 + kkt.a.lpNorm<Eigen::Infinity>();
  for (const ConstraintSolver solver :
       {ConstraintSolver::automatic, ConstraintSolver::schur, ConstraintSolver::null_space})
    EXPECT_LT((solve(solver).a - kkt.a).lpNorm<Eigen::Infinity>(), tolerance * size)
        << to_string(solver);
  for (const ConstraintSolver solver : {ConstraintSolver::star, ConstraintSolver::cluster}) {
    ConstrainedAnswer answer;
    if (!constrained_dynamics(robot.model, robot.state, {.tau = robot.tau}, robot.workspace, answer,
                              solver))
      // the solver does not apply to these loops; the number of applicable cases is checked below
      continue;
    EXPECT_EQ(answer.solver, solver);
    EXPECT_LT((answer.a - kkt.a).lpNorm<Eigen::Infinity>(), tolerance * size) << to_string(solver);
  }
}

TEST(ClosedRobots, many_go_by_star_and_many_by_cluster) {
  int star = 0, cluster = 0;
  for (int seed = 1; seed <= 200; ++seed) {
    RandomClosedRobot robot(seed, seed % 3 == 0);
    ConstrainedAnswer answer;
    for (const auto& [solver, count] :
         {std::pair{ConstraintSolver::star, &star}, {ConstraintSolver::cluster, &cluster}})
      *count += constrained_dynamics(robot.model, robot.state, {.tau = robot.tau}, robot.workspace,
                                     answer, solver)
                    .ok();
  }
  EXPECT_GT(star, 30);
  EXPECT_GT(cluster, 30);
}

// Every joint of the tree is driven: more drives than degrees of freedom, so the efforts are those
// of minimum norm.
TEST_P(EveryClosedRobot, efforts_of_a_motion_produce_it) {
  const Eigen::VectorXd a = solve(ConstraintSolver::automatic).a;
  std::vector<double> least(robot.tau.size());
  const Status status = inverse_dynamics(
      robot.model, robot.state, {.a = {a.data(), std::size_t(a.size())}}, robot.workspace, least);
  ASSERT_TRUE(status.ok()) << status.message();
  const auto norm_of = [](const std::vector<double>& x) {
    return Eigen::Map<const Eigen::VectorXd>(x.data(), Eigen::Index(x.size())).norm();
  };
  EXPECT_LE(norm_of(least), norm_of(robot.tau) * (1 + 1e-9) + 1e-9);
  robot.tau = least;
  const Eigen::VectorXd again = solve(ConstraintSolver::automatic).a;
  EXPECT_LT((again - a).lpNorm<Eigen::Infinity>(), 1e-7 * (1 + a.lpNorm<Eigen::Infinity>()));
}

TEST_P(EveryClosedRobot, rows_to_spare_are_found) {
  RowBasis basis;
  ASSERT_TRUE(row_basis(robot.model, robot.state, robot.workspace, basis).ok());
  const Eigen::MatrixXd sets = dependent_sets(J(), basis);
  EXPECT_EQ(sets.cols(), basis.redundant());
  const Eigen::MatrixXd left = J().transpose() * sets;
  EXPECT_LT(left.norm(), 1e-9 * (1 + J().norm()));
  const bool has_twin = robot.model.find_joint("loop0 again").has_value();
  EXPECT_GE(basis.redundant(), has_twin ? 1 : 0);
}

}  // namespace
}  // namespace trammel::closed_robots_test
