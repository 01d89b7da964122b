// Coordinates of loop joints, which follow from the tree: whole turns of prescribed and screw
// joints, accelerations of a coupled loop joint.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "trammel/trammel.hpp"

namespace trammel::loop_coordinates_test {
namespace {

constexpr double turn = 2 * std::numbers::pi;

// A body that flies in the tree, on a loop joint about z whose motion is prescribed.
Model prescribed(JointKind kind) {
  Description description("prescribed loop joint");
  description.body("disk", box(1.0, {0.3, 0.2, 0.1}));
  description.joint("fly", JointKind::free, "ground", "disk");
  description.joint("loop", kind, "ground", "disk", {.drive = Drive::motion, .cut = true});
  return build_model(description);
}
// The body turned by an angle about z and moved along z.
State placed(const Model& model, double angle, double slide) {
  State state = neutral_state(model);
  const std::vector<double> from = state.q;
  std::vector<double> way(6, 0.0);  // omega, then v
  way[2] = angle;
  way[5] = slide;
  integrate(model, from, way, state.q);
  return state;
}
double height(const Model& model, const State& state) {
  std::vector<double> way(6);
  const State neutral = neutral_state(model);
  difference(model, neutral.q, state.q, way);
  return way[5];
}

TEST(LoopCoordinates, whole_turns_of_a_prescribed_angle_do_not_count) {
  const Model model = prescribed(JointKind::revolute);
  Workspace workspace(model);
  for (const double target : {2.5, 2.5 + turn, 2.5 - 3 * turn}) {
    State state = placed(model, 2.5, 0);
    const std::vector<double> before = state.q;
    const double q[] = {target}, v[] = {0.0};
    const Status status = project_position(model, state, workspace, nullptr, {q, v});
    ASSERT_TRUE(status.ok()) << status.message();
    for (std::size_t k = 0; k < before.size(); ++k) EXPECT_NEAR(state.q[k], before[k], 1e-9);
  }
}

TEST(LoopCoordinates, prescribed_loop_joint_goes_to_its_position) {
  const Model model = prescribed(JointKind::cylindrical);
  Workspace workspace(model);
  const double v[] = {0.0, 0.0};
  for (const double angle : {0.01, 0.4, 2.0})
    for (const double slide : {0.05, 2.0}) {
      State state = placed(model, 0.5, 0.1);
      const double q[] = {0.5 + angle, 0.1 + slide};
      const Status status = project_position(model, state, workspace, nullptr, {q, v});
      ASSERT_TRUE(status.ok()) << status.message();
      const State goal = placed(model, 0.5 + angle, 0.1 + slide);
      for (std::size_t k = 0; k < goal.q.size(); ++k) EXPECT_NEAR(state.q[k], goal.q[k], 1e-9);
    }
}

TEST(LoopCoordinates, the_turn_of_a_cylindrical_joint_comes_round_its_slide_does_not) {
  const Model model = prescribed(JointKind::cylindrical);
  Workspace workspace(model);
  const double v[] = {0.0, 0.0};
  State state = placed(model, 2.5, 0.1);
  const std::vector<double> before = state.q;
  const double turned[] = {2.5 + turn, 0.1};
  Status status = project_position(model, state, workspace, nullptr, {turned, v});
  ASSERT_TRUE(status.ok()) << status.message();
  for (std::size_t k = 0; k < before.size(); ++k) EXPECT_NEAR(state.q[k], before[k], 1e-9);

  const double moved[] = {2.5, 0.1 + turn};
  status = project_position(model, state, workspace, nullptr, {moved, v});
  ASSERT_TRUE(status.ok()) << status.message();
  EXPECT_NEAR(height(model, state), 0.1 + turn, 1e-9);
}

TEST(LoopCoordinates, whole_turns_of_a_screw_follow_from_its_slide) {
  Description description("nut");
  description.body("nut", box(1.0, {0.1, 0.1, 0.1}));
  description.joint("sleeve", JointKind::cylindrical, "ground", "nut");
  description.joint("thread", JointKind::screw, "ground", "nut", {.pitch = 0.01, .cut = true});
  const Model model = build_model(description);
  Workspace workspace(model);
  for (const double angle : {0.5, 20.0, -47.0}) {
    State state = neutral_state(model);
    state.q = {angle, 0.01 * angle};
    LoopMotion motion;
    const Status status = loop_motion(model, state, workspace, motion);
    ASSERT_TRUE(status.ok()) << status.message();
    EXPECT_NEAR(motion.q[0], angle, 1e-9);
  }
}

// A disk on an axle, and a second hinge on the same axis: a loop joint with a spring or with limits
// beyond half a turn. The disk at -3.1 rad is at 2 pi - 3.1 = 3.183 rad, too.
Model coaxial(const JointOptions& loop) {
  Description description("coaxial hinges");
  description.body("disk", Solid{2.0, {}, {0.1, 0.0, 0.0, 0.1, 0.0, 0.1}});
  description.joint("axle", JointKind::revolute, "ground", "disk");
  description.joint("loop", JointKind::revolute, "ground", "disk", loop);
  return build_model(description);
}

TEST(LoopCoordinates, angle_of_a_loop_joint_is_the_one_nearest_to_the_rest_of_its_spring) {
  const Model model = coaxial({.cut = true, .stiffness = {5.0}, .rest = {3.0}});
  Workspace workspace(model);
  State state = neutral_state(model);
  state.q = {-3.1};
  const double deflection = turn - 3.1 - 3.0;
  Energy out;
  Status status = energy(model, state, workspace, out);
  ASSERT_TRUE(status.ok()) << status.message();
  EXPECT_NEAR(out.elastic, 0.5 * 5 * deflection * deflection, 1e-12);
  double a[1];
  status = forward_dynamics(model, state, {}, workspace, a);
  ASSERT_TRUE(status.ok()) << status.message();
  EXPECT_NEAR(a[0], -5 * deflection / 0.1, 1e-9);
}

TEST(LoopCoordinates, whole_turns_do_not_count_against_two_limits) {
  const Model model = coaxial({.cut = true, .limits = {.lower = {2.9}, .upper = {3.3}}});
  Workspace workspace(model);
  for (const auto& [angle, is_inside] : {std::pair{-3.1, true}, {3.1, true}, {-2.5, false}}) {
    State state = neutral_state(model);
    state.q = {angle};
    LoopMotion motion;
    ASSERT_TRUE(loop_motion(model, state, workspace, motion).ok());
    EXPECT_EQ(check_loop_limits(model, motion).list().empty(), is_inside) << angle;
  }
}

// Whitworth's quick-return linkage: a block on the crank slides along a rocker, and the slide, a
// loop joint, turns a rotor by rack and pinion. The rotor's acceleration is twenty times the
// derivative of the slide's velocity along the motion.
TEST(LoopCoordinates, coupled_loop_joint_accelerates_its_rotor) {
  Description description("quick return with a rack");
  description.body("crank", box(1.0, {0.1, 0.02, 0.02}, {0.05, 0.0, 0.0}));
  description.body("block", box(0.2, {0.02, 0.02, 0.02}));
  description.body("rocker", box(1.5, {0.4, 0.02, 0.02}, {0.2, 0.0, 0.0}));
  description.body("rotor", box(0.5, {0.1, 0.1, 0.02}));
  description.joint("main", JointKind::revolute, "ground", "crank");
  description.joint("pin", JointKind::revolute, "crank", "block", {.at = {{0.1, 0.0, 0.0}, {}}});
  description.joint("pivot", JointKind::revolute, "ground", "rocker",
                    {.at = {{-0.2, 0.0, 0.0}, {}}});
  description.joint("loop", JointKind::prismatic, "rocker", "block",
                    {.axis = {1.0, 0.0, 0.0}, .cut = true});
  description.joint("shaft", JointKind::revolute, "ground", "rotor", {.at = {{0.0, 0.0, 0.1}, {}}});
  description.couplings.push_back({.name = "rack", .terms = {{"shaft", 1.0}, {"loop", -20.0}}});
  const Model model = build_model(description);
  Workspace workspace(model);
  State state = neutral_state(model);
  state.q[std::size_t(model[*model.find_joint("main")].q_start)] = 1.0;
  Status status = assemble(model, state, workspace);
  ASSERT_TRUE(status.ok()) << status.message();
  state.v.assign(std::size_t(model.nv()), 0.0);
  state.v[std::size_t(model[*model.find_joint("main")].v_start)] = 3.0;
  ASSERT_TRUE(project_velocity(model, state, workspace).ok());

  for (const ConstraintSolver solver :
       {ConstraintSolver::automatic, ConstraintSolver::null_space, ConstraintSolver::kkt}) {
    ConstrainedAnswer answer;
    status = constrained_dynamics(model, state, {}, workspace, answer, solver);
    ASSERT_TRUE(status.ok()) << status.message();
    const double h = 1e-4;
    const auto loop_velocity = [&](double time) {
      State then = state;
      std::vector<double> way(state.v.size());
      for (std::size_t k = 0; k < way.size(); ++k) {
        const double a = answer.a[Eigen::Index(k)];
        way[k] = time * state.v[k] + time * time / 2 * a;
        then.v[k] = state.v[k] + time * a;
      }
      integrate(model, state.q, way, then.q);
      LoopMotion motion;
      const Status found = loop_motion(model, then, workspace, motion);
      EXPECT_TRUE(found.ok()) << found.message();
      return found.ok() ? motion.v[0] : std::numeric_limits<double>::quiet_NaN();
    };
    const double rotor = answer.a[model[*model.find_joint("shaft")].v_start];
    const double rate = (loop_velocity(h) - loop_velocity(-h)) / (2 * h);
    EXPECT_GT(std::abs(rotor), 0.1);
    // a central difference: h^2 times a third derivative of some 1e3
    EXPECT_NEAR(rotor, 20 * rate, 1e-4 * std::abs(rotor)) << int(solver);
  }
}

}  // namespace
}  // namespace trammel::loop_coordinates_test
