// Batch forward dynamics of mechanisms with loops: same results as single calls, bitwise equal for
// any number of threads, and errors that name the state.
#include <gtest/gtest.h>

#include "tests/support/random_closed_robot.hpp"
#include "trammel/dynamics/batch.hpp"
#include "trammel/dynamics/forward_dynamics.hpp"
#include "trammel/dynamics/inverse_dynamics.hpp"
#include "trammel/model/build/builder.hpp"
#include "trammel/model/description/solids.hpp"
#include "trammel/read/load.hpp"

namespace trammel::closed_batch_test {
namespace {

// Closed states near one another.
struct ManyStates {
  ManyStates(const Model& model_, const State& around, int count)
      : model(model_), q(model.nq(), count), v(model.nv(), count), tau(model.nv(), count) {
    Workspace workspace(model);
    Random random(5);
    for (int s = 0; s < count; ++s) {
      State state = around;
      std::vector<double> away(state.v.size());
      for (double& x : away) x = 0.05 * random();
      integrate(model, around.q, away, state.q);
      for (double& x : state.v) x = random();
      EXPECT_TRUE(assemble(model, state, workspace).ok());
      q.col(s) = Eigen::Map<Eigen::VectorXd>(state.q.data(), model.nq());
      v.col(s) = Eigen::Map<Eigen::VectorXd>(state.v.data(), model.nv());
      for (int k = 0; k < model.nv(); ++k) tau(k, s) = random();
    }
  }
  Eigen::MatrixXd ask(int threads, Status& status) const {
    BatchWorkspace workspace(model, threads);
    Eigen::MatrixXd a(model.nv(), q.cols());
    status = forward_dynamics_batch(model, {q, v}, tau, workspace, a);
    return a;
  }
  Eigen::VectorXd alone(int s, Workspace& workspace) const {
    State state;
    state.q.assign(q.col(s).begin(), q.col(s).end());
    state.v.assign(v.col(s).begin(), v.col(s).end());
    const Eigen::VectorXd effort = tau.col(s);
    Eigen::VectorXd a(model.nv());
    const std::size_t n = std::size_t(model.nv());
    const Status status =
        forward_dynamics(model, state, {.tau = {effort.data(), n}}, workspace, {a.data(), n});
    EXPECT_TRUE(status.ok()) << status.message();
    return a;
  }

