// Exact messages of every error and warning of the builder.
#include "trammel/model/build/checks.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "trammel/model/build/builder.hpp"
#include "trammel/model/build/parameters.hpp"
#include "trammel/model/description/solids.hpp"

namespace trammel::checks_test {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double inf = std::numeric_limits<double>::infinity();
const Place place{"arm.toml", 12, 7};
const Solid brick = box(1.0, {0.1, 0.2, 0.3});

using Texts = std::vector<std::string>;

Texts mistakes(const Description& description, const BuildOptions& options = {}) {
  Texts texts;
  try {
    (void)build_model(description, {}, options);
  } catch (const ModelError& error) {
    for (const Diagnostic& diagnostic : error.diagnostics().list())
      texts.push_back(to_string(diagnostic));
  }
  return texts;
}
Texts warnings(const Description& description, const BuildOptions& options = {}) {
  const Model model = build_model(description, {}, options);
  Texts texts;
  for (const Diagnostic& diagnostic : model.warnings()) texts.push_back(to_string(diagnostic));
  return texts;
}

Description with_body(const Solid& solid) {
  Description description;
  description.body("arm", solid, place);
  description.joint("pivot", JointKind::free, "ground", "arm");
  return description;
}
Description with_joint(JointKind kind, const JointOptions& options) {
  Description description;
  description.body("arm", brick);
  description.joint("pivot", kind, "ground", "arm", options, place);
  return description;
}

TEST(Checks, a_sound_model_has_neither_mistakes_nor_warnings) {
  EXPECT_EQ(mistakes(with_body(brick)), Texts{});
  EXPECT_EQ(warnings(with_body(brick)), Texts{});
}

// names

TEST(Checks, a_body_is_named_once) {
  Description description = with_body(brick);
  description.body("arm", brick, place);
  EXPECT_EQ(mistakes(description), Texts{"arm.toml:12:7: error: a second body is named 'arm'\n"
                                         "  hint: give one of the two another name"});
}

TEST(Checks, a_body_has_a_name) {
  Description description = with_body(brick);
  description.body("", brick, place);
  EXPECT_EQ(mistakes(description),
            Texts{"arm.toml:12:7: error: a body has no name\n  hint: give it one"});
}

TEST(Checks, items_read_with_errors_are_refused_without_the_diagnostics_of_the_reader) {
  Description description = with_body(brick);
  ItemPlace wrong = place;
  wrong.has_mistakes = true;
  description.body("hand", brick, wrong);
  description.joint("wrist", JointKind::revolute, "arm", "hand");
  EXPECT_EQ(
      mistakes(description),
      Texts{"arm.toml:12:7: error: body 'hand' was read with errors\n"
            "  hint: give build_model the diagnostics of the reader, which has reported them"});
}

TEST(Checks, ground_is_not_repeated) {
  Description description;
  description.body("ground", brick, place);
  EXPECT_EQ(
      mistakes(description),
      Texts{"arm.toml:12:7: error: body 'ground' is always there and cannot be defined again\n"
            "  hint: give this body another name; a fixed joint can hold it to ground"});
}

TEST(Checks, joints_and_frames_are_named_once) {
  Description description = with_body(brick);
  description.body("hand", brick);
  description.joint("pivot", JointKind::revolute, "arm", "hand", {}, place);
  description.frame("tip", "arm", {});
  description.frame("tip", "hand", {}, place);
  description.frame("", "hand", {}, place);
  EXPECT_EQ(mistakes(description), (Texts{"arm.toml:12:7: error: a second joint is named 'pivot'\n"
                                          "  hint: give one of the two another name",
                                          "arm.toml:12:7: error: a second frame is named 'tip'\n"
                                          "  hint: give one of the two another name",
                                          "arm.toml:12:7: error: a frame has no name\n"
                                          "  hint: give it one"}));
}

TEST(Checks, an_unknown_body_is_reported_with_a_suggestion) {
  Description description = with_body(brick);
  description.body("forearm", brick);
  description.joint("elbow", JointKind::revolute, "arm", "forarm", {}, place);
  description.joint("wrist", JointKind::revolute, "spaceship", "forearm", {}, place);
  description.frame("tip", "from", {}, place);
  EXPECT_EQ(mistakes(description),
            (Texts{"arm.toml:12:7: error: joint 'elbow' has child 'forarm', but no body has that "
                   "name\n  hint: did you mean 'forearm'?",
                   "arm.toml:12:7: error: joint 'wrist' has parent 'spaceship', but no body has "
                   "that name\n  hint: add a body of that name, or name one that is there",
                   "arm.toml:12:7: error: frame 'tip' is on 'from', but no body has that name\n"
                   "  hint: add a body of that name, or name one that is there"}));
}

TEST(Checks, a_joint_joins_two_bodies) {
  Description description = with_body(brick);
  description.joint("knot", JointKind::revolute, "arm", "arm", {}, place);
  EXPECT_EQ(mistakes(description),
            Texts{"arm.toml:12:7: error: joint 'knot' joins body 'arm' to itself\n"
                  "  hint: its parent and its child are two different bodies"});
}

TEST(Checks, every_body_is_connected_to_ground) {
  Description description = with_body(brick);
  description.body("moon", brick, place);
  for (const char* name : {"a", "b", "c", "d", "e"}) description.body(name, brick);
  description.joint("ab", JointKind::revolute, "b", "a");
  description.joint("cd", JointKind::revolute, "c", "d");
  description.joint("de", JointKind::revolute, "d", "e");
  const std::string hint =
      "\n  hint: connect it with a joint, for example a free joint from ground";
  EXPECT_EQ(mistakes(description),
            (Texts{"arm.toml:12:7: error: body 'moon' is not connected to ground" + hint,
                   "error: body 'a' and 1 more are not connected to ground" + hint,
                   "error: body 'c' and 2 more are not connected to ground" + hint}));
}

TEST(Checks, a_mistaken_name_does_not_also_make_its_body_unconnected) {
  Description description;
  description.body("arm", brick);
  description.joint("pivot", JointKind::revolute, "grund", "arm");
  EXPECT_EQ(mistakes(description), Texts{"error: joint 'pivot' has parent 'grund', but no body has "
                                         "that name\n  hint: did you mean 'ground'?"});
}

// parameters

TEST(Checks, a_parameter_is_named_once_and_finite) {
  Description description = with_body(brick);
  description.parameter("l", 1.0);
  description.parameter("l", 2.0, place);
  description.parameter("m", inf, place);
  EXPECT_EQ(mistakes(description),
            (Texts{"arm.toml:12:7: error: a second parameter is named 'l'\n"
                   "  hint: give one of the two another name",
                   "arm.toml:12:7: error: parameter 'm' is inf\n  hint: give a finite number"}));
}

TEST(Checks, a_parameter_has_a_name) {
  Description description = with_body(brick);
  description.parameters.push_back({"", 1.0, place});
  EXPECT_EQ(mistakes(description),
            Texts{"arm.toml:12:7: error: a parameter has no name\n  hint: give it one"});
}

TEST(Checks, a_symbol_in_a_formula_is_a_parameter) {
  Description description = with_body(brick);
  description.parameter("length", 1.0);
  description.bodies[0].solid.mass = description.graph.symbol("lenght");
  description.bodies[0].solid.com.x = description.graph.symbol("x");
  description.graph.symbol("unused");
  EXPECT_EQ(mistakes(description),
            (Texts{"error: a formula uses 'lenght', but no parameter has that name\n"
                   "  hint: did you mean 'length'?",
                   "error: a formula uses 'x', but no parameter has that name\n"
                   "  hint: add a parameter of that name"}));
}

TEST(Checks, a_formula_of_another_description_is_refused) {
  Description description = with_body(brick), other;
  description.bodies[0].solid.com.y = other.parameter("l", 1.0);
  try {
    (void)build_model(description);
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(),
                 "body 'arm': com.y is a formula of another description's parameters");
  }
}

