// Nothing is ignored in silence: every public question, on models with each kind of constraint and
// of force element, either answers otherwise than without it or fails and names it. Only what is
// said of the tree's own coordinates may stay as it was.
#include <gtest/gtest.h>

#include <map>

#include "tests/every_question.hpp"
#include "tests/maximal_kkt.hpp"
#include "tests/random_closed_robot.hpp"
#include "trammel/constraint/constrained_dynamics.hpp"
#include "trammel/constraint/mobility.hpp"
#include "trammel/model/solids.hpp"
#include "trammel/spatial/conventions.hpp"

namespace trammel {
namespace {

// Two mechanisms that differ by one element, and the state to ask in.
struct Pair {
  enum class Kind { constraint, prescription, spring, damper };
  std::string label, element;  // as messages call it
  Kind kind = Kind::constraint;
  Description without, with;
  std::vector<double> q, v;
  int held = -1;  // the freedom that is locked or planned
};

Description chain() {
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
const std::vector<double> chain_q = {0.3, -0.5, 0.4, 0.2, 0.5, 0.5, -0.5, 0.5};
const std::vector<double> chain_rest(7, 0.0);

Pose<double> pose_in_chain(const std::string& body) {
  const Model model = build_model(chain());
  Workspace workspace(model);
  State state = neutral_state(model);
  state.q = chain_q;
  Kinematics where(model);
  EXPECT_TRUE(kinematics(model, state, {}, workspace, where).ok());
  return pose(model, where, at(model, body));
}

// A joint of any kind between the first and the last body, put where they are.
JointDescription loop_joint(JointKind kind) {
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

std::vector<Pair> pairs() {
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

// What may an element leave as it was?
enum class Effect {
  none,     // says something of the tree's own coordinates alone
  changes,  // must
};
struct Effects {
  Effect constraint, prescription, spring, damper;
};
const std::map<std::string, Effects>& effects() {
  using enum Effect;
  static const std::map<std::string, Effects> list = {
      {"positions", {none, none, none, none}},
      {"kinematics", {none, none, none, none}},
      {"jacobian", {none, none, none, none}},
      {"jacobian_rate", {none, none, none, none}},
      {"inverse_dynamics", {changes, changes, changes, changes}},
      {"bias", {none, none, none, none}},
      {"gravity_load", {none, none, none, none}},
      {"passive_forces", {none, none, changes, changes}},
      {"forward_dynamics", {changes, changes, changes, changes}},
      {"hybrid_dynamics", {changes, changes, changes, changes}},
      {"mass_matrix", {none, none, none, none}},
      {"articulated_inertias", {none, none, none, none}},
      {"mass_matrix_inverse", {changes, none, none, none}},
      {"mass_matrix_factors", {none, none, none, none}},
      {"mass_matrix_inverse_factors", {none, none, none, none}},
      {"operational_inertia_inverse", {changes, none, none, none}},
      {"operational_inertia", {changes, none, none, none}},
      {"energy", {none, none, changes, none}},
      {"momentum", {none, none, none, none}},
      {"centroidal_momentum", {none, none, none, none}},
      {"centroidal_momentum_matrix", {none, none, none, none}},
      {"mass_centre", {none, none, none, none}},
      {"reactions", {changes, changes, changes, changes}},
      {"inverse_dynamics_derivatives", {changes, none, changes, changes}},
      {"forward_dynamics_derivatives", {changes, changes, changes, changes}},
      {"kinematics_batch", {none, none, none, none}},
      {"inverse_dynamics_batch", {changes, none, changes, changes}},
      {"forward_dynamics_batch", {changes, changes, changes, changes}},
      {"mass_matrix_batch", {none, none, none, none}},
      {"spatial_operators", {none, none, none, none}},
      {"spatial_bias", {none, none, none, none}},
      {"place_operator", {none, none, none, none}},
      {"transmission_form", {none, none, none, none}},
  };
  return list;
}

Effect effect_on(const std::string& question, const Pair& pair) {
  using enum Pair::Kind;
  const Effects& expected = effects().at(question);
  const bool is_tree = !build_model(pair.with).has_constraints();
  // a tree is asked with the motion, which tells what joints carry, whatever in them makes it
  if (question == "reactions" && is_tree && pair.element == "'j2'") return Effect::none;
  if (question == "inverse_dynamics" && is_tree && pair.kind == prescription) return Effect::none;
  switch (pair.kind) {
    case constraint: return expected.constraint;
    case prescription: return expected.prescription;
    case spring: return expected.spring;
    case damper: return expected.damper;
  }
  return Effect::changes;
}

struct Answer {
  Status status;
  std::vector<double> numbers;
};
// All that an interview can write down.
std::vector<double> notes(const Interview& x) {
  std::vector<double> all;
  const auto add = [&](const auto& list) { all.insert(all.end(), list.begin(), list.end()); };
  const auto add_matrix = [&](const Eigen::MatrixXd& A) {
    all.insert(all.end(), A.data(), A.data() + A.size());
  };
  add(x.a), add(x.tau);
  for (const Eigen::MatrixXd* A :
       {&x.M, &x.M2, &x.J, &x.six, &x.rows, &x.out_batch, &x.M_batch, &x.poses, &x.derivatives.dq,
        &x.derivatives.dv, &x.derivatives.dx})
    add_matrix(*A);
  for (const auto& X : x.kinematics_.X_WB) add(std::vector{X.p.x, X.p.y, X.p.z, X.R.x.x, X.R.y.z});
  add(angular_first(x.motion));
  add(std::vector{x.energy_.kinetic, x.energy_.gravity, x.energy_.elastic});
  for (const Force<double>& F : x.forces) add(angular_first(F));  // last: there may be one more
  return all;
}

Answer asked(const PublicQuestion& question, const Description& said, const Pair& pair,
             const std::vector<double>& a) {
  Interview x(said);
  x.state.q = pair.q;
  x.state.v = pair.v;
  for (Eigen::Index k = 0; k < x.q_batch.cols(); ++k) {
    x.q_batch.col(k) = column(pair.q);
    x.v_batch.col(k) = column(pair.v);
    for (Eigen::Index f = 0; f < x.in_batch.rows(); ++f) x.in_batch(f, k) = 0.3 + 0.1 * double(f);
  }
  for (auto* matrix : {&x.M, &x.M2, &x.J, &x.six, &x.rows, &x.out_batch, &x.M_batch, &x.poses})
    matrix->setZero();
  const std::string name = question.name;
  x.tau_in.resize(std::size_t(x.model.nv()));
  for (std::size_t k = 0; k < x.tau_in.size(); ++k) x.tau_in[k] = 0.3 + 0.1 * double(k);
  if (name.starts_with("inverse")) x.a_in = a;
  if (pair.held >= 0 && name != "reactions") {
    x.a_in.resize(std::size_t(x.model.nv()));
    x.a_in[std::size_t(pair.held)] = 0.7;
  }
  if (question.takes == Takes::stage || name.starts_with("operational")) {
    const Status moved = kinematics(x.model, x.state, {}, x.workspace, x.kinematics_);
    const Status factored = articulated_inertias(x.model, x.state, x.workspace, x.factors);
    if (!moved) return {moved, {}};
    if (!factored && name != "jacobian") return {factored, {}};
  }
  const Status status = question.ask(x);
  return {status, notes(x)};
}

class EveryElement : public testing::TestWithParam<Pair> {};
INSTANTIATE_TEST_SUITE_P(elements, EveryElement, testing::ValuesIn(pairs()),
                         [](const auto& pair) { return pair.param.label; });

TEST_P(EveryElement, is_honoured_or_named_by_every_question) {
  const Pair& pair = GetParam();
  // accelerations that the element allows, if the engine can tell them
  Interview x(pair.with);
  x.state.q = pair.q;
  x.state.v = pair.v;
  std::vector<double> a(pair.v.size(), 0.2);
  const std::vector<double> given = a;
  if (!forward_dynamics(x.model, x.state, {}, x.workspace, a)) a = given;

  for (const PublicQuestion& question : every_question()) {
    const Effect effect = effect_on(question.name, pair);
    const Answer before = asked(question, pair.without, pair, a),
                 after = asked(question, pair.with, pair, a);
    SCOPED_TRACE(question.name);
    if (!after.status) {
      const std::string message = after.status.message();
      // by name, or because already the rest of the model is more than this question takes
      const bool is_named = message.find(pair.element) != std::string::npos ||
                            message.find("driven by motion or locked") != std::string::npos;
      EXPECT_TRUE(is_named || !before.status) << message;
      continue;
    }
    ASSERT_TRUE(before.status.ok()) << before.status.message();
    double difference = 0;
    for (std::size_t k = 0; k < std::min(before.numbers.size(), after.numbers.size()); ++k)
      difference = std::max(difference, std::abs(after.numbers[k] - before.numbers[k]));
    if (effect == Effect::changes)
      EXPECT_GT(difference, 1e-6) << "says the same with and without it";
    else
      EXPECT_EQ(difference, 0);
  }
}

// And rightly: as the plainest way says, if the engine takes the model at all.
TEST_P(EveryElement, acts_as_maximal_coordinates_say) {
  const Pair& pair = GetParam();
  Interview x(pair.with);
  if (!x.model.unanswered().empty()) return;  // the test above has seen it named
  x.state.q = pair.q;
  x.state.v = pair.v;
  std::vector<double> tau(pair.v.size()), a(tau), planned(tau);
  for (std::size_t k = 0; k < tau.size(); ++k) tau[k] = 0.3 + 0.1 * double(k);
  if (pair.held >= 0 && x.model.prescription(pair.held) == Drive::motion)
    planned[std::size_t(pair.held)] = 0.7;
  const Inputs inputs{.tau = tau, .a = planned};
  ASSERT_TRUE(forward_dynamics(x.model, x.state, inputs, x.workspace, a).ok());
  const MaximalKkt plain_way(x.model, x.state, inputs, x.workspace);
  // rows and masses near 1: what is lost is rounding
  EXPECT_LT((column(a) - plain_way.a).cwiseAbs().maxCoeff(),
            1e-10 * (1 + plain_way.a.cwiseAbs().maxCoeff()));
  UniqueReactions carried;
  ASSERT_TRUE(constrained_reactions(x.model, x.state, inputs, x.workspace, carried).ok());
  for (std::size_t j = 0; j < carried.force.size(); ++j)
    EXPECT_LT((column(carried.force[j]) - plain_way.carried[j]).cwiseAbs().maxCoeff(), 1e-8)
        << x.model.joints()[j].name;
}

}  // namespace
}  // namespace trammel
