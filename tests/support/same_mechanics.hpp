// Two descriptions of one mechanism, the second with additional redundant constraints: every
// quantity that the motion and its forces determine must be the same. Both have the same
// coordinates.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/motion_of.hpp"
#include "tests/support/random_robot.hpp"
#include "trammel/analyze/linearize.hpp"
#include "trammel/constraint/assembly/assembly.hpp"
#include "trammel/constraint/mobility/mobility.hpp"
#include "trammel/constraint/solver/constrained_dynamics.hpp"
#include "trammel/dynamics/batch.hpp"
#include "trammel/dynamics/forward_dynamics.hpp"
#include "trammel/dynamics/inverse_dynamics.hpp"

namespace trammel {

struct SameMechanics {
  // `description`: closed at its [state.position], with velocities in [state.velocity] that
  // assembly may change. `redundant` has more constraints.
  SameMechanics(const Description& description, const Description& redundant)
      : one(build_model(description)),
        two(build_model(redundant)),
        one_workspace(one),
        two_workspace(two) {
    const Status status = assembled_start(one, one_workspace, state);
    EXPECT_TRUE(status.ok()) << status.message();
  }
  // At a closed state.
  SameMechanics(const Description& description, const Description& redundant, State at)
      : one(build_model(description)),
        two(build_model(redundant)),
        one_workspace(one),
        two_workspace(two),
        state(std::move(at)) {}

  // Accelerations of every solver and of batches, mobility, efforts, reactions.
  void compare(const std::vector<double>& tau) {
    std::vector<double> a;
    compare_accelerations(tau, a);
    if (testing::Test::HasFatalFailure()) return;
    compare_solvers(tau, a);
    compare_batch(tau, a);
    compare_mobility();
    compare_efforts(a);
    compare_reactions(tau);
  }

  void compare_accelerations(const std::vector<double>& tau, std::vector<double>& a) {
    ASSERT_EQ(one.nv(), two.nv());
    const std::size_t nv = std::size_t(one.nv());
    a.resize(nv);
    std::vector<double> again(nv);
    Status status = forward_dynamics(one, state, {.tau = tau}, one_workspace, a);
    ASSERT_TRUE(status.ok()) << status.message();
    status = forward_dynamics(two, state, {.tau = tau}, two_workspace, again);
    ASSERT_TRUE(status.ok()) << status.message();
    // exact up to rounding times the condition of M
    const double scale = 1 + largest(a);
    for (std::size_t f = 0; f < nv; ++f) ASSERT_NEAR(again[f], a[f], 1e-7 * scale) << f;
  }

  void compare_solvers(const std::vector<double>& tau, const std::vector<double>& a) {
    const Eigen::Map<const Eigen::VectorXd> expected(a.data(), std::ssize(a));
    for (const ConstraintSolver solver :
         {ConstraintSolver::schur, ConstraintSolver::null_space, ConstraintSolver::kkt,
          ConstraintSolver::star, ConstraintSolver::cluster, ConstraintSolver::sparse}) {
      ConstrainedAnswer answer;
      const Status status =
          constrained_dynamics(two, state, {.tau = tau}, two_workspace, answer, solver);
      // these two return a named error if they do not apply
      if (!status.ok() && (solver == ConstraintSolver::star || solver == ConstraintSolver::cluster))
        continue;
      ASSERT_TRUE(status.ok()) << to_string(solver) << ": " << status.message();
      EXPECT_LT((answer.a - expected).norm(), 1e-7 * (1 + expected.norm())) << to_string(solver);
      EXPECT_TRUE(answer.basis.undecided.empty()) << to_string(solver);
    }
  }

  void compare_batch(const std::vector<double>& tau, const std::vector<double>& a) {
    const auto column = [](const std::vector<double>& x) {
      return Eigen::MatrixXd(
          Eigen::Map<const Eigen::VectorXd>(x.data(), std::ssize(x)).replicate(1, 5));
    };
    BatchWorkspace batch(two, 1);
    const Eigen::MatrixXd q = column(state.q), v = column(state.v), efforts = column(tau);
    Eigen::MatrixXd many(two.nv(), 5);
    const Status status = forward_dynamics_batch(two, {q, v}, efforts, batch, many);
    ASSERT_TRUE(status.ok()) << status.message();
    const Eigen::MatrixXd expected = column(a);
    EXPECT_LT((many - expected).norm(), 1e-6 * (1 + expected.norm()));
  }