// bodies

TEST(Checks, a_mass_is_not_negative) {
  EXPECT_EQ(mistakes(with_body(point_mass(-1.0))),
            Texts{"arm.toml:12:7: error: body 'arm' has mass -1\n  hint: a mass is zero or more"});
}

TEST(Checks, principal_moments_are_not_negative) {
  const Description described = with_body({1.0, {}, {2.0, 3.0, 0.0, 2.0, 0.0, 4.0}});
  EXPECT_EQ(
      mistakes(described),
      Texts{"arm.toml:12:7: error: body 'arm' has a principal moment of inertia of -1\n"
            "  hint: all three are zero or more, about the center of mass, in the body's axes; "
            "--allow-nonphysical uses it as it is"});
  EXPECT_EQ(warnings(described, {.allow_nonphysical = true}),
            Texts{"arm.toml:12:7: warning: body 'arm' has a principal moment of inertia of -1: "
                  "used as it is\n"
                  "  hint: forward dynamics fails where a joint meets no positive inertia"});
  EXPECT_EQ(rebuild_model(described).nv(), 6);
}

TEST(Checks, principal_moments_that_break_the_triangle_inequality_are_a_warning) {
  const Description described = with_body({1.0, {}, {1.0, 0.0, 0.0, 2.0, 0.0, 3.5}});
  const std::string fact =
      "body 'arm' has principal moments of inertia 1, 2 and 3.5; the last exceeds the sum of the "
      "others";
  const std::string hint =
      "\n  hint: no solid is like that: check units, and signs of the products of inertia";
  EXPECT_EQ(warnings(described),
            Texts{"arm.toml:12:7: warning: " + fact +
                  ": the dynamics use it as it is; it has no equivalent ellipsoid" + hint});
  EXPECT_EQ(mistakes(described, {.strict = true}), Texts{"arm.toml:12:7: error: " + fact + hint});
}

