// No element is silently ignored: every public function, on models with each kind of constraint and
// force element, either returns another result than without it, or fails and names it. Only
// quantities of the tree's own coordinates may stay the same.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "tests/support/element_pairs.hpp"
#include "tests/support/every_function.hpp"
#include "trammel/constraint/solver/constrained_dynamics.hpp"
#include "trammel/spatial/conventions.hpp"

namespace trammel::nothing_ignored_test {
namespace {

using namespace element_pairs;

// Expected effect of an element on a result.
enum class Effect {
  none,     // no change: a quantity of the tree's own coordinates alone
  changes,  // the result must change
  may,      // adds coordinates: the result has another size
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
      {"contact_forces", {none, none, none, none}},
      {"forward_dynamics", {changes, changes, changes, changes}},
      {"hybrid_dynamics", {changes, changes, changes, changes}},
      {"mass_matrix", {none, none, none, none}},
      {"articulated_inertias", {none, none, none, none}},
      {"mass_matrix_inverse", {changes, none, none, none}},
      {"mass_matrix_factors", {none, none, none, none}},
      {"mass_matrix_inverse_factors", {none, none, none, none}},
      {"operational_space_inertia_inverse", {changes, none, none, none}},
      {"operational_space_inertia", {changes, none, none, none}},
      {"energy", {none, none, changes, none}},
      {"momentum", {none, none, none, none}},
      {"centroidal_momentum", {none, none, none, none}},
      {"centroidal_momentum_matrix", {none, none, none, none}},
      {"center_of_mass", {none, none, none, none}},
      {"reactions", {changes, changes, changes, changes}},
      {"inverse_dynamics_derivatives", {changes, none, changes, changes}},
      {"forward_dynamics_derivatives", {changes, changes, changes, changes}},
      {"kinematics_batch", {none, none, none, none}},
      {"inverse_dynamics_batch", {changes, changes, changes, changes}},
      {"forward_dynamics_batch", {changes, changes, changes, changes}},
      {"mass_matrix_batch", {none, none, none, none}},
      {"reactions_batch", {changes, changes, changes, changes}},
      // a joint with prescribed motion may be moved
      {"project_to_manifold_batch", {changes, may, none, none}},
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
  // for a tree the motion is given and determines the reactions, whatever element causes it
  if (question.starts_with("reactions") && is_tree && pair.element == "'j2'") return Effect::none;
  if (question.starts_with("inverse_dynamics") && !question.ends_with("derivatives") && is_tree &&
      pair.kind == prescription)
    return Effect::none;
  switch (pair.kind) {
    case constraint: return expected.constraint;
    case prescription: return expected.prescription;
    case spring: return expected.spring;
    case damper:
    case friction: return expected.damper;
    case contact:
      return question == "contact_forces" || question == "energy" ? Effect::changes
                                                                  : expected.damper;
    // reported, and respected by functions that search for positions
    case limit: return Effect::none;
    case addition: return Effect::may;
  }
  return Effect::changes;
}

struct Answer {
  Status status;
  std::vector<double> numbers;
};
// All numbers that a call can write.
std::vector<double> notes(const Interview& x) {
  std::vector<double> all;
  const auto add = [&](const auto& list) { all.insert(all.end(), list.begin(), list.end()); };
  const auto add_matrix = [&](const Eigen::MatrixXd& A) {
    all.insert(all.end(), A.data(), A.data() + A.size());
  };
  add(x.a), add(x.tau);
  for (const Eigen::MatrixXd* A :
       {&x.M, &x.M2, &x.J, &x.six, &x.rows, &x.v_batch, &x.out_batch, &x.M_batch, &x.poses,
        &x.derivatives.dq, &x.derivatives.dv, &x.derivatives.dx})
    add_matrix(*A);
  for (const auto& X : x.kinematics_.X_WB) add(std::vector{X.p.x, X.p.y, X.p.z, X.R.x.x, X.R.y.z});
  add(angular_first(x.motion));
  add(std::vector{x.energy_.kinetic, x.energy_.gravity, x.energy_.elastic});
  double pressed = 0;  // may be empty
  for (const ContactForce& contact : x.contacts) pressed += contact.press;
  add(std::vector{pressed});
  add_matrix(x.forces_batch.topLeftCorner(6, 1));                 // of the first joint
  for (const Force<double>& F : x.forces) add(angular_first(F));  // last: there may be one more
  return all;
}

// Sets accelerations of joints driven by motion.
void plan(Interview& x) {
  for (int f = 0; f < x.model.loop_nv(); ++f)
    if (x.model.closure_drive(f) == Drive::motion) {
      x.loop_a_in.resize(std::size_t(x.model.loop_nv()));
      x.loop_a_in[std::size_t(f)] = 0.7;
    }
  for (int f = 0; f < x.model.nv(); ++f)
    if (x.model.prescription(f) == Drive::motion) {
      x.a_in.resize(std::size_t(x.model.nv()));
      x.a_in[std::size_t(f)] = 0.7;
    }
}

Answer asked(const PublicFunction& question, bool is_with, const Pair& pair,
             const std::vector<double>& a) {
  Interview x(is_with ? pair.with : pair.without);
  x.state.q = pair.q_of(is_with);
  x.state.v = pair.v_of(is_with);
  for (Eigen::Index k = 0; k < x.q_batch.cols(); ++k) {
    x.q_batch.col(k) = column(x.state.q);
    x.v_batch.col(k) = column(x.state.v);
    for (Eigen::Index f = 0; f < x.in_batch.rows(); ++f) x.in_batch(f, k) = 0.3 + 0.1 * double(f);
  }
  for (auto* matrix :
       {&x.M, &x.M2, &x.J, &x.six, &x.rows, &x.out_batch, &x.M_batch, &x.poses, &x.forces_batch})
    matrix->setZero();
  const std::string name = question.name;
  if (name.starts_with("project")) x.v_batch.array() += 0.3;  // away from the manifold
  x.tau_in.resize(std::size_t(x.model.nv()));
  for (std::size_t k = 0; k < x.tau_in.size(); ++k) x.tau_in[k] = 0.3 + 0.1 * double(k);
  if (name.starts_with("inverse")) x.a_in = a, x.a_in.resize(std::size_t(x.model.nv()));
  if (pair.held < 0) plan(x);
  if (pair.held >= 0 && name != "reactions") {
    x.a_in.resize(std::size_t(x.model.nv()));
    // for joints without prescribed motion, accelerations are results
    const bool is_answer = name.starts_with("forward") || name.starts_with("hybrid");
    if (!is_answer || x.model.prescription(pair.held) == Drive::motion)
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
  // accelerations that the element allows, if the engine can compute them
  Interview x(pair.with);
  x.state.q = pair.q_of(true);
  x.state.v = pair.v_of(true);
  std::vector<double> a(x.state.v.size(), 0.2);
  const std::vector<double> given = a;
  if (!forward_dynamics(x.model, x.state, {}, x.workspace, a)) a = given;

  for (const PublicFunction& question : every_function()) {
    const Effect effect = effect_on(question.name, pair);
    const Answer before = asked(question, false, pair, a), after = asked(question, true, pair, a);
    SCOPED_TRACE(question.name);
    if (!after.status) {
      const std::string message = after.status.message();
      // by name, or because the rest of the model alone is not supported by this function
      const bool is_named = message.find(pair.element) != std::string::npos ||
                            message.find("driven by motion or locked") != std::string::npos;
      EXPECT_TRUE(is_named || !before.status) << message;
      continue;
    }
    ASSERT_TRUE(before.status.ok()) << before.status.message();
    double difference = 0;
    for (std::size_t k = 0; k < std::min(before.numbers.size(), after.numbers.size()); ++k)
      difference = std::max(difference, std::abs(after.numbers[k] - before.numbers[k]));
    if (effect == Effect::changes) {
      EXPECT_GT(difference, 1e-6) << "says the same with and without it";
    } else if (effect == Effect::none) {
      EXPECT_EQ(difference, 0);
    }
  }
}

// An element that adds coordinates changes the accelerations of the others, compared by name.
TEST_P(EveryElement, moves_what_was_there_otherwise) {
  const Pair& pair = GetParam();
  std::map<std::string, double> found[2];
  for (const bool is_with : {false, true}) {
    Interview x(is_with ? pair.with : pair.without);
    x.state.q = pair.q_of(is_with);
    x.state.v = pair.v_of(is_with);
    plan(x);
    x.a_in.resize(std::size_t(x.model.nv()));
    for (int f = 0; f < x.model.nv(); ++f)
      x.tau_in.push_back(0.3 + 0.1 * double(x.model.dof_name(f).size()));
    const Status status = forward_dynamics(x.model, x.state, x.inputs(), x.workspace, x.a);
    ASSERT_TRUE(status.ok()) << status.message();
    for (int f = 0; f < x.model.nv(); ++f)
      found[is_with][x.model.dof_name(f)] = x.a[std::size_t(f)];
  }
  double difference = 0;
  for (const auto& [name, a] : found[0]) {
    ASSERT_TRUE(found[1].contains(name)) << name;
    difference = std::max(difference, std::abs(found[1][name] - a));
  }
  if (pair.kind == Pair::Kind::limit)
    EXPECT_EQ(difference, 0);
  else
    EXPECT_GT(difference, 1e-6);
}

// The effect of the element agrees with maximal coordinates, if the engine accepts the model.
class EveryPlainElement : public testing::TestWithParam<Pair> {};
std::vector<Pair> plain_pairs() {
  std::vector<Pair> list = pairs();
  std::erase_if(list, [](const Pair& pair) { return !pair.has_plain_way; });
  return list;
}
INSTANTIATE_TEST_SUITE_P(elements, EveryPlainElement, testing::ValuesIn(plain_pairs()),
                         [](const auto& pair) { return pair.param.label; });
TEST_P(EveryPlainElement, acts_as_maximal_coordinates_say) {
  const Pair& pair = GetParam();
  Interview x(pair.with);
  x.state.q = pair.q_of(true);
  x.state.v = pair.v_of(true);
  std::vector<double> tau(x.state.v.size()), a(tau), prescribed(tau);
  for (std::size_t k = 0; k < tau.size(); ++k) tau[k] = 0.3 + 0.1 * double(k);
  if (pair.held >= 0 && x.model.prescription(pair.held) == Drive::motion)
    prescribed[std::size_t(pair.held)] = 0.7;
  const Inputs inputs{.tau = tau, .a = prescribed};
  ASSERT_TRUE(forward_dynamics(x.model, x.state, inputs, x.workspace, a).ok());
  const MaximalKkt plain_way(x.model, x.state, inputs, x.workspace);
  // masses near 1; only the rows of the coupled revolute joint are nearly dependent: the error is
  // rounding over the square of the distance from dependency
  RowBasis basis;
  ASSERT_TRUE(row_basis(x.model, x.state, x.workspace, basis).ok());
  const double tolerance = std::max(1e-10, 1e-14 / (basis.least() * basis.least()));
  EXPECT_LT((column(a) - plain_way.a).cwiseAbs().maxCoeff(),
            tolerance * (1 + plain_way.a.cwiseAbs().maxCoeff()));
  UniqueReactions carried;
  ASSERT_TRUE(constrained_reactions(x.model, x.state, inputs, x.workspace, carried).ok());
  for (std::size_t j = 0; j < carried.force.size(); ++j)
    EXPECT_LT((column(carried.force[j]) - plain_way.carried[j]).cwiseAbs().maxCoeff(),
              100 * tolerance)
        << x.model.joints()[j].name;
}

}  // namespace
}  // namespace trammel::nothing_ignored_test
