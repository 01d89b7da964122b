// `repeat`: copies of an item with their numbers in names and formulas, on a circle or not.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/unit/read/reading.hpp"
#include "trammel/dynamics/hybrid_dynamics.hpp"
#include "trammel/model/state.hpp"
#include "trammel/write/model/toml.hpp"

namespace trammel::toml_repeat_test {
namespace {

using std::numbers::pi;

Description merry_go_round() {
  Diagnostics diagnostics;
  Description description =
      read_description(read_test_models + "merry_go_round.toml", {}, diagnostics);
  EXPECT_EQ(told(diagnostics), "");
  return description;
}

TEST(TomlRepeat, copies_have_their_number_in_names_and_formulas) {
  const Description given = merry_go_round();
  const Values<double> value = evaluate_at_nominal(given);
  ASSERT_EQ(given.bodies.size(), 7u);
  ASSERT_EQ(given.joints.size(), 7u);
  for (int k = 1; k <= 6; ++k) {
    const std::string number = std::to_string(k);
    EXPECT_DOUBLE_EQ(value(named(given.bodies, "seat" + number).solid.mass), 2 + 0.1 * k);
    EXPECT_EQ(named(given.joints, "arm" + number).child, "seat" + number);
  }
  // a neighbor: input k drives arm k + 1
  EXPECT_EQ(named(given.inputs, "wind1").joint, "arm2");
  EXPECT_EQ(named(given.inputs, "wind2").joint, "arm3");
}

TEST(TomlRepeat, copies_are_on_a_circle) {
  const Model model = build_model(merry_go_round());
  for (int k = 0; k < 6; ++k) {
    const NamedJoint& arm = model[*model.find_joint("arm" + std::to_string(k + 1))];
    const double angle = k * pi / 3;
    // its position and its x axis both point outward; 1e-15: rounding of 60 degrees
    EXPECT_NEAR(arm.X_PF.p.x, 3 * std::cos(angle), 4e-15);
    EXPECT_NEAR(arm.X_PF.p.y, 3 * std::sin(angle), 4e-15);
    EXPECT_EQ(arm.X_PF.p.z, 0);
    EXPECT_NEAR(arm.X_PF.R.x.x, std::cos(angle), 1e-15);
    EXPECT_NEAR(arm.X_PF.R.x.y, std::sin(angle), 1e-15);
  }
  // about -z by 30 degrees each
  const Values<double> value = evaluate_at_nominal(model.description());
  for (int k = 0; k < 3; ++k) {
    const Placement& at = named(model.description().frames, "rim" + std::to_string(k + 1)).at;
    EXPECT_NEAR(value(at.xyz.x), 3 * std::cos(-k * pi / 6), 1e-15 * 4);
    EXPECT_NEAR(value(at.xyz.y), 3 * std::sin(-k * pi / 6), 1e-15 * 4);
    EXPECT_DOUBLE_EQ(value(at.xyz.z), 0.1);
  }
}

TEST(TomlRepeat, seats_of_a_carousel_swing_out_by_centrifugal_force) {
  const Model model = build_model(merry_go_round());
  const double r = 3, l = 1.5, g = 9.81, w = 12 * 2 * pi / 60;
  // chain at rest in the turning frame: tan(s) = w^2 (r + l sin s) / g, by fixed-point iteration
  double s = 0;
  for (int k = 0; k < 200; ++k) s = std::atan(w * w * (r + l * std::sin(s)) / g);
  State state = neutral_state(model);
  for (double& q : state.q) q = s;
  state.q[0] = 0.7;
  state.v.assign(7, 0.0);
  state.v[0] = w;
  Workspace workspace(model);
  std::vector<double> a(7), tau(7);
  const std::vector<double> zero(7, 0.0);
  const Status status = hybrid_dynamics(model, state, {.tau = zero, .a = zero}, workspace, a, tau);
  ASSERT_TRUE(status) << status.message();
  // 1e-12: rounding of accelerations of about 10 m/s^2 over a chain of 1.5 m
  for (std::size_t k = 1; k < 7; ++k) EXPECT_NEAR(a[k], 0, 1e-12) << k;
}

TEST(TomlRepeat, includes_are_repeated) {
  const Description given =
      described("[include.leg]\nfile = '" + read_test_models +
                "arm.toml'\nrepeat = { count = 3, about = 'z' }\nat = { xyz = [1, 0, 0] }\n"
                "set = { reach = '0.2 + 0.1*{i}' }\n");
  const Values<double> value = evaluate_at_nominal(given);
  for (int k = 1; k <= 3; ++k) {
    const std::string prefix = "leg" + std::to_string(k) + "_";
    bool is_found = false;
    for (const ParameterDescription& parameter : given.parameters)
      if (parameter.name == prefix + "reach") {
        is_found = true;
        EXPECT_DOUBLE_EQ(parameter.value, 0.2 + 0.1 * k);
      }
    EXPECT_TRUE(is_found);
    const auto base =
        std::find_if(given.joints.begin(), given.joints.end(), [&](const JointDescription& joint) {
          return joint.name == prefix + "ground" || joint.name == prefix + "base";
        });
    ASSERT_NE(base, given.joints.end());
    EXPECT_NEAR(value(base->options.at.xyz.x), std::cos((k - 1) * 2 * pi / 3), 1e-15);
    EXPECT_NEAR(value(base->options.at.xyz.y), std::sin((k - 1) * 2 * pi / 3), 1e-15);
  }
}

TEST(TomlRepeat, braces_of_other_names_stay) {
  const Description given = described(
      "[body.'a{i}b{j}']\nrepeat = 2\n[frame.f]\nbody = 'ground'\n"
      "[coupling.c]\nrepeat = { count = 1, index = 'n' }\nterms = { 'x{n}' = 1, 'x{n-1}' = 2 }\n");
  ASSERT_EQ(given.bodies.size(), 2u);
  EXPECT_EQ(given.bodies[0].name, "a1b{j}");
  EXPECT_EQ(given.bodies[1].name, "a2b{j}");
  EXPECT_EQ(given.couplings[0].name, "c1");
  EXPECT_EQ(given.couplings[0].terms[0].first, "x1");
  EXPECT_EQ(given.couplings[0].terms[1].first, "x0");
}

TEST(TomlRepeat, a_small_file_cannot_ask_for_all_memory) {
  std::string terms;
  for (int k = 0; k < 1100; ++k) terms += "j" + std::to_string(k) + " = 1, ";
  EXPECT_EQ(mistakes("[coupling.c]\nrepeat = 1000\nterms = { " + terms + "j = 1 }\n"),
            "model.toml:2:11: error: the repeated items have more than 1000000 values\n"
            "  hint: repeat fewer, or smaller items\n");
}

TEST(TomlRepeat, what_is_written_reads_as_the_same_model) {
  const Description given = merry_go_round();
  Diagnostics diagnostics;
  const Description again = read_description("again.toml", write_toml(given), {}, diagnostics);
  ASSERT_EQ(told(diagnostics), "");
  const Values<double> value = evaluate_at_nominal(given), same = evaluate_at_nominal(again);
  ASSERT_EQ(again.joints.size(), given.joints.size());
  for (std::size_t k = 0; k < given.joints.size(); ++k) {
    EXPECT_EQ(again.joints[k].name, given.joints[k].name);
    EXPECT_EQ(same(again.joints[k].options.at.xyz.y), value(given.joints[k].options.at.xyz.y));
    EXPECT_EQ(same(again.joints[k].options.at.rpy.z), value(given.joints[k].options.at.rpy.z));
  }
  ASSERT_EQ(again.inputs.size(), 3u);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_EQ(again.inputs[k].profile, given.inputs[k].profile);
    ASSERT_EQ(again.inputs[k].numbers.size(), given.inputs[k].numbers.size());
    for (std::size_t n = 0; n < again.inputs[k].numbers.size(); ++n) {
      EXPECT_EQ(again.inputs[k].numbers[n].first, given.inputs[k].numbers[n].first);
      EXPECT_EQ(same(again.inputs[k].numbers[n].second[0]),
                value(given.inputs[k].numbers[n].second[0]));
    }
  }
}

}  // namespace
}  // namespace trammel::toml_repeat_test