TEST(Checks, what_rounding_leaves_of_an_inertia_is_measured_by_mass_and_size) {
  // as exported for iCub: 1.3 kg, 0.11 m, and moments that should be 0
  EXPECT_EQ(warnings(with_body({1.33687, {0.11, 0.0, 0.0}, {0.0, 2.4e-35, 0.0, 0.0, 0.0, 0.0}}),
                     {.strict = true}),
            Texts{});
  EXPECT_EQ(
      warnings(with_body({0.746, {0.018, 0.0, 0.0}, {4.9e-21, 0.0, 0.0, 3.5e-20, 0.0, 5.5e-20}}),
               {.strict = true}),
      Texts{});
  // a small body: 1e-9 kg, 1e-4 m, with moments of that size
  EXPECT_EQ(mistakes(with_body({1e-9, {1e-4, 0.0, 0.0}, {1e-18, 0.0, 0.0, 2e-18, 0.0, 4e-18}}),
                     {.strict = true})
                .size(),
            1);
  // for a center of mass at the origin, the joints on the body determine its size
  Description described;
  described.body("arm", {1.0, {}, {0.0, 1e-20, 0.0, 0.0, 0.0, 0.0}}, place);
  described.body("hand", brick);
  described.joint("pivot", JointKind::revolute, "ground", "arm");
  EXPECT_EQ(mistakes(described).size(), 2);  // the hand has no joint, too
  described.joint("wrist", JointKind::revolute, "arm", "hand", {.at = {{0.3, 0.0, 0.0}}});
  EXPECT_EQ(mistakes(described), Texts{});
}

TEST(Checks, thin_rods_disks_points_and_rotors_without_mass_are_legal) {
  EXPECT_EQ(mistakes(with_body(thin_rod(1.0, 2.0))), Texts{});
  EXPECT_EQ(mistakes(with_body({1.0, {}, {0.1, 0.0, 0.0, 0.2, 0.0, 0.3}})), Texts{});
  EXPECT_EQ(mistakes(with_body(point_mass(1.0))), Texts{});
  EXPECT_EQ(warnings(with_body({0.0, {}, {0.1, 0.0, 0.0, 0.1, 0.0, 0.1}})), Texts{});
  EXPECT_EQ(warnings(with_body({0.0, {1.0, 0, 0}, {0.1, 0.0, 0.0, 0.1, 0.0, 0.1}})), Texts{});
}

// numbers that are not finite

