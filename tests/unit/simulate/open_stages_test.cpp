// Stages that are not projected: the steps in which rk4 leaves the stages of loops off their rows,
// and the order of the method where some steps are so and others not.
#include <cmath>

#include "tests/support/motion_of.hpp"
#include "trammel/simulate/integrate/ode_system.hpp"

namespace trammel::open_stages_test {
namespace {

using OpenStages = OdeSystem::OpenStages;

// A four-bar: three angles and their velocities.
struct FourBar {
  MotionOf motion{"four_bar"};
  OdeSystem ode{motion.model, motion.run_inputs, motion.workspace};
};

// Of the three angles one moves: by h w, or by h^2 a / 2. The limit is 0.05.
TEST(OpenStages, are_those_of_steps_in_which_no_dof_moves_far) {
  FourBar bar;
  bar.ode.let_stages_be(OpenStages::in_short_steps);
  ASSERT_EQ(bar.ode.size(), 6);
  for (std::size_t k = 0; k < 3; ++k) {
    std::vector<double> turns(6, 0.0), starts(6, 0.0);
    turns[k] = -4;       // rad/s
    starts[3 + k] = -9;  // rad/s^2
    EXPECT_TRUE(bar.ode.is_open_in_step(0.0124, turns)) << k;
    EXPECT_FALSE(bar.ode.is_open_in_step(0.0126, turns)) << k;
    EXPECT_TRUE(bar.ode.is_open_in_step(0.105, starts)) << k;   // 0.0496 rad
    EXPECT_FALSE(bar.ode.is_open_in_step(0.106, starts)) << k;  // 0.0506 rad
  }
}

TEST(OpenStages, are_kept_for_a_whole_step) {
  FourBar bar;
  const std::vector<double> slow(6, 0.0), fast(6, 100.0);
  bar.ode.let_stages_be(OpenStages::in_short_steps);
  bar.ode.begin_step(0.01, slow);
  EXPECT_TRUE(bar.ode.is_open());
  bar.ode.begin_step(0.01, fast);
  EXPECT_FALSE(bar.ode.is_open());
  bar.ode.let_stages_be(OpenStages::always);
  bar.ode.begin_step(0.01, fast);
  EXPECT_TRUE(bar.ode.is_open());
  bar.ode.let_stages_be(OpenStages::never);
  bar.ode.begin_step(0.01, slow);
  EXPECT_FALSE(bar.ode.is_open());
}

// User-defined efforts are evaluated on the manifold alone.
TEST(OpenStages, are_projected_for_functions_of_the_user) {
  FourBar bar;
  bar.motion.run_inputs.add_effort_law([](const State&, std::span<double>) {});
  for (const OpenStages stages : {OpenStages::in_short_steps, OpenStages::always}) {
    bar.ode.let_stages_be(stages);
    EXPECT_FALSE(bar.ode.is_open());
    EXPECT_FALSE(bar.ode.is_open_in_step(1e-6, std::vector<double>(6, 0.0)));
  }
}

// The four-bar turns its crank at 2 to 6 rad/s, so that of steps of 12.5 ms some are short and
// others are not. Mixed stages in one step would leave an error of order 2.
TEST(OpenStages, rk4_has_its_order_where_some_steps_are_short) {
  const double duration = 0.8;
  MotionOf reference("four_bar");
  ASSERT_TRUE(
      reference
          .go(duration, {.method = Method::extrapolation, .relative = 1e-13, .absolute = 1e-14})
          .ok());
  double errors[4];
  for (int k = 0; k < 4; ++k) {
    MotionOf motion("four_bar");
    const double h = 0.0125 / std::pow(2, k);
    ASSERT_TRUE(motion.go(duration, {.method = Method::rk4, .step = h}).ok());
    errors[k] = 0;
    for (std::size_t f = 0; f < 3; ++f)
      errors[k] = std::max(errors[k], std::abs(motion.state.q[f] - reference.state.q[f]));
  }
  // one halving of the step measures an order to some tenths
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(std::log2(errors[k] / errors[k + 1]), 4, 0.4) << k;
}

}  // namespace
}  // namespace trammel::open_stages_test
