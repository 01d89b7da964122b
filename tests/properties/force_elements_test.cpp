// Properties of springs, dampers and drives between bodies, in a joint of the tree, in a loop
// joint, or between two points.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <functional>
#include <memory>

#include "tests/support/how_many.hpp"
#include "tests/support/random_closed_robot.hpp"
#include "trammel/constraint/equations/loop_forces.hpp"
#include "trammel/constraint/kinds/closure.hpp"
#include "trammel/constraint/solver/constrained_dynamics.hpp"
#include "trammel/dynamics/energy.hpp"
#include "trammel/dynamics/forward_dynamics.hpp"
#include "trammel/dynamics/inverse_dynamics.hpp"
#include "trammel/dynamics/reactions.hpp"

namespace trammel::force_elements_test {
namespace {

// A spring from a point of ground to the last body, and one between two bodies.
struct Springs {
  Springs(Description& description, int seed, double damping) {
    Random random(seed + 31000);
    const auto add = [&](const char* name, const std::string& body, const std::string& other) {
      const Vec3<double> a = random.vector(0.4), b = random.vector(0.4);
      const std::string at = name + std::string(" foot"), to = name + std::string(" head");
      description.frame(at, body, {.xyz = {a.x, a.y, a.z}});
      description.frame(to, other, {.xyz = {b.x, b.y, b.z}});
      description.springs.push_back({.name = name,
                                     .frame = at,
                                     .other_frame = to,
                                     .stiffness = random(5, 50),
                                     .length = random(0.1, 0.8),
                                     .damping = damping});
    };
    // the first and the last body that move; every mechanism has one
    const Model model = build_model(description);
    const NamedBody *first = nullptr, *last = nullptr;
    for (const NamedBody& body : model.named_bodies())
      if (body.tree_body != 0) {
        if (first == nullptr) first = &body;
        last = &body;
      }
    add("tie", "ground", last->name);
    if (first->tree_body != last->tree_body) add("strut", last->name, first->name);
  }
};

class EverySprungTree : public testing::TestWithParam<int> {
 protected:
  EverySprungTree()
      : robot(GetParam(), {.bodies = 2 + GetParam() % 8, .springs = true}),
        description(with_springs(0)),
        model(build_model(description)),
        workspace(model) {}

  Description with_springs(double damping) const {
    Description sprung = robot.description;
    Springs(sprung, GetParam(), damping);
    return sprung;
  }
  double elastic(const std::vector<double>& q) {
    State there = robot.state;
    there.q = q;
    Energy out;
    EXPECT_TRUE(energy(model, there, workspace, out).ok());
    return out.elastic;
  }
  std::vector<double> passive(const Model& of, const State& state) const {
    Workspace room(of);
    std::vector<double> tau(std::size_t(of.nv()));
    EXPECT_TRUE(passive_forces(of, state, room, tau).ok());
    return tau;
  }

