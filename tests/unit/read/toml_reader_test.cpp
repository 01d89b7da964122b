// Description read from a file: models/everything.toml has every key.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "tests/unit/read/reading.hpp"
#include "trammel/model/state.hpp"

namespace trammel::toml_reader_test {
namespace {

using std::numbers::pi;

class Everything : public testing::Test {
 protected:
  static Description read() {
    Diagnostics diagnostics;
    Description description =
        read_description(read_test_models + "everything.toml", {}, diagnostics);
    EXPECT_EQ(told(diagnostics), "");
    return description;
  }
  const Description given = read();
  const Values<double> value = evaluate_at_nominal(given);

  std::vector<double> values(const std::vector<Expr>& list) const {
    std::vector<double> found;
    for (const Expr& number : list) found.push_back(value(number));
    return found;
  }
  const JointOptions& joint(std::string_view name) const {
    return named(given.joints, name).options;
  }
  using List = std::vector<double>;
};

TEST_F(Everything, is_a_model) {
  const Model model = build_model(given);
  EXPECT_EQ(model.description().name, "everything");
  EXPECT_TRUE(model.warnings().empty());
}

TEST_F(Everything, parameters_are_symbols_and_formulas_are_definitions) {
  ASSERT_EQ(given.parameters.size(), 2u);
  EXPECT_EQ(given.parameters[0].name, "crank");
  EXPECT_EQ(given.parameters[0].value, 0.3);
  EXPECT_EQ(given.parameters[1].name, "tilt");
  EXPECT_DOUBLE_EQ(given.parameters[1].value, pi / 12);
  // of the included file, set to the crank: no symbol of its own, but known by name
  ASSERT_EQ(given.definitions.size(), 3u);
  EXPECT_EQ(given.definitions[0].name, "rod");
  EXPECT_EQ(given.definitions[1].name, "left_reach");
  EXPECT_EQ(given.definitions[2].name, "left_half");
  EXPECT_EQ(given.gravity.z.constant(), -9.81);
}

TEST_F(Everything, bodies_have_the_given_mass) {
  const BodyDescription& crank = named(given.bodies, "crank");
  EXPECT_EQ(crank.solid.mass.constant(), 1);
  EXPECT_FALSE(crank.solid.com.x.is_constant());
  EXPECT_EQ(value(crank.solid.com.x), 0.15);
  EXPECT_DOUBLE_EQ(value(crank.solid.inertia.zz), 0.09 / 12);
  ASSERT_EQ(crank.shapes.size(), 1u);
  EXPECT_EQ(crank.shapes[0].size.y.constant(), 0.02);
  EXPECT_EQ(crank.shapes[0].color->at(0), 0.8);
  EXPECT_EQ(crank.shapes[0].color->at(3), 1);
  EXPECT_EQ(named(given.bodies, "gimbal").solid.mass.constant(), 0);
}

TEST_F(Everything, a_rod_of_the_shape_of_a_capsule_weighs_like_one) {
  const BodyDescription& rod = named(given.bodies, "rod");
  ASSERT_EQ(rod.shapes.size(), 2u);
  EXPECT_TRUE(rod.shapes[1].is_collision);
  EXPECT_EQ(rod.shapes[1].mesh, "rod.stl");
  EXPECT_EQ(rod.shapes[1].name, "rough");
  EXPECT_EQ(rod.shapes[1].scale.y.constant(), 0.001);
  // along x after the rotation: 0.9 m long, 1 cm thick; almost a thin rod of 0.5 kg
  const SymMat3<Expr>& I = rod.solid.inertia;
  EXPECT_DOUBLE_EQ(value(rod.solid.com.x), 0.45);
  EXPECT_NEAR(value(I.xx), 0.5 * 1e-4 / 2, 1e-6);
  EXPECT_NEAR(value(I.yy), 0.5 * 0.91 * 0.91 / 12, 5e-4);
  EXPECT_DOUBLE_EQ(value(I.yy), value(I.zz));
  EXPECT_NEAR(value(I.xy), 0, 1e-18);
}

TEST_F(Everything, joints_have_all_their_options) {
  const JointOptions& shoulder = joint("shoulder");
  EXPECT_EQ(shoulder.drive, Drive::torque);
  EXPECT_EQ(shoulder.axis.y.constant(), 1);
  EXPECT_EQ(shoulder.at.rpy.z.constant(), pi / 2);
  EXPECT_EQ(values(shoulder.stiffness), List{5});
  EXPECT_DOUBLE_EQ(values(shoulder.rest)[0], pi / 18);
  EXPECT_EQ(values(shoulder.damping), List{0.1});
  EXPECT_DOUBLE_EQ(values(shoulder.limits.lower)[0], -2 * pi / 3);
  EXPECT_DOUBLE_EQ(values(shoulder.limits.velocity)[0], pi);
  EXPECT_EQ(values(shoulder.limits.effort), List{20});

  EXPECT_EQ(values(joint("rail").limits.upper)[0], std::numeric_limits<double>::infinity());
  EXPECT_TRUE(joint("closing").cut);
  EXPECT_DOUBLE_EQ(value(joint("closing").child_at.xyz.x), 0.9);
  EXPECT_DOUBLE_EQ(value(joint("spindle").pitch), 0.005 / (2 * pi));
  EXPECT_EQ(joint("spindle").drive, Drive::motion);
  EXPECT_EQ(joint("bore").drive, Drive::locked);
  EXPECT_EQ(joint("cross").axis2.y.constant(), -1);
  EXPECT_EQ(named(given.joints, "lid").kind, JointKind::fixed);

  const JointOptions& leg = joint("leg");
  ASSERT_EQ(leg.motions.size(), 3u);
  EXPECT_EQ(leg.motions[0].kind, JointStep::Kind::turn);
  EXPECT_EQ(leg.motions[2].kind, JointStep::Kind::slide);
  EXPECT_EQ(values(leg.stiffness), (List{10, 20, 2000}));
  EXPECT_EQ(values(leg.damping), (List{1, 1, 50}));
  EXPECT_EQ(values(leg.limits.upper), (List{1, pi / 2, 0.01}));
}

TEST_F(Everything, items_keep_the_order_of_the_file) {
  std::vector<std::string> names;
  for (const JointDescription& item : given.joints) names.push_back(item.name);
  EXPECT_EQ(names,
            (std::vector<std::string>{"shoulder", "elbow", "rail", "closing", "spindle", "floor",
                                      "socket", "sea", "cross", "leg", "hub", "bore", "lid",
                                      "left_ground", "left_shoulder", "left_elbow"}));
}

TEST_F(Everything, wheels_couplings_constraints_and_springs_are_kept) {
  const WheelDescription& wheel = named(given.wheels, "left");
  EXPECT_EQ(wheel.kind, WheelDescription::Kind::omni);
  EXPECT_EQ(wheel.radius.constant(), 0.1);
  EXPECT_EQ(wheel.roller_angle.constant(), pi / 4);
  EXPECT_EQ(wheel.on, "ground");
  const CouplingDescription& gears = named(given.couplings, "gears");
  EXPECT_EQ(gears.terms[0].first, "shoulder");
  EXPECT_EQ(gears.terms[1].second.constant(), -50);
  EXPECT_DOUBLE_EQ(gears.offset.constant(), pi / 36);
  const ConstraintDescription& rod = named(given.constraints, "rod");
  EXPECT_EQ(rod.kind, ConstraintDescription::Kind::distance);
  EXPECT_EQ(rod.other_frame, "boat");
  EXPECT_DOUBLE_EQ(value(rod.distance), 1.8);
  const ConstraintDescription& slot = named(given.constraints, "slot");
  EXPECT_EQ(slot.kind, ConstraintDescription::Kind::curve);
  EXPECT_EQ(slot.curve.y, "r*sin(s)");
  EXPECT_EQ(slot.curve.with[0].second.constant(), 0.2);
  EXPECT_EQ(slot.curve.to.constant(), pi);
  EXPECT_FALSE(slot.curve.closed);
  const SpringDescription& strut = named(given.springs, "strut");
  EXPECT_EQ(strut.length.constant(), 0.3);
  EXPECT_DOUBLE_EQ(strut.damping.constant(), 2 * std::sqrt(1000.0));
  const BushingDescription& mount = named(given.bushings, "mount");
  EXPECT_EQ(mount.frame, "tip");
  EXPECT_EQ(mount.other_frame, "boat");
  ASSERT_EQ(mount.stiffness.size(), 6U);
  EXPECT_EQ(mount.stiffness[1].constant(), 1e5);
  EXPECT_EQ(mount.stiffness[3].constant(), 50);
  ASSERT_EQ(mount.damping.size(), 36U);
  EXPECT_EQ(mount.damping[1].constant(), 1);
  EXPECT_EQ(mount.damping[2 * 6 + 5].constant(), 0.1);
  ASSERT_EQ(mount.preload.size(), 6U);
  EXPECT_EQ(mount.preload[2].constant(), -500);
  EXPECT_EQ(mount.tables[2].at[2].constant(), 0.004);
  EXPECT_EQ(mount.tables[2].force[2].constant(), 600);
  EXPECT_DOUBLE_EQ(mount.tables[3].at[1].constant(), pi / 18);
  EXPECT_TRUE(mount.tables[0].is_empty());
  EXPECT_EQ(mount.interpolation, BushingDescription::Interpolation::linear);
}

TEST_F(Everything, the_start_and_the_inputs_are_in_si) {
  ASSERT_EQ(given.start_positions.size(), 4u);
  EXPECT_EQ(given.start_positions[0].joint, "left_elbow");  // of the included file
  EXPECT_EQ(given.start_positions[1].joint, "shoulder");
  EXPECT_DOUBLE_EQ(value(given.start_positions[1].values[0]), pi / 3);
  EXPECT_EQ(value(given.start_positions[2].values[2]), 0.001);
  EXPECT_EQ(value(given.start_velocities[1].values[0]), 0.01);
  ASSERT_EQ(given.position_guesses.size(), 1u);
  EXPECT_EQ(given.position_guesses[0].joint, "elbow");
  EXPECT_DOUBLE_EQ(value(given.position_guesses[0].values[0]), -pi / 9);
  ASSERT_EQ(given.velocity_guesses.size(), 1u);
  EXPECT_DOUBLE_EQ(value(given.velocity_guesses[0].values[0]), pi);

  const InputDescription& motor = named(given.inputs, "motor");
  EXPECT_EQ(motor.profile, "ramp");
  ASSERT_EQ(motor.numbers.size(), 4u);
  EXPECT_EQ(motor.numbers[1].first, "to");
  EXPECT_EQ(values(motor.numbers[1].second), List{2});
  EXPECT_EQ(values(named(given.inputs, "kick").numbers[1].second), (List{1, 0, 2}));
  EXPECT_EQ(values(named(given.inputs, "rough").numbers[1].second), (List{0, 0, 1, 2}));
  EXPECT_EQ(named(given.inputs, "push").numbers[0].first, "value");
}

TEST_F(Everything, sections_to_come_are_kept_as_text) {
  ASSERT_EQ(given.raw_sections.size(), 5u);  // four paths, and the run
  const ControllerDescription& hold = named(given.controllers, "hold");
  EXPECT_EQ(hold.joint, "shoulder");
  EXPECT_EQ(value(hold.p), 100);
  EXPECT_EQ(value(hold.filter), 0.005);
  EXPECT_EQ(value(*hold.limit), 40);
  EXPECT_TRUE(hold.is_rate_of_joint);
  EXPECT_EQ(hold.target.profile, "ramp");
  const EventDescription& caught = named(given.events, "catch");
  EXPECT_EQ(value(*caught.time), 2);
  EXPECT_EQ(caught.grasp, std::vector<std::string>{"pin"});
  EXPECT_EQ(caught.lock, (std::vector<std::string>{"shoulder", "rail"}));
  const EventDescription& end = named(given.events, "end");
  EXPECT_EQ(end.joint, "shoulder");
  EXPECT_EQ(end.way, EventDescription::Way::up);
  EXPECT_TRUE(end.stops && !end.time && !end.every);
  const EventDescription& beat = named(given.events, "beat");
  EXPECT_TRUE(beat.every && !beat.stops && beat.lock.empty());
  EXPECT_FALSE(named(given.constraints, "pin").active);
  const ContactDescription& toe = named(given.contacts, "toe");
  EXPECT_EQ(value(toe.at.z), -0.1);
  EXPECT_EQ(value(toe.stiffness), 1e6);
  EXPECT_EQ(value(toe.slip_speed), default_friction_speed);
  EXPECT_EQ(value(named(given.motors, "drive").gear), 50);
  EXPECT_NEAR(value(*named(given.motors, "drive").no_load_speed), 628.3185307179587, 1e-12);
  ASSERT_TRUE(given.ground_motion && given.ground_motion->position);
  EXPECT_EQ(given.ground_motion->position->profile, "sine");
  EXPECT_EQ(values(given.ground_motion->position->numbers[0].second), (List{0.01, 0, 0}));
  EXPECT_NEAR(value(given.ground_motion->yaw_pitch_roll->numbers[0].second[1]), 0.0174532925199433,
              1e-15);
  const WrenchDescription& wind = named(given.wrenches, "wind");
  EXPECT_EQ(wind.at, "boat");
  EXPECT_TRUE(wind.force && !wind.moment && !wind.is_in_own_axes);
  const WheelDescription& caster = named(given.wheels, "trailing");
  EXPECT_EQ(caster.kind, WheelDescription::Kind::caster);
  EXPECT_EQ(value(caster.trail), 0.03);
  EXPECT_EQ(caster.on, "hills");
  EXPECT_EQ(value(named(given.terrains, "hills").with[0].second), 0.05);
  EXPECT_EQ(named(given.raw_sections, "run").text,
            "duration = 10\nstep = \"1 ms\"\n"
            "record = [\"positions\", \"velocities\", \"reactions\", \"energy\"]\n");
}

TEST_F(Everything, every_item_and_key_knows_its_place) {
  const BodyDescription& crank = named(given.bodies, "crank");
  EXPECT_EQ(crank.place.line, 10);
  EXPECT_EQ(crank.place.column, 7);  // of its name in [body.crank]
  EXPECT_EQ(crank.place.of("mass").line, 11);
  EXPECT_EQ(crank.place.of("mass").column, 11);
  const ItemPlace& shoulder = named(given.joints, "shoulder").place;
  for (const char* key : {"parent", "child", "at", "axis", "drive", "stiffness", "rest", "damping",
                          "limits.lower", "limits.upper", "limits.velocity", "limits.effort"})
    EXPECT_NE(shoulder.of(key).line, shoulder.line) << key;
  EXPECT_EQ(given.source.of("gravity").line, 3);
}

TEST(TomlReader, a_model_without_a_name_is_called_like_its_file) {
  EXPECT_EQ(described("").name, "model");
  EXPECT_EQ(described("").gravity.z.constant(), -9.81);
}

TEST(TomlReader, parameters_may_come_in_any_order) {
  const Description given = described("[parameters]\na = 'b + c'\nb = '2*c'\nc = 3\n");
  ASSERT_EQ(given.parameters.size(), 1u);
  EXPECT_EQ(given.parameters[0].name, "c");
  const std::vector<double> symbols{5};
  const Values<double> value(given.graph, std::span<const double>(symbols));
  EXPECT_EQ(value(given.definitions[0].formula), 15);
}

TEST(TomlReader, a_formula_without_names_is_a_symbol) {
  const Description given = described("[parameters]\na = '2*pi'\nb = '5 mm'\n");
  ASSERT_EQ(given.parameters.size(), 2u);
  EXPECT_EQ(given.parameters[0].value, 2 * pi);
  EXPECT_EQ(given.parameters[1].value, 0.005);
}

TEST(TomlReader, a_parameter_that_is_set_is_a_plain_symbol) {
  const std::string lines = "[parameters]\na = 1\nb = '2*a'\n[body.x]\nmass = 'b'\n";
  const Description given = described(lines, {.set = {{"b", 7}, {"a", 2}, {"b", 8}}});
  ASSERT_EQ(given.parameters.size(), 2u);
  EXPECT_TRUE(given.definitions.empty());
  EXPECT_EQ(given.parameters[0].value, 2);
  EXPECT_EQ(given.parameters[1].value, 8);  // the last one counts
}

TEST(TomlReader, numbers_of_an_item_are_nearer_than_parameters) {
  const Description given = described(
      "[parameters]\nmass = 3\nradius = 5\n"
      "[body.a]\nmass = '2*mass'\ncom = ['mass', 0, 0]\n"
      "[wheel.w]\nbody = 'a'\nradius = 2\nat = { xyz = ['radius', 0, 0] }\n");
  const Values<double> value = evaluate_at_nominal(given);
  EXPECT_EQ(value(given.bodies[0].solid.mass), 6);   // its own name is the parameter
  EXPECT_EQ(value(given.bodies[0].solid.com.x), 6);  // elsewhere the mass of the body
  EXPECT_EQ(value(given.wheels[0].at.xyz.x), 2);
}

TEST(TomlReader, two_solids_of_one_stuff_balance_where_statics_says) {
  // two equal cubes of edge 1 m at x = 1 and x = 3, 6 kg in all: each 3 kg, each I = 0.5
  const Description given = described(
      "[body.a]\nmass = 6\ninertia = 'from shape'\n"
      "shape = [{ box = [1, 1, 1], at = { xyz = [1, 0, 0] } },"
      " { box = [1, 1, 1], at = { xyz = [3, 0, 0] } }]\n");
  const Solid& solid = given.bodies[0].solid;
  EXPECT_EQ(solid.com.x.constant(), 2);
  EXPECT_DOUBLE_EQ(solid.inertia.xx.constant(), 1);
  EXPECT_DOUBLE_EQ(solid.inertia.zz.constant(), 1 + 6);
}

TEST(TomlReader, a_formula_error_is_reported_at_its_column_whatever_the_quotes) {
  // columns count characters; the escape for the character a is six of them
  EXPECT_EQ(mistakes("[body.x]\nmass = \"1 + x\"\n"),
            "model.toml:3:13: error: body 'x': mass: nothing is called 'x'\n");
  EXPECT_EQ(mistakes("[parameters]\na = 1\n[body.x]\nmass = \"\\u0061 + x\"\n"),
            "model.toml:5:18: error: body 'x': mass: nothing is called 'x'\n");
  EXPECT_EQ(mistakes("[body.x]\nmass = \"\"\"\n1 +\n x\"\"\"\n"),
            "model.toml:5:2: error: body 'x': mass: nothing is called 'x'\n");
  EXPECT_EQ(mistakes("[body.\"\xc3\xa9\"]\nmass = '1 + x'\n"),
            "model.toml:3:13: error: body '\xc3\xa9': mass: nothing is called 'x'\n");
}

TEST(TomlReader, any_symbols_may_stand_in_quotes) {
  const Description given = described(
      "name = '\xc3\xa9'  # \xc3\xa9\n[body.\"\xe8\x85\x95\"]\nshape = { mesh = \"\"\"a\\\n "
      "b\xc3\xa9\"\"\" }\n");
  EXPECT_EQ(given.name, "\xc3\xa9");
  EXPECT_EQ(given.bodies[0].name, "\xe8\x85\x95");
  EXPECT_EQ(given.bodies[0].shapes[0].mesh, "ab\xc3\xa9");
}

TEST(TomlReader, an_item_with_mistakes_is_there_all_the_same) {
  Diagnostics diagnostics;
  const Description given = read_description(
      "m.toml", "trammel = 1\n[body.a]\nmass = 'x'\n[joint.j]\ntype = 'revolute'\n", {},
      diagnostics);
  ASSERT_EQ(given.bodies.size(), 1u);
  EXPECT_TRUE(given.bodies[0].place.has_mistakes);
  ASSERT_EQ(given.joints.size(), 1u);
  EXPECT_TRUE(given.joints[0].place.has_mistakes);
}

}  // namespace
}  // namespace trammel::toml_reader_test
