// Random mechanisms with loops from a seed: a random tree, closed by joints of every kind, rods and
// couplings that are placed at the present poses of its bodies. Half of them have redundant rows: a
// second joint next to the first, like the two hinges of a door.
#pragma once

#include "tests/support/placement_of.hpp"
#include "tests/support/random_robot.hpp"
#include "trammel/constraint/assembly/assembly.hpp"
#include "trammel/dynamics/kinematics.hpp"
#include "trammel/model/build/parameters.hpp"
#include "trammel/model/description/joint_table.hpp"

namespace trammel {

struct RandomClosedRobot {
  explicit RandomClosedRobot(int seed_, bool floating = false,
                             const std::vector<JointKind>& loops = kinds())
      : seed(seed_),
        open(seed_, {.bodies = 4 + seed_ % 9, .springs = true, .floating = floating}),
        description(close(open, loops)),
        model(build_model(description)),
        workspace(model),
        state(open.state),
        tau(open.random.numbers(model.nv())) {
    EXPECT_TRUE(assemble(model, state, workspace).ok());
  }

  static Description close(RandomRobot& robot, const std::vector<JointKind>& list = kinds()) {
    Random random(robot.seed + 7000);
    Description given = robot.description;
    const Kinematics at = [&] {
      Kinematics out(robot.model);
      EXPECT_TRUE(kinematics(robot.model, robot.state, {}, robot.workspace, out).ok());
      return out;
    }();
    const auto body_pose = [&](int k) {
      const BodyId id{k};
      return at.X_WB[std::size_t(robot.model[id].tree_body)] *
             robot.model.numbers().X_BU[std::size_t(k)];
    };
    const int bodies = int(robot.model.named_bodies().size());
    const int loops = 1 + robot.seed % 6;
    for (int l = 0; l < loops; ++l) {
      const auto tree_body = [&](int k) {
        return robot.model.named_bodies()[std::size_t(k)].tree_body;
      };
      int parent = 0, child = 0;
      while (tree_body(parent) == tree_body(child))
        parent = random.below(bodies), child = random.below(bodies);
      const JointKind kind = list[std::size_t((robot.seed + l) % int(list.size()))];
      const std::string parent_name = robot.model.named_bodies()[std::size_t(parent)].name;
      const std::string child_name = robot.model.named_bodies()[std::size_t(child)].name;
      JointDescription joint{"loop" + std::to_string(l), kind, parent_name, child_name, {}, {}};
      joint.options.axis2 = {1.0, 0.0, 0.0};
      if (kind == JointKind::screw) joint.options.pitch = 0.1;
      joint.options.cut = true;
      if (kind == JointKind::compound)
        joint.options.motions = {turn({0.0, 1.0, 0.0}), slide({1.0, 0.0, 0.0}),
                                 turn({0.0, 0.0, 1.0})};
      const Pose<double> X_PF{exponential_rotation(random.vector(3)), random.vector(0.3)};
      const Pose<double> X_WM = body_pose(parent) * X_PF * some_pose(joint, random);
      joint.options.at = placement_of(X_PF);
      joint.options.child_at = placement_of(inverse(body_pose(child)) * X_WM);
      given.joints.push_back(joint);
      if (robot.seed % 2 == 1 && l == 0) {
        // the second hinge
        const Pose<double> along{Mat3<double>::identity(), {0, 0, 0.2}};
        joint.name += " again";
        if (kind == JointKind::revolute || kind == JointKind::fixed) {
          joint.options.at = placement_of(X_PF * along);
          joint.options.child_at = placement_of(inverse(body_pose(child)) * X_WM * along);
        }
        given.joints.push_back(joint);
      }
    }
    if (robot.seed % 4 == 0) {
      const int far = bodies - 1;
      if (robot.model.named_bodies()[std::size_t(far)].tree_body != 0) {
        given.frame("hook", "ground", {.xyz = {0.3, -0.2, 0.5}});
        given.frame("eye", robot.model.named_bodies()[std::size_t(far)].name,
                    {.xyz = {0.05, 0.02, -0.04}});
        const Vec3<double> d =
            body_pose(far) * Vec3<double>{0.05, 0.02, -0.04} - Vec3<double>{0.3, -0.2, 0.5};
        given.constraints.push_back({.name = "rod",
                                     .kind = ConstraintDescription::Kind::distance,
                                     .frame = "hook",
                                     .other_frame = "eye",
                                     .distance = norm(d)});
      }
    }
    if (robot.seed % 5 == 0) {
      std::vector<const NamedJoint*> single;
      for (const NamedJoint& joint : robot.model.joints())
        if (joint.role == NamedJoint::Role::tree && joint.nv == 1) single.push_back(&joint);
      if (single.size() >= 2)
        given.couplings.push_back({.name = "gears",
                                   .terms = {{single[0]->name, 2.0}, {single[1]->name, -3.0}},
                                   .offset = 2.0 * robot.state.q[std::size_t(single[0]->q_start)] -
                                             3.0 * robot.state.q[std::size_t(single[1]->q_start)]});
    }
    // the closed state is the start
    for (const NamedJoint& joint : robot.model.joints()) {
      if (joint.role != NamedJoint::Role::tree) continue;
      StartDescription start{.joint = joint.name};
      for (int k = 0; k < joint.nq; ++k)
        start.values.emplace_back(robot.state.q[std::size_t(joint.q_start + k)]);
      given.start_positions.push_back(start);
    }
    return given;
  }

  // Loop joints whose rows the recursive solver evaluates itself: batches take them in lanes.
  static const std::vector<JointKind>& kinds_in_lanes() {
    using enum JointKind;
    static const std::vector<JointKind> list = {revolute, spherical, prismatic, cylindrical,
                                                planar};
    return list;
  }
  static const std::vector<JointKind>& kinds() {
    using enum JointKind;
    static const std::vector<JointKind> list = {revolute, spherical,   universal, prismatic, screw,
                                                fixed,    cylindrical, planar,    compound};
    return list;
  }
  // X_FM at a random position of the joint
  static Pose<double> some_pose(const JointDescription& given, Random& random) {
    if (given.kind == JointKind::fixed) return Pose<double>::identity();
    const Joint joint = make_joint(given, false);
    return std::visit(
        [&](const auto& j) -> Pose<double> {
          double start[7] = {}, q[7] = {}, v[6] = {}, sin[7] = {}, cos[7] = {};
          j.neutral(start);
          for (int k = 0; k < j.nv(); ++k) v[k] = random();
          j.integrate(start, v, q);
          for (int k = 0; k < j.nq(); ++k) sin[k] = std::sin(q[k]), cos[k] = std::cos(q[k]);
          const double pitch = 0.1;
          return Pose<double>::identity() *
                 pose(j, Coordinates<double, double>{q, sin, cos, &pitch});
        },
        joint);
  }

  int seed;
  RandomRobot open;
  Description description;
  Model model;
  Workspace workspace;
  State state;
  std::vector<double> tau;
};

}  // namespace trammel
