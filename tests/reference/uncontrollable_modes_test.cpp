// Uncontrollable modes: vehicles at rest and moving, a bicycle, fixed and floating arms.
#include "trammel/analyze/uncontrollable_modes.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "trammel/analyze/equilibrium.hpp"
#include "trammel/analyze/linearize.hpp"
#include "trammel/constraint/assembly/assembly.hpp"
#include "trammel/constraint/assembly/projection.hpp"
#include "trammel/model/build/builder.hpp"
#include "trammel/read/load.hpp"

namespace trammel::uncontrollable_modes_test {
namespace {

using Verdict = UncontrollableMode::Verdict;

struct Near {
  explicit Near(Model model_) : model(std::move(model_)), workspace(model) {
    const Status status = assembled_start(model, workspace, state);
    EXPECT_TRUE(status.ok()) << status.message();
  }
  explicit Near(const std::string& gallery) : Near(load_model("@" + gallery)) {}

  Near& stop() {
    std::ranges::fill(state.v, 0.0);
    return *this;
  }
  Linearization linear() {
    Linearization out;
    const Status status = linearize(model, state, {}, workspace, out);
    EXPECT_TRUE(status.ok()) << status.message();
    return out;
  }
  // Velocities that the wheels allow, as rates of the position states.
  Eigen::VectorXd some_rates(const Linearization& near, int seed) {
    State moving = state;
    for (std::size_t k = 0; k < moving.v.size(); ++k)
      moving.v[k] = std::sin(1.0 + double(k) * 1.7 + double(seed) * 2.9);
    EXPECT_TRUE(project_velocity(model, moving, workspace).ok());
    Eigen::VectorXd rates = Eigen::VectorXd::Zero(Eigen::Index(near.states.size()));
    for (std::size_t k = 0; k < near.states.size(); ++k)
      for (int f = 0; f < model.nv(); ++f)
        if (near.states[k] == "q." + model.dof_name(f))
          rates[Eigen::Index(k)] = moving.v[std::size_t(f)];
    return rates;
  }

  Model model;
  Workspace workspace;
  State state;
};

// The model with an effort on one joint only.
Model driven_by(const std::string& gallery, const std::string& joint, double speed) {
  Description description = load_model("@" + gallery, {.set = {{"speed", speed}}}).description();
  for (JointDescription& each : description.joints)
    each.options.drive = each.name == joint ? Drive::torque : Drive::none;
  return build_model(description);
}

Eigen::Index count(const Linearization& near, Verdict verdict) {
  return std::ranges::count(near.uncontrollable_modes, verdict, &UncontrollableMode::verdict);
}

// w^T A = eigenvalue w^T and w^T B = 0, checked directly.
void expect_uncontrollable(const Linearization& near) {
  for (const UncontrollableMode& mode : near.uncontrollable_modes) {
    const Eigen::RowVectorXcd w = mode.of.transpose();
    const double size = 1 + near.A.cwiseAbs().maxCoeff();
    EXPECT_LT((w * near.A.cast<std::complex<double>>() - mode.eigenvalue * w).norm(), 1e-6 * size)
        << mode.name;
    EXPECT_LT((w * near.B.cast<std::complex<double>>()).norm(),
              1e-6 * (1 + near.B.cwiseAbs().maxCoeff()))
        << mode.name;
  }
}

}  // namespace

// Five positions, two velocities: at rest the three directions that the wheels forbid. Under way
// the heading moves it sideways, and only the angles of the wheels remain uncontrollable.
TEST(Uncontrollable, a_vehicle_on_two_wheels) {
  for (const char* name : {"s_t01", "e_07"}) {
    Near cart(name);
    const Linearization near = cart.stop().linear();
    expect_uncontrollable(near);
    const auto is_position = [](const std::string& s) { return s.starts_with("q."); };
    const Eigen::Index positions = std::ranges::count_if(near.states, is_position);
    const Eigen::Index velocities = Eigen::Index(near.states.size()) - positions;
    ASSERT_GT(positions, velocities) << name;
    EXPECT_EQ(count(near, Verdict::forbidden), positions - velocities) << name;
    // the rod of E-07 pitches about its own center: torques between it and the wheels do not change
    // the angular momentum about the line of contacts
    EXPECT_EQ(count(near, Verdict::stays), name == std::string("e_07") ? 1 : 0);
    EXPECT_EQ(count(near, Verdict::grows) + count(near, Verdict::decays), 0);
    // no velocity that the wheels allow is in that direction
    for (const UncontrollableMode& mode : near.uncontrollable_modes)
      for (int seed = 0; seed < 5 && mode.verdict == Verdict::forbidden; ++seed)
        EXPECT_LT(std::abs((mode.of.transpose() * cart.some_rates(near, seed)).value()), 1e-9)
            << mode.name;
  }
  Near axle("s_t01");
  const Linearization at_rest = axle.stop().linear();
  // x of the axle is along it: sideways
  EXPECT_TRUE(std::ranges::any_of(at_rest.uncontrollable_modes, [](const UncontrollableMode& mode) {
    return mode.name == "q.base.x" && mode.verdict == Verdict::forbidden;
  }));
  EXPECT_NE(to_string(Verdict::forbidden).find("cannot be stabilized by smooth feedback"),
            std::string::npos);

  Near rolling("s_t01");  // starts with 0.475 m/s
  const Linearization under_way = rolling.linear();
  expect_uncontrollable(under_way);
  EXPECT_EQ(count(under_way, Verdict::forbidden), 0);
  EXPECT_EQ(under_way.uncontrollable_modes.size(), 2u);
  for (const UncontrollableMode& mode : under_way.uncontrollable_modes)
    EXPECT_EQ(mode.name.find("base.x"), std::string::npos) << mode.name;
}

// At 2 m/s it weaves, as published; an effort on the rear wheel does not control the weave mode,
// one on the handlebar does [Meijaard, Papadopoulos, Ruina, Schwab 2007, table 2].
TEST(Uncontrollable, a_bicycle_is_controllable_by_its_handlebar) {
  const std::complex<double> weave(2.68234517512745, 1.68066296590675);
  Near by_steering(driven_by("y_73", "steer", 2.0));
  const Linearization steered = by_steering.linear();
  expect_uncontrollable(steered);
  EXPECT_EQ(count(steered, Verdict::grows), 0);
  Near by_pedalling(driven_by("y_73", "hub", 2.0));
  const Linearization pedalled = by_pedalling.linear();
  expect_uncontrollable(pedalled);
  ASSERT_EQ(count(pedalled, Verdict::grows), 1);
  for (const UncontrollableMode& mode : pedalled.uncontrollable_modes)
    if (mode.verdict == Verdict::grows) { EXPECT_LT(std::abs(mode.eigenvalue - weave), 1e-8); }
  EXPECT_EQ(count(pedalled, Verdict::decays), 2);  // capsize and castering, stable at this speed
}

// With every joint of an arm driven all modes are controllable; a floating arm conserves its
// momentum, two components in its plane and one about its normal.
TEST(Uncontrollable, arms) {
  Near arm("seven_axis_arm");
  EXPECT_TRUE(arm.linear().uncontrollable_modes.empty());
  Near floats("e_05");
  const Linearization near = floats.stop().linear();
  expect_uncontrollable(near);
  EXPECT_EQ(count(near, Verdict::forbidden), 0);
  EXPECT_EQ(near.uncontrollable_modes.size(), 3u);
}

}  // namespace trammel::uncontrollable_modes_test
