// What physics demands of springs, dampers and drives between bodies, whether they sit in a joint
// of the tree, in a joint that closes a loop, or between two points.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <functional>
#include <memory>

#include "tests/random_closed_robot.hpp"
#include "trammel/constraint/closure.hpp"
#include "trammel/constraint/constrained_dynamics.hpp"
#include "trammel/constraint/locked_joints.hpp"
#include "trammel/constraint/loop_forces.hpp"
#include "trammel/dynamics/energy.hpp"
#include "trammel/dynamics/forward_dynamics.hpp"
#include "trammel/dynamics/hybrid_dynamics.hpp"
#include "trammel/dynamics/inverse_dynamics.hpp"
#include "trammel/dynamics/reactions.hpp"

namespace trammel {
namespace {

// A spring from somewhere on ground to the last body, and one between two bodies.
struct Springs {
  Springs(Description& said, int seed, double damping) {
    Random random(seed + 31000);
    const int n = int(said.bodies.size());
    const auto add = [&](const char* name, const std::string& body, const std::string& other) {
      const Vec3<double> a = random.vector(0.4), b = random.vector(0.4);
      const std::string at = name + std::string(" foot"), to = name + std::string(" head");
      said.frame(at, body, {.xyz = {a.x, a.y, a.z}});
      said.frame(to, other, {.xyz = {b.x, b.y, b.z}});
      said.springs.push_back({.name = name,
                              .frame = at,
                              .other_frame = to,
                              .stiffness = random(5, 50),
                              .length = random(0.1, 0.8),
                              .damping = damping});
    };
    const std::string last = said.bodies[std::size_t(n - 1)].name;
    add("tie", "ground", last);
    if (n > 2 && are_apart(said)) add("strut", last, said.bodies[0].name);
  }
  static bool are_apart(const Description& said) {
    const Model model = build_model(said);
    return model.named_bodies()[1].carrier != model.named_bodies().back().carrier &&
           model.named_bodies()[1].carrier != 0;
  }
};

class EverySprungTree : public testing::TestWithParam<int> {
 protected:
  EverySprungTree()
      : robot(GetParam(), {.bodies = 2 + GetParam() % 8, .springs = true}),
        said(with_springs(0)),
        model(build_model(said)),
        workspace(model) {}