TEST(Checks, every_number_is_finite) {
  Description description = with_joint(JointKind::revolute, {.at = {.rpy = {0, 0, inf}}});
  const Expr l = description.parameter("l", 0.0);
  description.bodies[0].solid.mass = nan;
  description.bodies[0].solid.com.z = 1.0 / l;
  description.frame("tip", "arm", {.xyz = {inf, 0, 0}});
  description.wheels.push_back({.name = "left", .body = "arm", .radius = inf});
  description.couplings.push_back({.name = "gears", .terms = {{"pivot", inf}}});
  description.constraints.push_back(
      {.name = "rod", .frame = "tip", .other_frame = "arm", .distance = inf});
  description.springs.push_back(
      {.name = "strut", .frame = "tip", .other_frame = "tip", .length = inf});
  const std::string hint = "\n  hint: give a finite number";
  EXPECT_EQ(mistakes(description),
            (Texts{"error: body 'arm': mass is nan" + hint,
                   "error: body 'arm': com.z is inf\n"
                   "  hint: look at its formula and at the parameters in it",
                   "arm.toml:12:7: error: joint 'pivot': at.rpy.z is inf" + hint,
                   "error: frame 'tip': at.xyz.x is inf" + hint,
                   "error: wheel 'left': radius is inf" + hint,
                   "error: coupling 'gears': terms[0] is inf" + hint,
                   "error: constraint 'rod': distance is inf" + hint,
                   "error: spring 'strut': length is inf" + hint}));
}

// missing names

TEST(Checks, constraints_springs_wheels_and_couplings_need_names) {
  Description description = with_body(brick);
  description.wheels.push_back({.name = "left", .body = "arm", .on = "", .radius = 0.1});
  description.contacts.push_back({.name = "toe", .body = "arm", .on = "", .stiffness = 1.0});
  description.couplings.push_back({.name = "gears", .terms = {{"", 1.0}}});
  description.constraints.push_back({.name = "rod", .frame = "arm"});
  description.springs.push_back({.name = "strut", .frame = "", .other_frame = "arm"});
  EXPECT_EQ(mistakes(description),
            (Texts{"error: wheel 'left' has no floor to roll on\n"
                   "  hint: name a frame, body or terrain that is there",
                   "error: contact 'toe' has no floor to touch\n"
                   "  hint: name a frame or body that is there",
                   "error: coupling 'gears' has no joint in one of its terms\n"
                   "  hint: name a joint that is there",
                   "error: constraint 'rod' has no frame at one end\n"
                   "  hint: name a frame or body that is there",
                   "error: spring 'strut' has no frame at one end\n"
                   "  hint: name a frame or body that is there"}));
}

TEST(Checks, gravity_is_finite) {
  Description description = with_body(brick);
  description.gravity = {0, inf, -9.81};
  EXPECT_EQ(mistakes(description), Texts{"error: gravity is 0, inf, -9.81\n"
                                         "  hint: give three finite numbers in m/s^2"});
}

// axes and motions

TEST(Checks, an_axis_has_a_direction) {
  const std::string hint = "\n  hint: an axis is a direction, for example 0 0 1";
  EXPECT_EQ(mistakes(with_joint(JointKind::revolute, {.axis = {0, 0, 0}})),
            Texts{"arm.toml:12:7: error: joint 'pivot' has an axis of length 0" + hint});
  EXPECT_EQ(mistakes(with_joint(JointKind::universal, {.axis2 = {0, 0, 0}})),
            Texts{"arm.toml:12:7: error: joint 'pivot' has a second axis of length 0" + hint});
  EXPECT_EQ(
      mistakes(with_joint(JointKind::compound, {.motions = {turn({0, 0, 1.0}), slide({0, 0, 0})}})),
      Texts{"arm.toml:12:7: error: joint 'pivot' has a motion 2 with an axis of length 0" + hint});
  EXPECT_EQ(mistakes(with_joint(JointKind::revolute, {.axis = {1e200, 0, 0}})),
            Texts{"arm.toml:12:7: error: joint 'pivot' has an axis of length inf" + hint});
}

TEST(Checks, an_axis_of_another_length_than_one_is_normalised_with_a_warning) {
  const Description description = with_joint(JointKind::prismatic, {.axis = {0, 0, 2.0}});
  EXPECT_EQ(warnings(description),
            Texts{"arm.toml:12:7: warning: joint 'pivot' has an axis of length 2: normalized\n"
                  "  hint: give a direction of length 1"});
  EXPECT_EQ(build_model(description).numbers().bodies[1].X_PF.R.z.z, 1);
  EXPECT_EQ(warnings(with_joint(JointKind::prismatic, {.axis = {0, 0, 1 + 1e-10}})), Texts{});
}

TEST(Checks, the_axes_of_a_universal_joint_are_perpendicular) {
  EXPECT_EQ(mistakes(with_joint(JointKind::universal, {.axis2 = {std::sqrt(0.75), 0, 0.5}})),
            Texts{"arm.toml:12:7: error: joint 'pivot' is universal and has axes 60 deg apart, "
                  "not 90\n  hint: use a compound joint for oblique axes"});
}

