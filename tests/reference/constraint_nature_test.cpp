// Holonomic or nonholonomic, scleronomic or rheonomic constraints [Yesiloglu 2007, section 1.1;
// Saha 1991, section 3.1].
#include "trammel/constraint/mobility/constraint_nature.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/capability.hpp"
#include "trammel/constraint/assembly/assembly.hpp"
#include "trammel/model/build/builder.hpp"

namespace trammel::constraint_nature_test {
namespace {

const Solid some_body{.mass = 1.0, .com = {}, .inertia = {0.1, 0.0, 0.0, 0.1, 0.0, 0.1}};
const Vec3<Expr> x{1.0, 0.0, 0.0}, y{0.0, 1.0, 0.0}, z{0.0, 0.0, 1.0};

ConstraintNature nature_of(const Description& description) {
  const Model model = build_model(description);
  Workspace workspace(model);
  State state;
  const Status together = assembled_start(model, workspace, state);
  EXPECT_TRUE(together.ok()) << together.message();
  ConstraintNature found;
  const Status status = constraint_nature(model, state, workspace, found);
  EXPECT_TRUE(status.ok()) << status.message();
  return found;
}

// Disk of radius 0.2 on a floor, its plane upright or leaning.
Description disk(double lean) {
  Description description("disk");
  description.body("disk", some_body);
  description.joint("flight", JointKind::free, "ground", "disk", {});
  description.wheels.push_back({.name = "rim", .body = "disk", .axis = y, .radius = 0.2});
  const double half = lean / 2;
  description.start_positions.push_back(
      {.joint = "flight",
       .values = {std::cos(half), std::sin(half), 0.0, 0.0, 0.0, 0.0, 0.2 * std::cos(lean)}});
  return description;
}

// Two planar arms of two bars, welded to the object they grasp.
Description grasp() {
  Description description("grasp");
  for (const char* body : {"l1", "l2", "l3", "r1", "r2"}) description.body(body, some_body);
  const auto pin = [&](const char* name, const char* parent, const char* child, double at,
                       double turned) {
    description.joint(name, JointKind::revolute, parent, child,
                      {.at = {.xyz = {at, 0.0, 0.0}, .rpy = {0.0, turned, 0.0}}, .axis = y});
  };
  pin("L1", "ground", "l1", -0.5, -2.0);
  pin("L2", "l1", "l2", 0.6, 1.2);
  pin("L3", "l2", "l3", 0.6, 0.4);
  pin("R1", "ground", "r1", 0.5, -1.1);
  pin("R2", "r1", "r2", 0.6, -1.2);
  description.joint(
      "grip", JointKind::fixed, "l3", "r2",
      {.at = {.xyz = {0.4, 0.0, 0.0}}, .child_at = {.xyz = {0.6, 0.0, 0.0}}, .cut = true});
  return description;
}

TEST(constraint_nature, a_wheel_that_rolls_is_not_holonomic_and_a_grasp_is) {
  shows({"Y-04", "constraint_nature"});
  for (const double lean : {0.0, 0.3}) {
    const ConstraintNature rolling = nature_of(disk(lean));
    EXPECT_FALSE(rolling.is_holonomic);
    EXPECT_EQ(rolling.of_place.size(), 2u);  // the third row fixes its height
  }
  const ConstraintNature held = nature_of(grasp());
  EXPECT_TRUE(held.is_holonomic);
  EXPECT_TRUE(held.of_place.empty());
}

TEST(constraint_nature, a_disk_is_catastatic_and_a_bead_on_a_moving_wire_is_not) {
  shows({"S-02", "constraint_nature"});
  const ConstraintNature rolling = nature_of(disk(0.3));
  EXPECT_FALSE(rolling.is_holonomic);
  EXPECT_FALSE(rolling.is_rheonomic);
  EXPECT_TRUE(rolling.is_catastatic);

  Description description("bead");
  description.body("wire", some_body);
  description.body("bead", some_body);
  description.joint("crank", JointKind::revolute, "ground", "wire",
                    {.axis = y, .drive = Drive::motion});
  description.joint("slide", JointKind::prismatic, "wire", "bead", {.axis = x});
  const ConstraintNature moved = nature_of(description);
  EXPECT_TRUE(moved.is_holonomic);
  EXPECT_TRUE(moved.is_rheonomic);
  EXPECT_FALSE(moved.is_catastatic);
  EXPECT_EQ(moved.of_time, std::vector<std::string>{"crank"});
  description.joints[0].options.drive = Drive::torque;
  const ConstraintNature left = nature_of(description);
  EXPECT_FALSE(left.is_rheonomic);
  EXPECT_TRUE(left.is_catastatic);
}

// The rows of these wheels fix no position by themselves, but together they do: r turn + way =
// constant.
TEST(constraint_nature, a_wheel_on_a_rail_is_holonomic) {
  Description description("trolley");
  description.body("trolley", some_body);
  description.body("wheel", some_body);
  description.joint("rail", JointKind::prismatic, "ground", "trolley",
                    {.at = {.xyz = {0.0, 0.0, 0.2}}, .axis = x});
  description.joint("axle", JointKind::revolute, "trolley", "wheel", {.axis = y});
  description.wheels.push_back({.name = "rim", .body = "wheel", .axis = y, .radius = 0.2});
  EXPECT_TRUE(nature_of(description).is_holonomic);
  // swinging about a post: still holonomic, r turn + l angle = constant
  description.joints[0].kind = JointKind::revolute;
  description.joints[0].options.axis = z;
  description.joints[1].options.at.xyz = {0.0, 0.7, 0.0};
  description.joints[1].options.at.rpy = {0.0, 0.0, M_PI / 2};
  EXPECT_TRUE(nature_of(description).is_holonomic);
  // on a planar joint it is nonholonomic: it can park anywhere
  description.joints[0].kind = JointKind::planar;
  EXPECT_FALSE(nature_of(description).is_holonomic);
}

}  // namespace
}  // namespace trammel::constraint_nature_test
