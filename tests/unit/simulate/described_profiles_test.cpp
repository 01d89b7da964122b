// Profiles of model files in motion: constant speed of a prescribed joint, noise as an effort.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/unit/read/reading.hpp"
#include "trammel/model/state.hpp"
#include "trammel/simulate/inputs/prescribed_start.hpp"
#include "trammel/simulate/simulate.hpp"

namespace trammel::described_profiles_test {
namespace {

using std::numbers::pi;

State simulated(const Model& model, double duration) {
  const SimulationInputs inputs(model);
  Workspace workspace(model);
  State state = start_state(model);
  EXPECT_TRUE(start_prescribed(model, inputs, start_options(model), state, workspace));
  RunOptions options;
  options.duration = duration;
  RunStatistics statistics;
  const Status status = simulate(
      model, state, inputs, options, workspace, [](const RunSnapshot&) { return Status(); },
      statistics);
  EXPECT_TRUE(status) << status.message();
  return state;
}

TEST(described_profiles, a_constant_speed_turns_its_joint_for_as_long_as_the_run) {
  const Model model = build_model(
      described("[body.b]\nmass = 1\ninertia = [1, 1, 1]\n"
                "[joint.j]\ntype = 'revolute'\nparent = 'ground'\nchild = 'b'\ndrive = 'motion'\n"
                "[input.i]\njoint = 'j'\nspeed = { rate = '60 rpm', from = '90 deg' }\n"));
  const State end = simulated(model, 12.5);
  EXPECT_NEAR(end.q[0], pi / 2 + 2 * pi * 12.5, 1e-12);
  EXPECT_NEAR(end.v[0], 2 * pi, 1e-13);
}

TEST(described_profiles, noise_moves_a_mass_by_its_integral) {
  const Model model = build_model(
      described("gravity = [0, 0, 0]\n[body.b]\nmass = 2\ninertia = [1, 1, 1]\n"
                "[joint.j]\ntype = 'prismatic'\nparent = 'ground'\nchild = 'b'\naxis = 'x'\n"
                "[input.i]\njoint = 'j'\n"
                "random = { rms = 3, low = '0.5 Hz', high = '4 Hz', seed = 5, offset = 1 }\n"));
  const double duration = 5;
  const State end = simulated(model, duration);
  // v = integral of F / m by Simpson's rule over the same signal; dof 0 of an input with seed 5
  // has the noise of 6 * 5 + 0
  const Signal force = Signal::noise(3, 0.5, 4, 1, 30);
  const int count = 20000;
  double sum = 0;
  for (int k = 0; k <= count; ++k)
    sum += (k == 0 || k == count ? 1 : k % 2 == 1 ? 4 : 2) * force.at(k * duration / count).value;
  // 1e-7: the tolerance of the run, 1e-8 a step
  EXPECT_NEAR(end.v[0], sum * duration / count / 3 / 2, 1e-7);
  EXPECT_GT(std::abs(end.v[0] - 2.5), 1e-3);  // not the offset alone
}

}  // namespace
}  // namespace trammel::described_profiles_test
