// Motion of mechanisms with bushings: energy, momentum, power balance, batches of runs, files.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/bushed.hpp"
#include "tests/support/motion_of.hpp"
#include "trammel/dynamics/batch.hpp"
#include "trammel/dynamics/force_elements.hpp"
#include "trammel/dynamics/forward_dynamics.hpp"
#include "trammel/dynamics/kinematics.hpp"
#include "trammel/simulate/checks/audit.hpp"
#include "trammel/simulate/checks/power.hpp"
#include "trammel/simulate/simulate_batch.hpp"
#include "trammel/write/model/toml.hpp"

namespace trammel::bushing_in_time_test {
namespace {

TEST(Bushing, conserves_energy_and_momentum_of_a_free_pair) {
  for (const bool has_tables : {false, true}) {
    MotionOf motion(build_model(free_pair(0, has_tables)));
    EXPECT_TRUE(conserves_energy(motion.model, motion.run_inputs));
    ASSERT_TRUE(motion.go(3).ok());
    Momentum first, now;
    ASSERT_TRUE(momentum(motion.model, motion.samples.front(), motion.workspace, first).ok());
    ASSERT_TRUE(momentum(motion.model, motion.samples.back(), motion.workspace, now).ok());
    Energy begin, end;
    ASSERT_TRUE(energy(motion.model, motion.samples.front(), motion.workspace, begin).ok());
    ASSERT_TRUE(energy(motion.model, motion.samples.back(), motion.workspace, end).ok());
    // the motion exchanges energy between the bodies and the bushing
    EXPECT_GT(std::abs(end.elastic - begin.elastic), 1e-3);
    // some hundred steps with a local error of 1e-11; knots of the table cost steps, not accuracy
    EXPECT_LT(motion.energy_change(), 3e-9);
    EXPECT_LT(norm(now.linear - first.linear), 1e-9);
    EXPECT_LT(norm(now.angular - first.angular), 1e-9);
  }
}

TEST(Bushing, loses_what_its_damping_takes) {
  MotionOf motion(build_model(free_pair(2, true)));
  EXPECT_FALSE(conserves_energy(motion.model, motion.run_inputs));
  RunOptions options = MotionOf::precise();
  options.sample = 0.0005;
  ASSERT_TRUE(motion.go(1, options).ok());
  double lost = 0;  // by Simpson's rule over pairs of intervals
  std::vector<double> rates;
  for (const State& state : motion.samples) {
    std::vector<double> a(state.v.size());
    ASSERT_TRUE(forward_dynamics(motion.model, state, {}, motion.workspace, a).ok());
    Power now;
    ASSERT_TRUE(power(motion.model, state, {}, a, motion.workspace, now).ok());
    EXPECT_LT(std::abs(now.residual()), 1e-12 * 100);  // powers near 10 W, to rounding
    Kinematics moving(motion.model);
    ASSERT_TRUE(kinematics(motion.model, state, {}, motion.workspace, moving).ok());
    const double dissipated = dissipated_power(motion.model, moving, {});
    EXPECT_GE(dissipated, 0);
    EXPECT_NEAR(now.losses, -dissipated, 1e-11);
    rates.push_back(dissipated);
  }
  for (std::size_t k = 2; k < rates.size(); k += 2)
    lost += 0.0005 / 3 * (rates[k - 2] + 4 * rates[k - 1] + rates[k]);
  Energy first, last;
  ASSERT_TRUE(energy(motion.model, motion.samples.front(), motion.workspace, first).ok());
  ASSERT_TRUE(energy(motion.model, motion.samples.back(), motion.workspace, last).ok());
  EXPECT_GT(lost, 0.01);
  // Simpson at 0.5 ms; knots of the table leave second order: (0.5 ms x 100 rad/s)^2 of a
  // thousandth
  EXPECT_NEAR(first.total() - last.total(), lost, 1e-6);
}

// In a closed mechanism it acts as in a tree: energy is kept.
TEST(Bushing, keeps_the_energy_of_a_closed_mechanism) {
  Description linkage = load_model("@four_bar").description();
  linkage.frame("post", "ground", {.xyz = {0.3, 0.0, 0.2}});
  BushingDescription bushing{.name = "mount", .frame = "post", .other_frame = "coupler"};
  bushing.stiffness = coupled(5, 0.1);
  linkage.bushings.push_back(bushing);
  MotionOf motion(build_model(linkage));
  ASSERT_TRUE(motion.go(1).ok());
  Energy first, last;
  ASSERT_TRUE(energy(motion.model, motion.samples.front(), motion.workspace, first).ok());
  ASSERT_TRUE(energy(motion.model, motion.samples.back(), motion.workspace, last).ok());
  EXPECT_GT(std::abs(last.elastic - first.elastic), 1e-4);  // it is strained
  EXPECT_LT(motion.energy_change(), 1e-8);  // some hundred steps with a local error of 1e-11
}

TEST(Bushing, acts_in_batches_of_runs_and_is_named_by_batches_of_states) {
  const Model model = build_model(free_pair(1, true));
  Workspace workspace(model);
  BatchWorkspace batch(model, 1);
  const State start = start_state(model);
  const Eigen::MatrixXd q = Eigen::Map<const Eigen::VectorXd>(start.q.data(), model.nq()),
                        v = Eigen::Map<const Eigen::VectorXd>(start.v.data(), model.nv());
  Eigen::MatrixXd a = Eigen::MatrixXd::Zero(model.nv(), 1);
  const Eigen::MatrixXd tau = a;
  const Status refused = forward_dynamics_batch(model, {q, v}, tau, batch, a);
  EXPECT_EQ(refused.message(),
            "forward_dynamics_batch: the model 'pair' has elements that this function does not "
            "support yet: "
            "bushing 'mount'");
  const SimulationInputs nothing(model);
  BatchRunOptions options;
  options.duration = 0.1;
  options.step = 0.01;
  BatchMotion runs;
  const Status status = simulate_batch(model, {q, v}, nothing, options, batch, runs);
  ASSERT_TRUE(status.ok()) << status.message();
  State state = start;
  RunOptions alone;
  alone.duration = 0.1;
  alone.step = 0.01;
  alone.method = options.method;
  RunStatistics statistics;
  ASSERT_TRUE(simulate(
                  model, state, nothing, alone, workspace, [](const State&) { return Status(); },
                  statistics)
                  .ok());
  for (int k = 0; k < model.nq(); ++k)
    EXPECT_NEAR(runs.q.back()(k, 0), state.q[std::size_t(k)], 1e-12);
}

TEST(Bushing, is_written_and_read_again) {
  Description description = free_pair(2, true);
  description.bushings[0].interpolation = BushingDescription::Interpolation::linear;
  const std::string text = write_toml(description);
  Diagnostics diagnostics;
  const Model model = build_model(description);
  const Model again = build_model(read_description("pair.toml", text, {}, diagnostics));
  EXPECT_TRUE(diagnostics.list().empty());
  EXPECT_EQ(write_toml(again.description()), text);
  Workspace workspace(model), room(again);
  const State state = start_state(model);
  std::vector<double> a(state.v.size()), b(a);
  ASSERT_TRUE(forward_dynamics(model, state, {}, workspace, a).ok());
  ASSERT_TRUE(forward_dynamics(again, state, {}, room, b).ok());
  EXPECT_EQ(a, b);
}

}  // namespace
}  // namespace trammel::bushing_in_time_test
