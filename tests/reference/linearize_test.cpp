// Linearization near an equilibrium: published eigenvalues of closed mechanisms, and results by
// hand.
#include "trammel/analyze/linearize.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "tests/support/motion_of.hpp"
#include "trammel/analyze/equilibrium.hpp"
#include "trammel/model/build/builder.hpp"

namespace trammel::linearize_test {
namespace {

struct Near {
  explicit Near(Model model_) : model(std::move(model_)), workspace(model) {
    const Status status = assembled_start(model, workspace, state);
    EXPECT_TRUE(status.ok()) << status.message();
  }
  explicit Near(const std::string& gallery) : Near(load_model("@" + gallery)) {}

  void settle() {
    const Status status = equilibrium(model, state, {}, workspace);
    EXPECT_TRUE(status.ok()) << status.message();
  }
  Linearization linear() {
    Linearization out;
    const Status status = linearize(model, state, {}, workspace, out);
    EXPECT_TRUE(status.ok()) << status.message();
    return out;
  }
  double q(const std::string& joint) const {
    return state.q[std::size_t(model[*model.find_joint(joint)].q_start)];
  }

  Model model;
  Workspace workspace;
  State state;
};

// Checks that both eigenvalues re +- im are present, within a tolerance.
void expect_pair(const Linearization& found, double re, double im, double tolerance) {
  for (const double side : {1.0, -1.0}) {
    double nearest = 1e9;
    for (const std::complex<double>& value : found.eigenvalues)
      nearest = std::min(nearest, std::abs(value - std::complex<double>(re, side * im)));
    EXPECT_LT(nearest, tolerance) << re << " + " << side * im << " i";
  }
}

TEST(linearize, F7_four_bar_with_a_diagonal_spring) {
  Near bars("f7");
  for (const auto& [joint, turn] : {std::pair("left_foot", 0.15), std::pair("right_foot", 0.15),
                                    std::pair("left_knee", -0.15)})  // away from the equilibrium
    bars.state.q[std::size_t(bars.model[*bars.model.find_joint(joint)].q_start)] += turn;
  bars.settle();
  // angle of the cranks from the ground bar
  EXPECT_NEAR(bars.q("left_foot"), 2.23433101901759, 1e-11);
  const Linearization found = bars.linear();
  ASSERT_EQ(found.A.rows(), 2);
  EXPECT_LT(found.acceleration, 1e-10);
  const double I = 5.0 / 3, C = .80795269770168, K = 7.6875249059474;
  // derivatives are exact at the equilibrium, which is found to 1e-11
  EXPECT_NEAR(found.A(0, 0), 0, 1e-12);
  EXPECT_NEAR(found.A(0, 1), 1, 1e-12);
  EXPECT_NEAR(found.A(1, 0), -K / I, 1e-9);
  EXPECT_NEAR(found.A(1, 1), -C / I, 1e-9);
  expect_pair(found, -.24238580931051, 2.1339550283484, 1e-9);
}

TEST(linearize, ME_3b_hangs_in_the_end) {
  Near chain("me_3b");
  const double pi = std::numbers::pi;
  chain.state.q = {pi / 2 - 0.05, -pi + 0.1, pi / 2, -pi / 2};
  ASSERT_TRUE(assemble(chain.model, chain.state, chain.workspace).ok());
  chain.settle();
  expect_near(chain.state.q, {pi / 2, -pi, pi / 2, -pi / 2}, 1e-9, "where it hangs");
  const Linearization found = chain.linear();
  ASSERT_EQ(found.A.rows(), 4);
  // five decimals are published
  expect_pair(found, -0.25561, 4.94141, 1e-5);
  expect_pair(found, -1.33882, 9.38033, 1e-5);
}

TEST(linearize, E_05_floats_and_sways) {
  Near arms("e_05");
  const Linearization found = arms.linear();
  ASSERT_EQ(found.A.rows(), 12);
  EXPECT_LT(found.acceleration, 1e-12);
  // three rigid motions and one without stiffness, each with its rate: eight zero eigenvalues, in
  // pairs of A that are not diagonalizable; such pairs have errors of the square root of rounding
  int still = 0;
  for (const std::complex<double>& value : found.eigenvalues) still += std::abs(value) < 1e-4;
  EXPECT_EQ(still, 8);
  expect_pair(found, -0.58525, 3.37082, 1e-5);
  expect_pair(found, -1.65527, 5.51049, 1e-5);
  EXPECT_EQ(found.inputs, (std::vector<std::string>{"tau.left2", "tau.right3"}));
}

TEST(linearize, a_pendulum_by_hand) {
  Description description("pendulum");
  description.gravity = {0.0, 0.0, -10.0};
  description.body(
      "rod", {.mass = 2.0, .com = {0.0, 0.0, -0.5}, .inertia = {0.1, 0.0, 0.0, 0.1, 0.0, 0.1}});
  description.joint("pivot", JointKind::revolute, "ground", "rod",
                    {.axis = {0.0, 1.0, 0.0}, .drive = Drive::torque, .damping = {0.3}});
  Near rod(build_model(description));
  rod.state.q[0] = 0.7;
  rod.settle();
  EXPECT_NEAR(rod.state.q[0], 0, 1e-12);
  const Linearization found = rod.linear();
  const double I = 0.1 + 2 * 0.25;
  EXPECT_NEAR(found.A(1, 0), -2 * 10 * 0.5 / I, 1e-10);
  EXPECT_NEAR(found.A(1, 1), -0.3 / I, 1e-10);
  EXPECT_NEAR(found.B(1, 0), 1 / I, 1e-11);
  EXPECT_NEAR(found.C(0, 0), 1, 1e-12);
  EXPECT_EQ(found.states, (std::vector<std::string>{"q.pivot", "v.pivot"}));
  // upright it is unstable: one eigenvalue grows
  rod.state.q[0] = std::numbers::pi - 0.1;
  rod.settle();
  EXPECT_NEAR(rod.state.q[0], std::numbers::pi, 1e-11);
  const Linearization upright = rod.linear();
  EXPECT_GT(std::max(upright.eigenvalues[0].real(), upright.eigenvalues[1].real()), 3.0);
}

TEST(linearize, C_tells_how_the_others_follow) {
  Near bars("f7");
  bars.settle();
  const Linearization found = bars.linear();
  // both cranks of a parallelogram turn alike, and the coupler against them
  ASSERT_EQ(found.C.rows(), 2 * bars.model.nv());
  for (int f = 0; f < bars.model.nv(); ++f)
    EXPECT_NEAR(std::abs(found.C(f, 0)), 1, 1e-10) << bars.model.dof_name(f);
}

TEST(linearize, tells_what_is_wrong) {
  Near bars("four_bar");
  bars.state.q[0] += 0.3;
  Linearization out;
  const Status open = linearize(bars.model, bars.state, {}, bars.workspace, out);
  EXPECT_NE(open.message().find("linearize: "), std::string::npos);
  EXPECT_NE(open.message().find("is violated by"), std::string::npos) << open.message();
  // in free fall nothing rests anywhere
  Description description("falling");
  description.body("stone", {.mass = 1.0, .inertia = {1.0, 0.0, 0.0, 1.0, 0.0, 1.0}});
  description.joint("fall", JointKind::prismatic, "ground", "stone");
  Near stone(build_model(description));
  const Status none = equilibrium(stone.model, stone.state, {}, stone.workspace);
  EXPECT_NE(none.message().find("equilibrium: none is found from here"), std::string::npos)
      << none.message();
}

}  // namespace
}  // namespace trammel::linearize_test
