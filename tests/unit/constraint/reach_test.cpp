// Inverse kinematics: targets are met exactly, limits kept, spare freedoms left alone, through
// loops too; what cannot be reached is told.
#include "trammel/constraint/reach.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "tests/capability.hpp"
#include "tests/oracle/asked.hpp"
#include "trammel/read/load.hpp"
#include "trammel/spatial/rotation.hpp"

namespace trammel {
namespace {

constexpr double pi = std::numbers::pi;

struct FromGallery {
  explicit FromGallery(const std::string& name)
      : model(load_model("@" + name)), workspace(model), state(start_state(model)) {}
  Pose<double> X(const std::string& place) {
    Kinematics moving(model);
    EXPECT_TRUE(kinematics(model, state, {}, workspace, moving).ok());
    return pose(model, moving, at(model, place));
  }
  Eigen::MatrixXd J(const std::string& place) {
    Kinematics moving(model);
    EXPECT_TRUE(kinematics(model, state, {}, workspace, moving).ok());
    Eigen::MatrixXd out(6, model.nv());
    EXPECT_TRUE(jacobian(model, moving, at(model, place), Axes::world, out).ok());
    return out;
  }
  Target target(const std::string& place, const Pose<double>& X_WA) const {
    return {at(model, place), X_WA.p, X_WA.R};
  }
  Model model;
  Workspace workspace;
  State state;
};
void expect_there(const Pose<double>& is, const Pose<double>& wanted) {
  EXPECT_LT(norm(is.p - wanted.p), 1e-11);
  EXPECT_LT(norm(logarithm(quaternion(transpose(wanted.R) * is.R))), 1e-11);
}

TEST(reach, tap_is_reached_as_the_seed_derives) {
  shows("M-37");
  FromGallery arm("me_2b");
  // the gripper's x axis down; its y axis where the seed's quarter turn clockwise brings it
  const double x = std::sqrt(0.5 * 0.5 - 0.15 * 0.15), waist = std::atan2(-x, -0.15);
  const Mat3<double> upright{
      {0, -1, 0}, {std::sin(waist), 0, std::cos(waist)}, {-std::cos(waist), 0, std::sin(waist)}};
  const Target tap{at(arm.model, "tip"), Vec3<double>{0, 0, 0.5}, upright};
  std::vector<Branch> found;
  // all ways to reach it: the arm in front or behind, the boom out or through itself
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
  // and from a guess on the way there, by itself
  arm.state.q = {-1.5, -0.2, 0.7, -0.8, 1.2};
  ASSERT_TRUE(reach(arm.model, arm.state, {{tap}}, arm.workspace).ok());
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

// The least change is one from which no way that stays open leads nearer: what is left of it is
// orthogonal to every self-motion.
TEST(reach, spare_axis_moves_as_little_as_can_be) {
  FromGallery arm("seven_axis_arm");
  const std::vector<double> guess = {0.1, 0.5, 0.2, -1.0, 0.3, 0.8, 0.1};
  arm.state.q = guess;
  Pose<double> wanted = arm.X("tool");
  wanted.p = wanted.p + Vec3<double>{0.1, -0.15, 0.05};
  wanted.R = wanted.R * exponential_rotation(Vec3<double>{0.2, -0.3, 0.1});
  const std::vector<Target> targets = {arm.target("tool", wanted)};
  ASSERT_TRUE(reach(arm.model, arm.state, targets, arm.workspace).ok());
  expect_there(arm.X("tool"), wanted);
  Eigen::VectorXd change(7);
  for (std::size_t k = 0; k < 7; ++k) change[Eigen::Index(k)] = arm.state.q[k] - guess[k];
  const Eigen::MatrixXd J = arm.J("tool");
  const Eigen::VectorXd self_motion = J.fullPivLu().kernel().col(0).normalized();
  EXPECT_NEAR(self_motion.dot(change), 0, 1e-8);
  EXPECT_GT(change.norm(), 0.1);

  // only where it is, not how it is turned: less change is needed
  const std::vector<Target> place = {{at(arm.model, "tool"), wanted.p}};
  arm.state.q = guess;
  ASSERT_TRUE(reach(arm.model, arm.state, place, arm.workspace).ok());
  EXPECT_LT(norm(arm.X("tool").p - wanted.p), 1e-11);
  Eigen::VectorXd less(7);
  for (std::size_t k = 0; k < 7; ++k) less[Eigen::Index(k)] = arm.state.q[k] - guess[k];
  EXPECT_LT(less.norm(), change.norm());
  EXPECT_LT((arm.J("tool").bottomRows(3).fullPivLu().kernel().transpose() * less).norm(), 1e-8);

  const std::vector<Target> turn = {{at(arm.model, "tool"), {}, wanted.R}};
  arm.state.q = guess;
  ASSERT_TRUE(reach(arm.model, arm.state, turn, arm.workspace).ok());
  EXPECT_LT(norm(logarithm(quaternion(transpose(wanted.R) * arm.X("tool").R))), 1e-11);
}

TEST(reach, limits_are_kept_and_the_others_give_way) {
  // three links in a plane, the first may only turn a little
  Description said("three links");
  for (const char* name : {"1", "2", "3"}) said.body(name, {});
  const Vec3<Expr> z{0.0, 0.0, 1.0};
  said.joint("a", JointKind::revolute, "ground", "1",
             {.axis = z, .limits = {.lower = {-0.1}, .upper = {0.1}}});
  said.joint("b", JointKind::revolute, "1", "2", {.at = {.xyz = {0.5, 0.0, 0.0}}, .axis = z});
  said.joint("c", JointKind::revolute, "2", "3", {.at = {.xyz = {0.5, 0.0, 0.0}}, .axis = z});
  said.frame("tip", "3", {.xyz = {0.4, 0.0, 0.0}});
  Asked asked(said, {0.0, 0.3, 0.3});
  const std::vector<Target> up = {{at(asked.model, "tip"), Vec3<double>{0.6, 0.9, 0}}};
  ASSERT_TRUE(reach(asked.model, asked.state, up, asked.workspace).ok());
  EXPECT_LT(norm(asked.X("tip").p - Vec3<double>{0.6, 0.9, 0}), 1e-11);
  EXPECT_DOUBLE_EQ(asked.state.q[0], 0.1);  // it would rather go on
  const std::vector<double> limited = asked.state.q;
  asked.state.q = {0.0, 0.3, 0.3};
  ASSERT_TRUE(reach(asked.model, asked.state, up, asked.workspace, {.within_limits = false}).ok());
  EXPECT_GT(asked.state.q[0], 0.14);
  // with the first joint held, the two others have just enough freedoms: a closed form
  const Eigen::Vector2d elbow(0.5 * std::cos(0.1), 0.5 * std::sin(0.1));
  const Eigen::Vector2d rest = Eigen::Vector2d(0.6, 0.9) - elbow;
  const double bend = std::acos((rest.squaredNorm() - 0.5 * 0.5 - 0.4 * 0.4) / (2 * 0.5 * 0.4));
  EXPECT_NEAR(limited[2], bend, 1e-9);
}

TEST(reach, what_cannot_be_reached_is_told) {
  FromGallery arm("seven_axis_arm");
  const std::vector<Target> far = {{at(arm.model, "tool"), Vec3<double>{5, 0, 0}}};
  const std::string words = reach(arm.model, arm.state, far, arm.workspace).message();
  EXPECT_TRUE(words.starts_with("reach: this cannot be closed from here: frame 'tool' stays "))
      << words;
  EXPECT_NE(words.find("bring the target nearer"), words.npos) << words;
  EXPECT_THROW((void)reach(arm.model, arm.state, {{Target{at(arm.model, "tool")}}}, arm.workspace),
               std::invalid_argument);
}

// A four-bar draws with its coupler: the loop stays closed while the pen goes where it is wanted.
TEST(reach, goes_through_loops) {
  FromGallery four_bar("four_bar");
  ASSERT_TRUE(assembled_start(four_bar.model, four_bar.workspace, four_bar.state).ok());
  const At pen{*four_bar.model.find_body("coupler"), {Mat3<double>::identity(), {0.25, 0, 0.1}}};
  // where the pen is once the motor stands at 1.3
  State there = four_bar.state;
  there.q[0] = 1.3;
  AssemblyOptions keep{.keep = {*four_bar.model.find_joint("motor")}};
  ASSERT_TRUE(assemble(four_bar.model, there, four_bar.workspace, keep).ok());
  Kinematics moving(four_bar.model);
  ASSERT_TRUE(kinematics(four_bar.model, there, {}, four_bar.workspace, moving).ok());
  const Vec3<double> wanted = pose(four_bar.model, moving, pen).p;
  const std::vector<Target> targets = {{pen, wanted}};
  const Status status = reach(four_bar.model, four_bar.state, targets, four_bar.workspace);
  ASSERT_TRUE(status.ok()) << status.message();
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(four_bar.state.q[k], there.q[k], 1e-9) << k;
  // beside its curve it cannot come
  const std::vector<Target> beside = {{pen, wanted + Vec3<double>{0.02, 0, 0.01}}};
  const std::string words =
      reach(four_bar.model, four_bar.state, beside, four_bar.workspace).message();
  EXPECT_NE(words.find("a place on body 'coupler' stays "), words.npos) << words;
}

}  // namespace
}  // namespace trammel
