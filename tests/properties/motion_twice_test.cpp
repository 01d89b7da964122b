// One motion prescribed by two drives: the accelerations stay, the two efforts are equal, sum to
// the effort of a single drive, and are flagged as not unique. Two motions that contradict each
// other are refused with both values.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/how_many.hpp"
#include "tests/support/random_closed_robot.hpp"
#include "trammel/constraint/solver/constrained_dynamics.hpp"
#include "trammel/dynamics/forward_dynamics.hpp"
#include "trammel/dynamics/hybrid_dynamics.hpp"

namespace trammel::motion_twice_test {
namespace {

// The joint driven by motion, and a twin that closes a loop and has the same prescribed motion.
Description with_driven_twin(Description description, std::size_t joint) {
  JointDescription twin = description.joints[joint];
  const JointOptions first = twin.options;
  twin.name += " twin";
  twin.options = {.at = first.at,
                  .child_at = first.child_at,
                  .axis = first.axis,
                  .axis2 = first.axis2,
                  .motions = first.motions,
                  .pitch = first.pitch,
                  .drive = Drive::motion,
                  .cut = true};
  description.joints.push_back(twin);
  return description;
}

bool can_be_driven_twice(const JointDescription& joint) {
  // the angles of a loop joint are computed from its pose: with several turns they may differ from
  // those of the tree
  return joint.kind == JointKind::revolute || joint.kind == JointKind::prismatic ||
         joint.kind == JointKind::screw || joint.kind == JointKind::cylindrical ||
         joint.kind == JointKind::spherical;
}

class MotionTwice : public testing::Test {
 protected:
  // Compares `description` with one joint driven by motion, at a state and under efforts of the
  // others.
  void compare(Description description, std::size_t which, const State& state,
               std::vector<double> tau, Random& random) {
    description.joints[which].options.drive = Drive::motion;
    const Model one = build_model(description);
    const Model two = build_model(with_driven_twin(description, which));
    Workspace one_workspace(one), two_workspace(two);
    ASSERT_EQ(one.nv(), two.nv());
    const NamedJoint& joint = one[*one.find_joint(description.joints[which].name)];
    if (joint.role != NamedJoint::Role::tree) return;
    SCOPED_TRACE("joint '" + joint.name + "'");

    std::vector<double> a(tau.size());
    for (int k = 0; k < joint.nv; ++k) {
      a[std::size_t(joint.v_start + k)] = random();
      tau[std::size_t(joint.v_start + k)] = 0;  // the effort is a result
    }
    const std::vector<double> loop_a = loop_accelerations(two, joint, a);
    const Inputs single{.tau = tau, .a = a};
    const Inputs both{.tau = tau, .a = a, .loop_a = loop_a};

    std::vector<double> moved(a.size()), again(a.size());
    Status status = forward_dynamics(one, state, single, one_workspace, moved);
    // an inertia is missing, or the joint cannot have this motion: nothing to compare
    if (!status.ok()) return;
    status = forward_dynamics(two, state, both, two_workspace, again);
    ASSERT_TRUE(status.ok()) << status.message();
    const double scale = 1 + largest(moved);
    for (std::size_t f = 0; f < a.size(); ++f) ASSERT_NEAR(again[f], moved[f], 1e-7 * scale) << f;

    DriveEfforts before, after;
    status = prescribed_efforts(one, state, single, one_workspace, before);
    ASSERT_TRUE(status.ok()) << status.message();
    status = prescribed_efforts(two, state, both, two_workspace, after);
    ASSERT_TRUE(status.ok()) << status.message();
    const double size = 1 + before.tau.norm();
    const Closure& twin =
        two.closures()[std::size_t(two.closure_of(*two.find_joint(joint.name + " twin")))];
    for (int f = 0; f < one.nv(); ++f) {
      const int k = f - joint.v_start;
      if (k < 0 || k >= joint.nv) {
        EXPECT_NEAR(after.tau[f], before.tau[f], 1e-7 * size) << f;
        EXPECT_TRUE(after.is_unique[std::size_t(f)]) << f;
        continue;
      }
      const double share = after.tau[f], other = after.loop_tau[twin.v_start + k];
      EXPECT_FALSE(after.is_unique[std::size_t(f)]);
      EXPECT_FALSE(after.loop_is_unique[std::size_t(twin.v_start + k)]);
      if (!before.is_unique[std::size_t(f)]) continue;  // other drives could supply it as well
      EXPECT_NEAR(share + other, before.tau[f], 1e-7 * size) << f;
      // least squares: equal shares
      EXPECT_NEAR(share, other, 1e-7 * size) << f;
      ++compared_;
    }
    // hybrid_dynamics returns the efforts of both
    std::vector<double> all_a(a.size()), all_tau(a.size()), all_loop(after.loop_is_unique.size());
    status = hybrid_dynamics(two, state, both, two_workspace, all_a, all_tau, all_loop);
    ASSERT_TRUE(status.ok()) << status.message();
    for (std::size_t f = 0; f < a.size(); ++f) {
      EXPECT_NEAR(all_a[f], again[f], 1e-7 * scale);
      EXPECT_NEAR(all_tau[f], after.tau[Eigen::Index(f)], 1e-9 * size);
    }
    for (std::size_t f = 0; f < all_loop.size(); ++f)
      EXPECT_NEAR(all_loop[f], after.loop_tau[Eigen::Index(f)], 1e-9 * size);
    EXPECT_NE(hybrid_dynamics(two, state, both, two_workspace, all_a, all_tau)
                  .message()
                  .find("give loop_tau, of " + std::to_string(two.loop_nv()) + " entries"),
              std::string::npos);
    // another motion of the twin is a contradiction: the message names both joints and both values
    if (joint.nv != 1) return;
    std::vector<double> torn = loop_a;
    torn[std::size_t(twin.v_start)] += 0.75;
    const Inputs contradiction{.tau = tau, .a = a, .loop_a = torn};
    status = forward_dynamics(two, state, contradiction, two_workspace, again);
    ASSERT_FALSE(status.ok());
    for (const std::string& words :
         {std::string("contradicts"), "joint '" + joint.name + "'",
          "joint '" + joint.name + " twin'", "inputs.a of joint '" + joint.name + "'",
          std::string("inputs.loop_a of joint '")})
      EXPECT_NE(status.message().find(words), std::string::npos) << words << status.message();
    for (const double value : {a[std::size_t(joint.v_start)], torn[std::size_t(twin.v_start)]})
      EXPECT_NE(status.message().find(fmt::format("{:.6g}", value)), std::string::npos)
          << value << ": " << status.message();
  }

