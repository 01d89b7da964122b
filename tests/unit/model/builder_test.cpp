#include "trammel/model/build/builder.hpp"

#include <gtest/gtest.h>

#include "tests/unit/model/poses.hpp"
#include "trammel/model/description/solids.hpp"

namespace trammel::builder_test {
namespace {

const Solid brick = box(1.0, {0.1, 0.2, 0.3});

// ground - crank - coupler - rocker - ground
Description four_bar() {
  Description description("four-bar");
  for (const char* name : {"crank", "coupler", "rocker"}) description.body(name, brick);
  description.joint("shoulder", JointKind::revolute, "ground", "crank");
  description.joint("elbow", JointKind::revolute, "crank", "coupler");
  description.joint("wrist", JointKind::revolute, "coupler", "rocker");
  description.joint("foot", JointKind::revolute, "ground", "rocker");
  return description;
}

std::vector<std::string> joint_names(const Model& model) {
  std::vector<std::string> names;
  for (const NamedJoint& joint : model.joints()) names.push_back(joint.name);
  return names;
}
using Names = std::vector<std::string>;

TEST(Builder, ground_alone_is_a_model) {
  const Model model = build_model(Description("nothing"));
  EXPECT_EQ(model.name(), "nothing");
  EXPECT_EQ(model.nq(), 0);
  EXPECT_EQ(model.bodies().size(), 1u);
  EXPECT_EQ(model.named_bodies()[0].name, "ground");
  EXPECT_EQ(model.find_body("ground"), ground);
  EXPECT_EQ(model.characteristic_length(), 1);
}

TEST(Builder, the_last_joint_of_a_four_bar_closes_the_loop) {
  const Model model = build_model(four_bar());
  EXPECT_EQ(joint_names(model), (Names{"shoulder", "elbow", "wrist", "foot"}));
  EXPECT_EQ(model.joints()[3].role, NamedJoint::Role::loop);
  EXPECT_EQ(model.joints()[3].body, -1);
  EXPECT_EQ(model.nq(), 3);
  ASSERT_EQ(model.closures().size(), 1u);
  EXPECT_EQ(model.closures()[0].name, "loop joint 'foot'");
}

TEST(Builder, a_joint_marked_cut_closes_the_loop) {
  Description description = four_bar();
  description.joints[0].options.cut = true;
  const Model model = build_model(description);
  EXPECT_EQ(model.closures()[0].name, "loop joint 'shoulder'");
  // ground reaches crank the other way round
  EXPECT_EQ(joint_names(model), (Names{"foot", "wrist", "elbow", "shoulder"}));
  EXPECT_FALSE(model.joints()[0].is_reversed);
  EXPECT_TRUE(model.joints()[1].is_reversed);
  EXPECT_TRUE(model.joints()[2].is_reversed);
}

TEST(Builder, a_fixed_joint_in_a_ring_of_fixed_joints_closes_a_loop) {
  Description description;
  description.body("a", brick);
  description.body("b", brick);
  description.joint("one", JointKind::fixed, "ground", "a");
  description.joint("two", JointKind::fixed, "a", "b");
  description.joint("three", JointKind::fixed, "b", "ground");
  const Model model = build_model(description);
  EXPECT_EQ(model.bodies().size(), 1u);
  EXPECT_EQ(model.closures()[0].name, "loop joint 'three'");
}

TEST(Builder, what_holds_is_named_and_what_acts) {
  Description description = four_bar();
  description.wheels.push_back({.name = "left", .body = "rocker", .radius = 0.1});
  description.wheels.push_back(
      {.name = "right", .body = "rocker", .radius = 0.1, .kind = WheelDescription::Kind::omni});
  description.wheels.push_back(
      {.name = "rear", .body = "rocker", .radius = 0.1, .kind = WheelDescription::Kind::ball});
  description.couplings.push_back({.name = "gears", .terms = {{description.joints[0].name, 1.0}}});
  description.constraints.push_back({.name = "rod", .frame = "rocker", .other_frame = "ground"});
  description.springs.push_back({.name = "strut", .frame = "rocker", .other_frame = "ground"});
  description.contacts.push_back({.name = "toe", .body = "rocker", .stiffness = 1.0});
  description.constraints.push_back({.name = "grip",
                                     .frame = "rocker",
                                     .other_frame = "ground",
                                     .active = false});  // inactive at first
  const Model model = build_model(description);
  EXPECT_EQ(model.constraint_names(),
            (Names{"loop joint 'foot'", "constraint 'rod'", "wheel 'left'", "wheel 'right'",
                   "wheel 'rear'", "coupling 'gears'"}));
  EXPECT_EQ(model.force_element_names(), (Names{"spring 'strut'", "contact 'toe'"}));
}

TEST(Builder, a_terrain_has_a_formula_or_a_grid) {
  Description description = four_bar();
  TerrainDescription terrain{.name = "hills", .height = "x"};
  terrain.heights = {{0.0, 1.0}, {1.0, 0.0}};
  description.terrains.push_back(terrain);
  try {
    const Model model = build_model(description);
    ADD_FAILURE() << "it was built";
  } catch (const ModelError& error) {
    EXPECT_NE(std::string(error.what()).find("terrain 'hills' has a formula and a grid of heights"),
              std::string::npos)
        << error.what();
    EXPECT_NE(std::string(error.what()).find("leave out the one or the other"), std::string::npos);
  }
}

TEST(Builder, a_joint_that_closes_a_loop_keeps_what_it_has) {
  Description description = four_bar();
  description.joints[3].options.cut = true;
  description.joints[3].options.drive = Drive::torque;
  description.joints[3].options.damping = {0.1};
  const Model model = build_model(description);
  EXPECT_EQ(model.force_element_names(), (Names{"the spring or damper of loop joint 'foot'"}));
  EXPECT_EQ(model.loop_nv(), 1);
  EXPECT_EQ(model.closure_dof_name(0), "foot");
  EXPECT_EQ(model.closure_drive(0), Drive::torque);
  EXPECT_EQ(model.closure_of(*model.find_joint("foot")), 0);
  EXPECT_EQ(model.closure_of(JointId(0)), -1);
}

TEST(Builder, joints_keep_the_order_of_the_file_with_parents_first) {
  Description description;
  for (const char* name : {"hand", "arm", "head"}) description.body(name, brick);
  description.joint("wrist", JointKind::spherical, "arm", "hand");
  description.joint("neck", JointKind::revolute, "ground", "head");
  description.joint("shoulder", JointKind::universal, "ground", "arm");
  const Model model = build_model(description);

  // the wrist was given first, but must wait for the shoulder
  EXPECT_EQ(joint_names(model), (Names{"neck", "shoulder", "wrist"}));
  const NamedJoint& wrist = model[*model.find_joint("wrist")];
  EXPECT_EQ(wrist.q_start, 3);
  EXPECT_EQ(wrist.nq, 4);
  EXPECT_EQ(wrist.v_start, 3);
  EXPECT_EQ(wrist.nv, 3);
  EXPECT_EQ(wrist.body, 3);
  EXPECT_EQ(model.nq(), 7);
  EXPECT_EQ(model.nv(), 6);

  // named bodies keep the order of the description
  EXPECT_EQ(model.named_bodies()[1].name, "hand");
  EXPECT_EQ(model.named_bodies()[1].tree_body, 3);
  EXPECT_EQ(model[*model.named_bodies()[1].inboard].name, "wrist");
}

TEST(Builder, entries_of_q_and_v_have_names) {
  Description description;
  description.body("arm", brick);
  description.body("hand", brick);
  description.joint("shoulder", JointKind::revolute, "ground", "arm");
  description.joint("wrist", JointKind::spherical, "arm", "hand");
  const Model model = build_model(description);
  EXPECT_EQ(model.coordinate_name(0), "shoulder");
  EXPECT_EQ(model.coordinate_name(4), "wrist.qz");
  EXPECT_EQ(model.dof_name(3), "wrist.wz");
  try {
    (void)model.coordinate_name(5);
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "coordinate_name: k = 5, the model has nq = 5");
  }
}

TEST(Builder, the_last_of_siblings_is_marked) {
  Description description;
  for (const char* name : {"a", "b", "c"}) description.body(name, brick);
  description.joint("ja", JointKind::revolute, "ground", "a");
  description.joint("jb", JointKind::revolute, "a", "b");
  description.joint("jc", JointKind::revolute, "a", "c");
  const Model model = build_model(description);
  EXPECT_TRUE(model.bodies()[1].has_children);
  EXPECT_TRUE(model.bodies()[1].is_last_child);
  EXPECT_FALSE(model.bodies()[2].is_last_child);
  EXPECT_TRUE(model.bodies()[3].is_last_child);
  EXPECT_FALSE(model.bodies()[3].has_children);
}

TEST(Builder, fixed_bodies_ride_along_and_answer_by_name) {
  Description description;
  for (const char* name : {"table", "arm", "hand", "finger"}) description.body(name, brick);
  description.joint("bolts", JointKind::fixed, "ground", "table");
  description.joint("shoulder", JointKind::revolute, "table", "arm");
  description.joint("flange", JointKind::fixed, "arm", "hand");
  description.joint("knuckle", JointKind::revolute, "hand", "finger");
  description.frame("tip", "finger", {.xyz = {0.1, 0, 0}});
  const Model model = build_model(description);

  EXPECT_EQ(joint_names(model), (Names{"shoulder", "knuckle", "bolts", "flange"}));
  EXPECT_EQ(model.bodies().size(), 3u);
  EXPECT_EQ(model.bodies()[2].parent, 1);
  EXPECT_EQ(model[*model.find_body("table")].tree_body, 0);
  EXPECT_EQ(model[*model.find_body("hand")].tree_body, 1);
  EXPECT_EQ(model[*model.find_body("finger")].tree_body, 2);
  EXPECT_EQ(model[*model.find_frame("tip")].body, *model.find_body("finger"));
  EXPECT_FALSE(model.find_body("toe").has_value());
}

TEST(Builder, prescribed_dofs_are_marked) {
  Description description = four_bar();
  description.joints.pop_back();
  description.joints[1].options.drive = Drive::motion;
  description.joints[2].options.drive = Drive::torque;
  const Model model = build_model(description);
  EXPECT_TRUE(model.has_prescribed_joints());
  EXPECT_EQ(model.prescription(0), Drive::none);
  EXPECT_EQ(model.prescription(1), Drive::motion);
  EXPECT_FALSE(model.is_prescribed(2));
}

TEST(Builder, the_characteristic_length_is_the_mean_distance_between_joints) {
  Description description = four_bar();
  description.joints.pop_back();
  description.joints[0].options.at.xyz = {100.0, 0, 0};  // the position of the root does not matter
  description.joints[1].options.at.xyz = {3.0, 4.0, 0};
  description.joints[2].options.at.xyz = {0, 0, 1.0};
  EXPECT_DOUBLE_EQ(build_model(description).characteristic_length(), 3);
}

TEST(Builder, the_characteristic_length_does_not_depend_on_the_origin) {
  // two pendulums of one link each, 1 m apart, near the origin and 100 km away
  for (const double away : {0.0, 1e5}) {
    Description description("two pendulums");
    description.body("left", brick);
    description.body("right", brick);
    description.joint("first", JointKind::revolute, "ground", "left", {.at = {{away, 0, 0}, {}}});
    description.joint("second", JointKind::revolute, "ground", "right",
                      {.at = {{away + 1, 0, 0}, {}}});
    EXPECT_NEAR(build_model(description).characteristic_length(), 1, 1e-10);  // ulp of 1e5
  }
}

TEST(Builder, gravity_can_be_changed_in_a_copy) {
  const Model model = build_model(four_bar());
  const Model moon = model.with_gravity({0, 0, -1.62});
  EXPECT_EQ(moon.numbers().gravity.z, -1.62);
  EXPECT_EQ(moon.description().gravity.z.constant(), -1.62);
  EXPECT_EQ(model.gravity().z, -9.81);
}

// One joint of each kind, with general frames and axes.
Description one_joint(JointKind kind, const std::string& parent, const std::string& child) {
  Description description;
  description.body("arm", brick);
  JointOptions options{.at = {.xyz = {0.1, -0.2, 0.3}, .rpy = {0.4, 0.5, -0.6}},
                       .child_at = {.xyz = {-0.3, 0.1, 0.2}, .rpy = {-0.2, 0.3, 0.9}},
                       .axis = {0.6, 0, 0.8},
                       .axis2 = {0, 1.0, 0}};
  if (kind == JointKind::screw) options.pitch = 0.05;
  if (kind == JointKind::compound)
    options.motions = {turn({1.0, 0, 0}), slide({0, 0.6, 0.8}), turn({0, 0, -1.0}),
                       turn({0.6, 0.8, 0})};
  description.joint("joint", kind, parent, child, options);
  return description;
}

class EveryKind : public testing::TestWithParam<JointKind> {};

TEST_P(EveryKind, with_parent_and_child_swapped_is_the_same_joint) {
  // the pose of its child in its parent is the same function of q, whichever of them is ground
  const Model near = build_model(one_joint(GetParam(), "ground", "arm"));
  const Model far = build_model(one_joint(GetParam(), "arm", "ground"));
  EXPECT_TRUE(far.joints()[0].is_reversed);
  State state = neutral_state(near);
  std::vector<double> v(std::size_t(near.nv()));
  for (std::size_t k = 0; k < v.size(); ++k) v[k] = 0.7 - 0.3 * double(k);
  for (int step = 0; step < 3; ++step) {
    const Pose<double> X_parent_child = poses(near, state.q)[1];
    const Pose<double> X_child_parent = poses(far, state.q)[1];
    // a dozen products of numbers below 1: a few units in the last place
    EXPECT_LT(distance(X_parent_child, inverse(X_child_parent)), 1e-14);
    integrate(near, state.q, v, state.q);
  }
}

TEST_P(EveryKind, at_rest_its_two_frames_coincide) {
  const Model model = build_model(one_joint(GetParam(), "ground", "arm"));
  const NamedJoint& joint = model.joints()[0];
  const Pose<double> X_WU = poses(model, neutral_state(model).q)[1];
  EXPECT_LT(distance(X_WU * joint.X_CM, joint.X_PF), 1e-15);
}

INSTANTIATE_TEST_SUITE_P(kinds, EveryKind,
                         testing::Values(JointKind::fixed, JointKind::revolute,
                                         JointKind::prismatic, JointKind::screw,
                                         JointKind::cylindrical, JointKind::universal,
                                         JointKind::spherical, JointKind::planar, JointKind::free,
                                         JointKind::compound),
                         [](const auto& kind) { return to_string(kind.param); });

TEST(Builder, a_flipped_axis_with_exchanged_frames_is_the_same_revolute_joint) {
  const Description description = one_joint(JointKind::revolute, "arm", "ground");
  Description exchanged = one_joint(JointKind::revolute, "ground", "arm");
  JointOptions& options = exchanged.joints[0].options;
  std::swap(options.at, options.child_at);
  options.axis = -options.axis;
  EXPECT_LT(
      distance(poses(build_model(description), {0.7})[1], poses(build_model(exchanged), {0.7})[1]),
      1e-15);
}

TEST(Builder, a_turn_is_about_the_given_axis) {
  Description description;
  description.body("arm", brick);
  description.joint("hinge", JointKind::revolute, "ground", "arm",
                    {.at = {.xyz = {1.0, 0, 0}}, .axis = {0, 1.0, 0}});
  // a quarter turn about y takes x to -z
  const Pose<double> X = poses(build_model(description), {std::numbers::pi / 2})[1];
  EXPECT_LT(distance(X.R.x, {0, 0, -1}), 1e-15);
  EXPECT_LT(distance(X.p, {1, 0, 0}), 1e-15);
}

TEST(Builder, a_chain_of_200000_bodies_builds_without_recursion) {
  Description description("chain");
  std::string last = "ground";
  for (int k = 0; k < 200'000; ++k) {
    const std::string name = "body" + std::to_string(k);
    description.body(name, brick);
    description.joint("joint" + std::to_string(k), JointKind::revolute, last, name,
                      {.at = {.xyz = {0.1, 0, 0}}, .axis = {0, 1.0, 0}});
    last = name;
  }
  // a cost that grows with the square of the bodies would exceed the time limit of CTest
  const Model model = build_model(description);
  EXPECT_EQ(model.nv(), 200'000);
  EXPECT_EQ(model.find_body("body199999"), BodyId(200'000));
}

}  // namespace
}  // namespace trammel::builder_test