  const Model& model;
  Eigen::MatrixXd q, v, tau;
};

void expect_same_as_alone(const Model& model, const State& around) {
  const ManyStates many(model, around, 21);
  Status status;
  const Eigen::MatrixXd a = many.ask(1, status);
  ASSERT_TRUE(status.ok()) << status.message();
  Workspace workspace(model);
  for (int s = 0; s < int(a.cols()); ++s) {
    const Eigen::VectorXd one = many.alone(s, workspace);
    // different orders of summation, times the condition of the rows
    EXPECT_LT((a.col(s) - one).lpNorm<Eigen::Infinity>(),
              1e-8 * (1 + one.lpNorm<Eigen::Infinity>()))
        << s;
  }
  EXPECT_EQ(many.ask(2, status), a);
}

TEST(ClosedBatch, equals_single_calls_on_any_number_of_threads) {
  // all kinds of loops; odd seeds have redundant rows
  for (const int seed : {1, 2, 3, 5, 6, 8, 9, 12, 13, 16, 17, 18}) {
    SCOPED_TRACE(seed);
    RandomClosedRobot robot(seed, seed % 3 == 0);
    expect_same_as_alone(robot.model, robot.state);
    RandomClosedRobot in_lanes(seed, seed % 3 == 0, RandomClosedRobot::kinds_in_lanes());
    expect_same_as_alone(in_lanes.model, in_lanes.state);
  }
}

TEST(ClosedBatch, wheels_roll_as_one_by_one) {
  for (const char* name : {"s_t08", "s_t03", "e_07"}) {
    SCOPED_TRACE(name);
    const Model model = load_model(std::string("@") + name);
    Workspace workspace(model);
    State start;
    ASSERT_TRUE(assembled_start(model, workspace, start).ok());
    expect_same_as_alone(model, start);
  }
}

// Prescribed motions in a batch: the joints have the prescribed accelerations, locked ones zero,
// and the other joints need exactly the given efforts for this motion.
TEST(PrescribedMotionBatch, satisfies_prescribed_accelerations_and_given_efforts) {
  Description description("arm");
  const Drive run_inputs[] = {Drive::none, Drive::motion, Drive::torque, Drive::locked,
                              Drive::none};
  std::string parent = "ground";
  for (int k = 0; k < 5; ++k) {
    const std::string body = "body" + std::to_string(k);
    description.body(body, box(1.0 + k, {0.3, 0.1, 0.2}, {0.15, 0.02 * k, 0.0}));
    description.joint("joint" + std::to_string(k), JointKind::revolute, parent, body,
                      {.at = {{k == 0 ? 0.0 : 0.3, 0.0, 0.0}, {0.4 * k, 0.3, 0.0}},
                       .drive = run_inputs[std::size_t(k)]});
    parent = body;
  }
  const Model model = build_model(description);
  const int count = 19, n = model.nv();
  Random random(3);
  Eigen::MatrixXd q(n, count), v(n, count), tau(n, count), plan = Eigen::MatrixXd::Zero(n, count);
  for (auto* x : {&q, &v, &tau})
    for (double& number : x->reshaped()) number = random();
  v.row(3).setZero();
  for (const int prescribed : {1, 3}) tau.row(prescribed).setZero();
  for (double& number : plan.row(1)) number = 5 * random();

  Eigen::MatrixXd a(n, count);
  BatchWorkspace alone(model, 1), shared(model, 2);
  const Status status = forward_dynamics_batch(model, {q, v}, tau, alone, a, plan);
  ASSERT_TRUE(status.ok()) << status.message();
  EXPECT_EQ(a.row(1), plan.row(1));
  EXPECT_TRUE(a.row(3).isZero(0));
  Workspace workspace(model);
  for (int s = 0; s < count; ++s) {
    State state;
    state.q.assign(q.col(s).begin(), q.col(s).end());
    state.v.assign(v.col(s).begin(), v.col(s).end());
    const Eigen::VectorXd wanted = a.col(s);
    std::vector<double> needed(std::size_t(n), 0.0);
    ASSERT_TRUE(
        inverse_dynamics(model, state, {.a = {wanted.data(), std::size_t(n)}}, workspace, needed)
            .ok());
    for (const int f : {0, 2, 4})
      EXPECT_NEAR(needed[std::size_t(f)], tau(f, s), 1e-10 * (1 + wanted.norm())) << s << " " << f;
  }
  Eigen::MatrixXd again(n, count);
  ASSERT_TRUE(forward_dynamics_batch(model, {q, v}, tau, shared, again, plan).ok());
  EXPECT_EQ(again, a);

  // an acceleration prescribed for a joint without prescribed motion
  plan(0, 11) = 1;
  EXPECT_EQ(forward_dynamics_batch(model, {q, v}, tau, alone, a, plan).message(),
            "forward_dynamics_batch: in state 11 joint 'joint0' is not driven by motion, and its "
            "acceleration is an answer: leave its entry of inputs.a zero");
  // a locked joint with a velocity
  plan(0, 11) = 0, v(3, 12) = 0.5;
  EXPECT_EQ(forward_dynamics_batch(model, {q, v}, tau, alone, a, plan).message(),
            "forward_dynamics_batch: in state 12 joint 'joint3' is locked but moves with v[3] = "
            "0.5: set it to 0, or give the joint another drive");
}

TEST(ClosedBatch, the_first_state_that_violates_a_constraint_is_reported) {
  const Model model = load_model("@four_bar");
  Workspace workspace(model);
  State start;
  ASSERT_TRUE(assembled_start(model, workspace, start).ok());
  ManyStates many(model, start, 40);
  many.q(0, 33) += 1e-3;
  many.q(0, 7) += 1e-3;
  for (const int threads : {1, 2}) {
    Status status;
    many.ask(threads, status);
    EXPECT_EQ(status.message().rfind("forward_dynamics_batch: in state 7 ", 0), 0u)
        << status.message();
    EXPECT_NE(status.message().find("is violated by"), std::string::npos);
  }
}

}  // namespace
}  // namespace trammel::closed_batch_test
