// Exact output of the URDF writer, and messages about everything that URDF cannot represent.
#include "trammel/write/model/urdf.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "trammel/model/build/builder.hpp"
#include "trammel/model/description/solids.hpp"
#include "trammel/read/load.hpp"

namespace trammel::urdf_write_test {
namespace {

using Texts = std::vector<std::string>;
const Place place{"arm.toml", 12, 7};
const Solid brick = point_mass(1.0);
constexpr double inf = std::numeric_limits<double>::infinity();

std::string written(const Description& description) {
  Diagnostics report;
  return write_urdf(description, report);
}
Texts reported(const Description& description) {
  Diagnostics report;
  (void)write_urdf(description, report);
  Texts texts;
  for (const Diagnostic& diagnostic : report.list()) texts.push_back(to_string(diagnostic));
  return texts;
}
// One body on one joint, with one place in the file.
Description with_joint(JointKind kind, const JointOptions& options = {}) {
  Description description("r");
  description.body("arm", brick);
  description.joint("hinge", kind, "ground", "arm", options, place);
  return description;
}
bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(UrdfWrite, a_robot_word_for_word) {
  Description description("two & two");
  description.body("base", {});
  Solid arm = box(1.5, {0.0, 0.0, 0.0}, {0.1, -0.0, 0.0});
  arm.inertia = {0.1, -0.0, 0.0, 0.3, 0.001, 1.0 / 3.0};
  description.body("arm", arm);
  Shape shape;
  shape.kind = Shape::Kind::cylinder;
  shape.size = {0.05, 0.5, 0.0};
  shape.at.rpy = {0.0, 0.5, 0.0};
  shape.color = {1, 0.5, 0, 1};
  description.bodies[1].shapes.push_back(shape);
  description.joint("base_base", JointKind::fixed, "ground", "base");
  description.joint(
      "hinge", JointKind::revolute, "base", "arm",
      {.at = {{0.0, 0.0, 1e-3}, {0.1, 0.2, 0.3}},
       .axis = {0.0, 1.0, 0.0},
       .damping = {0.25},
       .limits = {.lower = {-1.0}, .upper = {2.0}, .velocity = {}, .effort = {30.0}}});

  EXPECT_EQ(written(description), R"(<?xml version="1.0"?>
<robot name="two &amp; two">
  <link name="base"/>
  <link name="arm">
    <inertial>
      <origin xyz="0.1 0 0" rpy="0 0 0"/>
      <mass value="1.5"/>
      <inertia ixx="0.1" ixy="0" ixz="0" iyy="0.3" iyz="0.001" izz="0.3333333333333333"/>
    </inertial>
    <visual>
      <origin xyz="0 0 0" rpy="0 0.5 0"/>
      <geometry>
        <cylinder radius="0.05" length="0.5"/>
      </geometry>
      <material name="color_1">
        <color rgba="1 0.5 0 1"/>
      </material>
    </visual>
  </link>
  <joint name="hinge" type="revolute">
    <origin xyz="0 0 0.001" rpy="0.1 0.2 0.3"/>
    <parent link="base"/>
    <child link="arm"/>
    <axis xyz="0 1 0"/>
    <limit lower="-1" upper="2" effort="30" velocity="1.7976931348623157e+308"/>
    <dynamics damping="0.25"/>
  </joint>
</robot>
)");
  EXPECT_EQ(reported(description), Texts{});
}

TEST(UrdfWrite, a_joint_frame_on_the_child_is_a_link_of_its_own) {
  const std::string text = written(with_joint(
      JointKind::revolute, {.child_at = {{1.0, 0.0, 0.0}, {0.0, 0.0, std::acos(-1.0) / 2}}}));
  EXPECT_TRUE(holds(text, R"(  <link name="world"/>
)")) << text;
  EXPECT_TRUE(holds(text, R"(  <link name="arm_at"/>
  <joint name="hinge" type="continuous">
    <parent link="world"/>
    <child link="arm_at"/>
    <axis xyz="0 0 1"/>
  </joint>
  <joint name="arm_at" type="fixed">
    <origin xyz="0 1 0" rpy="0 0 -1.5707963267948966"/>
    <parent link="arm_at"/>
    <child link="arm"/>
  </joint>
)")) << text;
}

TEST(UrdfWrite, names_of_what_is_added_are_new) {
  Description description = with_joint(JointKind::universal, {.child_at = {{1.0, 0.0, 0.0}, {}}});
  for (const std::string name : {"world", "arm_at", "hinge_1"}) {
    description.body(name, brick);
    description.joint(name, JointKind::fixed, "arm", name);
  }
  Diagnostics none;
  const Description back = read_description("r.urdf", written(description), {}, none);
  EXPECT_EQ(none.list().size(), 0u);
  EXPECT_EQ(build_model(back).nv(), 2);
  EXPECT_TRUE(holds(written(description), "<parent link=\"ground\"/>"));
}

TEST(UrdfWrite, limits_that_are_none_read_back_as_none) {
  const auto back = [](JointKind kind, const BasicJointLimits<Expr>& limits) {
    JointOptions options;
    options.limits = limits;
    Diagnostics none;
    const Description read =
        read_description("r.urdf", written(with_joint(kind, options)), {}, none);
    EXPECT_EQ(none.list().size(), 0u);
    return read.joints.back().options.limits;
  };
  EXPECT_TRUE(back(JointKind::prismatic, {}).lower.empty());
  EXPECT_TRUE(back(JointKind::prismatic, {}).velocity.empty());
  const BasicJointLimits<Expr> above =
      back(JointKind::revolute, {.lower = {-inf}, .upper = {2.0}, .velocity = {3.0}, .effort = {}});
  EXPECT_TRUE(above.lower.empty());
  EXPECT_EQ(above.upper.at(0).constant(), 2);
  EXPECT_EQ(above.velocity.at(0).constant(), 3);
  EXPECT_TRUE(above.effort.empty());
}

TEST(UrdfWrite, a_coupling_of_two_joints_is_a_mimic) {
  Description description = with_joint(JointKind::revolute);
  for (const std::string name : {"b", "c"}) {
    description.body(name, brick);
    description.joint(name, JointKind::prismatic, "ground", name);
  }
  // 2 hinge - 3 b = 1, then c - hinge = 0: both are dependent; b + hinge = 0 still finds b free
  description.couplings = {{"hinge_mimic", {{"hinge", 2.0}, {"b", -3.0}}, 1.0},
                           {"c_mimic", {{"c", 1.0}, {"hinge", -1.0}}, 0.0},
                           {"three", {{"hinge", 1.0}, {"b", 4.0}}, 2.0, place}};
  const std::string text = written(description);
  EXPECT_TRUE(holds(text, R"(<mimic joint="b" multiplier="1.5" offset="0.5"/>)")) << text;
  EXPECT_TRUE(holds(text, R"(<mimic joint="hinge" multiplier="1" offset="0"/>)")) << text;
  EXPECT_TRUE(holds(text, R"(<mimic joint="hinge" multiplier="-0.25" offset="0.5"/>)")) << text;
  EXPECT_EQ(reported(description),
            (Texts{"arm.toml:12:7: warning: coupling 'three' is written as a <mimic> of joint 'b', "
                   "which has no name of its own"}));
}

TEST(UrdfWrite, names_with_odd_characters_survive_a_round_trip) {
  const std::string odd = "a<b>&\"c'\n\t\r\xc3\xa4";
  Description description(odd);
  description.body(odd, brick);
  description.joint(odd, JointKind::revolute, "ground", odd);
  Diagnostics none;
  const Description back = read_description("r.urdf", written(description), {}, none);
  EXPECT_EQ(none.list().size(), 0u);
  EXPECT_EQ(back.name, odd);
  EXPECT_EQ(back.bodies.at(0).name, odd);
}

// the report

TEST(UrdfReport, joints_that_urdf_cannot_say_are_errors_and_nothing_is_written) {
  EXPECT_EQ(reported(with_joint(JointKind::spherical)),
            (Texts{"arm.toml:12:7: error: joint 'hinge' is a spherical joint, which URDF cannot "
                   "say\n  hint: "
                   "keep the model in TOML, or make it a compound joint of three turns"}));
  const Description screw = with_joint(JointKind::screw, {.pitch = 0.1});
  EXPECT_EQ(
      reported(screw),
      (Texts{"arm.toml:12:7: error: joint 'hinge' is a screw joint, which URDF cannot say\n  hint: "
             "keep the model in TOML"}));
  EXPECT_EQ(written(screw), "");
}

TEST(UrdfReport, joints_written_in_another_form) {
  EXPECT_EQ(reported(with_joint(JointKind::cylindrical)),
            (Texts{"arm.toml:12:7: warning: joint 'hinge' is cylindrical: written as joints "
                   "'hinge_1' to 'hinge_2', with links between that weigh nothing"}));
  EXPECT_EQ(reported(with_joint(JointKind::planar)), Texts{});
  EXPECT_EQ(
      reported(with_joint(JointKind::planar, {.damping = {1.0}})),
      (Texts{"arm.toml:12:7: warning: joint 'hinge' is planar: written as joints 'hinge_1' to "
             "'hinge_3', with links between that weigh nothing"}));
  Description far("r");
  far.body("arm", brick);
  far.joint("hinge", JointKind::free, "arm", "ground", {}, place);
  EXPECT_EQ(reported(far),
            (Texts{"arm.toml:12:7: warning: joint 'hinge' is written from 'ground' to 'arm': its "
                   "coordinates are those of the opposite motion\n  hint: exchange its parent and "
                   "its child"}));
}

TEST(UrdfReport, what_joints_lose) {
  ItemPlace keyed = place;
  keyed.key("stiffness", {"arm.toml", 15, 3});
  Description description =
      with_joint(JointKind::revolute,
                 {.drive = Drive::torque, .stiffness = {1.0}, .rest = {0.0}, .damping = {1.0}});
  description.joints[0].place = keyed;
  EXPECT_EQ(reported(description),
            (Texts{"arm.toml:15:3: warning: the spring of joint 'hinge' is not kept",
                   "arm.toml:12:7: warning: drive 'torque' of joint 'hinge' is not kept"}));
  EXPECT_EQ(reported(with_joint(JointKind::revolute, {.drive = Drive::locked})),
            (Texts{"arm.toml:12:7: warning: drive 'locked' of joint 'hinge' is not kept"}));
  EXPECT_EQ(reported(with_joint(JointKind::revolute, {.drive = Drive::motion})),
            (Texts{"arm.toml:12:7: warning: drive 'motion' of joint 'hinge' is not kept"}));
  JointOptions options{.damping = {1.0}};
  options.limits.effort = {5.0};
  EXPECT_EQ(reported(with_joint(JointKind::free, options)),
            (Texts{"arm.toml:12:7: warning: the damping of joint 'hinge' is not kept",
                   "arm.toml:12:7: warning: the limits of joint 'hinge' are not kept"}));
}

TEST(UrdfReport, loops_that_have_no_word_are_cut_open) {
  Description description = with_joint(JointKind::revolute);
  description.joint("second", JointKind::universal, "ground", "arm", {}, place);
  EXPECT_EQ(reported(description),
            (Texts{"arm.toml:12:7: warning: joint 'second' is universal and closes a loop: it is "
                   "not kept\n  hint: a <loop> is revolute, prismatic, fixed, planar or spherical; "
                   "keep the model in TOML"}));
}
TEST(UrdfReport, what_loops_lose) {
  Description description = with_joint(JointKind::revolute);
  JointOptions options{.damping = {1.0}};
  options.limits.lower = {-1.0};
  description.joint("second", JointKind::revolute, "ground", "arm", options, place);
  EXPECT_EQ(reported(description),
            (Texts{"arm.toml:12:7: warning: the damping of joint 'second' is not kept",
                   "arm.toml:12:7: warning: the limits of joint 'second' are not kept"}));
}

TEST(UrdfReport, what_has_no_word_in_urdf) {
  Description description = with_joint(JointKind::revolute);
  description.gravity = {0.0, 0.0, -1.62};
  description.source.key("gravity", {"arm.toml", 3, 1});
  (void)description.parameter("l", 0.5, place);
  description.frame("tip", "arm", {{0.5, 0.0, 0.0}, {}}, place);
  Shape shape;
  shape.is_collision = true;
  shape.color = {1, 0, 0, 1};
  shape.size = {1.0, 1.0, 1.0};
  shape.place = place;
  description.bodies[0].shapes.push_back(shape);
  description.wheels.push_back({.name = "left", .body = "arm", .radius = 0.1, .place = place});
  description.couplings.push_back(
      {"gears", {{"hinge", 1.0}}, 0.3, place});  // no paths have an offset
  description.constraints.push_back(
      {.name = "rod", .frame = "tip", .other_frame = "ground", .place = place});
  description.springs.push_back({"strut", "tip", "ground", 1.0, 0.0, 0.0, place});
  description.inputs.push_back({"motor", "hinge", "constant", {}, place});
  description.terrains.push_back({.name = "hill", .height = "x/10", .place = place});
  description.wrenches.push_back({.name = "load", .at = "tip", .place = place});
  description.start_positions.push_back({"hinge", {1.0}, place});
  description.start_velocities.push_back({"hinge", {1.0}, place});
  description.raw_sections.push_back({"run", "duration = 1", place});
  const std::string at = "arm.toml:12:7: warning: ";
  EXPECT_EQ(
      reported(description),
      (Texts{
          at + "frame 'tip' is written as link 'tip', which weighs nothing",
          at + "coupling 'gears' is not kept\n  hint: in URDF a joint of one degree of freedom may "
               "follow one other",
          "arm.toml:3:1: warning: gravity 0 0 -1.62 is not kept: readers of URDF assume 0 "
          "0 -9.81",
          at + "parameter 'l' is not kept: formulas are written as numbers, with l = 0.5",
          at + "the color of a collision shape of 'arm' is not kept",
          at + "wheel 'left' is not kept", at + "terrain 'hill' is not kept",
          at + "constraint 'rod' is not kept", at + "spring 'strut' is not kept",
          at + "input 'motor' is not kept", at + "wrench 'load' is not kept",
          at + "the start of joint 'hinge' is not kept",
          at + "the start of joint 'hinge' is not kept", at + "[run] is not kept"}));
}

TEST(UrdfReport, a_description_that_is_no_model_is_not_written) {
  Description description("r");
  description.body("arm", brick);
  Diagnostics report;
  EXPECT_THROW((void)write_urdf(description, report), ModelError);
}

}  // namespace
}  // namespace trammel::urdf_write_test
