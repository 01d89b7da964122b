// Drives of loop joints count like drives of tree joints.
#include <gtest/gtest.h>

#include "tests/reference/posed.hpp"
#include "trammel/constraint/mobility/actuation.hpp"

namespace trammel::loop_drives_test {
namespace {

// A driven slide and a driven turn, independent of each other: in scaled degrees of freedom each
// drive moves its own by one unit, whichever of the two equal guides of the slide has the drive.
TEST(LoopDrives, a_slide_is_measured_by_the_characteristic_length) {
  for (const bool is_loop_driven : {false, true}) {
    Description description("carriage and wheel");
    const Solid solid{.mass = 1.0, .inertia = {0.1, 0.0, 0.0, 0.1, 0.0, 0.1}};
    for (const char* name : {"carriage", "wheel"}) description.body(name, solid);
    const Vec3<Expr> x{1.0, 0.0, 0.0};
    const Drive none = Drive::none, torque = Drive::torque;
    description.joint("guide", JointKind::prismatic, "ground", "carriage",
                      {.axis = x, .drive = is_loop_driven ? none : torque});
    description.joint("second guide", JointKind::prismatic, "ground", "carriage",
                      {.axis = x, .drive = is_loop_driven ? torque : none, .cut = true});
    description.joint("axle", JointKind::revolute, "ground", "wheel",
                      {.at = {.xyz = {0.3, 0.0, 0.0}}, .drive = torque});
    Posed posed(description, {0.0, 0.0});
    ASSERT_NEAR(posed.model.characteristic_length(), 0.3, 1e-15);
    Actuation found;
    ASSERT_TRUE(actuation(posed.model, posed.state, posed.workspace, found).ok());
    EXPECT_EQ(found.rank, 2);
    EXPECT_NEAR(found.least, 1, 1e-12) << is_loop_driven;
  }
}

}  // namespace
}  // namespace trammel::loop_drives_test
