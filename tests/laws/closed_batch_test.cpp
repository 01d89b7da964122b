// Batches of mechanisms with loops: the same answers as one by one, the same bits for any number of
// threads, and what is wrong told with its state.
#include <gtest/gtest.h>

#include "tests/random_closed_robot.hpp"
#include "trammel/dynamics/batch.hpp"
#include "trammel/dynamics/forward_dynamics.hpp"
#include "trammel/read/load.hpp"

namespace trammel {
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
    // two orders of summation, and the condition of the rows
    EXPECT_LT((a.col(s) - one).lpNorm<Eigen::Infinity>(),
              1e-8 * (1 + one.lpNorm<Eigen::Infinity>()))
        << s;
  }
  EXPECT_EQ(many.ask(2, status), a);
}

TEST(ClosedBatch, answers_as_one_by_one_and_alike_on_any_number_of_threads) {
  // of all kinds of loops; the odd ones have rows to spare
  for (const int seed : {1, 2, 3, 5, 6, 8, 9, 12, 13, 16, 17, 18}) {
    SCOPED_TRACE(seed);
    RandomClosedRobot robot(seed, seed % 3 == 0);
    expect_same_as_alone(robot.model, robot.state);
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

TEST(ClosedBatch, the_first_state_that_is_open_is_told) {
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
    EXPECT_NE(status.message().find("is open by"), std::string::npos);
  }
}

}  // namespace
}  // namespace trammel
