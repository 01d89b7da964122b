// Written model files: read back, a file gives the same results to the last bit, and is written as
// the same text.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/how_many.hpp"
#include "tests/support/random_robot.hpp"
#include "trammel/dynamics/forward_dynamics.hpp"
#include "trammel/dynamics/inverse_dynamics.hpp"
#include "trammel/dynamics/mass_matrix.hpp"
#include "trammel/model/description/description_parameters.hpp"
#include "trammel/read/load.hpp"
#include "trammel/write/model/toml.hpp"

namespace trammel::write_toml_test {
namespace {

Description read_back(const std::string& text) {
  Diagnostics diagnostics;
  Description description = read_description("robot.toml", text, {}, diagnostics);
  for (const Diagnostic& each : diagnostics.list()) ADD_FAILURE() << to_string(each);
  return description;
}

void expect_same_answers(const Model& a, const Model& b, const State& state) {
  ASSERT_EQ(a.nq(), b.nq());
  ASSERT_EQ(a.nv(), b.nv());
  ASSERT_EQ(a.joints().size(), b.joints().size());
  for (std::size_t k = 0; k < a.joints().size(); ++k) {
    EXPECT_EQ(a.joints()[k].name, b.joints()[k].name);
    EXPECT_EQ(a.joints()[k].q_start, b.joints()[k].q_start);
  }
  Workspace workspace_a(a), workspace_b(b);
  Eigen::MatrixXd M_a(a.nv(), a.nv()), M_b = M_a;
  ASSERT_TRUE(mass_matrix(a, state, workspace_a, M_a).ok());
  ASSERT_TRUE(mass_matrix(b, state, workspace_b, M_b).ok());
  EXPECT_EQ((M_a - M_b).cwiseAbs().maxCoeff(), 0);
  std::vector<double> h_a(std::size_t(a.nv())), h_b = h_a, a_a = h_a, a_b = h_a;
  ASSERT_TRUE(bias(a, state, {}, workspace_a, h_a).ok());
  ASSERT_TRUE(bias(b, state, {}, workspace_b, h_b).ok());
  EXPECT_EQ(h_a, h_b);
  ASSERT_TRUE(forward_dynamics(a, state, {}, workspace_a, a_a).ok());
  ASSERT_TRUE(forward_dynamics(b, state, {}, workspace_b, a_b).ok());
  EXPECT_EQ(a_a, a_b);
}

class WrittenRobot : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(seeds, WrittenRobot, testing::Range(1, 1 + how_many(60)));

TEST_P(WrittenRobot, gives_the_same_answers_when_read_back) {
  for (const bool symbols : {false, true}) {
    const RandomRobot robot(GetParam(), {.symbols = symbols});
    const std::string text = write_toml(robot.description);
    const Description again = read_back(text);
    expect_same_answers(robot.model, build_model(again), robot.state);
    EXPECT_EQ(write_toml(again), text) << robot;
    EXPECT_EQ(again.parameters.size(), robot.description.parameters.size());
  }
}

// A formula of some symbols with shared subexpressions, random signs and orders.
Expr random_formula(Random& random, std::vector<Expr>& parts, int operations) {
  for (int k = 0; k < operations; ++k) {
    const auto part = [&] { return parts[std::size_t(random.below(int(parts.size())))]; };
    const Expr x = part(), y = part();
    switch (random.below(14)) {
      case 0:
      case 1: parts.push_back(x + y); break;
      case 2:
      case 3: parts.push_back(x - y); break;
      case 4:
      case 5: parts.push_back(x * y); break;
      case 6: parts.push_back(x / (2.0 + y * y)); break;
      case 7: parts.push_back(-x); break;
      case 8: parts.push_back(sin(x)); break;
      case 9: parts.push_back(cos(x - y)); break;
      case 10: parts.push_back(atan2(x, 1.5 - y)); break;
      case 11: parts.push_back(max(x, -y)); break;
      case 12: parts.push_back(pow(abs(x) + 0.5, 0.25 + 0.5 * random.below(3))); break;
      default: parts.push_back(random(-2, 2) * x + random.below(5)); break;
    }
  }
  return parts.back();
}

// Every number of the description, at the nominal values of the parameters.
std::vector<double> numbers_of(const Description& description) {
  const Values<double> value = evaluate_at_nominal(description);
  std::vector<double> numbers;
  each_item(description, [&](std::string_view, const auto& item) {
    each_number(item, [&](const NumberLabel&, const Expr& x) { numbers.push_back(value(x)); });
  });
  return numbers;
}

TEST_P(WrittenRobot, keeps_every_formula_to_the_last_bit) {
  Random random(GetParam());
  Description description("formulas of seed " + std::to_string(GetParam()));
  std::vector<Expr> parts;
  for (const char* symbol : {"mass", "b", "pitch", "l_1"})
    parts.push_back(description.parameter(symbol, random(-1.5, 1.5)));
  for (int k = 0; k < 12; ++k) {
    const auto formula = [&] { return random_formula(random, parts, random.below(6)); };
    if (k % 3 == 0) description.definitions.push_back({"d" + std::to_string(k), formula(), {}});
    description.body("b" + std::to_string(k), {formula(), {formula(), formula(), formula()}, {}});
    description.joint("j" + std::to_string(k), JointKind::screw, "ground", "b" + std::to_string(k),
                      {.at = {{formula(), 0.0, formula()}, {}},
                       .pitch = formula(),
                       .stiffness = {formula()},
                       .damping = {formula()}});
  }
  const std::string text = write_toml(description);
  const Description again = read_back(text);
  const std::vector<double> expected = numbers_of(description), found = numbers_of(again);
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t k = 0; k < found.size(); ++k)
    EXPECT_TRUE(found[k] == expected[k] || (std::isnan(found[k]) && std::isnan(expected[k])))
        << "number " << k << ": " << found[k] << " is not " << expected[k] << "\n"
        << text;
  EXPECT_EQ(write_toml(again), text);
}

TEST(WrittenToml, shares_what_would_double_with_every_step) {
  Description description("doubling");
  Expr x = description.parameter("x", 0.9);
  for (int k = 0; k < 200; ++k) x = x * (1.0 - x) * 3.7;  // as a tree 2^200 symbols
  description.body("b", {abs(x), {x, 0.0, 0.0}, {}});
  const std::string text = write_toml(description);
  EXPECT_LT(text.size(), 20000u);
  const Description again = read_back(text);
  EXPECT_EQ(numbers_of(again), numbers_of(description));
  EXPECT_EQ(write_toml(again), text);
}

TEST(WrittenToml, what_no_engine_answers_yet_survives_too) {
  const std::string text = R"(trammel = 1
name    = "everything"
gravity = [0, 0, -9.81]

[parameters]
r                = 0.1
offset           = 2
double           = "2*r"
offset_parameter = "offset"

[body.cart]
mass    = 1
inertia = [1, 1, 1]

[body.arm]
mass    = 1
inertia = [1, 1, 1]
shape   = { capsule = ["r", 0.5], at = { xyz = [0, 0, "r"] }, color = [1, 0, 0, 0.5] }

[frame.hub]
body = "cart"
at   = { xyz = ["double", 0, 0] }

[joint.float]
type   = "free"
parent = "ground"
child  = "cart"
spring = { damping = [1, 2, 3, 4, 5, 6] }

[joint.shoulder]
type   = "universal"
parent = "cart"
child  = "arm"
axis   = "x"
axis2  = "-y"
drive  = "torque"
spring = { stiffness = [1, "r"], rest = 0.5 }
limits = { position = [[-1, 1], [-inf, "double"]], velocity = 3, effort = [4, 5] }

[wheel.left]
type   = "conventional"
body   = "cart"
radius = "r"
at     = { xyz = [0, "r", 0] }

[coupling.gears]
terms  = { shoulder = "offset_parameter", float = -50 }
offset = "r + offset"

[constraint.rod]
type     = "distance"
between  = ["hub", "ground"]
distance = 0.5

[constraint.slot]
type    = "curve"
between = ["hub", "arm"]
points  = [
  [0, 0, 0],
  ["r", 0, 0],
  [0, "double", 0],
]
closed  = true

[constraint.wire]
type    = "curve"
between = ["hub", "arm"]
x       = "k*s"
z       = "s^2/2"
with    = { k = "r" }
from    = -1
to      = "offset"

[constraint.weld]
type    = "weld"
between = ["hub", "arm"]

[spring.strut]
between   = ["hub", "arm"]
stiffness = 100
length    = "double"

[state.position]
float    = [1, 0, 0, 0, 0, 0, "r"]
shoulder = [0.5, "r"]

[state.velocity]
shoulder = [1, 2]

[input.hold]
joint    = "shoulder"
constant = [1, "r"]

[input.swing]
joint = "shoulder"
sine  = { amplitude = [1, 2], frequency = 0.5, phase = 1 }

[input.path]
joint = "shoulder"
table = { times = [0, 1], values = [[1, 2], [3, "r"]] }

[controller."hold it"]
joint  = "shoulder"
p      = 5
limit  = "r"
rate   = "joint"
target = { sine = { amplitude = [1, "r"], frequency = 2 } }

[event.end]
at   = "r"
lock = ["shoulder"]
stop = true

[path.round]
circle = { radius = 5, angle = 3, over = 60 }

[run]
duration = 10
record = ["positions", "energy"]
)";
  EXPECT_EQ(write_toml(read_back(text)), text);
}

TEST(WrittenToml, names_of_any_symbols_survive) {
  Description description("\"a\\b\" # 'c' = [x]\t\n\xc3\xa9");
  const std::vector<std::string> names = {
      "a.b",       "with space", "\"quoted\"", "back\\slash", "#", "\xc3\xa9\xe2\x86\x92", "[x]",
      "new\nline", "1.5",        "-"};
  std::string parent = "ground";
  for (const std::string& name : names) {
    description.body(name, {1.0, {}, {1.0, 0.0, 0.0, 1.0, 0.0, 1.0}});
    description.joint(name, JointKind::revolute, parent, name);
    description.frame(name, name, {});
    parent = name;
  }
  const std::string text = write_toml(description);
  const Description again = read_back(text);
  EXPECT_EQ(again.name, description.name);
  ASSERT_EQ(again.bodies.size(), names.size());
  for (std::size_t k = 0; k < names.size(); ++k) {
    EXPECT_EQ(again.bodies[k].name, names[k]);
    EXPECT_EQ(again.joints[k].name, names[k]);
    EXPECT_EQ(again.frames[k].body, names[k]);
  }
  EXPECT_EQ(write_toml(again), text);
}

}  // namespace
}  // namespace trammel::write_toml_test