  Description with_springs(double damping) const {
    Description sprung = robot.description;
    if (robot.model.named_bodies().back().carrier != 0) Springs(sprung, GetParam(), damping);
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
  Description said;
  Model model;
  Workspace workspace;
};
INSTANTIATE_TEST_SUITE_P(seeds, EverySprungTree, testing::Range(1, 41));

// Virtual work: what springs give is the slope of what is in them.
TEST_P(EverySprungTree, springs_give_the_slope_of_their_energy) {
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
    // rounding of the energy over the step, and the fifth derivative times its fourth power
    EXPECT_NEAR(tau[std::size_t(f)], -slope, 1e-7 * (1 + std::abs(slope))) << robot << ", " << f;
  }
}

// The same springs as wrenches from outside, told by hand.
TEST_P(EverySprungTree, springs_are_equal_and_opposite_pulls_on_two_bodies) {
  const Model sprung = build_model(with_springs(3.0)), bare = robot.model;
  Workspace room(sprung), bare_room(bare);
  Kinematics moving(sprung);
  ASSERT_TRUE(kinematics(sprung, robot.state, {}, room, moving).ok());
  std::vector<Wrench> pulls;
  for (std::size_t k = 0; k < sprung.springs().size(); ++k) {
    const SpringDescription& spring = sprung.description().springs[k];
    const At foot = at(sprung, spring.frame), head = at(sprung, spring.other_frame);
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
  ASSERT_EQ(status.ok(), weak.ok()) << status.message();
  // both are backward stable; the mass matrix multiplies rounding by its condition
  if (status.ok()) { EXPECT_LT(difference_of(a, by_hand), 1e-7) << robot; }
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

// Mechanisms with loops whose closing joints have springs and dampers and are pushed.
class EverySprungLoop : public testing::TestWithParam<int> {
 protected:
  EverySprungLoop() : robot(GetParam(), GetParam() % 3 == 0), random(GetParam() + 900) {
    Description said = robot.description;
    for (JointDescription& joint : said.joints) {
      if (!joint.name.starts_with("loop") || joint.kind == JointKind::fixed) continue;
      if (joint.kind != JointKind::spherical && joint.kind != JointKind::free)
        joint.options.stiffness = {random(1, 5)}, joint.options.rest = {random()};
      joint.options.damping = {random(0.1, 1)};
    }
    if (robot.open.model.named_bodies().back().carrier != 0) Springs(said, GetParam(), 0.7);
    model = std::make_unique<Model>(build_model(said));
    workspace = std::make_unique<Workspace>(*model);
    loop_tau = random.numbers(model->closure_nv());
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
INSTANTIATE_TEST_SUITE_P(seeds, EverySprungLoop, testing::Range(1, 61));

// Energy grows by what the drives put in, and shrinks by what dampers take out.
TEST_P(EverySprungLoop, power_is_the_rate_of_energy) {
  const State& state = robot.state;
  ConstrainedAnswer answer;
  const Status status = constrained_dynamics(
      *model, state, {.tau = robot.tau, .loop_tau = loop_tau}, *workspace, answer);
  ASSERT_TRUE(status.ok()) << status.message();

  // the rates of the closing joints, and of the springs' lengths
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
    const ClosureAt at = look_at(*model, int(c), moving, near);
    for (int k = 0; k < freedom_count(closure.joint); ++k)
      add(loop_tau[std::size_t(closure.v_start + k)] * at.v[k]);
    for (const PassiveNumbers<double>& element : model->numbers().closure_passive)
      if (element.v >= closure.v_start &&
          element.v < closure.v_start + freedom_count(closure.joint))
        add(-element.damping * std::pow(at.v[element.v - closure.v_start], 2));
  }
  for (const SpringDescription& spring : model->description().springs) {
    const At foot = at(*model, spring.frame), head = at(*model, spring.other_frame);
    const Vec3<double> d = pose(*model, moving, head).p - pose(*model, moving, foot).p;
    const double rate = dot((1 / norm(d)) * d, velocity(*model, moving, head).linear -
                                                   velocity(*model, moving, foot).linear);
    add(-spring.damping.constant() * rate * rate);
  }

  // along the motion; a little open, as the third order is left out
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

// A four-bar in the x-y plane with everything a joint can have in every joint, cut at any of them.
struct FourBar {
  static constexpr double crank = 0.2, coupler = 0.5, rocker = 0.45, base = 0.5;
  static constexpr const char* names[] = {"motor", "knee", "foot", "wrist"};
  static constexpr double friction = 0.2,
                          friction_speed = 0.5;  // of dry friction, plus 0.1 a joint

  explicit FourBar(const std::string& cut, const std::function<void(Description&)>& change = {}) {
    Description said("four-bar");
    said.gravity = {0.3, -9.81, 0.0};
    const auto bar = [&](const char* name, double length) {
      said.body(name, {.mass = length,
                       .com = {length / 2, 0.02, 0.0},
                       .inertia = {0.001, 0.0, 0.0, 0.01, 0.0, 0.01}});
    };
    bar("crank", crank), bar("coupler", coupler), bar("rocker", rocker);
    int k = 0;
    const auto joint = [&](const char* name, const char* parent, const char* child, double at,
                           double child_at) {
      said.joint(name, JointKind::revolute, parent, child,
                 {.at = {.xyz = {at, 0.0, 0.0}},
                  .child_at = {.xyz = {child_at, 0.0, 0.0}},
                  .cut = cut == name,
                  .stiffness = {1.0 + k},
                  .rest = {0.3 - 0.2 * k},
                  .damping = {0.1 + 0.05 * k},
                  .friction = {friction + 0.1 * k},
                  .friction_speed = {friction_speed}});
      ++k;
    };
    joint("motor", "ground", "crank", 0, 0);
    joint("knee", "crank", "coupler", crank, 0);
    joint("foot", "ground", "rocker", base, 0);
    joint("wrist", "coupler", "rocker", coupler, rocker);
    if (change) change(said);
    model = std::make_unique<Model>(build_model(said));
    workspace = std::make_unique<Workspace>(*model);
    put(0.9, 1.3);
  }

  // The crank at an angle and a rate, the others where and as they must be.
  void put(double phi1, double rate1) {
    const double x = base - crank * std::cos(phi1), y = -crank * std::sin(phi1);
    const double d = std::hypot(x, y), to_D = std::atan2(y, x);
    const double inner =
        std::acos((coupler * coupler + d * d - rocker * rocker) / (2 * coupler * d));
    const double phi2 = to_D + inner;
    const double phi3 = std::atan2(crank * std::sin(phi1) + coupler * std::sin(phi2),
                                   crank * std::cos(phi1) + coupler * std::cos(phi2) - base);
    // crank' + coupler' = rocker'
    Eigen::Matrix2d J;
    J << -coupler * std::sin(phi2), rocker * std::sin(phi3), coupler * std::cos(phi2),
        -rocker * std::cos(phi3);
    const Eigen::Vector2d rates =
        J.inverse() * (rate1 * crank * Eigen::Vector2d(std::sin(phi1), -std::cos(phi1)));
    angle = {phi1, phi2 - phi1, phi3, phi3 - phi2};
    rate = {rate1, rates[0] - rate1, rates[1], rates[1] - rates[0]};
    state = neutral_state(*model);
    for (int k = 0; k < 4; ++k) {
      const NamedJoint& joint = (*model)[*model->find_joint(names[k])];
      if (joint.role != NamedJoint::Role::tree) continue;
      state.q[std::size_t(joint.q_start)] = angle[std::size_t(k)];
      state.v[std::size_t(joint.v_start)] = rate[std::size_t(k)];
    }
  }
  // An effort (or acceleration) of one joint, wherever it ended up.
  void set(const char* name, double value, std::vector<double>& of_tree,
           std::vector<double>& of_loop) const {
    of_tree.assign(std::size_t(model->nv()), 0.0);
    of_loop.assign(std::size_t(model->closure_nv()), 0.0);
    const JointId id = *model->find_joint(name);
    const NamedJoint& joint = (*model)[id];
    if (joint.role == NamedJoint::Role::tree)
      of_tree[std::size_t(joint.v_start)] = value;
    else
      of_loop[std::size_t(model->closures()[std::size_t(model->closure_of(id))].v_start)] = value;
  }
  // alpha and a of every body's origin
  Eigen::VectorXd accelerations(const Inputs& inputs) {
    std::vector<double> a(std::size_t(model->nv()));
    const Status status = forward_dynamics(*model, state, inputs, *workspace, a);
    EXPECT_TRUE(status.ok()) << status.message();
    return of_bodies(a);
  }
  Eigen::VectorXd of_bodies(const std::vector<double>& a) {
    Kinematics moving(*model);
    EXPECT_TRUE(kinematics(*model, state, {.a = a}, *workspace, moving).ok());
    Eigen::VectorXd all(18);
    int k = 0;
    for (const char* body : {"crank", "coupler", "rocker"}) {
      const Motion<double> A = acceleration(*model, moving, at(*model, body));
      all.segment<6>(6 * k++) << A.angular.x, A.angular.y, A.angular.z, A.linear.x, A.linear.y,
          A.linear.z;
    }
    return all;
  }
  // in the plane, where they are unique: force x, force y, moment z of every joint
  Eigen::VectorXd reactions_in_plane(const Inputs& inputs) {
    UniqueReactions out;
    const Status status = constrained_reactions(*model, state, inputs, *workspace, out);
    EXPECT_TRUE(status.ok()) << status.message();
    Eigen::VectorXd all(12);
    for (int k = 0; k < 4; ++k) {
      const auto j = std::size_t(index(*model->find_joint(names[k])));
      all.segment<3>(3 * k) << out.force[j].force.x, out.force[j].force.y, out.force[j].moment.z;
      EXPECT_TRUE(out.is_unique[j][3] && out.is_unique[j][4] && out.is_unique[j][2]);
    }
    return all;
  }

  std::unique_ptr<Model> model;
  std::unique_ptr<Workspace> workspace;
  State state;
  std::array<double, 4> angle = {}, rate = {};
};

TEST(what_a_joint_has, does_not_depend_on_where_the_loop_is_cut) {
  for (const char* pushed : FourBar::names) {
    std::vector<Eigen::VectorXd> accelerations, carried;
    std::vector<double> energies;
    for (const char* cut : FourBar::names) {
      FourBar bars(cut);
      ASSERT_EQ(bars.model->closures()[0].name, std::string("loop joint '") + cut + "'");
      std::vector<double> tau, loop_tau;
      bars.set(pushed, 0.7, tau, loop_tau);
      const Inputs inputs{.tau = tau, .loop_tau = loop_tau};
      accelerations.push_back(bars.accelerations(inputs));
      carried.push_back(bars.reactions_in_plane(inputs));
      Energy out;
      ASSERT_TRUE(energy(*bars.model, bars.state, *bars.workspace, out).ok());
      energies.push_back(out.total());
      // the joint's own moment is what its spring, damper, dry friction and drive give
      for (int k = 0; k < 4; ++k) {
        const double own = -(1.0 + k) * (bars.angle[std::size_t(k)] - (0.3 - 0.2 * k)) -
                           (0.1 + 0.05 * k) * bars.rate[std::size_t(k)] -
                           (FourBar::friction + 0.1 * k) * bars.rate[std::size_t(k)] /
                               std::hypot(bars.rate[std::size_t(k)], FourBar::friction_speed) +
                           (std::string(pushed) == FourBar::names[k] ? 0.7 : 0);
        EXPECT_NEAR(carried.back()[3 * k + 2], own, 1e-11) << cut << " " << k;
      }
    }
    for (std::size_t k = 1; k < 4; ++k) {
      // a well conditioned mechanism of length 1
      EXPECT_LT((accelerations[k] - accelerations[0]).cwiseAbs().maxCoeff(), 1e-10) << k;
      EXPECT_LT((carried[k] - carried[0]).cwiseAbs().maxCoeff(), 1e-10) << k;
      EXPECT_NEAR(energies[k], energies[0], 1e-13) << k;
    }
    EXPECT_GT(accelerations[0].cwiseAbs().maxCoeff(), 1);
  }
}

TEST(what_a_joint_has, its_drive_takes_the_same_effort_wherever_the_loop_is_cut) {
  std::vector<double> efforts;
  for (const char* cut : FourBar::names) {
    FourBar bars(cut, [](Description& said) { said.joints[3].options.drive = Drive::torque; });
    std::vector<double> tau, loop_tau;
    bars.set("wrist", 0.4, tau, loop_tau);
    std::vector<double> a(std::size_t(bars.model->nv()));
    ASSERT_TRUE(forward_dynamics(*bars.model, bars.state, {.tau = tau, .loop_tau = loop_tau},
                                 *bars.workspace, a)
                    .ok());
    DriveEfforts found;
    const Status status = drive_efforts(*bars.model, bars.state, {.a = a}, *bars.workspace, found);
    ASSERT_TRUE(status.ok()) << status.message();
    for (std::size_t f = 0; f < tau.size(); ++f)
      EXPECT_NEAR(found.tau[Eigen::Index(f)], tau[f], 1e-10) << cut;
    for (std::size_t f = 0; f < loop_tau.size(); ++f)
      EXPECT_NEAR(found.loop_tau[Eigen::Index(f)], loop_tau[f], 1e-10) << cut;
    std::vector<double> same(a.size());
    const Status plain = inverse_dynamics(*bars.model, bars.state, {.a = a}, *bars.workspace, same);
    EXPECT_EQ(plain.message(),
              std::string(cut) == "wrist"
                  ? "inverse_dynamics: loop joint 'wrist' is driven, and tau has no entry for its "
                    "effort: ask drive_efforts"
                  : "");
  }
}

TEST(what_a_joint_has, its_planned_motion_moves_all_wherever_the_loop_is_cut) {
  std::vector<Eigen::VectorXd> accelerations, carried;
  for (const char* cut : FourBar::names) {
    FourBar bars(cut, [](Description& said) { said.joints[3].options.drive = Drive::motion; });
    std::vector<double> a, loop_a;
    bars.set("wrist", 2.5, a, loop_a);
    accelerations.push_back(bars.accelerations({.a = a, .loop_a = loop_a}));
    carried.push_back(bars.reactions_in_plane({.a = a, .loop_a = loop_a}));
    // what it takes has a place in tau, or is refused by name
    std::vector<double> all(3), tau(3);
    const std::string words = hybrid_dynamics(*bars.model, bars.state, {.a = a, .loop_a = loop_a},
                                              *bars.workspace, all, tau)
                                  .message();
    EXPECT_EQ(words.find("loop joint 'wrist' is driven by motion, and tau has no entry") !=
                  std::string::npos,
              std::string(cut) == "wrist")
        << words;
  }
  for (std::size_t k = 1; k < 4; ++k) {
    EXPECT_LT((accelerations[k] - accelerations[0]).cwiseAbs().maxCoeff(), 1e-10) << k;
    EXPECT_LT((carried[k] - carried[0]).cwiseAbs().maxCoeff(), 1e-10) << k;
  }
  // alpha of the rocker less that of the coupler
  EXPECT_NEAR(accelerations[0][14] - accelerations[0][8], 2.5, 1e-11);

  // the effort it takes: with it, the same motion
  FourBar planned("foot", [](Description& said) { said.joints[3].options.drive = Drive::motion; });
  std::vector<double> a, loop_a, all_a(3), tau(3);
  planned.set("wrist", 2.5, a, loop_a);
  const Status status =
      hybrid_dynamics(*planned.model, planned.state, {.a = a}, *planned.workspace, all_a, tau);
  ASSERT_TRUE(status.ok()) << status.message();
  FourBar pushed("wrist");
  std::vector<double> tree, loop;
  pushed.set("wrist",
             tau[std::size_t((*planned.model)[*planned.model->find_joint("wrist")].v_start)], tree,
             loop);
  EXPECT_LT((pushed.accelerations({.tau = tree, .loop_tau = loop}) - accelerations[0])
                .cwiseAbs()
                .maxCoeff(),
            1e-10);
}

TEST(what_a_joint_has, a_locked_joint_holds_all_wherever_the_loop_is_cut) {
  std::vector<Eigen::VectorXd> carried;
  std::vector<double> held;
  for (const char* cut : FourBar::names) {
    FourBar bars(cut, [](Description& said) { said.joints[3].options.drive = Drive::locked; });
    bars.put(0.9, 0);
    EXPECT_LT(bars.accelerations({}).cwiseAbs().maxCoeff(), 1e-10) << cut;
    carried.push_back(bars.reactions_in_plane({}));
    LockedJoints found;
    const Status status = locked_joints(*bars.model, bars.state, {}, *bars.workspace, found);
    ASSERT_TRUE(status.ok()) << status.message();
    const bool is_loop = std::string(cut) == "wrist";
    ASSERT_EQ(found.loop_freedoms.size(), is_loop ? 1 : 0);
    held.push_back(is_loop ? found.loop_effort[0] : found.effort[0]);
    EXPECT_TRUE(is_loop ? found.loop_is_unique[0] : found.is_unique[0]);
    // what the joint carries along its axis, less what its spring does there
    const double spring = -4 * (bars.angle[3] - (0.3 - 0.2 * 3));
    EXPECT_NEAR(held.back(), carried.back()[3 * 3 + 2] - spring, 1e-10) << cut;
    // moving, it is told
    bars.put(0.9, 1);
    std::vector<double> a(3);
    const std::string words =
        forward_dynamics(*bars.model, bars.state, {}, *bars.workspace, a).message();
    EXPECT_NE(words.find("'wrist'"), std::string::npos) << words;
  }
  for (std::size_t k = 1; k < 4; ++k) {
    EXPECT_LT((carried[k] - carried[0]).cwiseAbs().maxCoeff(), 1e-10) << k;
    EXPECT_NEAR(held[k], held[0], 1e-10) << k;
  }
  EXPECT_GT(std::abs(held[0]), 0.1);
}

TEST(what_a_joint_has, plans_that_contradict_each_other_are_told) {
  for (const char* cut : {"wrist", "foot"}) {
    FourBar bars(cut, [](Description& said) {
      said.joints[0].options.drive = Drive::motion;
      said.joints[3].options.drive = Drive::locked;
    });
    bars.put(0.9, 0);
    std::vector<double> plan, loop_plan, a(3);
    bars.set("motor", 1.0, plan, loop_plan);
    const std::string words = forward_dynamics(*bars.model, bars.state,
                                               {.a = plan, .loop_a = loop_plan}, *bars.workspace, a)
                                  .message();
    EXPECT_NE(words.find("they depend on each other and ask for accelerations that differ"),
              std::string::npos)
        << words;
    plan.assign(3, 0.0);
    EXPECT_TRUE(forward_dynamics(*bars.model, bars.state, {.a = plan, .loop_a = loop_plan},
                                 *bars.workspace, a)
                    .ok());
  }
}

}  // namespace
}  // namespace trammel