  // the twin has the motion of the joint, other loop joints are not prescribed
  static std::vector<double> loop_accelerations(const Model& two, const NamedJoint& joint,
                                                const std::vector<double>& a) {
    std::vector<double> out(std::size_t(two.loop_nv()));
    const Closure& twin =
        two.closures()[std::size_t(two.closure_of(*two.find_joint(joint.name + " twin")))];
    for (int k = 0; k < joint.nv; ++k)
      out[std::size_t(twin.v_start + k)] = a[std::size_t(joint.v_start + k)];
    return out;
  }
  int compared_ = 0;
};

TEST_F(MotionTwice, in_random_trees_sums_to_the_effort_of_one) {
  for (int seed = 1; seed <= how_many(200); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomRobot robot(seed, {.bodies = 1 + seed % 10});
    const std::size_t which = std::size_t(seed) % robot.description.joints.size();
    if (!can_be_driven_twice(robot.description.joints[which])) continue;
    compare(robot.description, which, robot.state, robot.a, robot.random);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(compared_, how_many(200) / 4);
}

TEST_F(MotionTwice, in_random_closed_mechanisms_sums_to_the_effort_of_one) {
  for (int seed = 1; seed <= how_many(120); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomClosedRobot robot(seed);
    const std::size_t which = std::size_t(seed) % robot.description.joints.size();
    if (!can_be_driven_twice(robot.description.joints[which])) continue;
    compare(robot.description, which, robot.state, robot.tau, robot.open.random);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(compared_, 10);
}

// Parallelogram with both cranks driven, without gravity. By hand: (2 I + m l^2) alpha for one
// drive, half of it for each of two. hybrid_dynamics gives the same.
TEST(MotionTwiceOf, both_cranks_of_a_parallelogram_is_shared_equally) {
  const double inertia = 0.3, mass = 2.0, length = 0.4, alpha = 1.5;
  const Vec3<Expr> z{0.0, 0.0, 1.0};
  Description description("parallelogram");
  description.gravity = {0.0, 0.0, 0.0};
  const Solid crank{.inertia = {inertia, 0.0, 0.0, inertia, 0.0, inertia}};
  description.body("left", crank);
  description.body("right", crank);
  description.body("coupler", {.mass = mass, .inertia = {0.1, 0.0, 0.0, 0.1, 0.0, 0.1}});
  description.joint("left", JointKind::revolute, "ground", "left",
                    {.axis = z, .drive = Drive::motion});
  description.joint("right", JointKind::revolute, "ground", "right",
                    {.at = {.xyz = {1.0, 0.0, 0.0}}, .axis = z, .drive = Drive::motion});
  description.joint("knee", JointKind::revolute, "left", "coupler",
                    {.at = {.xyz = {length, 0.0, 0.0}}, .axis = z});
  description.joint("foot", JointKind::revolute, "right", "coupler",
                    {.at = {.xyz = {length, 0.0, 0.0}},
                     .child_at = {.xyz = {1.0, 0.0, 0.0}},
                     .axis = z,
                     .cut = true});
  for (const auto& [joint, angle] : {std::pair("left", 0.7), {"right", 0.7}, {"knee", -0.7}})
    description.start_positions.push_back({joint, {angle}, {}});
  const double alone = (2 * inertia + mass * length * length) * alpha;

  const Model both = build_model(description);
  Workspace workspace(both);
  State state;
  ASSERT_TRUE(assembled_start(both, workspace, state).ok());
  const auto dof = [&](const char* joint) { return both[*both.find_joint(joint)].v_start; };
  const int left = dof("left"), right = dof("right"), knee = dof("knee");
  std::vector<double> plan(3), a(3), tau(3);
  plan[std::size_t(left)] = plan[std::size_t(right)] = alpha;
  const Status status = hybrid_dynamics(both, state, {.a = plan}, workspace, a, tau);
  ASSERT_TRUE(status.ok()) << status.message();
  EXPECT_NEAR(a[std::size_t(knee)], -alpha, 1e-12);
  EXPECT_NEAR(tau[std::size_t(left)], alone / 2, 1e-12);
  EXPECT_NEAR(tau[std::size_t(right)], alone / 2, 1e-12);
  DriveEfforts efforts;
  ASSERT_TRUE(prescribed_efforts(both, state, {.a = plan}, workspace, efforts).ok());
  EXPECT_FALSE(efforts.is_unique[std::size_t(left)]);
  EXPECT_FALSE(efforts.is_unique[std::size_t(right)]);
  EXPECT_TRUE(efforts.is_unique[std::size_t(knee)]);
  // inverse dynamics shares the effort equally, too
  DriveEfforts inverse;
  ASSERT_TRUE(drive_efforts(both, state, {.a = a}, workspace, inverse).ok());
  EXPECT_NEAR(inverse.tau[left], alone / 2, 1e-12);
  EXPECT_FALSE(inverse.is_unique[std::size_t(left)]);

  // contradicting motions: whichever row is left out, the message has both joints and both values
  std::vector<double> torn = plan;
  torn[std::size_t(right)] = 1.25;
  const std::string words = forward_dynamics(both, state, {.a = torn}, workspace, a).message();
  for (const char* part :
       {"prescribed motion of joint 'left'", "prescribed motion of joint 'right'",
        "inputs.a of joint 'left'", "inputs.a of joint 'right'"})
    EXPECT_NE(words.find(part), std::string::npos) << words;
  EXPECT_TRUE(words.find("(1.5 and 1.25); 1.25 of the first would agree") != std::string::npos ||
              words.find("(1.25 and 1.5); 1.5 of the first would agree") != std::string::npos)
      << words;

  // one of them alone is unique
  description.joints[1].options.drive = Drive::none;
  const Model single = build_model(description);
  Workspace its(single);
  plan[std::size_t(right)] = 0;
  ASSERT_TRUE(prescribed_efforts(single, state, {.a = plan}, its, efforts).ok());
  EXPECT_NEAR(efforts.tau[left], alone, 1e-12);
  EXPECT_TRUE(efforts.is_unique[std::size_t(left)]);
}

}  // namespace
}  // namespace trammel::motion_twice_test
