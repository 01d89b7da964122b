// A loop joint acts in a simulation as a joint of the tree does: controllers, prescribed motions,
// stops and events give the same motion if the loop is cut at another joint and this joint is in
// the tree.
#include <gtest/gtest.h>

#include <map>
#include <numbers>

#include "tests/support/motion_of.hpp"
#include "trammel/constraint/equations/loop_motion.hpp"
#include "trammel/dynamics/kinematics.hpp"
#include "trammel/model/build/builder.hpp"
#include "trammel/model/description/solids.hpp"
#include "trammel/simulate/kinematic.hpp"
#include "trammel/simulate/recorder.hpp"

namespace trammel::loop_joint_in_time_test {
namespace {

constexpr double pi = std::numbers::pi;

JointDescription& said_of(Description& description, const std::string& name) {
  return *std::ranges::find(description.joints, name, &JointDescription::name);
}

// A crank-rocker in the plane x z: ground 0.5, crank 0.15, coupler 0.4, rocker 0.35. The crank
// makes full turns. Two of the joints have more freedom than planar ones, so that no row is
// redundant.
Description crank_and_rocker() {
  Description description("crank and rocker");
  const auto rod = [&](const char* name, double length, double mass) {
    description.body(name, box(mass, {length, 0.04, 0.03}, {length / 2, 0.0, 0.0}));
  };
  rod("crank", 0.15, 1.0);
  rod("coupler", 0.4, 0.7);
  rod("rocker", 0.35, 1.3);
  const Vec3<Expr> y{0.0, 1.0, 0.0};
  description.joint("a", JointKind::revolute, "ground", "crank", {.axis = y});
  description.joint("b", JointKind::spherical, "crank", "coupler",
                    {.at = {.xyz = {0.15, 0.0, 0.0}}});
  const Vec3<Expr> first_axis_is_y{-pi / 2, 0.0, 0.0};
  description.joint("c", JointKind::universal, "coupler", "rocker",
                    {.at = {.xyz = {0.4, 0.0, 0.0}, .rpy = first_axis_is_y},
                     .child_at = {.xyz = {0.35, 0.0, 0.0}, .rpy = first_axis_is_y}});
  description.joint("d", JointKind::revolute, "ground", "rocker",
                    {.at = {.xyz = {0.5, 0.0, 0.0}}, .axis = y});
  return description;
}

// The same mechanism cut at a given joint, with its start as coordinates of the tree.
class Cuts {
 public:
  // Starts with the crank at an angle and a speed.
  Cuts(double angle, double speed) {
    Description description = crank_and_rocker();
    said_of(description, "b").options.cut = true;
    model_ = std::make_unique<Model>(build_model(description));
    Workspace workspace(*model_);
    start_ = neutral_state(*model_);
    const auto joint = [&](const char* name) { return *model_->find_joint(name); };
    start_.q[std::size_t((*model_)[joint("a")].q_start)] = angle;
    start_.q[std::size_t((*model_)[joint("d")].q_start)] = -1.9;  // rough guess
    start_.v[std::size_t((*model_)[joint("a")].v_start)] = speed;
    const Status status = assemble(*model_, start_, workspace, {.keep = {joint("a")}});
    EXPECT_TRUE(status.ok()) << status.message();
    EXPECT_TRUE(loop_motion(*model_, start_, workspace, loops_).ok());
  }
  Description at(const std::string& cut) const {
    Description description = crank_and_rocker();
    said_of(description, cut).options.cut = true;
    for (const NamedJoint& joint : model_->joints()) {
      if (joint.name == cut) continue;
      const bool is_tree = joint.role == NamedJoint::Role::tree;
      const double* q = is_tree ? start_.q.data() + joint.q_start : loops_.q.data();
      const double* v = is_tree ? start_.v.data() + joint.v_start : loops_.v.data();
      StartDescription position{.joint = joint.name}, velocity{.joint = joint.name};
      for (int k = 0; k < (is_tree ? joint.nq : int(loops_.q.size())); ++k)
        position.values.emplace_back(q[k]);
      for (int k = 0; k < (is_tree ? joint.nv : int(loops_.v.size())); ++k)
        velocity.values.emplace_back(v[k]);
      description.start_positions.push_back(position);
      description.start_velocities.push_back(velocity);
    }
    return description;
  }
  double start_of(const std::string& joint) const {
    return start_.q[std::size_t((*model_)[*model_->find_joint(joint)].q_start)];
  }

