// Mechanisms with and without one constraint or force element of each kind, so that a test can tell
// whether a question sees it.
#pragma once

#include "tests/maximal_kkt.hpp"
#include "tests/random_closed_robot.hpp"
#include "trammel/dynamics/kinematics.hpp"
#include "trammel/model/solids.hpp"

namespace trammel::element_pairs {

// Two mechanisms that differ by one element, and the state to ask in.
struct Pair {
  enum class Kind { constraint, prescription, spring, damper };
  std::string label, element;  // as messages call it
  Kind kind = Kind::constraint;
  Description without, with;
  std::vector<double> q, v;
  int held = -1;  // the freedom that is locked or planned
};

inline Description chain() {
  Description said("chain");
  for (int k = 1; k <= 4; ++k)
    said.body("b" + std::to_string(k), box(1.0 + 0.2 * k, {0.3, 0.1, 0.2}, {0.15, 0.02, 0.01 * k}));
  const Placement on{.xyz = {0.3, 0.05, 0.0}, .rpy = {0.2, -0.1, 0.3}};
  said.joint("j1", JointKind::revolute, "ground", "b1", {.at = on, .axis = {0.0, 1.0, 0.0}});
  said.joint("j2", JointKind::revolute, "b1", "b2", {.at = on});
  said.joint("j3", JointKind::universal, "b2", "b3", {.at = on});
  said.joint("j4", JointKind::spherical, "b3", "b4", {.at = on});
  return said;
}
inline const std::vector<double> chain_q = {0.3, -0.5, 0.4, 0.2, 0.5, 0.5, -0.5, 0.5};
inline const std::vector<double> chain_rest(7, 0.0);

inline Pose<double> pose_in_chain(const std::string& body) {
  const Model model = build_model(chain());
  Workspace workspace(model);
  State state = neutral_state(model);
  state.q = chain_q;
  Kinematics where(model);
  EXPECT_TRUE(kinematics(model, state, {}, workspace, where).ok());
  return pose(model, where, at(model, body));
}

// A joint of any kind between the first and the last body, put where they are.
inline JointDescription loop_joint(JointKind kind) {
  Random random(int(kind) + 1);
  JointDescription joint{"extra", kind, "b1", "b4", {}, {}};
  joint.options.axis2 = {1.0, 0.0, 0.0};
  joint.options.cut = true;
  if (kind == JointKind::screw) joint.options.pitch = 0.1;
  if (kind == JointKind::compound)
    joint.options.motions = {turn({0.0, 1.0, 0.0}), slide({1.0, 0.0, 0.0}), turn({0.0, 0.0, 1.0})};
  const Pose<double> X_PF{exponential_rotation(random.vector(3)), random.vector(0.3)};
  const Pose<double> X_WM =
      pose_in_chain("b1") * X_PF * RandomClosedRobot::some_pose(joint, random);
  joint.options.at = placement_of(X_PF);
  joint.options.child_at = placement_of(inverse(pose_in_chain("b4")) * X_WM);
  return joint;
}

template <class Change>
Pair changed(const std::string& label, const std::string& element, Pair::Kind kind,
             const Description& base, const Change& change) {
  Pair pair{label, element, kind, base, base, chain_q, chain_rest};
  change(pair.with);
  return pair;
}

inline std::vector<Pair> pairs() {
  using enum Pair::Kind;
  std::vector<Pair> all;
  const auto add = [&](const std::string& label, const std::string& element, Pair::Kind kind,
                       const Description& base, const auto& change) {
    all.push_back(changed(label, element, kind, base, change));
  };
  for (const JointKind kind : RandomClosedRobot::kinds())
    add("loop_" + to_string(kind), "'extra'", constraint, chain(),
        [&](Description& said) { said.joints.push_back(loop_joint(kind)); });

  // places that are together, or 0.4 m apart
  Description framed = chain();
  framed.frame("eye", "b4", {.xyz = {0.1, 0.0, 0.0}});
  framed.frame(
      "hook", "ground",
      placement_of(pose_in_chain("b4") * Pose<double>{Mat3<double>::identity(), {0.1, 0, 0}}));
  framed.frame(
      "far", "ground",
      placement_of(pose_in_chain("b4") * Pose<double>{Mat3<double>::identity(), {0.1, 0.4, 0}}));
  const auto between = [](ConstraintDescription::Kind kind, const std::string& frame) {
    return [=](Description& said) {
      said.constraints.push_back(
          {.name = "extra", .kind = kind, .frame = frame, .other_frame = "eye", .distance = 0.4});
    };
  };
  add("point", "'extra'", constraint, framed, between(ConstraintDescription::Kind::point, "hook"));
  add("weld", "'extra'", constraint, framed, between(ConstraintDescription::Kind::weld, "hook"));
  add("distance", "'extra'", constraint, framed,
      between(ConstraintDescription::Kind::distance, "far"));
  add("coupling", "'extra'", constraint, chain(), [](Description& said) {
    said.couplings.push_back({.name = "extra",
                              .terms = {{"j1", 2.0}, {"j2", -3.0}},
                              .offset = 2 * chain_q[0] - 3 * chain_q[1]});
  });
  Description with_loop = chain();
  with_loop.joints.push_back(loop_joint(JointKind::cylindrical));
  Description with_hinge = chain();
  with_hinge.joints.push_back(loop_joint(JointKind::revolute));
  add("coupling_of_a_loop_joint", "'extra'", constraint, with_hinge, [&](Description& said) {
    // the angle of a closing hinge is an answer: with the offset it has here
    const std::vector<PlainStep> steps = steps_of(said.joints.back(), evaluate_at_nominal(said));
    const Pose<double> X_WF =
        pose_in_chain("b1") * pose_of(said.joints.back().options.at, evaluate_at_nominal(said));
    const Pose<double> X_WM = pose_in_chain("b4") * pose_of(said.joints.back().options.child_at,
                                                            evaluate_at_nominal(said));
    const double angle = fitted(steps, plain(inverse(X_WF) * X_WM))[0];
    said.couplings.push_back({.name = "extra",
                              .terms = {{"extra", 1.0}, {"j2", -2.0}},
                              .offset = angle - 2 * chain_q[1]});
  });

  for (const Description& base : {chain(), with_loop}) {
    const std::string where = base.joints.size() > 4 ? "_beside_a_loop" : "";
    add("locked" + where, "'j2'", prescription, base,
        [](Description& said) { said.joints[1].options.drive = Drive::locked; });
    all.back().held = 1;
    add("planned" + where, "'j2'", prescription, base,
        [](Description& said) { said.joints[1].options.drive = Drive::motion; });
    all.back().held = 1;
    add("spring_of_a_joint" + where, "'j2'", spring, base,
        [](Description& said) { said.joints[1].options.stiffness = {3.0}; });
  }
  add("damper_of_a_joint", "'j2'", damper, chain(),
      [](Description& said) { said.joints[1].options.damping = {3.0}; });
  all.back().v = {0.4, -0.3, 0.2, 0.5, -0.1, 0.3, 0.2};
  add("spring_of_a_loop_joint", "'extra'", spring, with_hinge,
      [](Description& said) { said.joints[4].options.stiffness = {3.0}; });
  add("locked_loop_joint", "'extra'", constraint, with_hinge,
      [](Description& said) { said.joints[4].options.drive = Drive::locked; });
  add("spring_between_places", "'extra'", spring, framed, [](Description& said) {
    said.springs.push_back(
        {.name = "extra", .frame = "far", .other_frame = "eye", .stiffness = 50.0, .length = 0.3});
  });

  // a disk that stands on the floor
  Description disk("disk");
  disk.body("disk", {.mass = 2.0, .inertia = {0.005, 0.0, 0.0, 0.01, 0.0, 0.005}});
  disk.joint("float", JointKind::free, "ground", "disk");
  for (const auto& [label, kind] : {std::pair{"wheel", WheelDescription::Kind::conventional},
                                    std::pair{"knife_edge", WheelDescription::Kind::knife_edge}}) {
    add(label, "'extra'", constraint, disk, [&](Description& said) {
      WheelDescription wheel;
      wheel.name = "extra";
      wheel.body = "disk";
      wheel.radius = 0.1;
      wheel.kind = kind;
      said.wheels.push_back(wheel);
    });
    all.back().q = {1, 0, 0, 0, 0, 0, 0.1};
    all.back().v = std::vector<double>(6, 0.0);
  }
  return all;
}

}  // namespace trammel::element_pairs
