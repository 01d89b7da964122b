// The architecture of [Rodriguez 1988, section 9]: five stages in two adjoint pairs, one process
// per arm, and one synchronization.
#include "tests/reference/rodriguez/spoked_wheel.hpp"

#include "tests/support/capability.hpp"
#include "tests/support/random_robot.hpp"
#include "trammel/constraint/assembly/assembly.hpp"
#include "trammel/constraint/solver/constrained_dynamics.hpp"
#include "trammel/dynamics/batch.hpp"

namespace trammel::spoked_wheel_test {
namespace {

// Matrix of a recursion, column by column.
template <class Sweep> Eigen::MatrixXd map_of(int columns, const Sweep& sweep) {
  Eigen::MatrixXd out;
  for (int k = 0; k < columns; ++k) {
    const Eigen::VectorXd column = sweep(k);
    out.conservativeResize(column.size(), columns);
    out.col(k) = column;
  }
  return out;
}

TEST(rodriguez_spoked_wheel, five_stages_are_two_sweeps_used_twice) {
  SpokedWheel wheel(2);
  const SpokedWheel::Answer answer = wheel.turn(1);
  // numbers of R-EX2, ten printed decimals; free accelerations of 900 rad/s^2 cost two digits
  expect_near(
      answer.a.head(6),
      {0.5882077620, -3.1331657892, -8.1085636293, -31.9949961174, 16.3548059194, 20.0464417764},
      2e-8, "arm 1");
  expect_near(
      answer.alpha,
      {-17.9201905067, 4.1208301526, 0.8174714193, 0.5111070872, -0.6869407244, 3.8798319334}, 2e-8,
      "object");
  Posed engine(wheel.description, wheel.q, wheel.v);
  const Eigen::VectorXd a = engine.a({.tau = wheel.tau});
  EXPECT_LT(largest(answer.a - a), 1e-9 * largest(a));

  // reuse: the factors of every arm are computed once and used by all four passes of two recursions
  for (const Spoke& spoke : wheel.spokes) {
    EXPECT_EQ(spoke.uses().factors, 1);
    EXPECT_EQ(spoke.uses().covariances, 1);
    EXPECT_EQ(spoke.uses().inward, 2);
    EXPECT_EQ(spoke.uses().outward, 2);
  }

  // adjoint pairs, with innovations scaled by D^-1/2: stage 5 is the transpose of stage 1, from
  // torques to innovations; stage 4 that of stage 2, from innovations to the tip
  for (Spoke& spoke : wheel.spokes) {
    const TipToBase& arm = spoke.arm();
    const std::vector<double> none(arm.size());
    const auto unit = [&](int k, bool is_scaled) {
      std::vector<double> x(arm.size());
      const auto joint = std::size_t(k + 1);
      x[joint] = is_scaled ? std::sqrt(arm.D[joint]) : 1;
      return x;
    };
    const auto scaled = [&](const std::vector<double>& innovations) {
      Eigen::VectorXd out(arm.N);
      for (int k = 0; k < arm.N; ++k)
        out[k] = innovations[std::size_t(k + 1)] / std::sqrt(arm.D[std::size_t(k + 1)]);
      return out;
    };
    const auto joints = [&](const std::vector<double>& x) -> Eigen::VectorXd {
      return column(std::vector<double>(x.begin() + 1, x.begin() + 1 + arm.N));
    };
    const Eigen::MatrixXd stage1 = map_of(
        arm.N, [&](int k) { return scaled(spoke.inward(unit(k, false), Vector6::Zero(), false)); });
    const Eigen::MatrixXd stage2 = map_of(
        arm.N, [&](int k) -> Eigen::VectorXd { return spoke.outward(unit(k, true), false).tip; });
    const Eigen::MatrixXd stage4 = map_of(6, [&](int k) -> Eigen::VectorXd {
      return -scaled(spoke.inward(none, Vector6::Unit(k), false));
    });
    const Eigen::MatrixXd stage5 =
        map_of(arm.N, [&](int k) { return joints(spoke.outward(unit(k, true), false).joints); });
    EXPECT_LT(largest(stage5 - stage1.transpose()), 1e-13 * largest(stage1));
    EXPECT_LT(largest(stage4 - stage2.transpose()), 1e-13 * largest(stage2));
    // together, stages 1 and 5 are the inverse of the mass matrix; 2 and 4 the covariance
    const Matrix6 Lambda = spoke.covariance();
    EXPECT_LT(largest(stage2 * stage4 - Lambda), 1e-12 * largest(Lambda));
  }
}

// Bitwise equal, not only to rounding.
TEST(rodriguez_spoked_wheel, any_number_of_threads_has_the_same_bits) {
  shows({"R-44", "constrained_dynamics", "forward_dynamics_batch"});
  SpokedWheel wheel(7);
  const SpokedWheel::Answer alone = wheel.turn(1);
  for (const int threads : {2, 3, 4, 7, 11}) {
    const SpokedWheel::Answer shared = wheel.turn(threads);
    EXPECT_EQ(shared.a, alone.a) << threads;
    EXPECT_EQ(shared.x, alone.x) << threads;
    EXPECT_EQ(shared.alpha, alone.alpha) << threads;
  }
  // and they are the accelerations of the engine
  Posed engine(wheel.description, wheel.q, wheel.v);
  const Eigen::VectorXd a = engine.a({.tau = wheel.tau});
  EXPECT_LT(largest(alone.a - a), 1e-9 * largest(a));

  // the solvers of the engine on many threads at a time, each with its own workspace
  using enum ConstraintSolver;
  for (const ConstraintSolver solver : {automatic, schur, star, null_space, kkt}) {
    ConstrainedAnswer first;
    ASSERT_TRUE(constrained_dynamics(engine.model, engine.state, {.tau = wheel.tau},
                                     engine.workspace, first, solver)
                    .ok());
    for (const int threads : {1, 2, 5}) {
      std::vector<ConstrainedAnswer> answers(8);
      on_threads(threads, 8, [&](int k) {
        Workspace workspace(engine.model);
        EXPECT_TRUE(constrained_dynamics(engine.model, engine.state, {.tau = wheel.tau}, workspace,
                                         answers[std::size_t(k)], solver)
                        .ok());
      });
      for (const ConstrainedAnswer& answer : answers) {
        EXPECT_EQ(answer.a, first.a) << to_string(solver);
        EXPECT_EQ(answer.lambda, first.lambda) << to_string(solver);
        EXPECT_EQ(answer.solver, first.solver);
      }
    }
  }

  // and its batches, whose states are distributed to threads
  const int states = 37;
  Eigen::MatrixXd q(42, states), v(42, states), tau(42, states);
  Random random(11);
  for (int s = 0; s < states; ++s) {
    State there = engine.state;
    for (double& x : there.q) x += 0.02 * random();
    ASSERT_TRUE(assemble(engine.model, there, engine.workspace).ok());
    q.col(s) = vector_of(there.q);
    v.col(s) = vector_of(there.v);
    for (int k = 0; k < 42; ++k) tau(k, s) = wheel.tau[std::size_t(k)] + random();
  }
  Eigen::MatrixXd one(42, states);
  BatchWorkspace on_one(engine.model, 1);
  ASSERT_TRUE(forward_dynamics_batch(engine.model, {q, v}, tau, on_one, one).ok());
  for (const int threads : {2, 3, 4, 8}) {
    BatchWorkspace workspace(engine.model, threads);
    Eigen::MatrixXd many = Eigen::MatrixXd::Zero(42, states);
    ASSERT_TRUE(forward_dynamics_batch(engine.model, {q, v}, tau, workspace, many).ok());
    EXPECT_EQ(many, one) << threads;
  }
}

}  // namespace
}  // namespace trammel::spoked_wheel_test
