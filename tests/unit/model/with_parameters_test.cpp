#include "trammel/model/build/with_parameters.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "trammel/model/description/solids.hpp"

namespace trammel {
namespace {

Description rod_of(double length) {
  Description description("rod");
  const Expr l = description.parameter("length", length);
  const Expr m = description.parameter("mass", 1.2);
  description.definitions.push_back({"half", l / 2});
  description.gravity = {0.0, 0.0, -9.81 * m};  // a formula, so that it can be overridden
  description.body("rod", thin_rod(m, l, {l / 2, 0.0, 0.0}));
  description.joint("pivot", JointKind::revolute, "ground", "rod", {.axis = {0.0, 1.0, 0.0}});
  return description;
}

TEST(WithParameters, AreTheModelThatIsBuiltWithTheseValues) {
  const Model longer = with_parameters(build_model(rod_of(0.8)), {{"length", 1.7}});
  const Model built = build_model(rod_of(1.7));
  EXPECT_EQ(longer.parameters()[0].value, 1.7);
  EXPECT_EQ(longer.parameters()[1].value, 1.2);
  const BodyId rod = *longer.find_body("rod");
  EXPECT_EQ(longer.inertia(rod).mass, built.inertia(rod).mass);
  EXPECT_EQ(longer.inertia(rod).first_moment.x, built.inertia(rod).first_moment.x);
  EXPECT_EQ(longer.inertia(rod).rotational.zz, built.inertia(rod).rotational.zz);
  EXPECT_EQ(with_parameters(longer, {{"mass", 2.0}}).gravity().z, -2.0 * 9.81);
}

TEST(WithParameters, LeaveAnotherGravityAsItIs) {
  const Model moon = build_model(rod_of(0.8)).with_gravity({0, 0, -1.62});
  EXPECT_EQ(with_parameters(moon, {{"mass", 2.0}}).gravity().z, -1.62);
}

void expect_refused(const std::string& name, double value, const std::string& message) {
  const Model model = build_model(rod_of(0.8));
  try {
    (void)with_parameters(model, {{name, value}});
    FAIL() << "accepted " << name;
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find(message), std::string::npos) << error.what();
  }
}

TEST(WithParameters, RefuseWhatIsNoParameterByName) {
  expect_refused("lenght", 1, "the model 'rod' has no parameter 'lenght'; did you mean 'length'?");
  expect_refused("zzzzzz", 1, "its parameters are length, mass");
  expect_refused("half", 1, "'half' is a formula of other parameters");
  expect_refused("mass", std::nan(""), "'mass' is nan: give it a finite number, in SI units");
  EXPECT_THROW((void)with_parameters(build_model(rod_of(0.8)), {{"mass", -1.0}}), ModelError);
}

}  // namespace
}  // namespace trammel