  void compare_mobility() {
    Mobility before, after;
    ASSERT_TRUE(mobility(one, state, one_workspace, before).ok());
    ASSERT_TRUE(mobility(two, state, two_workspace, after).ok());
    EXPECT_EQ(after.instantaneous, before.instantaneous);
    EXPECT_EQ(after.rank, before.rank);
    EXPECT_TRUE(after.undecided.empty());
  }

  // drive efforts for the motion of the mechanism
  void compare_efforts(const std::vector<double>& a) {
    DriveEfforts before, after;
    ASSERT_TRUE(drive_efforts(one, state, {.a = a}, one_workspace, before).ok());
    const Status status = drive_efforts(two, state, {.a = a}, two_workspace, after);
    ASSERT_TRUE(status.ok()) << status.message();
    EXPECT_LT((after.tau - before.tau).norm(), 1e-6 * (1 + before.tau.norm()));
    EXPECT_EQ(after.is_unique, before.is_unique);
    std::vector<double> effort(a.size()), again(a.size());
    ASSERT_TRUE(inverse_dynamics(one, state, {.a = a}, one_workspace, effort).ok());
    const Status inverse = inverse_dynamics(two, state, {.a = a}, two_workspace, again);
    ASSERT_TRUE(inverse.ok()) << inverse.message();
    for (std::size_t f = 0; f < a.size(); ++f)
      EXPECT_NEAR(again[f], effort[f], 1e-6 * (1 + before.tau.norm())) << f;
  }

  // A component that is unique in both is the same; added constraints make none unique.
  void compare_reactions(const std::vector<double>& tau) {
    UniqueReactions before, after;
    ASSERT_TRUE(constrained_reactions(one, state, {.tau = tau}, one_workspace, before).ok());
    const Status status = constrained_reactions(two, state, {.tau = tau}, two_workspace, after);
    ASSERT_TRUE(status.ok()) << status.message();
    double size = 1;
    for (const Force<double>& F : before.force) size += norm(F.moment) + norm(F.force);
    for (std::size_t j = 0; j < one.joints().size(); ++j) {
      const std::string& name = one.joints()[j].name;
      const std::size_t there = std::size_t(*two.find_joint(name));
      const Force<double>&F = before.force[j], &G = after.force[there];
      const double x[] = {F.moment.x, F.moment.y, F.moment.z, F.force.x, F.force.y, F.force.z};
      const double y[] = {G.moment.x, G.moment.y, G.moment.z, G.force.x, G.force.y, G.force.z};
      for (std::size_t k = 0; k < 6; ++k) {
        if (!after.is_unique[there][k]) {
          shared += before.is_unique[j][k] ? 1 : 0;
          continue;
        }
        EXPECT_TRUE(before.is_unique[j][k]) << name << " " << k;
        EXPECT_NEAR(y[k], x[k], 1e-6 * size) << name << " " << k;
      }
    }
  }

  void compare_linearizations(const std::vector<double>& tau) {
    Linearization before, after;
    const Status first = linearize(one, state, {.tau = tau}, one_workspace, before);
    ASSERT_TRUE(first.ok()) << first.message();
    const Status status = linearize(two, state, {.tau = tau}, two_workspace, after);
    ASSERT_TRUE(status.ok()) << status.message();
    ASSERT_EQ(after.A.rows(), before.A.rows());
    // in other independent coordinates A differs by terms of the accelerations of the state, unless
    // they are zero: then only its norm is compared
    ASSERT_EQ(after.states.size(), before.states.size());
    if (after.states == before.states) {
      EXPECT_LT((after.A - before.A).norm(), 1e-5 * (1 + before.A.norm()));
    }
  }

  // Same path, and at most a few more steps.
  static void compare_motions(const Description& description, const Description& redundant,
                              double duration) {
    MotionOf one(build_model(description)), two(build_model(redundant));
    RunOptions options;
    options.relative = 1e-9;
    options.absolute = 1e-11;
    options.sample = duration / 8;
    const Status first = one.go(duration, options);
    ASSERT_TRUE(first.ok()) << first.message();
    const Status status = two.go(duration, options);
    ASSERT_TRUE(status.ok()) << status.message();
    double fastest = 1;
    for (const double v : one.state.v) fastest = std::max(fastest, std::abs(v));
    // both paths have errors of the tolerance, which scales with the speed of the motion
    for (std::size_t k = 0; k < one.state.q.size(); ++k)
      EXPECT_NEAR(two.state.q[k], one.state.q[k], 1e-6 * fastest) << k;
    EXPECT_LE(two.statistics.steps, 2 * one.statistics.steps + 5);
  }

  Model one, two;
  Workspace one_workspace, two_workspace;
  State state;
  int shared = 0;  // components of reactions that are no longer unique
};

}  // namespace trammel