  RandomRobot robot;
  Description description;
  Model model;
  Workspace workspace;
};
INSTANTIATE_TEST_SUITE_P(seeds, EverySprungTree, testing::Range(1, 1 + how_many(40)));

// Virtual work: spring forces are the negative gradient of the spring energy.
TEST_P(EverySprungTree, spring_efforts_are_the_derivative_of_their_energy) {
  State still = robot.state;
  std::fill(still.v.begin(), still.v.end(), 0.0);
  const std::vector<double> tau = passive(model, still);
  const double h = 1e-5;
  for (int f = 0; f < model.nv(); ++f) {
    const auto at = [&](double step) {
      std::vector<double> dv(std::size_t(model.nv())), q(still.q.size());
      dv[std::size_t(f)] = step;
      integrate(model, still.q, dv, q);
      return elastic(q);
    };
    const double slope = (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
    // rounding of the energy divided by the step, and the fifth derivative times its fourth power
    EXPECT_NEAR(tau[std::size_t(f)], -slope, 1e-7 * (1 + std::abs(slope))) << robot << ", " << f;
  }
}

// The same springs as external wrenches computed by hand.
TEST_P(EverySprungTree, springs_are_equal_and_opposite_pulls_on_two_bodies) {
  const Model sprung = build_model(with_springs(3.0)), bare = robot.model;
  Workspace room(sprung), bare_room(bare);
  Kinematics moving(sprung);
  ASSERT_TRUE(kinematics(sprung, robot.state, {}, room, moving).ok());
  std::vector<Wrench> pulls;
  for (std::size_t k = 0; k < sprung.springs().size(); ++k) {
    const SpringDescription& spring = sprung.description().springs[k];
    const FrameRef foot = frame_ref(sprung, spring.frame),
                   head = frame_ref(sprung, spring.other_frame);
    const Vec3<double> d = pose(sprung, moving, head).p - pose(sprung, moving, foot).p;
    const Vec3<double> u = (1 / norm(d)) * d;
    const double rate =
        dot(u, velocity(sprung, moving, head).linear - velocity(sprung, moving, foot).linear);
    const double pull = spring.stiffness.constant() * (norm(d) - spring.length.constant()) +
                        spring.damping.constant() * rate;
    pulls.push_back({foot, {{}, pull * u}});
    pulls.push_back({head, {{}, -pull * u}});
  }
  std::vector<double> a(robot.a.size()), by_hand(robot.a.size()), tau(robot.a.size()),
      tau_by_hand(robot.a.size());
  const Status weak = forward_dynamics(bare, robot.state, {.wrenches = pulls}, bare_room, by_hand);
  const Status status = forward_dynamics(sprung, robot.state, {}, room, a);
  ASSERT_TRUE(weak.ok()) << weak.message();
  ASSERT_TRUE(status.ok()) << status.message();
  EXPECT_GE(pulls.size(), 2u);
  // both are backward stable; the condition of the mass matrix, up to 1e5 here, multiplies rounding
  EXPECT_LT(difference_of(a, by_hand), 1e-10) << robot;
  ASSERT_TRUE(inverse_dynamics(sprung, robot.state, {.a = robot.a}, room, tau).ok());
  ASSERT_TRUE(
      inverse_dynamics(bare, robot.state, {.a = robot.a, .wrenches = pulls}, bare_room, tau_by_hand)
          .ok());
  EXPECT_LT(difference_of(tau, tau_by_hand), 1e-11) << robot;
  std::vector<Force<double>> carried, carried_by_hand;
  ASSERT_TRUE(reactions(sprung, robot.state, {.a = robot.a}, room, carried).ok());
  ASSERT_TRUE(
      reactions(bare, robot.state, {.a = robot.a, .wrenches = pulls}, bare_room, carried_by_hand)
          .ok());
  for (std::size_t j = 0; j < carried.size(); ++j) {
    EXPECT_LT(norm(carried[j].force - carried_by_hand[j].force), 1e-9) << robot;
    EXPECT_LT(norm(carried[j].moment - carried_by_hand[j].moment), 1e-9) << robot;
  }
}

// Mechanisms with loops whose loop joints have springs, dampers and applied efforts.
class EverySprungLoop : public testing::TestWithParam<int> {
 protected:
  EverySprungLoop() : robot(GetParam(), GetParam() % 3 == 0), random(GetParam() + 900) {
    Description description = robot.description;
    for (JointDescription& joint : description.joints) {
      if (!joint.name.starts_with("loop") || joint.kind == JointKind::fixed) continue;
      if (joint.kind != JointKind::spherical && joint.kind != JointKind::free)
        joint.options.stiffness = {random(1, 5)}, joint.options.rest = {random()};
      joint.options.damping = {random(0.1, 1)};
    }
    Springs(description, GetParam(), 0.7);
    model = std::make_unique<Model>(build_model(description));
    workspace = std::make_unique<Workspace>(*model);
    loop_tau = random.numbers(model->loop_nv());
  }

  double energy_at(const std::vector<double>& q, const std::vector<double>& v) {
    State there = robot.state;
    there.q = q;
    there.v = v;
    Energy out;
    const Status status = energy(*model, there, *workspace, out);
    EXPECT_TRUE(status.ok()) << status.message();
    return out.total();
  }

  RandomClosedRobot robot;
  Random random;
  std::unique_ptr<Model> model;
  std::unique_ptr<Workspace> workspace;
  std::vector<double> loop_tau;
};
INSTANTIATE_TEST_SUITE_P(seeds, EverySprungLoop, testing::Range(1, 1 + how_many(60)));

// Rate of energy = power of the drives - power dissipated by the dampers.
TEST_P(EverySprungLoop, power_is_the_rate_of_energy) {
  const State& state = robot.state;
  ConstrainedAnswer answer;
  const Status status = constrained_dynamics(
      *model, state, {.tau = robot.tau, .loop_tau = loop_tau}, *workspace, answer);
  ASSERT_TRUE(status.ok()) << status.message();

  // rates of the loop joints, and of the spring lengths
  Kinematics moving(*model);
  ASSERT_TRUE(kinematics(*model, state, {}, *workspace, moving).ok());
  double power = 0, size = 1;
  const auto add = [&](double watts) { power += watts, size += std::abs(watts); };
  for (std::size_t f = 0; f < state.v.size(); ++f) add(robot.tau[f] * state.v[f]);
  for (const PassiveNumbers<double>& element : model->numbers().passive)
    add(-element.damping * std::pow(state.v[std::size_t(element.v)], 2));
  for (std::size_t c = 0; c < model->closures().size(); ++c) {
    const Closure& closure = model->closures()[c];
    const double near[7] = {1};
    const ClosureAt at = evaluate_closure(*model, int(c), moving, near);
    for (int k = 0; k < dof_count(closure.joint); ++k)
      add(loop_tau[std::size_t(closure.v_start + k)] * at.v[k]);
    for (const PassiveNumbers<double>& element : model->numbers().closure_passive)
      if (element.v >= closure.v_start && element.v < closure.v_start + dof_count(closure.joint))
        add(-element.damping * std::pow(at.v[element.v - closure.v_start], 2));
  }
  for (const SpringDescription& spring : model->description().springs) {
    const FrameRef foot = frame_ref(*model, spring.frame),
                   head = frame_ref(*model, spring.other_frame);
    const Vec3<double> d = pose(*model, moving, head).p - pose(*model, moving, foot).p;
    const double rate = dot((1 / norm(d)) * d, velocity(*model, moving, head).linear -
                                                   velocity(*model, moving, foot).linear);
    add(-spring.damping.constant() * rate * rate);
  }

  // along the motion; the loops open a little, because the third order is left out
  const double fastest = 1 + answer.a.lpNorm<Eigen::Infinity>();
  const double h = 1e-4 / std::sqrt(fastest);
  const auto energy_after = [&](double t) {
    std::vector<double> step(state.v), v(state.v), q(state.q.size());
    for (std::size_t f = 0; f < v.size(); ++f) {
      const double a = answer.a[Eigen::Index(f)];
      step[f] = t * state.v[f] + t * t / 2 * a;
      v[f] += t * a;
    }
    integrate(*model, state.q, step, q);
    return energy_at(q, v);
  };
  const double rate = (energy_after(h) - energy_after(-h)) / (2 * h);
  // third derivatives of the energy times h^2, and its rounding over h
  EXPECT_NEAR(rate, power, 2e-6 * size * fastest) << GetParam();
}

}  // namespace
}  // namespace trammel::force_elements_test
