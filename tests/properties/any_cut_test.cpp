// Springs, dampers, drives, prescribed motions and locks of a joint act the same at every choice of
// cut joint.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <functional>
#include <memory>

#include "tests/support/random_closed_robot.hpp"
#include "trammel/constraint/equations/loop_forces.hpp"
#include "trammel/constraint/forces/locked_joints.hpp"
#include "trammel/constraint/kinds/closure.hpp"
#include "trammel/constraint/solver/constrained_dynamics.hpp"
#include "trammel/dynamics/energy.hpp"
#include "trammel/dynamics/forward_dynamics.hpp"
#include "trammel/dynamics/hybrid_dynamics.hpp"
#include "trammel/dynamics/inverse_dynamics.hpp"
#include "trammel/dynamics/reactions.hpp"

namespace trammel::any_cut_test {
namespace {

// A four-bar in the x-y plane whose joints all have every option; the loop can be cut at any of
// them.
struct FourBar {
  static constexpr double crank = 0.2, coupler = 0.5, rocker = 0.45, base = 0.5;
  static constexpr const char* names[] = {"motor", "knee", "foot", "wrist"};
  static constexpr double friction = 0.2,
                          friction_speed = 0.5;  // of dry friction, plus 0.1 per joint

  explicit FourBar(const std::string& cut, const std::function<void(Description&)>& change = {}) {
    Description description("four-bar");
    description.gravity = {0.3, -9.81, 0.0};
    const auto bar = [&](const char* name, double length) {
      description.body(name, {.mass = length,
                              .com = {length / 2, 0.02, 0.0},
                              .inertia = {0.001, 0.0, 0.0, 0.01, 0.0, 0.01}});
    };
    bar("crank", crank), bar("coupler", coupler), bar("rocker", rocker);
    int k = 0;
    const auto joint = [&](const char* name, const char* parent, const char* child, double at,
                           double child_at) {
      description.joint(name, JointKind::revolute, parent, child,
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
    if (change) change(description);
    model = std::make_unique<Model>(build_model(description));
    workspace = std::make_unique<Workspace>(*model);
    put(0.9, 1.3);
  }

  // Sets the angle and rate of the crank; the other joints follow from the loop.
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
  // Sets an effort (or acceleration) of a joint of the tree or of the loop.
  void set(const char* name, double value, std::vector<double>& of_tree,
           std::vector<double>& of_loop) const {
    of_tree.assign(std::size_t(model->nv()), 0.0);
    of_loop.assign(std::size_t(model->loop_nv()), 0.0);
    const JointId id = *model->find_joint(name);
    const NamedJoint& joint = (*model)[id];
    if (joint.role == NamedJoint::Role::tree)
      of_tree[std::size_t(joint.v_start)] = value;
    else
      of_loop[std::size_t(model->closures()[std::size_t(model->closure_of(id))].v_start)] = value;
  }
  // alpha and a of the origin of every body
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
      const Motion<double> A = acceleration(*model, moving, frame_ref(*model, body));
      all.segment<6>(6 * k++) << A.angular.x, A.angular.y, A.angular.z, A.linear.x, A.linear.y,
          A.linear.z;
    }
    return all;
  }
  // planar components, which are unique: force x, force y, moment z of every joint
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
      // the moment about the joint axis is the sum of spring, damper, dry friction and drive
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
    FourBar bars(
        cut, [](Description& description) { description.joints[3].options.drive = Drive::torque; });
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
                    "effort: call drive_efforts"
                  : "");
  }
}

TEST(what_a_joint_has, its_prescribed_motion_moves_all_wherever_the_loop_is_cut) {
  std::vector<Eigen::VectorXd> accelerations, carried;
  for (const char* cut : FourBar::names) {
    FourBar bars(
        cut, [](Description& description) { description.joints[3].options.drive = Drive::motion; });
    std::vector<double> a, loop_a;
    bars.set("wrist", 2.5, a, loop_a);
    accelerations.push_back(bars.accelerations({.a = a, .loop_a = loop_a}));
    carried.push_back(bars.reactions_in_plane({.a = a, .loop_a = loop_a}));
    // the effort of the prescribed motion is in tau, or refused by name
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
  // alpha of the rocker minus that of the coupler
  EXPECT_NEAR(accelerations[0][14] - accelerations[0][8], 2.5, 1e-11);

  // applying the effort of the prescribed motion gives the same motion
  FourBar prescribed("foot", [](Description& description) {
    description.joints[3].options.drive = Drive::motion;
  });
  std::vector<double> a, loop_a, all_a(3), tau(3);
  prescribed.set("wrist", 2.5, a, loop_a);
  const Status status = hybrid_dynamics(*prescribed.model, prescribed.state, {.a = a},
                                        *prescribed.workspace, all_a, tau);
  ASSERT_TRUE(status.ok()) << status.message();
  FourBar pushed("wrist");
  std::vector<double> tree, loop;
  pushed.set("wrist",
             tau[std::size_t((*prescribed.model)[*prescribed.model->find_joint("wrist")].v_start)],
             tree, loop);
  EXPECT_LT((pushed.accelerations({.tau = tree, .loop_tau = loop}) - accelerations[0])
                .cwiseAbs()
                .maxCoeff(),
            1e-10);
}

TEST(what_a_joint_has, a_locked_joint_holds_all_wherever_the_loop_is_cut) {
  std::vector<Eigen::VectorXd> carried;
  std::vector<double> held;
  for (const char* cut : FourBar::names) {
    FourBar bars(
        cut, [](Description& description) { description.joints[3].options.drive = Drive::locked; });
    bars.put(0.9, 0);
    EXPECT_LT(bars.accelerations({}).cwiseAbs().maxCoeff(), 1e-10) << cut;
    carried.push_back(bars.reactions_in_plane({}));
    LockedJoints found;
    const Status status = locked_joints(*bars.model, bars.state, {}, *bars.workspace, found);
    ASSERT_TRUE(status.ok()) << status.message();
    const bool is_loop = std::string(cut) == "wrist";
    ASSERT_EQ(found.loop_dofs.size(), is_loop ? 1 : 0);
    held.push_back(is_loop ? found.loop_effort[0] : found.effort[0]);
    EXPECT_TRUE(is_loop ? found.loop_is_unique[0] : found.is_unique[0]);
    // reaction about the joint axis, minus the spring torque
    const double spring = -4 * (bars.angle[3] - (0.3 - 0.2 * 3));
    EXPECT_NEAR(held.back(), carried.back()[3 * 3 + 2] - spring, 1e-10) << cut;
    // a moving locked joint is reported
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

TEST(what_a_joint_has, contradictory_prescribed_motions_are_reported) {
  for (const char* cut : {"wrist", "foot"}) {
    FourBar bars(cut, [](Description& description) {
      description.joints[0].options.drive = Drive::motion;
      description.joints[3].options.drive = Drive::locked;
    });
    bars.put(0.9, 0);
    std::vector<double> plan, prescribed_loop_motion, a(3);
    bars.set("motor", 1.0, plan, prescribed_loop_motion);
    const std::string words =
        forward_dynamics(*bars.model, bars.state, {.a = plan, .loop_a = prescribed_loop_motion},
                         *bars.workspace, a)
            .message();
    EXPECT_NE(words.find("they depend on each other and require accelerations that differ"),
              std::string::npos)
        << words;
    plan.assign(3, 0.0);
    EXPECT_TRUE(forward_dynamics(*bars.model, bars.state,
                                 {.a = plan, .loop_a = prescribed_loop_motion}, *bars.workspace, a)
                    .ok());
  }
}

}  // namespace
}  // namespace trammel::any_cut_test
