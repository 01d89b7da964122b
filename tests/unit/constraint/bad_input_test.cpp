// Infeasible input is reported with its name, reason and remedy; there is no least-squares result.
#include <gtest/gtest.h>

#include "trammel/constraint/assembly/assembly.hpp"
#include "trammel/constraint/solver/constrained_dynamics.hpp"
#include "trammel/dynamics/forward_dynamics.hpp"
#include "trammel/dynamics/hybrid_dynamics.hpp"
#include "trammel/model/build/builder.hpp"

namespace trammel::bad_input_test {
namespace {

const Solid heavy{.mass = 1.0, .com = {}, .inertia = {0.1, 0.0, 0.0, 0.1, 0.0, 0.1}};
const Vec3<Expr> y{0.0, 1.0, 0.0};

// Three bars on a ground bar of 0.5 m.
Description four_bar(double crank, double coupler, double rocker) {
  Description description("four-bar");
  for (const char* bar : {"crank", "coupler", "rocker"}) description.body(bar, heavy);
  description.joint("motor", JointKind::revolute, "ground", "crank", {.axis = y});
  description.joint("knee", JointKind::revolute, "crank", "coupler",
                    {.at = {.xyz = {crank, 0.0, 0.0}}, .axis = y});
  description.joint("foot", JointKind::revolute, "ground", "rocker",
                    {.at = {.xyz = {0.5, 0.0, 0.0}}, .axis = y});
  description.joint("wrist", JointKind::revolute, "coupler", "rocker",
                    {.at = {.xyz = {coupler, 0.0, 0.0}},
                     .child_at = {.xyz = {rocker, 0.0, 0.0}},
                     .axis = y,
                     .cut = true});
  return description;
}

// The message of forward dynamics, empty if it succeeds.
std::string complaint(const Model& model, const State& state,
                      const std::vector<double>& plan = {}) {
  Workspace workspace(model);
  std::vector<double> a(std::size_t(model.nv()));
  return std::string(forward_dynamics(model, state, {.a = plan}, workspace, a).message());
}
void expect_words(const std::string& text, std::initializer_list<const char*> words) {
  for (const char* word : words) EXPECT_NE(text.find(word), text.npos) << word << " in: " << text;
}

TEST(BadInput, ALoopThatCannotClose) {
  const Model model = build_model(four_bar(0.1, 0.1, 0.1));
  Workspace workspace(model);
  State state = neutral_state(model);
  state.q = {0.3, 0.4, 2.0};
  const Status status = assemble(model, state, workspace);
  EXPECT_FALSE(status.ok());
  expect_words(std::string(status.message()),
               {"cannot be closed", "loop joint 'wrist' is violated by 0.2", "check the lengths"});
}

TEST(BadInput, TwoPlansInOneLoop) {
  Description description = four_bar(0.2, 0.5, 0.45);
  description.start_positions.push_back({.joint = "motor", .values = {1.0}});
  for (const std::size_t joint : {0, 2}) description.joints[joint].options.drive = Drive::motion;
  const Model model = build_model(description);
  Workspace workspace(model);
  State state;
  ASSERT_TRUE(assembled_start(model, workspace, state).ok());
  EXPECT_EQ(complaint(model, state), "");  // both are at rest
  expect_words(
      complaint(model, state, {1, 0, 1}),
      {"contradicts", "prescribed motion of joint 'motor'", "(1 and 1)", "give motions that agree",
       "inputs.a of joint 'motor'", "inputs.a of joint 'foot'"});

  // the motion that one of them implies for the other is consistent
  description.joints[2].options.drive = Drive::none;
  const Model one = build_model(description);
  Workspace its(one);
  std::vector<double> a(3);
  ASSERT_TRUE(forward_dynamics(one, state, {.a = std::vector<double>{1, 0, 0}}, its, a).ok());
  EXPECT_EQ(complaint(model, state, {1, 0, a[2]}), "");
}

TEST(BadInput, APlanAgainstALockedJointInALoop) {
  Description description = four_bar(0.2, 0.5, 0.45);
  description.start_positions.push_back({.joint = "motor", .values = {1.0}});
  const Model loose = build_model(description);
  Workspace workspace(loose);
  State state;
  ASSERT_TRUE(assembled_start(loose, workspace, state).ok());
  description.joints[0].options.drive = Drive::motion;
  description.joints[2].options.drive = Drive::locked;
  const Model model = build_model(description);
  expect_words(complaint(model, state, {1, 0, 0}),
               {"contradicts", "locked joint 'foot'", "prescribed motion of joint 'motor'",
                "inputs.a of joint 'motor'", "unlock joint 'foot'"});
}

TEST(BadInput, AnAccelerationThatIsAnAnswer) {
  Description description = four_bar(0.2, 0.5, 0.45);
  description.start_positions.push_back({.joint = "motor", .values = {1.0}});
  description.joints[2].options.drive = Drive::motion;
  const Model model = build_model(description);
  Workspace workspace(model);
  State state;
  ASSERT_TRUE(assembled_start(model, workspace, state).ok());
  const char* const words =
      "joint 'motor' is not driven by motion, and its acceleration is an answer: leave its entry "
      "of inputs.a zero";
  EXPECT_EQ(complaint(model, state, {1, 0, 0.3}), std::string("forward_dynamics: ") + words);
  EXPECT_EQ(complaint(model, state, {0, 0, 0.3}), "");
  std::vector<double> plan = {1, 0, 0.3}, a(3), tau(3);
  EXPECT_EQ(hybrid_dynamics(model, state, {.a = plan}, workspace, a, tau).message(),
            std::string("hybrid_dynamics: ") + words);
  // and without a loop
  std::erase_if(description.joints,
                [](const JointDescription& joint) { return joint.name == "wrist"; });
  const Model tree = build_model(description);
  EXPECT_EQ(complaint(tree, state, {1, 0, 0.3}), std::string("forward_dynamics: ") + words);
  description.joints[0].options.drive = Drive::locked;
  EXPECT_EQ(complaint(build_model(description), state, {1, 0, 0.3}),
            "forward_dynamics: joint 'motor' is locked and does not accelerate: leave its entry of "
            "inputs.a zero");
}

// A redundantly closed loop does not contradict itself; only prescribed motions do.
TEST(BadInput, AContradictionNamesNobodyTwice) {
  Description description = four_bar(0.2, 0.5, 0.45);
  description.start_positions.push_back({.joint = "motor", .values = {1.0}});
  const Model loose = build_model(description);
  Workspace workspace(loose);
  State state;
  ASSERT_TRUE(assembled_start(loose, workspace, state).ok());
  for (const Drive other : {Drive::motion, Drive::locked}) {
    description.joints[0].options.drive = Drive::motion;
    description.joints[2].options.drive = other;
    const std::string words = complaint(build_model(description), state, {1, 0, 0});
    const std::size_t first = words.find("loop joint 'wrist'");
    if (first != words.npos) {
      EXPECT_EQ(words.find("loop joint 'wrist'", first + 1), words.npos) << words;
    }
    expect_words(words,
                 {other == Drive::locked ? "unlock joint 'foot'" : "give motions that agree"});
  }
}

// The rocker is locked at 0, out of the reach of the crank.
TEST(BadInput, ALockInTheWayOfClosing) {
  Description description = four_bar(0.2, 0.5, 0.45);
  description.start_positions.push_back({.joint = "motor", .values = {1.0}});
  description.joints[0].options.drive = Drive::motion;
  description.joints[2].options.drive = Drive::locked;
  const Model model = build_model(description);
  Workspace workspace(model);
  State state;
  expect_words(std::string(assembled_start(model, workspace, state).message()),
               {"cannot be closed", "It closes without locked joint 'foot'", "joint 'motor'",
                "or place joints elsewhere"});
}

TEST(BadInput, ACouplingInTheWayOfClosing) {
  Description description = four_bar(0.2, 0.5, 0.45);
  description.start_positions.push_back({.joint = "motor", .values = {1.0}});
  description.couplings.push_back(
      {.name = "gear", .terms = {{"motor", 1.0}, {"foot", -3.0}}, .offset = 2.0});
  const Model model = build_model(description);
  Workspace workspace(model);
  State state;
  expect_words(std::string(assembled_start(model, workspace, state).message()),
               {"cannot be closed", "without coupling 'gear'"});
  // the violation of a sum of angles is an angle
  state = neutral_state(model);
  state.q = {5.0, 0.0, 0.0};
  expect_words(complaint(model, state), {"coupling 'gear' is violated by 0 m and 3 rad"});
}

// A wheel that lies on its side has no rolling direction.
TEST(BadInput, AWheelThatLiesFlat) {
  Description description("disk");
  description.body("disk", heavy);
  description.joint("float", JointKind::free, "ground", "disk", {});
  description.wheels.push_back(
      {.name = "rim", .body = "disk", .axis = {0.0, 0.0, 1.0}, .radius = 0.1});
  const Model model = build_model(description);
  Workspace workspace(model);
  State state = neutral_state(model);
  state.q[6] = 0.1;
  EXPECT_EQ(assemble(model, state, workspace).message(),
            "assemble: wheel 'rim' lies flat on its floor and cannot roll: raise it");
}

TEST(BadInput, ADofThatNothingDetermines) {
  Description description = four_bar(0.2, 0.5, 0.45);
  description.start_positions.push_back({.joint = "motor", .values = {1.0}});
  description.body("flag", {});
  description.joint("pole", JointKind::revolute, "crank", "flag", {.axis = y});
  const Model model = build_model(description);
  Workspace workspace(model);
  State state;
  ASSERT_TRUE(assembled_start(model, workspace, state).ok());
  expect_words(complaint(model, state), {"no inertia", "joint 'pole' moves", "give a body"});
}

// Stretched flat, a parallelogram may continue as one, or fold.
TEST(BadInput, ASingularStart) {
  const Model model = build_model(four_bar(0.3, 0.5, 0.3));
  State state = neutral_state(model);
  const auto along = [&](double motor, double foot) {
    // 0.8 motor + 0.5 knee = 0.3 foot satisfies the loop to first order
    state.v = {motor, (0.3 * foot - 0.8 * motor) / 0.5, foot};
    return complaint(model, state);
  };
  EXPECT_EQ(along(0, 0), "");
  EXPECT_EQ(along(1, 1), "");  // as a parallelogram
  expect_words(along(1, 3), {"loop joint 'wrist'", "the pose is singular", "none of its branches"});
}

}  // namespace
}  // namespace trammel::bad_input_test