TEST(Checks, a_compound_joint_has_one_to_six_motions) {
  const std::vector<JointStep> seven(7, turn({0, 0, 1.0}));
  EXPECT_EQ(mistakes(with_joint(JointKind::compound, {})),
            Texts{"arm.toml:12:7: error: joint 'pivot' is compound and has 0 motions\n"
                  "  hint: give it 1 to 6"});
  EXPECT_EQ(mistakes(with_joint(JointKind::compound, {.motions = seven})),
            Texts{"arm.toml:12:7: error: joint 'pivot' is compound and has 7 motions\n"
                  "  hint: give it 1 to 6"});
}

TEST(Checks, what_a_kind_of_joint_has_not_is_not_ignored_in_silence) {
  EXPECT_EQ(
      mistakes(with_joint(JointKind::revolute, {.motions = {turn({0, 0, 1.0})}})),
      Texts{"arm.toml:12:7: error: joint 'pivot' is revolute and has motions, as only compound "
            "joints do\n  hint: make it a compound joint, or leave the motions out"});
  EXPECT_EQ(mistakes(with_joint(JointKind::revolute, {.pitch = 0.1})),
            Texts{"arm.toml:12:7: error: joint 'pivot' is revolute and has a pitch, as only screw "
                  "joints do\n  hint: make it a screw joint, or leave the pitch out"});
  EXPECT_EQ(mistakes(with_joint(JointKind::fixed, {.drive = Drive::torque})),
            Texts{"arm.toml:12:7: error: joint 'pivot' is fixed and has a drive, which can move "
                  "nothing\n"
                  "  hint: leave the drive out, or choose a kind of joint that moves"});
}

// springs and limits

TEST(Checks, springs_are_one_for_all_dofs_or_one_for_each) {
  const std::string hint = "\n  hint: give one for all, or one for each";
  EXPECT_EQ(
      mistakes(with_joint(
          JointKind::planar,
          {.stiffness = {1.0, 2.0}, .rest = {1.0, 2.0, 3.0, 4.0}, .damping = {1.0, 2.0}})),
      (Texts{
          "arm.toml:12:7: error: joint 'pivot' has 2 values of stiffness for 3 degrees of freedom" +
              hint,
          "arm.toml:12:7: error: joint 'pivot' has 4 values of rest for 3 degrees of freedom" +
              hint,
          "arm.toml:12:7: error: joint 'pivot' has 2 values of damping for 3 degrees of freedom" +
              hint}));
  EXPECT_EQ(
      mistakes(with_joint(JointKind::revolute, {.damping = {1.0, 2.0}})),
      Texts{"arm.toml:12:7: error: joint 'pivot' has 2 values of damping for 1 degree of freedom" +
            hint});
  EXPECT_EQ(
      mistakes(with_joint(JointKind::fixed, {.damping = {1.0}})),
      Texts{"arm.toml:12:7: error: joint 'pivot' has 1 value of damping for 0 degrees of freedom\n"
            "  hint: a fixed joint takes none"});
}

TEST(Checks, damping_takes_energy_away) {
  EXPECT_EQ(mistakes(with_joint(JointKind::free, {.damping = {-0.1}})),
            Texts{"arm.toml:12:7: error: joint 'pivot' has damping -0.1\n"
                  "  hint: damping is zero or more"});
  EXPECT_EQ(mistakes(with_joint(JointKind::free, {.damping = {0.1}})), Texts{});
}

TEST(Checks, a_quaternion_has_no_stiffness) {
  EXPECT_EQ(mistakes(with_joint(JointKind::spherical, {.stiffness = {1.0}})),
            Texts{"arm.toml:12:7: error: joint 'pivot' is spherical and has a stiffness, but its "
                  "coordinates are a quaternion\n"
                  "  hint: use a universal or compound joint, or a point-to-point spring"});
}

TEST(Checks, a_quaternion_has_no_limits_of_position) {
  EXPECT_EQ(mistakes(with_joint(JointKind::free, {.limits = {.upper = {1.0}}})),
            Texts{"arm.toml:12:7: error: joint 'pivot' is free and has limits of position, but "
                  "its coordinates are a quaternion\n"
                  "  hint: leave them out, or use a universal or compound joint"});
  EXPECT_EQ(mistakes(with_joint(JointKind::free, {.limits = {.velocity = {1.0}}})), Texts{});
}

