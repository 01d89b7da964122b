// Mechanisms with and without one constraint or force element of each kind, so that a test can
// check whether a function takes the element into account.
#pragma once

#include "tests/support/maximal_kkt.hpp"
#include "tests/support/random_closed_robot.hpp"
#include "trammel/dynamics/kinematics.hpp"
#include "trammel/model/description/solids.hpp"

namespace trammel::element_pairs {

// Two mechanisms that differ by one element, and the state in which they are evaluated.
struct Pair {
  // addition: an element that adds bodies and coordinates
  enum class Kind { constraint, prescription, spring, damper, friction, contact, limit, addition };
  std::string label, element;  // element: its name in messages
  Kind kind = Kind::constraint;
  Description without, with;
  std::vector<double> q, v;
  // index of the degree of freedom that is locked or has a prescribed motion
  int held = -1;
  bool has_plain_way = true;  // tests/support/maximal_kkt.hpp supports it
  // of an addition: state of the mechanism with the element
  std::vector<double> q_with = {}, v_with = {};
  const std::vector<double>& q_of(bool is_with) const {
    return is_with && !q_with.empty() ? q_with : q;
  }
  const std::vector<double>& v_of(bool is_with) const {
    return is_with && !v_with.empty() ? v_with : v;
  }
};

inline Description chain() {
  Description description("chain");
  for (int k = 1; k <= 4; ++k)
    description.body("b" + std::to_string(k),
                     box(1.0 + 0.2 * k, {0.3, 0.1, 0.2}, {0.15, 0.02, 0.01 * k}));
  const Placement on{.xyz = {0.3, 0.05, 0.0}, .rpy = {0.2, -0.1, 0.3}};
  description.joint("j1", JointKind::revolute, "ground", "b1", {.at = on, .axis = {0.0, 1.0, 0.0}});
  description.joint("j2", JointKind::revolute, "b1", "b2", {.at = on});
  description.joint("j3", JointKind::universal, "b2", "b3", {.at = on});
  description.joint("j4", JointKind::spherical, "b3", "b4", {.at = on});
  return description;
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
  return pose(model, where, frame_ref(model, body));
}

// A loop joint of any kind between the first and the last body, placed at their present poses.
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

inline const std::vector<double> chain_moving = {0.4, -0.3, 0.2, 0.5, -0.1, 0.3, 0.2};
// The same velocities, projected onto those the loops allow.
inline std::vector<double> moving_with_loops(const Description& description) {
  const Model model = build_model(description);
  Workspace workspace(model);
  State state = neutral_state(model);
  state.q = chain_q;
  state.v = chain_moving;
  EXPECT_TRUE(assemble(model, state, workspace).ok());
  return state.v;
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
        [&](Description& description) { description.joints.push_back(loop_joint(kind)); });

