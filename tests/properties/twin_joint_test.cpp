// A duplicated joint changes nothing: all rows of the second are redundant, like those of the
// second hinge of a door. Accelerations, mobility and efforts stay the same; the two joints share
// the reaction of the one, and the shares are not unique; all other reactions stay.
//
// The twin has the joint's frames and axes and nothing else: no spring, friction, limits or drive.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <set>

#include "tests/support/motion_of.hpp"
#include "tests/support/random_closed_robot.hpp"
#include "trammel/analyze/linearize.hpp"
#include "trammel/constraint/assembly/assembly.hpp"
#include "trammel/constraint/mobility/mobility.hpp"
#include "trammel/constraint/solver/constrained_dynamics.hpp"
#include "trammel/dynamics/batch.hpp"
#include "trammel/dynamics/forward_dynamics.hpp"
#include "trammel/dynamics/inverse_dynamics.hpp"
#include "trammel/read/gallery.hpp"
#include "trammel/read/load.hpp"

namespace trammel::twin_joint_test {
namespace {

// The twin closes the loop, so that the coordinates stay those of the first.
Description with_twin(Description description, std::size_t joint) {
  JointDescription twin = description.joints[joint];
  const JointOptions& first = twin.options;
  twin.name += " twin";
  twin.options = {.at = first.at,
                  .child_at = first.child_at,
                  .axis = first.axis,
                  .axis2 = first.axis2,
                  .motions = first.motions,
                  .pitch = first.pitch,
                  .cut = true};
  description.joints.push_back(twin);
  return description;
}

struct Posed {
  explicit Posed(const Description& description)
      : model(build_model(description)), workspace(model) {}

  Model model;
  Workspace workspace;
};

double largest(const std::vector<double>& x) {
  double most = 0;
  for (const double value : x) most = std::max(most, std::abs(value));
  return most;
}

class TwinJoint : public testing::Test {
 protected:
  // Both models at one state, under the same efforts.
  void compare(const Description& description, std::size_t which, const State& state,
               const std::vector<double>& tau, bool with_reactions = true) {
    const std::string name = description.joints[which].name;
    SCOPED_TRACE("joint '" + name + "' of " + description.name);
    Posed one(description), two(with_twin(description, which));
    ASSERT_EQ(one.model.nv(), two.model.nv());
    const std::size_t nv = std::size_t(one.model.nv());
    std::vector<double> a(nv), a_twin(nv);
    ASSERT_TRUE(forward_dynamics(one.model, state, {.tau = tau}, one.workspace, a).ok());
    const Status status = forward_dynamics(two.model, state, {.tau = tau}, two.workspace, a_twin);
    ASSERT_TRUE(status.ok()) << status.message();
    // both are exact up to rounding times the condition of M
    const double scale = largest(a) + 1;
    for (std::size_t f = 0; f < nv; ++f) ASSERT_NEAR(a_twin[f], a[f], 1e-7 * scale) << f;
    compare_efforts(one, two, state, a);

    Mobility moves, moves_twin;
    ASSERT_TRUE(mobility(one.model, state, one.workspace, moves).ok());
    ASSERT_TRUE(mobility(two.model, state, two.workspace, moves_twin).ok());
    EXPECT_EQ(moves_twin.instantaneous, moves.instantaneous);
    EXPECT_EQ(moves_twin.rank, moves.rank);
    EXPECT_TRUE(moves_twin.undecided.empty());

    if (with_reactions) compare_reactions(one, two, name, state, tau);
    ++compared_;
  }

  // Efforts of the motion: the twin restricts nothing and contributes nothing, so the efforts of
  // all coordinates stay the same, whichever joints are driven.
  static void compare_efforts(Posed& one, Posed& two, const State& state,
                              const std::vector<double>& a) {
    std::vector<double> effort(a.size()), effort_twin(a.size());
    ASSERT_TRUE(inverse_dynamics(one.model, state, {.a = a}, one.workspace, effort).ok());
    const Status status = inverse_dynamics(two.model, state, {.a = a}, two.workspace, effort_twin);
    ASSERT_TRUE(status.ok()) << status.message();
    for (std::size_t f = 0; f < a.size(); ++f)
      EXPECT_NEAR(effort_twin[f], effort[f], 1e-9 * (1 + largest(effort))) << f;
  }

