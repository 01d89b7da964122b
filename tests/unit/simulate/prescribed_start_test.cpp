// A given start that contradicts the start of a prescribed motion: refused with both values.
#include "trammel/simulate/inputs/prescribed_start.hpp"

#include <gtest/gtest.h>

#include "trammel/model/build/builder.hpp"

namespace trammel::prescribed_start_test {
namespace {

struct Cart {
  Cart() : model(build_model(description())), workspace(model), state(neutral_state(model)) {
    run_inputs.prescribe(0, Signal::ramp(0.5, 1.5, 0, 2));  // starts at 0.5 m, with 0.5 m/s
    state.q = {0.1};
    state.v = {0.2};
  }
  static Description description() {
    Description description("cart");
    description.body("cart", {.mass = 2.0});
    description.joint("rail", JointKind::prismatic, "ground", "cart",
                      {.axis = {1.0, 0.0, 0.0}, .drive = Drive::motion});
    return description;
  }
  std::string start(const AssemblyOptions& given) {
    return start_prescribed(model, run_inputs, given, state, workspace).message();
  }
  Model model;
  Workspace workspace;
  State state;
  SimulationInputs run_inputs{model};
};

TEST(PrescribedStart, a_given_position_is_kept_or_refused) {
  Cart cart;
  const std::vector<JointId> rail = {*cart.model.find_joint("rail")};
  AssemblyOptions given;
  given.keep_velocity.emplace();
  EXPECT_EQ(cart.start(given), "");  // no start is given
  given.keep = rail;
  EXPECT_TRUE(cart.start(given).starts_with(
      "joint 'rail' is given at 0.1, but its prescribed motion starts at 0.5"))
      << cart.start(given);
  cart.state.q = {0.5};
  EXPECT_EQ(cart.start(given), "");
}

TEST(PrescribedStart, a_given_velocity_is_kept_or_refused) {
  Cart cart;
  AssemblyOptions given;
  given.keep_velocity = {*cart.model.find_joint("rail")};
  EXPECT_TRUE(cart.start(given).starts_with(
      "joint 'rail' is given with velocity 0.2, but its prescribed motion starts with velocity "
      "0.5"))
      << cart.start(given);
  cart.state.v = {0.5};
  EXPECT_EQ(cart.start(given), "");
}

}  // namespace
}  // namespace trammel::prescribed_start_test