  // points that coincide, or are 0.4 m apart
  Description framed = chain();
  framed.frame("eye", "b4", {.xyz = {0.1, 0.0, 0.0}});
  framed.frame(
      "hook", "ground",
      placement_of(pose_in_chain("b4") * Pose<double>{Mat3<double>::identity(), {0.1, 0, 0}}));
  framed.frame(
      "far", "ground",
      placement_of(pose_in_chain("b4") * Pose<double>{Mat3<double>::identity(), {0.1, 0.4, 0}}));
  const auto between = [](ConstraintDescription::Kind kind, const std::string& frame) {
    return [=](Description& description) {
      description.constraints.push_back(
          {.name = "extra", .kind = kind, .frame = frame, .other_frame = "eye", .distance = 0.4});
    };
  };
  add("point", "'extra'", constraint, framed, between(ConstraintDescription::Kind::point, "hook"));
  add("weld", "'extra'", constraint, framed, between(ConstraintDescription::Kind::weld, "hook"));
  add("distance", "'extra'", constraint, framed,
      between(ConstraintDescription::Kind::distance, "far"));
  // a space curve on a body that moves; its point s = 0 is at the eye
  Description railed = framed;
  railed.frame("rail", "b1",
               placement_of(inverse(pose_in_chain("b1")) * pose_in_chain("b4") *
                            Pose<double>{Mat3<double>::identity(), {0.1, 0, 0}}));
  add("curve", "'extra'", constraint, railed, [](Description& description) {
    ConstraintDescription extra{.name = "extra",
                                .kind = ConstraintDescription::Kind::curve,
                                .frame = "rail",
                                .other_frame = "eye"};
    extra.curve.x = "0.3*sin(s)", extra.curve.y = "0.2*s", extra.curve.z = "0.1*s^2";
    extra.curve.from = -2.0, extra.curve.to = 2.0;
    description.constraints.push_back(extra);
  });
  all.back().has_plain_way = false;
  add("coupling", "'extra'", constraint, chain(), [](Description& description) {
    description.couplings.push_back({.name = "extra",
                                     .terms = {{"j1", 2.0}, {"j2", -3.0}},
                                     .offset = 2 * chain_q[0] - 3 * chain_q[1]});
  });
  Description with_loop = chain();
  with_loop.joints.push_back(loop_joint(JointKind::cylindrical));
  Description with_hinge = chain();
  with_hinge.joints.push_back(loop_joint(JointKind::revolute));
  add("coupling_of_a_loop_joint", "'extra'", constraint, with_hinge, [&](Description& description) {
    // the angle of a loop joint is a result; it is taken with the offset it has in this state
    const std::vector<PlainStep> steps =
        steps_of(description.joints.back(), evaluate_at_nominal(description));
    const Pose<double> X_WF = pose_in_chain("b1") * pose_of(description.joints.back().options.at,
                                                            evaluate_at_nominal(description));
    const Pose<double> X_WM =
        pose_in_chain("b4") *
        pose_of(description.joints.back().options.child_at, evaluate_at_nominal(description));
    const double angle = fitted(steps, plain(inverse(X_WF) * X_WM))[0];
    description.couplings.push_back({.name = "extra",
                                     .terms = {{"extra", 1.0}, {"j2", -2.0}},
                                     .offset = angle - 2 * chain_q[1]});
  });

  for (const Description& base : {chain(), with_loop}) {
    const std::string where = base.joints.size() > 4 ? "_beside_a_loop" : "";
    add("locked" + where, "'j2'", prescription, base,
        [](Description& description) { description.joints[1].options.drive = Drive::locked; });
    all.back().held = 1;
    add("prescribed" + where, "'j2'", prescription, base,
        [](Description& description) { description.joints[1].options.drive = Drive::motion; });
    all.back().held = 1;
    add("spring_of_a_joint" + where, "'j2'", spring, base,
        [](Description& description) { description.joints[1].options.stiffness = {3.0}; });
  }
  add("damper_of_a_joint", "'j2'", damper, chain(),
      [](Description& description) { description.joints[1].options.damping = {3.0}; });
  all.back().v = chain_moving;
  add("friction_of_a_joint", "'j2'", friction, chain(), [](Description& description) {
    description.joints[1].options.friction = {0.8};
    description.joints[1].options.friction_speed = {0.1};
  });
  all.back().v = chain_moving;
  all.back().has_plain_way = false;
  add("damper_of_a_loop_joint", "'extra'", damper, with_hinge,
      [](Description& description) { description.joints[4].options.damping = {3.0}; });
  all.back().v = moving_with_loops(with_hinge);
  add("friction_of_a_loop_joint", "'extra'", friction, with_hinge, [](Description& description) {
    description.joints[4].options.friction = {0.8};
    description.joints[4].options.friction_speed = {0.1};
  });
  all.back().v = moving_with_loops(with_hinge);
  all.back().has_plain_way = false;
  add("limits_of_a_loop_joint", "'extra'", limit, with_hinge, [](Description& description) {
    description.joints[4].options.limits.lower = {-3.0};
    description.joints[4].options.limits.upper = {3.0};
    description.joints[4].options.limits.velocity = {5.0};
  });
  add("planned_loop_joint", "'extra'", constraint, with_hinge,
      [](Description& description) { description.joints[4].options.drive = Drive::motion; });
  all.back().has_plain_way = false;
  add("spring_of_a_loop_joint", "'extra'", spring, with_hinge,
      [](Description& description) { description.joints[4].options.stiffness = {3.0}; });
  add("locked_loop_joint", "'extra'", constraint, with_hinge,
      [](Description& description) { description.joints[4].options.drive = Drive::locked; });
  add("spring_between_places", "'extra'", spring, framed, [](Description& description) {
    description.springs.push_back(
        {.name = "extra", .frame = "far", .other_frame = "eye", .stiffness = 50.0, .length = 0.3});
  });

