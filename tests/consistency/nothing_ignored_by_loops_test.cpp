// No element is silently ignored by the functions of the constraint module: as
// nothing_ignored_test.cpp for the dynamics module.
#include <gtest/gtest.h>

#include <map>

#include "tests/support/element_pairs.hpp"
#include "tests/support/every_constraint_function.hpp"

namespace trammel::nothing_ignored_by_loops_test {
namespace {

using namespace element_pairs;

// Expected effect of an element on a result.
enum class Effect {
  none,     // no change: the element does not enter the result
  changes,  // the result must change
  may       // depends on the element
};
struct Effects {
  Effect constraint, prescription, spring, damper;
};
const std::map<std::string, Effects>& effects() {
  using enum Effect;
  static const std::map<std::string, Effects> list = {
      {"constrained_dynamics", {changes, changes, changes, changes}},
      {"constrained_reactions", {changes, changes, changes, changes}},
      {"sliding_dynamics", {changes, changes, changes, changes}},
      {"free_and_correction", {changes, changes, changes, changes}},
      // the effort of a prescribed motion is attributed to its drive, like any other effort
      {"drive_efforts", {changes, may, changes, changes}},
      {"drive_demand", {changes, may, changes, changes}},
      {"allocate_efforts", {changes, may, changes, changes}},
      // for joints without prescribed motion or lock it returns the given effort
      {"prescribed_efforts", {may, may, may, may}},
      // few elements block all remaining motion
      {"blocking_constraints", {may, may, none, none}},
      // the other models have no wheels
      {"wheel_contacts", {may, none, none, none}},
      {"roller_rates", {may, none, none, none}},
      {"roller_accelerations", {may, none, none, none}},
      // prescribed motions count as free
      {"reachability", {changes, may, none, none}},
      {"row_natures", {changes, may, none, none}},
      // well-conditioned rows leave all digits, as no rows do
      {"remaining_digits", {may, may, none, none}},
      {"row_basis", {changes, changes, none, none}},
      {"constraint_jacobian", {changes, changes, none, none}},
      {"mobility", {changes, changes, none, none}},
      {"actuation", {changes, changes, none, none}},
      {"constraint_nature", {may, may, none, none}},
      {"arms", {may, none, none, none}},
      {"loop_motion", {may, none, none, none}},
      {"orthogonal_complement", {changes, changes, none, none}},
      {"minimal_equations", {changes, changes, changes, changes}},
      {"restricted_jacobian", {changes, changes, none, none}},
      {"natural_complement", {changes, changes, changes, changes}},
      {"constrained_derivatives", {changes, changes, changes, changes}},
      // empty for models without locked joints
      {"locked_joints", {may, may, none, none}},
      // a loop joint has no degree of freedom in the list
      {"dof_roles", {none, changes, may, changes}},
      {"flexible_form", {changes, may, may, changes}},
      // a tree needs no assembly, and a joint with prescribed motion may be moved
      {"assemble", {changes, may, none, none}},
      {"assemble_position", {changes, may, none, none}},
      // from a closed state to itself
      {"assemble_by_continuation", {may, may, none, none}},
      {"close_rounded", {changes, may, none, none}},
      // from the default start to a closed state
      {"assembled_start", {changes, may, none, none}},
      {"assembly_branches", {may, may, none, none}},
      {"project_position", {changes, may, none, none}},
      {"project_velocity", {changes, may, none, none}},
      {"inverse_kinematics", {changes, may, none, none}},
      {"inverse_kinematics_velocity", {changes, changes, none, none}},
      {"inverse_kinematics_acceleration", {changes, changes, none, none}},
  };
  return list;
}
bool asks_for_efforts(const std::string& question) {
  return question == "drive_efforts" || question == "drive_demand" ||
         question == "allocate_efforts";
}
Effect effect_on(const std::string& question, const Pair& pair) {
  // a floor supports a wheel, which is no joint reaction
  if (question == "constrained_reactions" && pair.without.name == "disk") return Effect::may;
  // roles belong to degrees of freedom of the tree, and elements of loops or between points to none
  // of them
  if (pair.element == "'extra'" && (question == "dof_roles" || question == "flexible_form") &&
      (pair.kind == Pair::Kind::damper || pair.kind == Pair::Kind::friction ||
       pair.kind == Pair::Kind::contact))
    return Effect::may;
  // a lock of a loop joint acts at any position: it has no position of its own
  const bool closes_positions =
      question == "assemble" || question == "assemble_position" || question == "close_rounded";
  if (pair.label == "locked_loop_joint" &&
      (closes_positions || question == "project_position" || question == "assembled_start"))
    return Effect::may;
  // nor has a prescribed motion; its effort is attributed to its drive, like any other
  if (pair.label == "planned_loop_joint" &&
      (closes_positions || question == "project_position" || question == "assembled_start" ||
       question == "reachability" || asks_for_efforts(question)))
    return Effect::may;
  const Effects& expected = effects().at(question);
  switch (pair.kind) {
    case Pair::Kind::constraint: return expected.constraint;
    case Pair::Kind::prescription: return expected.prescription;
    case Pair::Kind::spring: return expected.spring;
    case Pair::Kind::damper:
    case Pair::Kind::friction:
    case Pair::Kind::contact: return expected.damper;
    // reported, and respected by functions that search for positions
    case Pair::Kind::limit: return Effect::none;
    case Pair::Kind::addition: return Effect::may;  // the result has another size
  }
  return Effect::changes;
}

struct Answer {
  Status status;
  std::vector<double> numbers;
};
Answer asked(const ConstraintFunction& question, bool is_with, const Pair& pair,
             const std::vector<double>& a) {
  Interview x(is_with ? pair.with : pair.without);
  x.state.q = pair.q_of(is_with);
  x.state.v = pair.v_of(is_with);
  const std::string name = question.name;
  if (asks_for_efforts(name) || name == "inverse_kinematics_acceleration") {
    x.a_in = a;
    x.a_in.resize(std::size_t(x.model.nv()));
  }
  for (int f = 0; f < x.model.loop_nv(); ++f)
    if (x.model.closure_drive(f) == Drive::motion) {
      x.loop_a_in.resize(std::size_t(x.model.loop_nv()));
      x.loop_a_in[std::size_t(f)] = 0.7;
    }
  for (int f = 0; f < x.model.nv(); ++f)
    if (pair.held < 0 && x.model.prescription(f) == Drive::motion &&
        name != "inverse_kinematics_acceleration") {
      x.a_in.resize(std::size_t(x.model.nv()));
      x.a_in[std::size_t(f)] = 0.7;
    }
  if (!asks_for_efforts(name)) {
    x.tau_in.resize(std::size_t(x.model.nv()));
    for (std::size_t k = 0; k < x.tau_in.size(); ++k) x.tau_in[k] = 0.3 + 0.1 * double(k);
  }
  if (pair.held >= 0 && name != "inverse_kinematics_acceleration") {
    x.a_in.resize(std::size_t(x.model.nv()));
    x.a_in[std::size_t(pair.held)] = x.model.prescription(pair.held) == Drive::motion ? 0.7 : 0;
  }
  Numbered answer;
  const Status status = question.ask(x, answer);
  return {status, answer.list()};
}

class EveryElementOfLoops : public testing::TestWithParam<Pair> {};
INSTANTIATE_TEST_SUITE_P(elements, EveryElementOfLoops, testing::ValuesIn(pairs()),
                         [](const auto& pair) { return pair.param.label; });

TEST_P(EveryElementOfLoops, is_honoured_or_named_by_every_question) {
  const Pair& pair = GetParam();
  // accelerations that the element allows, if the engine can compute them
  Interview x(pair.with);
  x.state.q = pair.q_of(true);
  x.state.v = pair.v_of(true);
  std::vector<double> a(x.state.v.size(), 0.2);
  const std::vector<double> given = a;
  if (!forward_dynamics(x.model, x.state, {}, x.workspace, a)) a = given;

  for (const ConstraintFunction& question : every_constraint_function()) {
    SCOPED_TRACE(question.name);
    const Answer before = asked(question, false, pair, a), after = asked(question, true, pair, a);
    if (!after.status) {
      // by name, or because the rest of the model alone is not supported by this function, or
      // because the element leaves no such motion, which is a valid effect
      const std::string message = after.status.message(), name = question.name;
      const bool asks_for_a_motion =
          name.starts_with("inverse_kinematics") || asks_for_efforts(name);
      EXPECT_TRUE(message.find(pair.element) != std::string::npos || !before.status ||
                  asks_for_a_motion)
          << message;
      continue;
    }
    if (!before.status) continue;  // possible only with the element
    double difference = before.numbers.size() == after.numbers.size() ? 0 : 1;
    for (std::size_t k = 0; k < std::min(before.numbers.size(), after.numbers.size()); ++k)
      difference = std::max(difference, std::abs(after.numbers[k] - before.numbers[k]));
    const Effect effect = effect_on(question.name, pair);
    // steps of 1e-3 are partly undone by projection, and inertias are near 1
    if (effect == Effect::changes) {
      EXPECT_GT(difference, 1e-7) << "says the same with and without";
    } else if (effect == Effect::none) {
      EXPECT_LT(difference, 1e-9);
    }
  }
}

}  // namespace
}  // namespace trammel::nothing_ignored_by_loops_test
