// Inverse kinematics: targets are met exactly, limits respected, redundant degrees of freedom
// changed least, through loops too; unreachable targets are reported.
#include "trammel/constraint/assembly/inverse_kinematics.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "tests/reference/posed.hpp"
#include "tests/support/capability.hpp"
#include "trammel/constraint/equations/loop_motion.hpp"
#include "trammel/read/load.hpp"
#include "trammel/spatial/rotation.hpp"

namespace trammel::inverse_kinematics_test {
namespace {

constexpr double pi = std::numbers::pi;

struct FromGallery {
  explicit FromGallery(const std::string& name)
      : model(load_model("@" + name)), workspace(model), state(start_state(model)) {}
  Pose<double> X(const std::string& place) {
    Kinematics moving(model);
    EXPECT_TRUE(kinematics(model, state, {}, workspace, moving).ok());
    return pose(model, moving, frame_ref(model, place));
  }
  Eigen::MatrixXd J(const std::string& place) {
    Kinematics moving(model);
    EXPECT_TRUE(kinematics(model, state, {}, workspace, moving).ok());
    Eigen::MatrixXd out(6, model.nv());
    EXPECT_TRUE(jacobian(model, moving, frame_ref(model, place), Axes::world, out).ok());
    return out;
  }
  Target target(const std::string& place, const Pose<double>& X_WA) const {
    return {frame_ref(model, place), X_WA.p, X_WA.R};
  }
  Model model;
  Workspace workspace;
  State state;
};
void expect_there(const Pose<double>& is, const Pose<double>& wanted) {
  EXPECT_LT(norm(is.p - wanted.p), 1e-11);
  EXPECT_LT(norm(logarithm(quaternion(transpose(wanted.R) * is.R))), 1e-11);
}

TEST(reach, tap_is_reached_as_published) {
  shows({"M-37", "inverse_kinematics", "assembly_branches"});
  FromGallery arm("me_2b");
  // x axis of the gripper down; its y axis after the quarter turn clockwise of [van der Merwe 1995]
  const double x = std::sqrt(0.5 * 0.5 - 0.15 * 0.15), waist = std::atan2(-x, -0.15);
  const Mat3<double> upright{
      {0, -1, 0}, {std::sin(waist), 0, std::cos(waist)}, {-std::cos(waist), 0, std::sin(waist)}};
  const Target tap{frame_ref(arm.model, "tip"), Vec3<double>{0, 0, 0.5}, upright};
  std::vector<Branch> found;
  // all solutions: the arm in front or behind, the boom extended or through itself
  const Status status =
      assembly_branches(arm.model, arm.state, arm.workspace, {.targets = {tap}}, found);
  ASSERT_TRUE(status.ok()) << status.message();
  const double lift = std::atan2(-0.25, x);
  const std::vector<double> seed = {waist, lift, std::hypot(x, 0.25), -pi / 2 - lift, pi / 2};
  const bool is_found = std::ranges::any_of(found, [&](const Branch& branch) {
    double off = std::abs(branch.state.q[2] - seed[2]);
    for (const std::size_t k : {0u, 1u, 3u, 4u})
      off += std::abs(std::remainder(branch.state.q[k] - seed[k], 2 * pi));
    return off < 1e-9;
  });
  EXPECT_TRUE(is_found);
  // and from a guess on the path to it
  arm.state.q = {-1.5, -0.2, 0.7, -0.8, 1.2};
  ASSERT_TRUE(inverse_kinematics(arm.model, arm.state, {{tap}}, arm.workspace).ok());
  for (std::size_t k = 0; k < 5; ++k) EXPECT_NEAR(arm.state.q[k], seed[k], 1e-9) << k;
  expect_there(arm.X("tip"), {upright, {0, 0, 0.5}});
}

// Six axes, the last three through one point: three times two choices [Pieper 1968].
TEST(reach, puma_has_eight_ways) {
  FromGallery puma("puma_560");
  puma.state.q = {0.3, 0.6, -2.4, 0.4, 0.7, -0.5};
  const Pose<double> wanted = puma.X("link6");
  std::vector<Branch> found;
  ASSERT_TRUE(assembly_branches(puma.model, puma.state, puma.workspace,
                                {.targets = {puma.target("link6", wanted)}, .starts = 300}, found)
                  .ok());
  EXPECT_EQ(found.size(), 8u);
  for (const Branch& branch : found) {
    puma.state = branch.state;
    expect_there(puma.X("link6"), wanted);
  }
  const std::vector<double> start = {0.3, 0.6, -2.4, 0.4, 0.7, -0.5};
  for (std::size_t k = 0; k < 6; ++k) EXPECT_NEAR(found[0].state.q[k], start[k], 1e-9);
}

// Smallest change: the remaining difference is orthogonal to every self-motion.
TEST(reach, spare_axis_moves_as_little_as_can_be) {
  FromGallery arm("seven_axis_arm");
  const std::vector<double> guess = {0.1, 0.5, 0.2, -1.0, 0.3, 0.8, 0.1};
  arm.state.q = guess;
  Pose<double> wanted = arm.X("tool");
  wanted.p = wanted.p + Vec3<double>{0.1, -0.15, 0.05};
  wanted.R = wanted.R * exponential_rotation(Vec3<double>{0.2, -0.3, 0.1});
  const std::vector<Target> targets = {arm.target("tool", wanted)};
  ASSERT_TRUE(inverse_kinematics(arm.model, arm.state, targets, arm.workspace).ok());
  expect_there(arm.X("tool"), wanted);
  Eigen::VectorXd change(7);
  for (std::size_t k = 0; k < 7; ++k) change[Eigen::Index(k)] = arm.state.q[k] - guess[k];
  const Eigen::MatrixXd J = arm.J("tool");
  const Eigen::VectorXd self_motion = J.fullPivLu().kernel().col(0).normalized();
  EXPECT_NEAR(self_motion.dot(change), 0, 1e-8);
  EXPECT_GT(change.norm(), 0.1);

  // position only, without orientation: a smaller change suffices
  const std::vector<Target> place = {{frame_ref(arm.model, "tool"), wanted.p}};
  arm.state.q = guess;
  ASSERT_TRUE(inverse_kinematics(arm.model, arm.state, place, arm.workspace).ok());
  EXPECT_LT(norm(arm.X("tool").p - wanted.p), 1e-11);
  Eigen::VectorXd less(7);
  for (std::size_t k = 0; k < 7; ++k) less[Eigen::Index(k)] = arm.state.q[k] - guess[k];
  EXPECT_LT(less.norm(), change.norm());
  EXPECT_LT((arm.J("tool").bottomRows(3).fullPivLu().kernel().transpose() * less).norm(), 1e-8);

  const std::vector<Target> turn = {{frame_ref(arm.model, "tool"), {}, wanted.R}};
  arm.state.q = guess;
  ASSERT_TRUE(inverse_kinematics(arm.model, arm.state, turn, arm.workspace).ok());
  EXPECT_LT(norm(logarithm(quaternion(transpose(wanted.R) * arm.X("tool").R))), 1e-11);
}

TEST(reach, limits_are_satisfied_and_other_joints_compensate) {
  // three planar links, the first with narrow limits
  Description description("three links");
  for (const char* name : {"1", "2", "3"}) description.body(name, {});
  const Vec3<Expr> z{0.0, 0.0, 1.0};
  description.joint("a", JointKind::revolute, "ground", "1",
                    {.axis = z, .limits = {.lower = {-0.1}, .upper = {0.1}}});
  description.joint("b", JointKind::revolute, "1", "2",
                    {.at = {.xyz = {0.5, 0.0, 0.0}}, .axis = z});
  description.joint("c", JointKind::revolute, "2", "3",
                    {.at = {.xyz = {0.5, 0.0, 0.0}}, .axis = z});
  description.frame("tip", "3", {.xyz = {0.4, 0.0, 0.0}});
  Posed posed(description, {0.0, 0.3, 0.3});
  const std::vector<Target> up = {{frame_ref(posed.model, "tip"), Vec3<double>{0.6, 0.9, 0}}};
  ASSERT_TRUE(inverse_kinematics(posed.model, posed.state, up, posed.workspace).ok());
  EXPECT_LT(norm(posed.X("tip").p - Vec3<double>{0.6, 0.9, 0}), 1e-11);
  EXPECT_DOUBLE_EQ(posed.state.q[0], 0.1);  // it would go further
  const std::vector<double> limited = posed.state.q;
  posed.state.q = {0.0, 0.3, 0.3};
  ASSERT_TRUE(
      inverse_kinematics(posed.model, posed.state, up, posed.workspace, {.within_limits = false})
          .ok());
  EXPECT_GT(posed.state.q[0], 0.14);
  // with the first joint at its limit, the two others are just sufficient: a closed form
  const Eigen::Vector2d elbow(0.5 * std::cos(0.1), 0.5 * std::sin(0.1));
  const Eigen::Vector2d rest = Eigen::Vector2d(0.6, 0.9) - elbow;
  const double bend = std::acos((rest.squaredNorm() - 0.5 * 0.5 - 0.4 * 0.4) / (2 * 0.5 * 0.4));
  EXPECT_NEAR(limited[2], bend, 1e-9);
}

// Three planar links: an out-of-plane component is missed completely. For velocities and
// accelerations of 1, rounded digits (1e-10) are no miss; 1e-6 is.
TEST(reach, a_motion_missed_by_a_millionth_is_refused) {
  Description description("three links");
  for (const char* name : {"1", "2", "3"}) description.body(name, {.mass = 1.0});
  const Vec3<Expr> z{0.0, 0.0, 1.0};
  description.joint("a", JointKind::revolute, "ground", "1", {.axis = z});
  description.joint("b", JointKind::revolute, "1", "2",
                    {.at = {.xyz = {0.5, 0.0, 0.0}}, .axis = z});
  description.joint("c", JointKind::revolute, "2", "3",
                    {.at = {.xyz = {0.5, 0.0, 0.0}}, .axis = z});
  description.frame("tip", "3", {.xyz = {0.4, 0.0, 0.0}});
  Posed posed(description, {0.2, 0.7, 0.5});
  const auto message = [&](double across, bool is_velocity) {
    const std::vector<MotionTarget> target = {
        {.place = frame_ref(posed.model, "tip"), .linear = Vec3<double>{0.6, 0.8, across}}};
    std::vector<double> out(3);
    const Status status =
        is_velocity
            ? inverse_kinematics_velocity(posed.model, posed.state, target, posed.workspace, out)
            : inverse_kinematics_acceleration(posed.model, posed.state, target, {}, posed.workspace,
                                              out);
    return status.message();
  };
  EXPECT_EQ(message(1e-10, true), "");
  EXPECT_EQ(message(1e-10, false), "");
  EXPECT_NE(message(1e-6, true).find("its linear motion by 1e-06 m/s:"), std::string::npos);
  EXPECT_NE(message(1e-6, false).find("its linear motion by 1e-06 m/s^2:"), std::string::npos);
}

TEST(reach, unreachable_targets_are_reported) {
  FromGallery arm("seven_axis_arm");
  const std::vector<Target> far = {{frame_ref(arm.model, "tool"), Vec3<double>{5, 0, 0}}};
  const std::string words = inverse_kinematics(arm.model, arm.state, far, arm.workspace).message();
  EXPECT_TRUE(
      words.starts_with("inverse_kinematics: this cannot be closed from here: frame 'tool' stays "))
      << words;
  EXPECT_NE(words.find("bring the target nearer"), words.npos) << words;
  EXPECT_THROW((void)inverse_kinematics(arm.model, arm.state,
                                        {{Target{frame_ref(arm.model, "tool")}}}, arm.workspace),
               std::invalid_argument);
}

// A coupler curve of a four-bar: the loop stays closed while the pen moves to its target.
TEST(reach, goes_through_loops) {
  FromGallery four_bar("four_bar");
  ASSERT_TRUE(assembled_start(four_bar.model, four_bar.workspace, four_bar.state).ok());
  const FrameRef pen{*four_bar.model.find_body("coupler"),
                     {Mat3<double>::identity(), {0.25, 0, 0.1}}};
  // position of the pen at a motor angle of 1.3
  State there = four_bar.state;
  there.q[0] = 1.3;
  AssemblyOptions keep{.keep = {*four_bar.model.find_joint("motor")}};
  ASSERT_TRUE(assemble(four_bar.model, there, four_bar.workspace, keep).ok());
  Kinematics moving(four_bar.model);
  ASSERT_TRUE(kinematics(four_bar.model, there, {}, four_bar.workspace, moving).ok());
  const Vec3<double> wanted = pose(four_bar.model, moving, pen).p;
  const std::vector<Target> targets = {{pen, wanted}};
  const Status status =
      inverse_kinematics(four_bar.model, four_bar.state, targets, four_bar.workspace);
  ASSERT_TRUE(status.ok()) << status.message();
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(four_bar.state.q[k], there.q[k], 1e-9) << k;
  // a target off its curve is not reachable
  const std::vector<Target> beside = {{pen, wanted + Vec3<double>{0.02, 0, 0.01}}};
  const std::string words =
      inverse_kinematics(four_bar.model, four_bar.state, beside, four_bar.workspace).message();
  EXPECT_NE(words.find("a place on body 'coupler' stays "), words.npos) << words;
}

// Far target: the loop is closed, and no other pose brings the pen nearer.
TEST(reach, comes_as_near_as_closed_loops_allow) {
  FromGallery four_bar("four_bar");
  ASSERT_TRUE(assembled_start(four_bar.model, four_bar.workspace, four_bar.state).ok());
  const FrameRef pen{*four_bar.model.find_body("coupler"),
                     {Mat3<double>::identity(), {0.25, 0, 0.1}}};
  const Vec3<double> far{9, 0, 12};
  const auto miss = [&](const State& state) {
    Kinematics there(four_bar.model);
    EXPECT_TRUE(kinematics(four_bar.model, state, {}, four_bar.workspace, there).ok());
    return norm(pose(four_bar.model, there, pen).p - far);
  };
  // the whole curve, for given crank angles
  double nearest = 1e9;
  State along = four_bar.state;
  for (int k = 0; k <= 2000; ++k) {
    along.q[0] = four_bar.state.q[0] + 2 * pi * k / 2000;
    AssemblyOptions keep{.keep = {*four_bar.model.find_joint("motor")}};
    if (assemble(four_bar.model, along, four_bar.workspace, keep).ok())
      nearest = std::min(nearest, miss(along));
  }
  const std::vector<Target> targets = {{pen, far}};
  const std::string words =
      inverse_kinematics(four_bar.model, four_bar.state, targets, four_bar.workspace).message();
  EXPECT_TRUE(words.starts_with(
      "inverse_kinematics: this cannot be closed from here: a place on body 'coupler' stays 1"))
      << words;
  EXPECT_EQ(words.find("is violated"), words.npos) << words;
  // asked with it, kinematics would tell a loop that is open by more than 1e-6; the curve was
  // sampled every 0.003 rad, and the distance is flat to second order where it is least
  EXPECT_LT(miss(four_bar.state), nearest + 1e-5);
}

// Planar ring of six links, mobility 3, cut at its last joint or at its fourth.
Description ring(bool is_cut_at_fourth, std::vector<Expr> lower, std::vector<Expr> upper) {
  Description description("ring");
  for (const char* name : {"a", "b", "c", "d", "e"}) description.body(name, {.mass = 1.0});
  const Vec3<Expr> z{0.0, 0.0, 1.0};
  const Placement half{.xyz = {0.5, 0.0, 0.0}};
  description.joint("1", JointKind::revolute, "ground", "a", {.axis = z});
  description.joint("2", JointKind::revolute, "a", "b", {.at = half, .axis = z});
  description.joint("3", JointKind::revolute, "b", "c", {.at = half, .axis = z});
  description.joint("4", JointKind::revolute, "c", "d",
                    {.at = {.xyz = {0.4, 0.0, 0.0}},
                     .axis = z,
                     .cut = is_cut_at_fourth,
                     .limits = {.lower = lower, .upper = upper}});
  description.joint("5", JointKind::revolute, "d", "e", {.at = half, .axis = z});
  description.joint(
      "6", JointKind::revolute, "e", "ground",
      {.at = half, .child_at = {.xyz = {1.0, 0.0, 0.0}}, .axis = z, .cut = !is_cut_at_fourth});
  description.frame("pen", "c", {.xyz = {0.2, 0.1, 0.0}});
  return description;
}
struct Ring {
  explicit Ring(const Description& description)
      : model(build_model(description)), workspace(model) {
    state = neutral_state(model);
  }
  // angle of a joint, for either cut
  double angle(const std::string& name) {
    const NamedJoint& joint = model[*model.find_joint(name)];
    if (joint.role == NamedJoint::Role::tree) return state.q[std::size_t(joint.q_start)];
    LoopMotion motion;
    EXPECT_TRUE(loop_motion(model, state, workspace, motion).ok());
    return motion.q[0];
  }
  void put(Ring& other) {
    for (const NamedJoint& joint : model.joints())
      if (joint.role == NamedJoint::Role::tree)
        state.q[std::size_t(joint.q_start)] = other.angle(joint.name);
  }
  Status bring_pen(const Vec3<double>& p, bool within_limits = true) {
    const std::vector<Target> target = {{frame_ref(model, "pen"), p}};
    return inverse_kinematics(model, state, target, workspace, {.within_limits = within_limits});
  }
  Model model;
  Workspace workspace;
  State state;
};

// An active limit acts the same on a loop joint and on a joint of the tree: the pen and the limit
// leave the ring no mobility.
TEST(reach, limits_of_joints_that_close_loops_are_kept) {
  Ring free(ring(false, {}, {}));
  free.state.q = {1.9, -0.7, -0.9, -0.9, -0.7};
  ASSERT_TRUE(assemble(free.model, free.state, free.workspace).ok());
  Ring guess(ring(false, {}, {}));
  guess.state = free.state;
  const Vec3<double> wanted{0.3, 0.75, 0};
  ASSERT_TRUE(free.bring_pen(wanted).ok());
  const double before = guess.state.q[3], after = free.state.q[3];
  ASSERT_GT(std::abs(after - before), 0.05);
  const double limit = before + 0.1 * (after - before);
  const std::vector<Expr> at_limit = {limit};
  const auto limited = [&](bool is_cut_at_fourth) {
    return after < before ? ring(is_cut_at_fourth, at_limit, {})
                          : ring(is_cut_at_fourth, {}, at_limit);
  };
  Ring of_tree(limited(false)), of_loop(limited(true));
  of_tree.state = guess.state;
  of_loop.put(guess);
  const State loop_guess = of_loop.state;
  Status status = of_loop.bring_pen(wanted, false);
  ASSERT_TRUE(status.ok()) << status.message();
  // would go further
  ASSERT_GT(std::abs(of_loop.angle("4") - before), std::abs(limit - before) + 1e-3);
  of_loop.state = loop_guess;
  status = of_loop.bring_pen(wanted);
  ASSERT_TRUE(status.ok()) << status.message();
  ASSERT_TRUE(of_tree.bring_pen(wanted).ok());
  EXPECT_NEAR(of_loop.angle("4"), limit, 1e-10);  // 1e-11 inside
  LoopMotion motion;
  ASSERT_TRUE(loop_motion(of_loop.model, of_loop.state, of_loop.workspace, motion).ok());
  EXPECT_TRUE(check_loop_limits(of_loop.model, motion).list().empty());
  for (const char* name : {"1", "2", "3", "4", "5", "6"})
    EXPECT_NEAR(std::remainder(of_loop.angle(name) - of_tree.angle(name), 2 * pi), 0, 1e-9) << name;
}

TEST(reach, a_limit_that_cannot_be_kept_is_named) {
  // with the pen fixed and the fourth joint straight, the ring would have to be longer
  Ring ring_of(ring(true, {-0.05}, {0.05}));
  const Status status = ring_of.bring_pen({-0.4, 0.1, 0});
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.message().find("loop joint '4'"), std::string::npos) << status.message();
}

// Assembly, too: branches with the loop joint outside its limits are excluded.
TEST(assembly, branches_outside_the_limits_of_a_loop_joint_are_none) {
  FromGallery four_bar("four_bar");
  Description description = four_bar.model.description();
  const auto branches = [&](const Model& model) {
    Workspace workspace(model);
    State state = start_state(model);
    state.q[0] = pi / 3;
    std::vector<Branch> found;
    const Status status =
        assembly_branches(model, state, workspace,
                          {.keep = {*model.find_joint("motor")}, .within_limits = true}, found);
    EXPECT_TRUE(status.ok()) << status.message();
    return found;
  };
  const std::vector<Branch> both = branches(four_bar.model);
  ASSERT_EQ(both.size(), 2u);
  std::vector<double> wrist;
  for (const Branch& branch : both) {
    LoopMotion motion;
    ASSERT_TRUE(loop_motion(four_bar.model, branch.state, four_bar.workspace, motion).ok());
    wrist.push_back(motion.q[0]);
  }
  ASSERT_GT(std::abs(wrist[0] - wrist[1]), 0.1);
  for (JointDescription& joint : description.joints)
    if (joint.name == "wrist")
      joint.options.limits = {.lower = {wrist[1] - 0.05}, .upper = {wrist[1] + 0.05}};
  const std::vector<Branch> one = branches(build_model(description));
  ASSERT_EQ(one.size(), 1u);
  for (std::size_t k = 0; k < 3; ++k)  // same position, possibly whole turns apart
    EXPECT_NEAR(std::remainder(one[0].state.q[k] - both[1].state.q[k], 2 * pi), 0, 1e-9);
}

}  // namespace
}  // namespace trammel::inverse_kinematics_test
