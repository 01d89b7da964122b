// ME-2b [van der Merwe 1995]: the Stanford arm of ME-2 reaches for a tap and closes it.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/reference/posed.hpp"
#include "tests/reference/sdof_arms.hpp"
#include "tests/support/capability.hpp"
#include "trammel/read/load.hpp"
#include "trammel/simulate/checks/described_run.hpp"
#include "trammel/simulate/inputs/signal.hpp"
#include "trammel/simulate/kinematic.hpp"
#include "trammel/simulate/recorder.hpp"

namespace trammel::tap_test {
namespace {

// ME-2b: reach for the tap in one second, then rotate it by half a turn in half a second.
constexpr double pi = std::numbers::pi;
const Eigen::VectorXd tap_start = numbers({0, 0, 0.8, 0, 0});
Eigen::VectorXd tap_reached() {
  // inverse kinematics of the reference, front reach
  const double x = std::sqrt(0.5 * 0.5 - 0.15 * 0.15), lift = std::atan2(-0.25, x);
  return numbers({std::atan2(-x, -0.15), lift, std::hypot(x, 0.25), -pi / 2 - lift, pi / 2});
}
struct RunSnapshot {
  Eigen::VectorXd q, v, a;
};
// from one position to another at rest, as a cubic in time
RunSnapshot between(const Eigen::VectorXd& from, const Eigen::VectorXd& to, double T, double t) {
  const double s = t / T;
  const Eigen::VectorXd d = to - from;
  return {from + (3 * s * s - 2 * s * s * s) * d, (6 * s - 6 * s * s) / T * d,
          (6 - 12 * s) / (T * T) * d};
}
RunSnapshot closing_the_tap(double t, bool is_turning) {
  if (!is_turning) return between(tap_start, tap_reached(), 1, t);
  Eigen::VectorXd turned = tap_reached();
  turned[4] += pi;
  return between(tap_reached(), turned, 0.5, t - 1);
}
// Reaction of the handle to the 5 Nm of the link.
Eigen::VectorXd tap_efforts(Posed& arm, double t, bool is_turning) {
  const RunSnapshot now = closing_the_tap(t, is_turning);
  arm.state.q = list_of(now.q);
  arm.state.v = list_of(now.v);
  const std::vector<double> a = list_of(now.a);
  const Wrench handle{frame_ref(arm.model, "tip"), {{-5, 0, 0}, {}}, Axes::body};
  return arm.tau({.a = a, .wrenches = {&handle, is_turning ? 1u : 0u}});
}

TEST(ClosingATap, takes_the_efforts_of_me2b) {
  shows({"M-34", "inverse_dynamics"}, {"M-32", "inverse_dynamics"});
  Posed arm(stanford5(), list_of(tap_start));
  const std::vector<std::pair<double, Eigen::VectorXd>> reaching = {
      {0, numbers({-19.190825, 11.906219, 0.392829, 1.139688, 0.009425})},
      {0.1, numbers({-14.492969, 13.151611, -2.326733, 1.358392, 0.008794})},
      {0.25, numbers({-5.703129, 13.986087, -11.165876, 1.451008, 0.009696})},
      {0.5, numbers({5.631596, 11.391697, -19.641492, 0.596395, 0.004687})},
      {0.75, numbers({6.241317, 9.019603, -16.296634, 0.306097, -0.009264})},
      {0.9, numbers({5.228012, 8.799542, -13.815989, 0.477341, -0.016496})},
      {1, numbers({5.623053, 9.098986, -12.940175, 0.610300, -0.020678})}};
  const std::vector<std::pair<double, Eigen::VectorXd>> turning = {
      {1, numbers({-5.075398, 6.752119, -15.028788, 0, 5.075398})},
      {1.25, numbers({-5, 6.752119, -15.028788, 0, 5})},
      {1.5, numbers({-4.924602, 6.752119, -15.028788, 0, 4.924602})}};
  // half a unit of the sixth decimal printed
  for (const auto& [t, tau] : reaching)
    EXPECT_LT(largest_of(tap_efforts(arm, t, false) - tau), 5.1e-7) << t;
  for (const auto& [t, tau] : turning)
    EXPECT_LT(largest_of(tap_efforts(arm, t, true) - tau), 5.1e-7) << t;
}

TEST(ClosingATap, moves_from_rest_to_rest_as_signals_do) {
  shows({"M-36", "Signal::rest_to_rest"});  // the table of efforts above uses the same cubics
  const Eigen::VectorXd from = tap_start, to = tap_reached();
  for (Eigen::Index k = 0; k < 5; ++k) {
    const Signal plan = Signal::rest_to_rest(from[k], to[k], 0, 1);
    for (const double t : {0.0, 0.1, 0.25, 0.5, 0.75, 0.9}) {
      const RunSnapshot now = between(from, to, 1, t);
      EXPECT_NEAR(plan.at(t).value, now.q[k], 1e-14);
      EXPECT_NEAR(plan.at(t).rate, now.v[k], 1e-13);
      EXPECT_NEAR(plan.at(t).acceleration, now.a[k], 1e-12);
    }
    EXPECT_EQ(plan.at(0).rate, 0);
    EXPECT_EQ(plan.at(1).value, to[k]);
    EXPECT_EQ(plan.at(1).rate, 0);
  }
  // accelerations at the start, as printed
  const Eigen::VectorXd printed = numbers({-11.252934, -2.896647, -1.568901, -6.528131, 9.424778});
  for (Eigen::Index k = 0; k < 5; ++k)
    EXPECT_NEAR(Signal::rest_to_rest(from[k], to[k], 0, 1).at(0).acceleration, printed[k], 5.1e-7);
}

TEST(ClosingATap, works_as_much_as_its_energy_changes_while_the_slide_carries_the_mass) {
  shows({"M-35", "inverse_dynamics", "energy"});
  Posed arm(stanford5(), list_of(tap_start));
  // Simpson's rule, whose error falls with the fourth power: 2e-9 at 400 intervals, here 3e-12
  const auto work = [&](double from, double to, bool is_turning) {
    const int n = 2000;
    double sum = 0;
    for (int i = 0; i <= n; ++i) {
      const double t = from + (to - from) * i / n;
      const double weight = i == 0 || i == n ? 1 : i % 2 == 1 ? 4 : 2;
      sum += weight * tap_efforts(arm, t, is_turning).dot(closing_the_tap(t, is_turning).v);
    }
    return sum * (to - from) / (3 * n);
  };
  const auto potential = [&](const Eigen::VectorXd& q) {
    arm.state.q = list_of(q);
    return arm.energies().gravity;
  };
  const double lowered = potential(tap_reached()) - potential(tap_start);
  EXPECT_NEAR(lowered, -5.7070818, 5.1e-8);  // half a unit of the last printed digit
  EXPECT_NEAR(work(0, 1, false), lowered, 1e-11);
  EXPECT_NEAR(work(1, 1.5, true), 5 * pi, 1e-11);
}

// The same with the prescribed motions and the wrench of the model, in a run: the two sides of t =
// 1 cannot be one sample.
TEST(ClosingATap, is_what_the_model_does_in_time) {
  shows({"M-32", "simulate_kinematic"}, {"M-34", "simulate"},
        {"M-36", "simulate", "simulate_kinematic"});
  const Model model = load_model("@me_2b");
  Workspace workspace(model);
  for (const bool is_kinematic : {false, true}) {
    const SimulationInputs run_inputs(model);
    Recorder recorder(model, run_inputs, {"efforts"});
    State state = start_state(model);
    RunStatistics statistics;
    const auto see = [&](const trammel::RunSnapshot& seen) { return recorder.observe(seen); };
    const RunOptions options = run_options(model);
    const Status status =
        is_kinematic
            ? simulate_kinematic(model, state, run_inputs, options, workspace, see, statistics, {})
            : simulate(model, state, run_inputs, options, workspace, see, statistics, {});
    ASSERT_TRUE(status.ok()) << status.message();
    const Recording& seen = recorder.recording();
    ASSERT_EQ(seen.samples(), 31u);  // 1.5 s, one per 0.05 s
    const std::vector<std::pair<std::size_t, std::vector<double>>> published = {
        {0, {-19.190825, 11.906219, 0.392829, 1.139688, 0.009425}},
        {2, {-14.492969, 13.151611, -2.326733, 1.358392, 0.008794}},
        {5, {-5.703129, 13.986087, -11.165876, 1.451008, 0.009696}},
        {10, {5.631596, 11.391697, -19.641492, 0.596395, 0.004687}},
        {15, {6.241317, 9.019603, -16.296634, 0.306097, -0.009264}},
        {18, {5.228012, 8.799542, -13.815989, 0.477341, -0.016496}},
        {20, {-5.075398, 6.752119, -15.028788, 0, 5.075398}},
        {25, {-5, 6.752119, -15.028788, 0, 5}}};
    for (const auto& [sample, tau] : published)
      for (std::size_t k = 0; k < tau.size(); ++k)  // half a unit of the sixth decimal printed
        EXPECT_NEAR(seen.at(sample, 1 + k), tau[k], 5.1e-7) << seen.at(sample, 0) << " s, " << k;
    // the tap is closed: half a turn more than the quarter before
    EXPECT_NEAR(state.q[4], 1.5 * pi, 1e-12);
  }
}

}  // namespace
}  // namespace trammel::tap_test