  void compare_reactions(Posed& one, Posed& two, const std::string& name, const State& state,
                         const std::vector<double>& tau) {
    UniqueReactions before, after;
    ASSERT_TRUE(constrained_reactions(one.model, state, {.tau = tau}, one.workspace, before).ok());
    ASSERT_TRUE(constrained_reactions(two.model, state, {.tau = tau}, two.workspace, after).ok());
    double size = 1;
    for (const Force<double>& F : before.force) size += norm(F.moment) + norm(F.force);
    const auto part = [](const Force<double>& F, std::size_t k) {
      const double x[] = {F.moment.x, F.moment.y, F.moment.z, F.force.x, F.force.y, F.force.z};
      return x[k];
    };
    const JointId twin_of = *two.model.find_joint(name + " twin");
    const int dof =
        std::visit([](const auto& joint) { return joint.nv(); },
                   two.model.closures()[std::size_t(two.model.closure_of(twin_of))].joint);
    const JointId first = *two.model.find_joint(name), twin = *two.model.find_joint(name + " twin");
    for (std::size_t j = 0; j < one.model.joints().size(); ++j) {
      const NamedJoint& joint = one.model.joints()[j];
      const std::size_t there = std::size_t(*two.model.find_joint(joint.name));
      const bool is_first = there == std::size_t(first);
      int shared = 0;
      for (std::size_t k = 0; k < 6; ++k) {
        double now = part(after.force[there], k);
        if (is_first) now += part(after.force[std::size_t(twin)], k);
        if (before.is_unique[j][k] && (is_first || after.is_unique[there][k])) {
          EXPECT_NEAR(now, part(before.force[j], k), 1e-7 * size) << joint.name << " " << k;
        }
        if (!is_first && before.is_unique[j][k]) {
          EXPECT_TRUE(after.is_unique[there][k]) << joint.name << " " << k;
        }
        if (is_first)
          shared += after.is_unique[there][k] || after.is_unique[std::size_t(twin)][k] ? 0 : 1;
      }
      // as many components as the joint has rows are not unique; the directions of a compound or a
      // universal joint may lie across the axes of its frame
      if (is_first) { EXPECT_GE(shared, 6 - dof) << joint.name; }
    }
  }

