// Efforts, accelerations and reactions.
#include "quantities.hpp"
#include "trammel/constraint/constrained_dynamics.hpp"
#include "trammel/constraint/loop_motion.hpp"
#include "trammel/dynamics/contact_forces.hpp"
#include "trammel/dynamics/forward_dynamics.hpp"
#include "trammel/dynamics/hybrid_dynamics.hpp"
#include "trammel/dynamics/inverse_dynamics.hpp"
#include "trammel/dynamics/kinematics.hpp"
#include "trammel/dynamics/reactions.hpp"
#include "trammel/model/units.hpp"

namespace trammel::cli {

namespace {

std::vector<double> room(const EvalPoint& moment) {
  return std::vector<double>(std::size_t(moment.model.nv()));
}

Answer efforts(const EvalPoint& moment, const std::vector<double>& tau, std::string part = {}) {
  return list_answer(freedom_names(moment.model), tau, effort_units(moment.model), "",
                     std::move(part));
}

Answer accelerations(const EvalPoint& moment, const std::vector<double>& a, std::string part = {}) {
  return list_answer(freedom_names(moment.model), a, acceleration_units(moment.model), "",
                     std::move(part));
}

ConstrainedAnswer by_solver(EvalPoint& moment, ConstraintSolver solver) {
  ConstrainedAnswer found;
  expect_ok(constrained_dynamics(moment.model, moment.state(), moment.inputs(), moment.workspace,
                                 found, solver));
  moment.taken = found.solver;
  return found;
}
// The engine selects a solver from model and state alone: solving again reports the one it used.
void report_chosen_solver(EvalPoint& moment) {
  if (moment.model.has_constraints()) by_solver(moment, ConstraintSolver::automatic);
}

// Reactions of all joints and their uniqueness. Without loops all of them are unique.
UniqueReactions carried(EvalPoint& moment) {
  UniqueReactions found;
  if (moment.model.has_constraints() || moment.solver != ConstraintSolver::automatic) {
    expect_ok(constrained_reactions(moment.model, moment.state(), moment.inputs(), moment.workspace,
                                    found, moment.solver, moment.stress));
    moment.taken = found.solver;
    return found;
  }
  Inputs inputs = moment.inputs();
  std::vector<double> a = room(moment);
  if (moment.has_tau) {  // accelerations under these efforts
    expect_ok(forward_dynamics(moment.model, moment.state(), inputs, moment.workspace, a));
    inputs.a = a;
  }
  expect_ok(reactions(moment.model, moment.state(), inputs, moment.workspace, found.force));
  found.is_unique.assign(found.force.size(), {true, true, true, true, true, true});
  return found;
}

// Efforts of the tree and, if there are any, of loop joints.
void add_efforts(const EvalPoint& moment, const DriveEfforts& found, const char* part,
                 Answers& answers) {
  answers.push_back(efforts(moment, {found.tau.begin(), found.tau.end()}, part));
  answers.back().uniqueness = Answer::Uniqueness{.is_unique = found.is_unique, .of_efforts = true};
  if (found.loop_tau.size() == 0) return;
  answers.push_back(list_answer(loop_freedom_names(moment.model),
                                {found.loop_tau.data(), std::size_t(found.loop_tau.size())},
                                loop_effort_units(moment.model), "", "loop_effort"));
  answers.back().uniqueness =
      Answer::Uniqueness{.is_unique = found.loop_is_unique, .of_efforts = true};
}

}  // namespace

Answers ask_drive_efforts(EvalPoint& moment) {
  DriveEfforts found;
  Inputs inputs = moment.inputs();
  inputs.loop_tau = {};
  expect_ok(drive_efforts(moment.model, moment.state(), inputs, moment.workspace, found));
  Answers answers;
  add_efforts(moment, found, found.loop_tau.size() > 0 ? "effort" : "", answers);
  return answers;
}

Answers ask_inverse_dynamics(EvalPoint& moment) {
  std::vector<double> tau = room(moment);
  Inputs inputs = moment.inputs();
  inputs.loop_tau = {};  // efforts are the result
  expect_ok(inverse_dynamics(moment.model, moment.state(), inputs, moment.workspace, tau));
  return {efforts(moment, tau)};
}

Answers ask_bias(EvalPoint& moment) {
  std::vector<double> tau = room(moment);
  expect_ok(bias(moment.model, moment.state(), moment.inputs(), moment.workspace, tau));
  return {efforts(moment, tau)};
}

Answers ask_gravity_load(EvalPoint& moment) {
  std::vector<double> tau = room(moment);
  expect_ok(gravity_load(moment.model, moment.state(), moment.workspace, tau));
  return {efforts(moment, tau)};
}

Answers ask_passive_forces(EvalPoint& moment) {
  std::vector<double> tau = room(moment);
  expect_ok(passive_forces(moment.model, moment.state(), moment.workspace, tau));
  return {efforts(moment, tau)};
}

Answers ask_forward_dynamics(EvalPoint& moment) {
  if (moment.solver != ConstraintSolver::automatic) {
    const ConstrainedAnswer found = by_solver(moment, moment.solver);
    return {accelerations(moment, {found.a.begin(), found.a.end()})};
  }
  std::vector<double> a = room(moment);
  expect_ok(forward_dynamics(moment.model, moment.state(), moment.inputs(), moment.workspace, a));
  report_chosen_solver(moment);
  return {accelerations(moment, a)};
}

Answers ask_hybrid_dynamics(EvalPoint& moment) {
  std::vector<double> a = room(moment), tau = room(moment);
  if (moment.model.has_constraints()) {
    DriveEfforts found;
    expect_ok(
        prescribed_efforts(moment.model, moment.state(), moment.inputs(), moment.workspace, found));
    const ConstrainedAnswer motion = by_solver(moment, ConstraintSolver::automatic);
    Answers answers = {accelerations(moment, {motion.a.begin(), motion.a.end()}, "acceleration")};
    add_efforts(moment, found, "effort", answers);
    return answers;
  }
  expect_ok(
      hybrid_dynamics(moment.model, moment.state(), moment.inputs(), moment.workspace, a, tau));
  return {accelerations(moment, a, "acceleration"), efforts(moment, tau, "effort")};
}

namespace {

// The same wrenches at one place: forces in the requested axes, moments about its origin. A
// component there is unique if every component that it is a sum of is unique.
void move_to_place(EvalPoint& moment, UniqueReactions& found) {
  Positions seen(moment.model);
  expect_ok(positions(moment.model, moment.state(), moment.workspace, seen));
  const Pose<double> X_WA = pose(moment.model, seen, *moment.place);
  for (std::size_t k = 0; k < found.force.size(); ++k) {
    const NamedJoint& joint = moment.model.joints()[k];
    const Pose<double> X_WM = pose(moment.model, seen, {joint.child, joint.X_CM});
    const Vec3<double> force = X_WM.R * found.force[k].force;
    const Vec3<double> about = X_WM.R * found.force[k].moment + cross(X_WM.p - X_WA.p, force);
    const bool is_world = moment.axes == Axes::world;
    found.force[k] = {is_world ? about : transpose_times(X_WA.R, about),
                      is_world ? force : transpose_times(X_WA.R, force)};
    auto& is_unique = found.is_unique[k];
    const bool forces_are = is_unique[3] && is_unique[4] && is_unique[5];
    const bool all_are = forces_are && is_unique[0] && is_unique[1] && is_unique[2];
    is_unique = {all_are, all_are, all_are, forces_are, forces_are, forces_are};
  }
}

}  // namespace

Answers ask_reactions(EvalPoint& moment) {
  UniqueReactions found = carried(moment);
  if (moment.place) move_to_place(moment, found);
  const std::vector<Force<double>>& forces = found.force;
  Answer answer{.shape = Answer::Shape::table,
                .columns = {"mx", "my", "mz", "fx", "fy", "fz"},
                .frame = !moment.place                ? "of each joint on its child"
                         : moment.axes == Axes::world ? "world, at " + moment.place_name
                                                      : moment.place_name,
                .uniqueness = Answer::Uniqueness{{}, found.length, !moment.stress.joints.empty()}};
  answer.values.resize(std::ptrdiff_t(forces.size()), 6);
  for (std::size_t k = 0; k < forces.size(); ++k) {
    const auto& [moment_, force] = forces[k];
    answer.rows.push_back(moment.model.joints()[k].name);
    answer.values.row(std::ptrdiff_t(k)) << moment_.x, moment_.y, moment_.z, force.x, force.y,
        force.z;
    for (std::size_t j = 0; j < 6; ++j) {
      answer.units.emplace_back(j < 3 ? "N m" : "N");
      answer.uniqueness->is_unique.push_back(found.is_unique[k][j]);
    }
  }
  return {answer};
}

Answers ask_contact_forces(EvalPoint& moment) {
  std::vector<ContactForce> contacts;
  expect_ok(contact_forces(moment.model, moment.state(), moment.workspace, contacts));
  struct Number {
    const char *name, *unit;
    double (*of)(const ContactForce&);
  };
  static constexpr Number numbers[] = {
      {"x", "m", [](const ContactForce& c) { return c.point.x; }},
      {"y", "m", [](const ContactForce& c) { return c.point.y; }},
      {"z", "m", [](const ContactForce& c) { return c.point.z; }},
      {"depth", "m", [](const ContactForce& c) { return c.depth; }},
      {"sliding", "m/s", [](const ContactForce& c) { return c.sliding; }},
      {"press", "N", [](const ContactForce& c) { return c.press; }},
      {"normal x", "N", [](const ContactForce& c) { return c.normal.x; }},
      {"normal y", "N", [](const ContactForce& c) { return c.normal.y; }},
      {"normal z", "N", [](const ContactForce& c) { return c.normal.z; }},
      {"friction x", "N", [](const ContactForce& c) { return c.friction.x; }},
      {"friction y", "N", [](const ContactForce& c) { return c.friction.y; }},
      {"friction z", "N", [](const ContactForce& c) { return c.friction.z; }}};
  Answer answer{.shape = Answer::Shape::table, .frame = "world"};
  for (const Number& number : numbers) answer.columns.emplace_back(number.name);
  answer.values.resize(std::ptrdiff_t(contacts.size()), std::ptrdiff_t(answer.columns.size()));
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    answer.rows.push_back(contacts[k].contact);
    for (std::size_t j = 0; j < std::size(numbers); ++j) {
      answer.values(std::ptrdiff_t(k), std::ptrdiff_t(j)) = numbers[j].of(contacts[k]);
      answer.units.emplace_back(numbers[j].unit);
    }
  }
  return {answer};
}

}  // namespace trammel::cli
