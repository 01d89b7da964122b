// Forces by formula in model files: their law, energy, derivatives, and the file written back.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/unit/read/reading.hpp"
#include "trammel/analyze/linearize.hpp"
#include "trammel/dynamics/energy.hpp"
#include "trammel/dynamics/forward_dynamics.hpp"
#include "trammel/model/state.hpp"
#include "trammel/simulate/checks/audit.hpp"
#include "trammel/simulate/simulate.hpp"
#include "trammel/write/model/toml.hpp"

namespace trammel::toml_user_force_test {
namespace {

Model gas_spring() { return load_model(read_test_models + "gas_spring.toml"); }

double acceleration(const Model& model, double x, double v) {
  State state = start_state(model);
  state.q[0] = x;
  state.v[0] = v;
  Workspace workspace(model);
  std::vector<double> a(1);
  const std::vector<double> zero(1);
  EXPECT_TRUE(forward_dynamics(model, state, {.tau = zero}, workspace, a));
  return a[0];
}

TEST(TomlUserForce, the_tension_is_the_force_and_the_slope_of_the_energy) {
  const Model model = gas_spring();
  for (const double x : {0.2, 0.5, 1.3, -0.7})
    for (const double v : {0.0, 0.6, -2.0}) {
      const double length = std::abs(x), rate = x < 0 ? -v : v;
      const double tension = -80 * 0.4 / length + 30 * rate * std::abs(rate);
      EXPECT_NEAR(acceleration(model, x, v), (x < 0 ? 1 : -1) * tension / 2,
                  1e-14 * (1 + std::abs(tension)));
    }
}

TEST(TomlUserForce, the_energy_is_part_of_the_energy_of_the_mechanism) {
  const Model model = gas_spring();
  State state = start_state(model);
  state.q[0] = 0.9;
  Workspace workspace(model);
  Energy found;
  ASSERT_TRUE(energy(model, state, workspace, found));
  EXPECT_NEAR(found.elastic, -80 * 0.4 * std::log(0.9 / 0.4), 1e-13);
}

TEST(TomlUserForce, the_power_balance_of_a_run_holds) {
  const Model model = gas_spring();
  const SimulationInputs inputs(model);
  Workspace workspace(model);
  State state = start_state(model);
  state.v[0] = 1.5;
  Audit audit(model, inputs);
  RunOptions options;
  options.duration = 1;
  options.sample = 0.01;
  RunStatistics statistics;
  const Status status = simulate(
      model, state, inputs, options, workspace,
      [&](const RunSnapshot& seen) { return audit.observe(seen); }, statistics);
  ASSERT_TRUE(status) << status.message();
  EXPECT_FALSE(audit.numbers().must_conserve_energy);  // it has a damper
  // without the damper the energy is conserved, and the audit requires it
  Description without = described(
      "[body.lid]\nmass = 2\ninertia = [1, 1, 1]\n"
      "[joint.rail]\ntype = 'prismatic'\nparent = 'ground'\nchild = 'lid'\naxis = 'x'\n"
      "[user_force.gas]\nbetween = ['lid', 'ground']\nenergy = '3*length^2'\n"
      "[state.position]\nrail = 0.5\n");
  const Model spring = build_model(without);
  const SimulationInputs none(spring);
  Workspace other(spring);
  State start = start_state(spring);
  Audit strict(spring, none);
  // it does not pass its own end: a quarter of the period of sqrt(6/2) rad/s is 0.9 s
  options.duration = 0.8;
  const Status free = simulate(
      spring, start, none, options, other,
      [&](const RunSnapshot& seen) { return strict.observe(seen); }, statistics);
  ASSERT_TRUE(free) << free.message();
  EXPECT_TRUE(strict.numbers().must_conserve_energy);
  EXPECT_LT(strict.numbers().energy_change, 1e-7);
  EXPECT_NEAR(start.q[0], 0.5 * std::cos(std::sqrt(3.0) * 0.8), 1e-7);
}

TEST(TomlUserForce, linearization_has_its_derivatives) {
  const Model model = build_model(
      described("[body.b]\nmass = 2\ninertia = [1, 1, 1]\n"
                "[joint.rail]\ntype = 'prismatic'\nparent = 'ground'\nchild = 'b'\naxis = 'x'\n"
                "[user_force.f]\nbetween = ['b', 'ground']\n"
                "energy = '40*(length - 0.5)^2 + 7*length^4'\nforce = '(3 + length)*rate'\n"
                "[state.position]\nrail = 0.6\n"));
  Workspace workspace(model);
  const State state = start_state(model);
  Linearization found;
  const std::vector<double> zero(1);
  ASSERT_TRUE(linearize(model, state, {.tau = zero}, workspace, found));
  // x'' = -U'(x)/m - (3 + x) x'/m
  EXPECT_NEAR(found.A(1, 0), -(80 + 84 * 0.36) / 2, 1e-12);
  EXPECT_NEAR(found.A(1, 1), -(3 + 0.6) / 2, 1e-14);
}

TEST(TomlUserForce, ends_that_meet_have_no_direction) {
  const Model model = gas_spring();
  State state = start_state(model);
  state.q[0] = 0;
  Workspace workspace(model);
  std::vector<double> a(1);
  const std::vector<double> zero(1);
  EXPECT_EQ(forward_dynamics(model, state, {.tau = zero}, workspace, a).message(),
            "forward_dynamics: the two ends of user_force 'gas_spring' meet, and the direction of "
            "its force is lost: move them apart");
}

TEST(TomlUserForce, is_written_as_it_was_read) {
  const Description given = gas_spring().description();
  Diagnostics diagnostics;
  const Description again = read_description("again.toml", write_toml(given), {}, diagnostics);
  ASSERT_EQ(told(diagnostics), "");
  EXPECT_EQ(acceleration(build_model(again), 0.7, 0.3), acceleration(gas_spring(), 0.7, 0.3));
}

}  // namespace
}  // namespace trammel::toml_user_force_test
