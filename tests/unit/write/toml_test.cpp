#include "trammel/write/model/toml.hpp"

#include <limits>
#include <stdexcept>

#include <gtest/gtest.h>

#include "trammel/model/description/solids.hpp"

namespace trammel::toml_test {
namespace {

TEST(WriteToml, says_what_differs_from_the_defaults_and_nothing_else) {
  Description description("crank and rod");
  const Expr l = description.parameter("l", 0.3), m = description.parameter("m", 2);
  description.definitions.push_back({"half", l / 2.0, {}});
  description.gravity = {0.0, 0.0, -1.62};
  description.body("crank",
                   {m, {l / 2.0, 0.0, 0.0}, {0.001, 0.0, 0.0, m * l * l / 12.0, 0.0, 0.25}});
  description.bodies[0].shapes.push_back({.kind = Shape::Kind::box, .size = {l, 0.02, 0.02}});
  description.body("rod", {1.0, {}, {1.0, 0.5, 0.0, 2.0, -0.0, 2.5}});
  description.bodies[1].shapes.push_back({.kind = Shape::Kind::sphere,
                                          .size = {0.1, 0.0, 0.0},
                                          .color = {{1.0, 0.5, 0.0, 1.0}},
                                          .is_collision = true});
  description.bodies[1].shapes.push_back({.kind = Shape::Kind::mesh,
                                          .mesh = "rod.stl",
                                          .scale = {0.001, 0.001, 0.001},
                                          .at = {{}, {0.0, 0.0, 1.5}},
                                          .name = "skin"});
  description.frame("tip", "rod", {{2.0 * l, 0.0, 0.0}, {}});
  description.joint("shoulder", JointKind::revolute, "ground", "crank",
                    {.axis = {0.0, 1.0, 0.0},
                     .drive = Drive::torque,
                     .stiffness = {5.0},
                     .damping = {0.1},
                     .limits = {.lower = {-2.0}, .upper = {2.0}, .effort = {20.0}}});
  description.joint("wrist", JointKind::compound, "crank", "rod",
                    {.at = {{l, 0.0, 0.0}, {}},
                     .motions = {turn({0.0, -1.0, 0.0}), slide({0.6, 0.8, 0.0})},
                     .cut = true,
                     .limits = {.upper = {1.0, 2.0}}});
  description.start_positions.push_back({"shoulder", {1.0}, {}});
  description.velocity_guesses.push_back({"wrist", {0.5, l}, {}});
  description.position_guesses.push_back({"wrist", {0.5, l}, {}});
  description.inputs.push_back({"motor", "shoulder", "ramp", {{"to", {2.0}}, {"over", {5.0}}}, {}});
  description.raw_sections.push_back({"run", "duration = 10\n", {}});

  EXPECT_EQ(write_toml(description), R"(trammel = 1
name    = "crank and rod"
gravity = [0, 0, -1.62]

[parameters]
l    = 0.3
m    = 2
half = "0.5*l"

[body.crank]
mass    = "m"
com     = ["half", 0, 0]
inertia = [0.001, "l*m*l/12", 0.25]
shape   = { box = ["l", 0.02, 0.02] }

[body.rod]
mass    = 1
inertia = [1, 2, 2.5, 0.5, 0, 0]
shape   = [
  { sphere = 0.1, color = [1, 0.5, 0], collision = true },
  { mesh = "rod.stl", scale = [0.001, 0.001, 0.001], at = { rpy = [0, 0, 1.5] }, name = "skin" },
]

[frame.tip]
body = "rod"
at   = { xyz = ["2*l", 0, 0] }

[joint.shoulder]
type   = "revolute"
parent = "ground"
child  = "crank"
axis   = "y"
drive  = "torque"
spring = { stiffness = 5, damping = 0.1 }
limits = { position = [-2, 2], effort = 20 }

[joint.wrist]
type    = "compound"
parent  = "crank"
child   = "rod"
at      = { xyz = ["l", 0, 0] }
motions = [{ turn = "-y" }, { slide = [0.6, 0.8, 0] }]
cut     = true
limits  = { position = [[-inf, 1], [-inf, 2]] }

[state.position]
shoulder = 1

[state.guess]
wrist = [0.5, "l"]

[state.velocity_guess]
wrist = [0.5, "l"]

[input.motor]
joint = "shoulder"
ramp  = { to = 2, over = 5 }

[run]
duration = 10
)");
}

TEST(WriteToml, says_wheels_couplings_constraints_and_springs) {
  Description description;
  description.body("left wheel", {});
  description.wheels.push_back({.name = "left",
                                .body = "left wheel",
                                .axis = {0.0, 0.0, 1.0},
                                .radius = 0.1,
                                .kind = WheelDescription::Kind::omni,
                                .roller_angle = 0.5});
  description.couplings.push_back({"gears", {{"motor", 1.0}, {"arm.1", -50.0}}, 0.25, {}});
  description.constraints.push_back(
      {"rod", ConstraintDescription::Kind::distance, "a", "ground", 0.5, false, {}});
  description.springs.push_back({"strut", "a", "b", 100.0, 0.2, 3.0, {}});

  EXPECT_EQ(write_toml(description), R"(trammel = 1
gravity = [0, 0, -9.81]

[body."left wheel"]

[wheel.left]
type         = "omni"
body         = "left wheel"
axis         = "z"
radius       = 0.1
roller_angle = 0.5

[coupling.gears]
terms  = { motor = 1, "arm.1" = -50 }
offset = 0.25

[constraint.rod]
type     = "distance"
between  = ["a", "ground"]
distance = 0.5
active   = false

[spring.strut]
between   = ["a", "b"]
stiffness = 100
length    = 0.2
damping   = 3
)");
}

TEST(WriteToml, numbers_and_strings_are_toml) {
  Description description("a \"b\" \\ \t\x01 \xc3\xa9");
  description.gravity = {-0.0, 1e300, 123456789012345677890.0};
  description.parameter("tiny", std::numeric_limits<double>::denorm_min());
  description.parameter("tenth", 0.1);
  description.parameter("small", 3e-5);
  description.parameter("less", 3.5e-6);
  description.parameter("nothing", std::numeric_limits<double>::quiet_NaN());
  description.parameter("big", 1e16);
  description.parameter("whole", 123456789012345);
  EXPECT_EQ(write_toml(description), R"(trammel = 1
name    = "a \"b\" \\ \t\u0001 é"
gravity = [0, 1e300, 1.2345678901234568e20]

[parameters]
tiny    = 5e-324
tenth   = 0.1
small   = 0.00003
less    = 3.5e-6
nothing = nan
big     = 1e16
whole   = 123456789012345
)");
}

// In [body.b], `mass` is the mass of b. So the parameter gets another name there.
TEST(WriteToml, a_parameter_hidden_by_a_number_of_the_same_item_goes_by_another_name) {
  Description description("hidden");
  const Expr mass = description.parameter("mass", 2);
  description.body("a", {mass, {}, {mass, 0.0, 0.0, mass, 0.0, mass}});
  description.body("b", {2.0 * mass, {}, {mass, 0.0, 0.0, mass, 0.0, 3.0 * mass}});
  description.frame("f", "b", {{mass, 0.0, 0.0}, {}});
  EXPECT_EQ(write_toml(description), R"(trammel = 1
name    = "hidden"
gravity = [0, 0, -9.81]

[parameters]
mass           = 2
mass_parameter = "mass"

[body.a]
mass    = "mass"
inertia = ["mass", "mass", "mass"]

[body.b]
mass    = "2*mass"
inertia = ["mass_parameter", "mass_parameter", "3*mass_parameter"]

[frame.f]
body = "b"
at   = { xyz = ["mass", 0, 0] }
)");
}

std::string complaint_about(const Description& description) {
  try {
    static_cast<void>(write_toml(description));
  } catch (const std::invalid_argument& error) { return error.what(); }
  return "";
}

TEST(WriteToml, a_formula_that_no_file_can_say_is_refused_by_name) {
  Description description("odd");
  const Expr l = description.parameter("l", 1), two = description.parameter("l two", 1);
  description.body("link", {select(l < Expr(0.5), Expr(1.0), l), {}, {}});
  EXPECT_EQ(complaint_about(description),
            "write_toml: body 'link': the formula of mass chooses between cases, which a file "
            "cannot say");
  description.bodies[0].solid = {l, {l + std::numeric_limits<double>::infinity(), 0.0, 0.0}, {}};
  EXPECT_EQ(complaint_about(description),
            "write_toml: body 'link': the formula of com.x has the constant inf, which a file "
            "cannot say");
  description.bodies[0].solid = {l * two, {}, {}};
  EXPECT_EQ(complaint_about(description),
            "write_toml: body 'link': the formula of mass has the symbol 'l two', which a file "
            "cannot say");
}

}  // namespace
}  // namespace trammel::toml_test
