// Interrupted runs keep their results and can be continued; steps that would never end are refused.
#include "trammel/simulate/checks/interruption.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "tests/support/motion_of.hpp"
#include "trammel/simulate/kinematic.hpp"
#include "trammel/simulate/simulate_batch.hpp"

namespace trammel::interruption_test {
namespace {

RunOptions with_step(double step, double duration = 10) {
  RunOptions options;
  options.duration = duration;
  options.method = Method::rk4;
  options.step = step;
  options.sample = duration;
  return options;
}

struct Ended {
  Status status;
  RunStatistics statistics;
  State state;
  int samples = 0;
};
Ended run(const RunOptions& options, const Checkpoints& checkpoints = {}, double start = 0) {
  MotionOf motion("double_pendulum");
  Ended ended;
  ended.state = motion.state;
  ended.state.time = start;
  ended.status = simulate(
      motion.model, ended.state, motion.run_inputs, options, motion.workspace,
      [&](const RunSnapshot&) {
        ++ended.samples;
        return Status();
      },
      ended.statistics, checkpoints);
  return ended;
}

TEST(interruption, steps_that_do_not_move_time_are_refused) {
  // 1.8e-15 s is the spacing of doubles at 10 s
  EXPECT_EQ(run(with_step(1e-300)).status.message(),
            "simulate: the step is 1e-300 s, which does not move time: t + step = t at t = 10 s. "
            "The smallest step that does is 1.8e-15 s; one of 1e-07 s or more (option step) ends "
            "within 1e+08 steps");
  EXPECT_EQ(run(with_step(1e-9)).status.message(),
            "simulate: the step is 1e-09 s: 10 s would take more than 1e+08 steps, the most that a "
            "run may have. Give a step (option step) of 1e-07 s or more");
  // late in time they are coarser: 1.2e-7 s at 1e9 s
  EXPECT_NE(run(with_step(1e-7, 1), {}, 1e9).status.message().find("at t = 1e+09 s"),
            std::string::npos);
  EXPECT_TRUE(run(with_step(1e-6, 1e-3)).status.ok());
  RunOptions longest;  // for an adaptive method it is the longest step
  longest.step = std::numeric_limits<double>::denorm_min();
  EXPECT_FALSE(run(longest).status.ok());
}

// Without is_due a checkpoint is kept only where the run is interrupted.
TEST(interruption, keeps_a_checkpoint_without_is_due) {
  RunOptions options;
  options.each_step = [](const StepReport& report) {
    return report.time > 0.5 ? Status::failure("enough") : Status();
  };
  int kept = 0;
  Checkpoints checkpoints;
  checkpoints.keep = [&](const Checkpoint& checkpoint) {
    ++kept;
    EXPECT_GT(checkpoint.state.time, 0.5);
    return Status();
  };
  EXPECT_TRUE(run(options, checkpoints).statistics.is_interrupted);
  EXPECT_EQ(kept, 1);
  options.each_step = {};
  EXPECT_TRUE(run(options, checkpoints).status.ok());
  EXPECT_EQ(kept, 1);
}

TEST(interruption, each_step_ends_a_run_and_says_so) {
  RunOptions options;
  options.sample = 0.01;
  long steps = 0;
  options.each_step = [&](const StepReport& report) {
    EXPECT_GT(report.step, 0);
    steps = report.steps;
    return report.time > 0.5 ? Status::failure("enough") : Status();
  };
  const Ended ended = run(options);
  EXPECT_TRUE(ended.statistics.is_interrupted);
  EXPECT_EQ(ended.statistics.steps, steps);
  EXPECT_GT(ended.samples, 50);
  EXPECT_EQ(ended.state.time, ended.statistics.end);
  EXPECT_TRUE(ended.status.message().ends_with("s: enough")) << ended.status.message();
  options.each_step = {};
  EXPECT_FALSE(run(options).statistics.is_interrupted);
}

TEST(interruption, a_limit_on_the_clock_ends_a_run) {
  RunOptions options;
  options.duration = 1e9;
  options.sample = 1;
  options.wall_limit = 0.05;
  const Ended ended = run(options);
  EXPECT_TRUE(ended.statistics.is_interrupted);
  EXPECT_NE(ended.status.message().find("the limit of 0.05 s of wall-clock time is reached"),
            std::string::npos);
  options.wall_limit = -1;
  EXPECT_EQ(run(options).status.message(),
            "simulate: the wall limit is -1 s: give a time above 0, or 0 for none");
}

// Multistep methods continue at their restarts: there they end.
TEST(interruption, a_run_with_a_journal_ends_at_a_checkpoint_and_goes_on_the_same) {
  for (const Method method : {Method::dormand_prince, Method::radau, Method::rk4}) {
    RunOptions options;
    options.duration = 2;
    options.method = method;
    options.step = 0.001;
    options.sample = 0.1;
    const Ended whole = run(options);
    ASSERT_TRUE(whole.status.ok()) << whole.status.message();
    options.each_step = [](const StepReport& report) {
      return report.steps >= 10 ? Status::failure("enough") : Status();
    };
    std::optional<Checkpoint> last;
    const Checkpoints kept{.is_due = [] { return false; },
                           .keep =
                               [&](const Checkpoint& now) {
                                 last = now;
                                 return Status();
                               }};
    const Ended half = run(options, kept);
    EXPECT_TRUE(half.statistics.is_interrupted);
    ASSERT_TRUE(last) << to_string(method);
    EXPECT_EQ(last->state.time, half.statistics.end);
    options.each_step = {};
    const Ended rest = run(options, {.from = &*last});
    ASSERT_TRUE(rest.status.ok()) << rest.status.message();
    EXPECT_EQ(rest.state.q, whole.state.q) << to_string(method);
    EXPECT_EQ(half.samples + rest.samples, whole.samples);
  }
}

TEST(interruption, a_batch_ends_where_it_is) {
  MotionOf motion("double_pendulum");
  const Model& model = motion.model;
  const Eigen::MatrixXd q = Eigen::MatrixXd::Constant(model.nq(), 500, 0.3),
                        v = Eigen::MatrixXd::Zero(model.nv(), 500);
  for (const int threads : {1, 2}) {
    BatchWorkspace workspace(model, threads);
    BatchMotion out;
    BatchRunOptions options{.duration = 1e4, .step = 1e-3, .sample = 1e3, .wall_limit = 0.1};
    const Status limited =
        simulate_batch(model, {q, v}, motion.run_inputs, options, workspace, out);
    EXPECT_NE(limited.message().find("500 of 500 runs did not reach the end; run 0 was interrupted "
                                     "at t = "),
              std::string::npos)
        << limited.message();
    ASSERT_EQ(out.q.size(), 11u);
    for (const Eigen::MatrixXd& sample : out.q) EXPECT_TRUE(sample.allFinite());
    options.wall_limit = 0;
    options.interrupt = [] { return Status::failure("enough"); };
    EXPECT_FALSE(simulate_batch(model, {q, v}, motion.run_inputs, options, workspace, out).ok());
    EXPECT_TRUE(out.stopped.back().ends_with(": enough")) << out.stopped.back();
    options.interrupt = []() -> Status { throw std::runtime_error("thrown"); };
    EXPECT_THROW(
        std::ignore = simulate_batch(model, {q, v}, motion.run_inputs, options, workspace, out),
        std::runtime_error);
  }
}

TEST(interruption, batches_refuse_steps_and_samples_that_never_end) {
  MotionOf motion("pendulum");
  const Eigen::MatrixXd one = Eigen::MatrixXd::Zero(1, 1);
  BatchWorkspace workspace(motion.model);
  BatchMotion out;
  const auto told = [&](const BatchRunOptions& options) {
    return simulate_batch(motion.model, {one, one}, motion.run_inputs, options, workspace, out)
        .message();
  };
  EXPECT_TRUE(told({.step = 1e-300})
                  .starts_with("simulate_batch: the step is 1e-300 s, which does not move time"));
  EXPECT_TRUE(
      told({.sample = 1e-300})
          .starts_with("simulate_batch: the sample time is 1e-300 s, which does not move time"));
  EXPECT_TRUE(told({.step = 1e-10}).starts_with("simulate_batch: the step is 1e-10 s: 10 s would"));
}

TEST(interruption, threads_without_number_are_refused) {
  MotionOf motion("pendulum");
  const auto told = [&](int threads) -> std::string {
    try {
      BatchWorkspace workspace(motion.model, threads);
    } catch (const std::invalid_argument& error) { return error.what(); }
    return "";
  };
  EXPECT_TRUE(told(100'000).starts_with("BatchWorkspace: 100000 threads: give at most "));
  EXPECT_EQ(told(8), "");
}

}  // namespace
}  // namespace trammel::interruption_test
