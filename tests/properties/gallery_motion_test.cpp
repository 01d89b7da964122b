// Every model of the gallery released for a short time: loops stay closed, energy is constant
// without dampers and only falls with them.
#include <algorithm>

#include "tests/support/motion_of.hpp"
#include "trammel/model/build/builder.hpp"
#include "trammel/read/gallery.hpp"
#include "trammel/simulate/checks/audit.hpp"

namespace trammel::gallery_motion_test {
namespace {

std::vector<std::string> names() {
  std::vector<std::string> list;
  for (const GalleryModel& model : gallery()) list.emplace_back(model.name);
  return list;
}

class EveryMovingModel : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(gallery, EveryMovingModel, testing::ValuesIn(names()),
                         [](const auto& tested) { return tested.param; });

TEST_P(EveryMovingModel, stays_closed_and_gains_no_energy) {
  Description description = load_model("@" + GetParam()).description();
  description.inputs.clear();
  description.controllers.clear();
  description.wrenches.clear();
  // joints driven by motion are released as well
  for (JointDescription& joint : description.joints)
    if (joint.options.drive == Drive::motion) joint.options.drive = Drive::none;
  MotionOf motion(build_model(description));
  RunOptions options;
  options.relative = 1e-10;
  options.absolute = 1e-12;
  options.sample = 0.02;
  const Status status = motion.go(0.2, options);
  ASSERT_TRUE(status.ok()) << status.message();
  const double length = motion.model.characteristic_length();
  double fastest = 1, kinetic = 1, highest_rise = 0, change = 0;
  Energy first, before, now;
  ASSERT_TRUE(energy(motion.model, motion.samples.front(), motion.workspace, first).ok());
  before = first;
  for (const State& seen : motion.samples) {
    for (const double v : seen.v) fastest = std::max(fastest, std::abs(v));
    ASSERT_TRUE(energy(motion.model, seen, motion.workspace, now).ok());
    kinetic = std::max(kinetic, now.kinetic);
    highest_rise = std::max(highest_rise, now.total() - before.total());
    change = std::max(change, std::abs(now.total() - first.total()));
    before = now;
  }
  EXPECT_LT(motion.largest_violation().position, 1e-12 * (1 + length));
  EXPECT_LT(motion.largest_violation().velocity, 1e-12 * (1 + length) * fastest);
  // steps have errors of 1e-10, and there are some hundred of them
  EXPECT_LT(highest_rise, 1e-8 * kinetic);
  if (conserves_energy(motion.model, motion.run_inputs)) { EXPECT_LT(change, 1e-8 * kinetic); }
}

}  // namespace
}  // namespace trammel::gallery_motion_test
