// Estimated error of a step relative to its tolerance: what is not a number is never within it.
#include <limits>

#include "tests/support/motion_of.hpp"
#include "trammel/model/build/builder.hpp"
#include "trammel/simulate/integrate/ode_system.hpp"

namespace trammel::step_error_test {
namespace {

struct TwoBlocks : MotionOf {
  TwoBlocks() : MotionOf(build_model(description())) {
    run_inputs.add_controller(1, {.p = 1, .i = 1}, Signal::constant(0));
    run_inputs.begin(state);
  }
  static Description description() {
    Description description("blocks");
    for (const char* name : {"first", "second"}) {
      description.body(name, {.mass = 1.0});
      description.joint(name, JointKind::prismatic, "ground", name, {.axis = {1.0, 0.0, 0.0}});
    }
    return description;
  }
};

TEST(StepError, an_entry_that_is_not_a_number_exceeds_every_tolerance) {
  TwoBlocks blocks;
  OdeSystem ode(blocks.model, blocks.run_inputs, blocks.workspace);
  ASSERT_EQ(ode.size(), 6);  // two positions, two velocities, two states of the controller
  const std::vector<double> y(6, 1.0);
  const OdeSystem::Tolerance tolerance{1e-3, 1e-3};
  EXPECT_EQ(ode.distance(y, y, tolerance), 0);
  const std::string names[] = {
      "the position of joint 'first'",      "the position of joint 'second'",
      "the velocity of joint 'first'",      "the velocity of joint 'second'",
      "z[0] of a controller or loop joint", "z[1] of a controller or loop joint"};
  for (std::size_t k = 0; k < y.size(); ++k) {
    std::vector<double> other(6, 1.0001);  // all else is within the tolerance
    other[k] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_FALSE(ode.distance(y, other, tolerance) <= 1) << k;
    EXPECT_FALSE(ode.distance(other, y, tolerance) <= 1) << k;
    EXPECT_EQ(ode.farthest(), names[k]);
  }
}

}  // namespace
}  // namespace trammel::step_error_test