 private:
  std::unique_ptr<Model> model_;
  State start_;
  LoopMotion loops_;
};

// Difference of position and velocity of one body between two runs.
double apart(MotionOf& one, MotionOf& other) {
  const auto seen = [](MotionOf& run) {
    Kinematics now(run.model);
    EXPECT_TRUE(kinematics(run.model, run.state, {}, run.workspace, now).ok());
    const FrameRef coupler = frame_ref(run.model, "coupler");
    return std::pair(pose(run.model, now, coupler), velocity(run.model, now, coupler, Axes::world));
  };
  const auto [X, V] = seen(one);
  const auto [Y, U] = seen(other);
  return std::max({norm(X.p - Y.p), norm(X.R.x - Y.R.x), norm(V.linear - U.linear),
                   norm(V.angular - U.angular)});
}

const Closure& closing(const MotionOf& run, const std::string& joint) {
  const int closure = run.model.closure_of(*run.model.find_joint(joint));
  EXPECT_GE(closure, 0) << joint;
  return run.model.closures()[std::size_t(closure)];
}

void expect_same_event_log(const MotionOf& one, const MotionOf& other, double tolerance) {
  const auto list = [](const MotionOf& run) {
    std::string all;
    for (const EventRecord& h : run.statistics.events)
      all += std::to_string(h.time) + " " + h.what + " " + std::to_string(h.lost) + "\n";
    return all;
  };
  ASSERT_EQ(one.statistics.events.size(), other.statistics.events.size()) << list(one) << "\n"
                                                                          << list(other);
  for (std::size_t k = 0; k < one.statistics.events.size(); ++k) {
    const EventRecord &a = one.statistics.events[k], &b = other.statistics.events[k];
    EXPECT_EQ(a.what, b.what);
    EXPECT_NEAR(a.time, b.time, tolerance) << a.what;
    EXPECT_NEAR(a.lost, b.lost, tolerance) << a.what;
  }
}

TEST(LoopJointInTime, is_controlled) {
  const Cuts cuts(0.7, 2.0);
  for (const char* joint : {"a", "d"})
    for (const bool is_limited : {false, true}) {
      SCOPED_TRACE(joint);
      // its target goes through more than one full turn
      const auto run_cut_at = [&](const char* cut) {
        Description description = cuts.at(cut);
        const double from = cuts.start_of(joint);
        ControllerDescription hold{.name = "hold", .joint = joint, .p = 40.0, .i = 15.0, .d = 4.0};
        hold.filter = 0.02;
        if (is_limited) hold.limit = 3.0;
        hold.target.profile = "cubic";
        hold.target.numbers = {
            {"from", {from}}, {"to", {joint[0] == 'a' ? from + 9.0 : from + 0.3}}, {"over", {1.5}}};
        description.controllers.push_back(hold);
        return MotionOf(build_model(description));
      };
      MotionOf loop = run_cut_at(joint), tree = run_cut_at("b");
      closing(loop, joint);
      Status status = loop.go(2);
      ASSERT_TRUE(status.ok()) << status.message();
      ASSERT_TRUE(tree.go(2).ok());
      EXPECT_LT(apart(loop, tree), 1e-7);  // two seconds of steps wrong by 1e-11 each
      EXPECT_LT(loop.largest_violation().position, 1e-12);
    }
}

TEST(LoopJointInTime, has_prescribed_motion) {
  const Cuts cuts(0.7, 0.0);
  const auto run_cut_at = [&](const char* cut) {
    Description description = cuts.at(cut);
    said_of(description, "a").options.drive = Drive::motion;
    description.inputs.push_back(
        {.name = "plan",
         .joint = "a",
         .profile = "cubic",
         .numbers = {{"from", {0.7}}, {"to", {0.7 + 5 * pi}}, {"over", {2.0}}}});
    return MotionOf(build_model(description));
  };
  MotionOf loop = run_cut_at("a"), tree = run_cut_at("b");
  closing(loop, "a");
  const auto record = [](MotionOf& run, Recorder& recorder) {
    RunOptions options = run.precise();
    options.duration = 1.3;
    options.sample = 0.1;
    const Status status = simulate(
        run.model, run.state, run.run_inputs, options, run.workspace,
        [&](const RunSnapshot& seen) { return recorder.observe(seen); }, run.statistics);
    ASSERT_TRUE(status.ok()) << status.message();
  };
  const std::vector<std::string> what{"efforts", "power", "reactions"};
  Recorder of_loop(loop.model, loop.run_inputs, what), of_tree(tree.model, tree.run_inputs, what);
  record(loop, of_loop);
  record(tree, of_tree);
  EXPECT_LT(apart(loop, tree), 1e-9);
  ASSERT_EQ(of_loop.recording().samples(), of_tree.recording().samples());
  for (const char* column : {"tau.a", "power.drives", "reaction.c.force.x", "reaction.a.moment.y"})
    for (std::size_t k = 0; k < of_loop.recording().samples(); ++k)
      EXPECT_NEAR(of_loop.recording().column(column)[k], of_tree.recording().column(column)[k],
                  1e-6)  // efforts are some 100
          << column << " " << k;
  for (const double residual : of_loop.recording().column("power.residual"))
    EXPECT_NEAR(residual, 0, 1e-6);

  // the crank is at its prescribed angle
  LoopMotion now;
  ASSERT_TRUE(loop_motion(loop.model, loop.state, loop.workspace, now).ok());
  const double s = 1.3 / 2, wanted = 0.7 + 5 * pi * s * s * (3 - 2 * s);
  EXPECT_NEAR(std::remainder(now.q[closing(loop, "a").q_start] - wanted, 2 * pi), 0, 1e-11);
  EXPECT_NEAR(now.v[closing(loop, "a").v_start], 5 * pi * 6 * s * (1 - s) / 2, 1e-10);

  // and a kinematic run gives the same motion
  MotionOf guided = run_cut_at("a");
  RunOptions options;
  options.duration = 1.3;
  const Status status = simulate_kinematic(
      guided.model, guided.state, guided.run_inputs, options, guided.workspace,
      [](const RunSnapshot&) { return Status(); }, guided.statistics);
  // the universal joint and the ball joint leave only the motion of the crank
  ASSERT_TRUE(status.ok()) << status.message();
  EXPECT_LT(apart(guided, tree), 1e-9);
}

TEST(LoopJointInTime, is_waited_for) {
  const Cuts cuts(0.7, 12.0);
  for (const double more : {1.0, 4.0, 9.0, -0.5}) {  // the last event never occurs
    const auto run_cut_at = [&](const char* cut) {
      Description description = cuts.at(cut);
      description.gravity = {0.0, 0.0, 0.0};
      description.events.push_back(
          {.name = "latch", .joint = "a", .value = 0.7 + more, .lock = {"d"}});
      return MotionOf(build_model(description));
    };
    MotionOf loop = run_cut_at("a"), tree = run_cut_at("b");
    ASSERT_TRUE(loop.go(1.5).ok());
    ASSERT_TRUE(tree.go(1.5).ok());
    EXPECT_EQ(loop.statistics.events.size(), more > 0 ? 1U : 0U) << more;
    expect_same_event_log(loop, tree, 1e-9);
    EXPECT_LT(apart(loop, tree), 1e-8) << more;
  }
}

TEST(LoopJointInTime, has_stops) {
  const Cuts cuts(0.7, 6.0);
  for (const double restitution : {0.7, 0.3, 0.0})
    for (const char* joint : {"a", "d"}) {
      SCOPED_TRACE(joint);
      const auto run_cut_at = [&](const char* cut) {
        Description description = cuts.at(cut);
        const double from = cuts.start_of(joint);
        const bool is_crank = joint[0] == 'a';
        said_of(description, joint).options.limits = {.lower = {from - (is_crank ? 1.0 : 0.25)},
                                                      .upper = {from + (is_crank ? 7.5 : 0.2)},
                                                      .restitution = {restitution}};
        // pushed against a stop, and later away from it
        description.inputs.push_back(
            {.name = "push",
             .joint = joint,
             .profile = "ramp",
             .numbers = {{"from", {9.0}}, {"to", {-9.0}}, {"over", {2.5}}}});
        return MotionOf(build_model(description));
      };
      MotionOf loop = run_cut_at(joint), tree = run_cut_at("b");
      closing(loop, joint);
      const Status status = loop.go(2.5);
      ASSERT_TRUE(status.ok()) << status.message();
      ASSERT_TRUE(tree.go(2.5).ok());
      EXPECT_GE(loop.statistics.impacts, 1);
      if (restitution < 0.5) {
        const auto has = [&](const char* how) {
          return std::ranges::any_of(loop.statistics.events,
                                     [&](const EventRecord& h) { return h.what.ends_with(how); });
        };
        EXPECT_TRUE(has("holds"));
        EXPECT_TRUE(has("lets go"));
      }
      // bounces amplify small differences
      expect_same_event_log(loop, tree, 1e-6);
      EXPECT_LT(apart(loop, tree), 1e-5);
      EXPECT_LT(loop.largest_violation().position, 1e-12);
    }
}

// If nothing else moves, the stop of a loop joint acts as the stop of its twin in the tree.
TEST(LoopJointInTime, begins_between_its_stops) {
  Description description("two");
  description.body("arm", box(1.0, {0.3, 0.1, 0.1}));
  description.joint("pivot", JointKind::revolute, "ground", "arm");
  description.joint(
      "latch", JointKind::revolute, "ground", "arm",
      {.cut = true, .limits = {.lower = {-1.0}, .upper = {1.0}, .restitution = {0.5}}});
  description.start_positions = {{"pivot", {1.5}}};
  EXPECT_EQ(MotionOf(build_model(description)).go(1).message(),
            "simulate: joint 'latch' begins 0.5 beyond its stop at 1: start it between its limits");

  // for angles over half a turn, the given start or the middle of the limits determines the turn
  said_of(description, "latch").options.limits = {
      .lower = {6.0}, .upper = {7.0}, .restitution = {1.0}};
  description.gravity = {0.0, 0.0, 0.0};
  description.start_positions = {{"pivot", {0.1}}};
  description.start_velocities = {{"pivot", {1.0}}};
  MotionOf run(build_model(description));
  const Status status = run.go(1);
  ASSERT_TRUE(status.ok()) << status.message();
  ASSERT_EQ(run.statistics.events.size(), 1U);
  EXPECT_NEAR(run.statistics.events[0].time, 7.0 - 2 * pi - 0.1, 1e-12);
  EXPECT_NEAR(run.v("pivot"), -1, 1e-12);
}

}  // namespace
}  // namespace trammel::loop_joint_in_time_test