  add("damper_between_places", "'extra'", damper, framed, [](Description& description) {
    description.springs.push_back(
        {.name = "extra", .frame = "far", .other_frame = "eye", .length = 0.4, .damping = 20.0});
  });
  all.back().v = chain_moving;
  add("bushing", "'extra'", spring, framed, [](Description& description) {
    BushingDescription bushing{.name = "extra", .frame = "far", .other_frame = "eye"};
    bushing.stiffness = {50.0, 40.0, 30.0, 3.0, 2.0, 1.0};
    bushing.preload = {1.0, 0.0, -2.0, 0.1, 0.0, 0.2};
    description.bushings.push_back(bushing);
  });
  all.back().has_plain_way = false;
  // a ball that penetrates a floor below the last body by 2 mm
  Description floored = chain();
  floored.frame("floor", "ground", {.xyz = {0.0, 0.0, pose_in_chain("b4").p.z - 0.05 + 0.002}});
  add("contact", "'extra'", contact, floored, [](Description& description) {
    description.contacts.push_back({.name = "extra",
                                    .body = "b4",
                                    .on = "floor",
                                    .radius = 0.05,
                                    .stiffness = 1e5,
                                    .dissipation = 0.5,
                                    .friction = 0.4});
  });
  all.back().v = chain_moving;
  all.back().has_plain_way = false;

  // elements that add bodies of their own: a rotor, the wheel and fork of a caster, a moving ground
  add("motor", "'extra'", addition, chain(), [](Description& description) {
    description.motors.push_back(
        {.name = "extra", .joint = "j2", .gear = 20.0, .rotor_inertia = 1e-4});
  });
  all.back().q_with = chain_q;
  all.back().q_with.push_back(20 * chain_q[1]);
  all.back().v_with.assign(8, 0.0);
  add("ground_motion", "'moving_ground", addition, chain(), [](Description& description) {
    InputDescription sway;
    sway.profile = "sine";
    sway.numbers = {{"amplitude", {0.1, 0.0, 0.0}}, {"frequency", {2.0}}};
    description.ground_motion = GroundMotionDescription{.position = sway};
  });
  all.back().q_with.assign(3, 0.0);
  all.back().q_with.insert(all.back().q_with.end(), chain_q.begin(), chain_q.end());
  all.back().v_with.assign(10, 0.0);
  all.back().has_plain_way = false;

  // a disk that stands on the floor
  Description disk("disk");
  disk.body("disk", {.mass = 2.0, .inertia = {0.005, 0.0, 0.0, 0.01, 0.0, 0.005}});
  disk.joint("float", JointKind::free, "ground", "disk");
  for (const auto& [label, kind] : {std::pair{"wheel", WheelDescription::Kind::conventional},
                                    std::pair{"knife_edge", WheelDescription::Kind::knife_edge},
                                    std::pair{"omni_wheel", WheelDescription::Kind::omni},
                                    std::pair{"ball_on_terrain", WheelDescription::Kind::ball},
                                    std::pair{"caster", WheelDescription::Kind::caster}}) {
    const bool is_caster = kind == WheelDescription::Kind::caster;
    add(label, "'extra'", is_caster ? addition : constraint, disk,
        [&, kind = kind](Description& description) {
          WheelDescription wheel;
          wheel.name = "extra";
          wheel.body = "disk";
          wheel.radius = 0.1;
          wheel.kind = kind;
          if (kind == WheelDescription::Kind::omni) wheel.roller_angle = 0.4;
          if (is_caster) wheel.trail = 0.03, wheel.mass = 0.2;
          if (kind == WheelDescription::Kind::ball) {
            description.terrains.push_back({.name = "hills", .height = "0.6*x^2 - 0.4*y^2"});
            wheel.on = "hills";
          }
          description.wheels.push_back(wheel);
        });
    all.back().q = {1, 0, 0, 0, 0, 0, 0.1};
    all.back().v = std::vector<double>(6, 0.0);
    if (!is_caster) continue;
    all.back().q_with = {1, 0, 0, 0, 0, 0, 0.1, 0, 0};
    all.back().v_with.assign(8, 0.0);
  }
  return all;
}

}  // namespace trammel::element_pairs
