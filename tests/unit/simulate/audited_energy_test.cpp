// Audit of a run: which mechanisms must conserve energy, and how its change is measured.
#include <gtest/gtest.h>

#include <cmath>

#include "trammel/trammel.hpp"

namespace trammel::audited_energy_test {
namespace {

// A level pendulum of 2 kg at 0.5 m.
Description pendulum(const JointOptions& options = {.axis = {0.0, -1.0, 0.0}}) {
  Description description("pendulum");
  description.body("bob", point_mass(2.0, {0.5, 0.0, 0.0}));
  description.joint("pivot", JointKind::revolute, "ground", "bob", options);
  return description;
}
bool must_conserve(const Description& description) {
  const Model model = build_model(description);
  return conserves_energy(model, SimulationInputs(model));
}

TEST(AuditedEnergy, only_mechanisms_without_dissipation_must_conserve_energy) {
  JointOptions options{.axis = {0.0, -1.0, 0.0}};
  EXPECT_TRUE(must_conserve(pendulum(options)));
  options.stiffness = {3.0};
  EXPECT_TRUE(must_conserve(pendulum(options)));
  JointOptions damped = options;
  damped.damping = {0.1};
  EXPECT_FALSE(must_conserve(pendulum(damped)));
  JointOptions rough = options;
  rough.friction = {0.1};
  EXPECT_FALSE(must_conserve(pendulum(rough)));
  JointOptions stopped = options;
  stopped.limits = {.lower = {-1.0}, .upper = {1.0}};
  EXPECT_TRUE(must_conserve(pendulum(stopped)));  // limits alone only warn
  stopped.limits.restitution = {0.5};
  EXPECT_FALSE(must_conserve(pendulum(stopped)));
  JointOptions driven = options;
  driven.drive = Drive::motion;
  EXPECT_FALSE(must_conserve(pendulum(driven)));
}

TEST(AuditedEnergy, the_change_of_energy_has_no_sign) {
  const Model model = build_model(pendulum());
  Workspace workspace(model);
  for (const double angle : {-0.4, 0.4}) {  // at rest below, above: energy lost, gained
    Audit audit(model, SimulationInputs(model));
    State state = neutral_state(model);
    ASSERT_TRUE(audit.observe(state, workspace).ok());
    state.q[0] = angle;
    ASSERT_TRUE(audit.observe(state, workspace).ok());
    EXPECT_NEAR(audit.energy_change(), 2 * 9.81 * 0.5 * std::sin(0.4), 1e-13);
    EXPECT_FALSE(energy_is_conserved(audit.numbers()));
  }
}

TEST(AuditedEnergy, a_mechanism_that_changed_need_not_conserve_energy) {
  const Model model = build_model(pendulum()), other = build_model(pendulum());
  Workspace workspace(model);
  const SimulationInputs inputs(model);
  Audit audit(model, inputs);
  const State state = neutral_state(model);
  ASSERT_TRUE(audit.observe(RunSnapshot{state, model, inputs, workspace}).ok());
  EXPECT_TRUE(audit.must_conserve_energy());
  ASSERT_TRUE(audit.observe(RunSnapshot{state, other, inputs, workspace}).ok());
  EXPECT_FALSE(audit.must_conserve_energy());
}

}  // namespace
}  // namespace trammel::audited_energy_test