  int compared_ = 0;
};

bool can_have_twin(const JointDescription& joint) { return joint.kind != JointKind::free; }

TEST_F(TwinJoint, of_every_joint_of_every_tree_of_the_gallery_changes_nothing) {
  std::set<std::string> trees;
  for (const GalleryModel& of_gallery : gallery()) {
    const Model model = load_model("@" + std::string(of_gallery.name));
    if (model.has_constraints() || model.nv() == 0) continue;
    trees.insert(std::string(of_gallery.name));
    Workspace workspace(model);
    Random random(int(trees.size()));
    State state = neutral_state(model);
    std::vector<double> away = random.numbers(model.nv());
    const std::vector<double> start = state.q;
    integrate(model, start, away, state.q);
    state.v = random.numbers(model.nv());
    const std::vector<double> tau = random.numbers(model.nv());
    std::vector<double> a(std::size_t(model.nv()));
    if (!forward_dynamics(model, state, {.tau = tau}, workspace, a).ok()) continue;
    for (std::size_t j = 0; j < model.description().joints.size(); ++j)
      if (can_have_twin(model.description().joints[j])) compare(model.description(), j, state, tau);
  }
  EXPECT_GT(trees.size(), 20u);
  EXPECT_GT(compared_, 80);
}

TEST_F(TwinJoint, of_random_trees_changes_nothing) {
  for (int seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomRobot robot(seed, {.bodies = 1 + seed % 12});
    const std::size_t joint = std::size_t(seed) % robot.description.joints.size();
    if (!can_have_twin(robot.description.joints[joint])) continue;
    compare(robot.description, joint, robot.state, robot.a);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(compared_, 200);
}

TEST_F(TwinJoint, of_random_closed_mechanisms_changes_nothing) {
  for (int seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomClosedRobot robot(seed);
    const std::size_t joint = std::size_t(seed) % robot.description.joints.size();
    if (!can_have_twin(robot.description.joints[joint])) continue;
    compare(robot.description, joint, robot.state, robot.tau, seed % 4 == 0);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(compared_, 150);
}

// An arm of two point masses with only the elbow driven, and a twin of either joint. Efforts of
// both coordinates by hand (Lagrange).
TEST_F(TwinJoint, leaves_the_efforts_of_a_partly_driven_arm_by_hand) {
  const double m1 = 1.3, m2 = 0.7, l1 = 0.8, l2 = 0.5, g = 9.81;
  const Vec3<Expr> z{0.0, 0.0, 1.0};
  Description arm("arm");
  arm.gravity = {0.0, -g, 0.0};
  arm.body("upper", {.mass = m1, .com = {l1, 0.0, 0.0}});
  arm.body("lower", {.mass = m2, .com = {l2, 0.0, 0.0}});
  arm.joint("shoulder", JointKind::revolute, "ground", "upper", {.axis = z});
  arm.joint("elbow", JointKind::revolute, "upper", "lower",
            {.at = {.xyz = {l1, 0.0, 0.0}}, .axis = z, .drive = Drive::torque});
  const double q1 = 0.4, q2 = -1.1, v1 = 1.7, v2 = -0.6, a1 = 2.5, a2 = -3.1;
  const double c2 = std::cos(q2), s2 = std::sin(q2), far = g * std::cos(q1 + q2);
  const double elbow =
      m2 * l2 * l2 * (a1 + a2) + m2 * l1 * l2 * (c2 * a1 + s2 * v1 * v1) + m2 * l2 * far;
  const double shoulder = (m1 + m2) * l1 * l1 * a1 + m2 * l2 * l2 * (a1 + a2) +
                          m2 * l1 * l2 * (c2 * (2 * a1 + a2) - s2 * (2 * v1 * v2 + v2 * v2)) +
                          (m1 + m2) * g * l1 * std::cos(q1) + m2 * l2 * far;
  for (const std::size_t which : {std::size_t(0), std::size_t(1)}) {
    Posed two(with_twin(arm, which));
    State state = neutral_state(two.model);
    state.q = {q1, q2};
    state.v = {v1, v2};
    const std::vector<double> a = {a1, a2};
    std::vector<double> effort(2);
    const Status status = inverse_dynamics(two.model, state, {.a = a}, two.workspace, effort);
    ASSERT_TRUE(status.ok()) << status.message();
    EXPECT_NEAR(effort[0], shoulder, 1e-12);
    EXPECT_NEAR(effort[1], elbow, 1e-12);
    // drive_efforts has only the drives, and reports that the elbow cannot produce this motion of
    // the shoulder
    DriveEfforts run_inputs;
    EXPECT_NE(drive_efforts(two.model, state, {.a = a}, two.workspace, run_inputs)
                  .message()
                  .find("the drives cannot produce this motion"),
              std::string::npos);
  }
}

// Dense solvers, batches and derivatives handle the same redundant rows.
TEST_F(TwinJoint, changes_nothing_in_any_solver_in_batches_and_in_linearizations) {
  for (int seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomRobot robot(seed, {.bodies = 1 + seed % 8});
    const std::size_t which = std::size_t(seed) % robot.description.joints.size();
    if (!can_have_twin(robot.description.joints[which])) continue;
    Posed two(with_twin(robot.description, which));
    const std::size_t nv = robot.state.v.size();
    std::vector<double> a(nv);
    ASSERT_TRUE(
        forward_dynamics(robot.model, robot.state, {.tau = robot.a}, robot.workspace, a).ok());
    const Eigen::Map<const Eigen::VectorXd> expected(a.data(), Eigen::Index(nv));
    const double scale = largest(a) + 1;
    for (const ConstraintSolver solver : {ConstraintSolver::schur, ConstraintSolver::null_space,
                                          ConstraintSolver::kkt, ConstraintSolver::sparse}) {
      ConstrainedAnswer answer;
      const Status status = constrained_dynamics(two.model, robot.state, {.tau = robot.a},
                                                 two.workspace, answer, solver);
      ASSERT_TRUE(status.ok()) << to_string(solver) << ": " << status.message();
      EXPECT_LT((answer.a - expected).norm(), 1e-7 * scale) << to_string(solver);
      EXPECT_EQ(answer.basis.rank(), 0);
    }
    BatchWorkspace batch(two.model, 1);
    const auto n = Eigen::Index(nv);
    const Eigen::MatrixXd q =
        Eigen::Map<const Eigen::VectorXd>(robot.state.q.data(), two.model.nq()).replicate(1, 9);
    const Eigen::MatrixXd v =
        Eigen::Map<const Eigen::VectorXd>(robot.state.v.data(), n).replicate(1, 9);
    const Eigen::MatrixXd tau =
        Eigen::Map<const Eigen::VectorXd>(robot.a.data(), n).replicate(1, 9);
    Eigen::MatrixXd many(n, 9);
    const Status status = forward_dynamics_batch(two.model, {q, v}, tau, batch, many);
    ASSERT_TRUE(status.ok()) << status.message();
    for (int s = 0; s < 9; ++s) EXPECT_LT((many.col(s) - expected).norm(), 1e-7 * scale);

    Linearization one_line, two_line;
    ASSERT_TRUE(
        linearize(robot.model, robot.state, {.tau = robot.a}, robot.workspace, one_line).ok());
    const Status line =
        linearize(two.model, robot.state, {.tau = robot.a}, two.workspace, two_line);
    ASSERT_TRUE(line.ok()) << line.message();
    ASSERT_EQ(two_line.A.rows(), one_line.A.rows());
    EXPECT_LT((two_line.A - one_line.A).norm(), 1e-6 * (1 + one_line.A.norm()));
    ++compared_;
  }
  EXPECT_GT(compared_, 30);
}

// Simulation: the same path, and no more steps than before.
TEST_F(TwinJoint, changes_no_motion) {
  for (const char* name : {"double_pendulum", "f10", "six_axis_arm"}) {
    SCOPED_TRACE(name);
    const Description description = load_model(std::string("@") + name).description();
    for (const std::size_t which : {std::size_t(0), description.joints.size() - 1}) {
      if (!can_have_twin(description.joints[which])) continue;
      MotionOf one(build_model(description)), two(build_model(with_twin(description, which)));
      RunOptions options;
      options.relative = 1e-9;
      options.absolute = 1e-11;
      options.sample = 0.05;
      ASSERT_TRUE(one.go(0.4, options).ok());
      const Status status = two.go(0.4, options);
      ASSERT_TRUE(status.ok()) << status.message();
      double fastest = 1;
      for (const double v : one.state.v) fastest = std::max(fastest, std::abs(v));
      // both paths have errors of the tolerance, which scales with the speed of the motion
      for (std::size_t k = 0; k < one.state.q.size(); ++k)
        EXPECT_NEAR(two.state.q[k], one.state.q[k], 1e-6 * fastest) << k;
      EXPECT_LE(two.statistics.steps, 2 * one.statistics.steps + 5);
      ++compared_;
    }
  }
  EXPECT_GE(compared_, 5);
}

}  // namespace
}  // namespace trammel::twin_joint_test