TEST(Checks, limits_that_are_exchanged_are_not_used) {
  const Description described =
      with_joint(JointKind::planar,
                 {.limits = {.lower = {2.0}, .upper = {3.0, 1.0, inf}, .restitution = {0.5}}});
  const BasicJointLimits<double> limits = build_model(described).joints()[0].limits;
  EXPECT_EQ(limits.lower, (std::vector<double>{2, -inf, 2}));
  EXPECT_EQ(limits.upper, (std::vector<double>{3, inf, inf}));
  EXPECT_EQ(limits.restitution, (std::vector<double>{0.5}));
  EXPECT_EQ(
      mistakes(described, {.strict = true}),
      Texts{"arm.toml:12:7: error: joint 'pivot' has a lower limit of 2 above its upper limit "
            "of 1\n  hint: exchange them"});
  const Description alone = with_joint(
      JointKind::revolute, {.limits = {.lower = {1.0}, .upper = {-1.0}, .restitution = {0.5}}});
  const BasicJointLimits<double> none = build_model(alone).joints()[0].limits;
  EXPECT_TRUE(none.lower.empty() && none.upper.empty() && none.restitution.empty());
}

TEST(Checks, limits_are_numbers_of_the_right_count_and_order) {
  EXPECT_EQ(mistakes(with_joint(JointKind::planar, {.limits = {.lower = {2.0},
                                                               .upper = {3.0, 1.0, inf},
                                                               .velocity = {1.0, 2.0},
                                                               .effort = {-5.0}}})),
            (Texts{"arm.toml:12:7: warning: joint 'pivot' has a lower limit of 2 above its upper "
                   "limit of 1: neither is used\n  hint: exchange them",
                   "arm.toml:12:7: error: joint 'pivot' has 2 values of velocity limit for 3 "
                   "degrees of freedom\n  hint: give one for all, or one for each",
                   "arm.toml:12:7: error: joint 'pivot' has -5 for its effort limit\n"
                   "  hint: it is zero or more"}));
  EXPECT_EQ(
      mistakes(with_joint(JointKind::revolute, {.limits = {.lower = {0.0, 1.0}, .upper = {nan}}})),
      (Texts{"arm.toml:12:7: error: joint 'pivot' has 2 values of lower limit for 1 "
             "coordinate\n  hint: give one for all, or one for each",
             "arm.toml:12:7: error: joint 'pivot' has nan for its upper limit\n"
             "  hint: give a number; inf is no limit"}));
}

// valid, and probably not intended

TEST(Checks, a_dof_without_inertia_is_a_warning) {
  Description description = with_body({});
  description.joints[0].place = place;
  EXPECT_EQ(warnings(description),
            Texts{"arm.toml:12:7: warning: joint 'pivot' moves nothing that has mass or inertia\n"
                  "  hint: give one of the bodies it moves a mass; without, only loops can "
                  "determine its acceleration"});
  // any outboard body will do
  description.body("hand", brick);
  description.joint("wrist", JointKind::revolute, "arm", "hand");
  EXPECT_EQ(warnings(description), Texts{});
}

TEST(Checks, all_mistakes_are_reported_at_once) {
  Description description("arm");
  description.body("upper", point_mass(-1.0), {"arm.toml", 3, 1});
  description.body("lower", brick, {"arm.toml", 6, 1});
  description.joint("shoulder", JointKind::revolute, "ground", "uper", {.axis = {0, 0, 0}},
                    {"arm.toml", 9, 1});
  try {
    (void)build_model(description);
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_STREQ(error.what(),
                 "arm.toml:9:1: error: joint 'shoulder' has child 'uper', but no body has that "
                 "name\n  hint: did you mean 'upper'?\n"
                 "arm.toml:3:1: error: body 'upper' has mass -1\n  hint: a mass is zero or more\n"
                 "arm.toml:9:1: error: joint 'shoulder' has an axis of length 0\n"
                 "  hint: an axis is a direction, for example 0 0 1\n"
                 "arm.toml:6:1: error: body 'lower' is not connected to ground\n"
                 "  hint: connect it with a joint, for example a free joint from ground");
  }
}

}  // namespace
}  // namespace trammel::checks_test
