// Prescribed orientations: a ball joint prescribed by three angles moves its outboard bodies as
// three revolute joints in series do.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "tests/support/motion_of.hpp"
#include "trammel/dynamics/kinematics.hpp"
#include "trammel/model/build/builder.hpp"
#include "trammel/simulate/inputs/prescribed_pose.hpp"
#include "trammel/simulate/kinematic.hpp"
#include "trammel/simulate/recorder.hpp"

namespace trammel::prescribed_pose_test {

namespace {

// A body with prescribed motion that carries a free pendulum; prescribed by one joint, or by
// revolute and prismatic joints of one degree of freedom each.
Description led(bool by_one, bool floats) {
  Description description("led");
  description.body(
      "top",
      {.mass = 1.3, .com = {0.1, -0.2, 0.3}, .inertia = {0.05, 0.01, 0.0, 0.08, 0.005, 0.06}});
  description.body(
      "tail",
      {.mass = 0.4, .com = {0.0, 0.0, -0.3}, .inertia = {0.01, 0.0, 0.0, 0.01, 0.0, 0.002}});
  const Placement at{{0.2, 0.1, 0.4}, {0.3, -0.2, 0.5}};
  if (by_one) {
    description.joint("lead", floats ? JointKind::free : JointKind::spherical, "ground", "top",
                      {.at = at, .drive = Drive::motion});
  } else {
    struct Step {
      const char* name;
      JointKind kind;
      Vec3<Expr> axis;
    };
    std::vector<Step> steps;
    if (floats)
      steps = {{"x", JointKind::prismatic, {1.0, 0.0, 0.0}},
               {"y", JointKind::prismatic, {0.0, 1.0, 0.0}},
               {"z", JointKind::prismatic, {0.0, 0.0, 1.0}}};
    steps.push_back({"yaw", JointKind::revolute, {0.0, 0.0, 1.0}});
    steps.push_back({"pitch", JointKind::revolute, {0.0, 1.0, 0.0}});
    steps.push_back({"roll", JointKind::revolute, {1.0, 0.0, 0.0}});
    std::string parent = "ground";
    for (const Step& step : steps) {
      const std::string child = step.name == steps.back().name ? "top" : step.name;
      if (child != "top") description.body(child, Solid{});
      JointOptions options{.axis = step.axis, .drive = Drive::motion};
      if (parent == "ground") options.at = at;
      description.joint(step.name, step.kind, parent, child, options);
      parent = child;
    }
  }
  description.joint("swing", JointKind::revolute, "top", "tail",
                    {.at = {{0.0, 0.3, 0.0}, {}}, .axis = {0.6, 0.8, 0.0}});
  return description;
}

std::vector<Signal> plan() {
  const double times[] = {0, 0.4, 1, 2}, angles[] = {0, 1.5, -2, 4};
  return {Signal::spline(times, angles),
          Signal::sine(1.9, 0.7, 0.4, 0.3),  // past 90 degrees, where angles are not unique
          Signal::rest_to_rest(0, 9, 0.2, 1.5),
          Signal::sine(0.3, 1.1, 0, 0),
          Signal::rest_to_rest(0, 0.5, 0, 1),
          Signal::constant(0.2)};
}

// Efforts are about 10, positions about 1, and the swing agrees to 1e-8.
void expect_alike(const Recorder& one, const Recorder& other,
                  std::initializer_list<const char*> columns) {
  for (const char* column : columns) {
    const std::vector<double> a = one.recording().column(column),
                              b = other.recording().column(column);
    ASSERT_EQ(a.size(), b.size()) << column;
    for (std::size_t k = 0; k < a.size(); ++k) EXPECT_NEAR(a[k], b[k], 1e-6) << column;
  }
}

}  // namespace

TEST(PrescribedOrientation, moves_what_it_carries_as_hinges_do) {
  for (const bool floats : {false, true}) {
    MotionOf one(build_model(led(true, floats))), many(build_model(led(false, floats)));
    const std::vector<Signal> signals = plan();
    const int first = one.model[*one.model.find_joint("lead")].v_start;
    const char* const names[] = {"yaw", "pitch", "roll", "x", "y", "z"};
    for (int k = 0; k < (floats ? 6 : 3); ++k) {
      one.run_inputs.prescribe(first + k, signals[std::size_t(k)]);
      many.run_inputs.prescribe(many.model[*many.model.find_joint(names[k])].v_start,
                                signals[std::size_t(k)]);
    }
    Recorder by_one(one.model, one.run_inputs, {"poses", "power", "energy"});
    Recorder by_many(many.model, many.run_inputs, {"poses", "power", "energy"});
    for (const double t : {0.1, 0.7, 1.6}) {
      one.at(t), many.at(t);
      EXPECT_NEAR(one.q("swing"), many.q("swing"), 1e-8) << t;
      EXPECT_NEAR(one.v("swing"), many.v("swing"), 1e-8) << t;
      ASSERT_TRUE(by_one.observe(one.state, one.workspace).ok());
      ASSERT_TRUE(by_many.observe(many.state, many.workspace).ok());
    }
    expect_alike(by_one, by_many,
                 {"pose.top.x", "pose.top.z", "pose.tail.y", "energy.total", "power.drives",
                  "power.residual"});
    // power of the prescribed motion is the rate of energy
    for (const double left : by_one.recording().column("power.residual"))
      EXPECT_NEAR(left, 0, 1e-8);
  }
}

// The same joint as a loop joint of a floating body: same motion and efforts.
TEST(PrescribedOrientation, leads_where_the_joint_closes_a_loop) {
  for (const bool floats : {false, true}) {
    Description description = led(true, floats);
    MotionOf tree(build_model(description));
    description.joints[0].options.cut = true;
    description.joint("flight", JointKind::free, "ground", "top");
    MotionOf loop(build_model(description));
    ASSERT_EQ(loop.model.loop_nv(), floats ? 6 : 3);
    const std::vector<Signal> signals = plan();
    for (int k = 0; k < loop.model.loop_nv(); ++k) {
      tree.run_inputs.prescribe(tree.model[*tree.model.find_joint("lead")].v_start + k,
                                signals[std::size_t(k)]);
      loop.run_inputs.prescribe_loop(k, signals[std::size_t(k)]);
    }
    const auto begin_together = [&] {
      tree.run_inputs.follow(0, tree.state.q, tree.state.v);
      Kinematics now(tree.model);
      ASSERT_TRUE(kinematics(tree.model, tree.state, {}, tree.workspace, now).ok());
      const Pose<double> X = pose(tree.model, now, frame_ref(tree.model, "top"));
      const Motion<double> V = velocity(tree.model, now, frame_ref(tree.model, "top"), Axes::body);
      const Quaternion<double> w = quaternion(X.R);
      const auto& flight = loop.model[*loop.model.find_joint("flight")];
      std::ranges::copy(std::array{w.w, w.x, w.y, w.z, X.p.x, X.p.y, X.p.z},
                        loop.state.q.begin() + flight.q_start);
      std::ranges::copy(
          std::array{V.angular.x, V.angular.y, V.angular.z, V.linear.x, V.linear.y, V.linear.z},
          loop.state.v.begin() + flight.v_start);
    };
    begin_together();
    const std::vector<std::string> what{"poses", "power", "energy", "reactions"};
    Recorder of_tree(tree.model, tree.run_inputs, what), of_loop(loop.model, loop.run_inputs, what);
    for (const double t : {0.1, 0.7, 1.6}) {
      tree.at(t), loop.at(t);
      EXPECT_NEAR(loop.q("swing"), tree.q("swing"), 1e-8) << t;
      EXPECT_NEAR(loop.v("swing"), tree.v("swing"), 1e-8) << t;
      ASSERT_TRUE(of_tree.observe(tree.state, tree.workspace).ok());
      ASSERT_TRUE(of_loop.observe(loop.state, loop.workspace).ok());
    }
    expect_alike(of_loop, of_tree,
                 {"pose.top.x", "pose.top.z", "pose.tail.y", "energy.total", "power.drives",
                  "power.residual", "reaction.swing.force.x", "reaction.lead.moment.z"});
    EXPECT_LT(loop.largest_violation().position, 1e-12);
  }
}

// omega and alpha are time derivatives of the orientation, which is continuous.
TEST(PrescribedOrientation, rates_are_rates) {
  const std::vector<Signal> signals = plan();
  const auto at = [&](double t) {
    return PrescribedOrientation{signals[0].at(t), signals[1].at(t), signals[2].at(t)};
  };
  const double h = 1e-4;
  for (double t = 0.03; t < 1.9; t += 0.05) {  // between the breakpoints of the signals
    const Quaternion<double> a = at(t - h).orientation(), b = at(t + h).orientation(),
                             q = at(t).orientation();
    EXPECT_GT(a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z, 0.999) << t;
    // omega = 2 q^-1 q'
    const Quaternion<double> back{q.w, -q.x, -q.y, -q.z};
    const Quaternion<double> w = back * Quaternion<double>{(b.w - a.w) / h, (b.x - a.x) / h,
                                                           (b.y - a.y) / h, (b.z - a.z) / h};
    EXPECT_LT(norm(Vec3<double>{w.x, w.y, w.z} - at(t).omega()), 2e-5) << t;
    const Vec3<double> alpha = (0.5 / h) * (at(t + h).omega() - at(t - h).omega());
    EXPECT_LT(norm(alpha - at(t).alpha()), 2e-4) << t;
  }
}

// In kinematic runs too, in the tree and as a loop joint.
TEST(PrescribedOrientation, leads_through_a_kinematic_run) {
  for (const bool closes : {false, true}) {
    Description description = led(true, false);
    description.joints[1].options.drive = Drive::locked;
    if (closes) {
      description.joints[0].options.cut = true;
      description.joint("flight", JointKind::free, "ground", "top");
    }
    MotionOf run(build_model(description));
    const std::vector<Signal> signals = plan();
    for (int k = 0; k < 3; ++k)
      closes ? run.run_inputs.prescribe_loop(k, signals[std::size_t(k)])
             : run.run_inputs.prescribe(k, signals[std::size_t(k)]);
    RunOptions options;
    options.duration = 1, options.sample = 0.01;
    State last;
    const Status status = simulate_kinematic(
        run.model, run.state, run.run_inputs, options, run.workspace,
        [&](const RunSnapshot& seen) {
          last = seen.state;
          return Status();
        },
        run.statistics);
    ASSERT_TRUE(status.ok()) << status.message();
    const Quaternion<double> prescribed =
        PrescribedOrientation{signals[0].at(1), signals[1].at(1), signals[2].at(1)}.orientation();
    Kinematics now(run.model);
    ASSERT_TRUE(kinematics(run.model, last, {}, run.workspace, now).ok());
    // pose of the joint on ground, as in led()
    const Mat3<double> R_WF = rotation_rpy(sin_cos(0.3), sin_cos(-0.2), sin_cos(0.5));
    const Mat3<double> found = pose(run.model, now, frame_ref(run.model, "top")).R,
                       wanted = R_WF * rotation(prescribed);
    EXPECT_LT(std::max(norm(found.x - wanted.x), norm(found.y - wanted.y)), 1e-12);
  }
}

// As in a model file: a list of yaw, pitch and roll.
TEST(PrescribedOrientation, may_be_of_a_loop_joint) {
  Description description = led(true, false);
  description.joints[0].options.cut = true;
  description.joint("flight", JointKind::free, "ground", "top",
                    {.at = description.joints[0].options.at});
  description.inputs.push_back({.name = "turn",
                                .joint = "lead",
                                .profile = "cubic",
                                .numbers = {{"to", {0.5, 0.3, -0.4}}, {"over", {1.0}}}});
  MotionOf run(build_model(description));
  const Status status = run.go(1);
  ASSERT_TRUE(status.ok()) << status.message();
  const Mat3<double> wanted = rotation_rpy(sin_cos(-0.4), sin_cos(0.3), sin_cos(0.5));
  const Mat3<double> found = rotation(Quaternion<double>{run.q("flight", 0), run.q("flight", 1),
                                                         run.q("flight", 2), run.q("flight", 3)});
  EXPECT_LT(std::max(norm(found.x - wanted.x), norm(found.y - wanted.y)), 1e-10);
}

}  // namespace trammel::prescribed_pose_test
