#include "trammel/model/units.hpp"

#include <gtest/gtest.h>

#include "trammel/model/build/builder.hpp"

namespace trammel::units_test {
namespace {

using Units = std::vector<std::string>;

// One joint of the kind between ground and a body.
Model with_joint(JointKind kind, const JointOptions& options = {}) {
  Description description("one joint");
  description.body("body", {1.0, {}, {1.0, 0.0, 0.0, 1.0, 0.0, 1.0}});
  description.joint("joint", kind, "ground", "body", options);
  return build_model(description);
}

TEST(Units, FollowTheJointsCoordinates) {
  EXPECT_EQ(position_units(with_joint(JointKind::revolute)), Units{"rad"});
  EXPECT_EQ(position_units(with_joint(JointKind::prismatic)), Units{"m"});
  EXPECT_EQ(position_units(with_joint(JointKind::screw, {.pitch = 0.01})), Units{"rad"});
  EXPECT_EQ(position_units(with_joint(JointKind::cylindrical)), (Units{"rad", "m"}));
  EXPECT_EQ(position_units(with_joint(JointKind::universal)), (Units{"rad", "rad"}));
  EXPECT_EQ(position_units(with_joint(JointKind::planar)), (Units{"m", "m", "rad"}));
  EXPECT_EQ(position_units(with_joint(JointKind::spherical)), (Units{"1", "1", "1", "1"}));
  EXPECT_EQ(position_units(with_joint(JointKind::free)),
            (Units{"1", "1", "1", "1", "m", "m", "m"}));
  const JointOptions steps{.motions = {turn({0, 1, 0}), slide({1, 0, 0}), turn({0, 0, 1})}};
  EXPECT_EQ(position_units(with_joint(JointKind::compound, steps)), (Units{"rad", "m", "rad"}));
}

TEST(Units, OfSpeedsAndEffortsAreOneADof) {
  const Model free = with_joint(JointKind::free);
  EXPECT_EQ(velocity_units(free), (Units{"rad/s", "rad/s", "rad/s", "m/s", "m/s", "m/s"}));
  EXPECT_EQ(acceleration_units(with_joint(JointKind::planar)),
            (Units{"m/s^2", "m/s^2", "rad/s^2"}));
  EXPECT_EQ(effort_units(with_joint(JointKind::cylindrical)), (Units{"N m", "N"}));
}

}  // namespace
}  // namespace trammel::units_test
