// Efforts, accelerations and reactions.
#include "quantities.hpp"
#include "trammel/constraint/equations/loop_motion.hpp"
#include "trammel/constraint/solver/constrained_dynamics.hpp"
#include "trammel/dynamics/contact_forces.hpp"
#include "trammel/dynamics/forward_dynamics.hpp"
#include "trammel/dynamics/hybrid_dynamics.hpp"
#include "trammel/dynamics/inverse_dynamics.hpp"
#include "trammel/dynamics/kinematics.hpp"
#include "trammel/dynamics/reactions.hpp"
#include "trammel/model/units.hpp"

namespace trammel::cli {

namespace {

std::vector<double> zeros(const EvalRequest& request) {
  return std::vector<double>(std::size_t(request.model.nv()));
}

Answer efforts(const EvalRequest& request, const std::vector<double>& tau, std::string part = {}) {
  return list_answer(dof_names(request.model), tau, effort_units(request.model), "",
                     std::move(part));
}

Answer accelerations(const EvalRequest& request, const std::vector<double>& a,
                     std::string part = {}) {
  return list_answer(dof_names(request.model), a, acceleration_units(request.model), "",
                     std::move(part));
}

ConstrainedAnswer by_solver(EvalRequest& request, ConstraintSolver solver) {
  ConstrainedAnswer found;
  expect_ok(constrained_dynamics(request.model, request.state(), request.inputs(),
                                 request.workspace, found, solver));
  request.taken = found.solver;
  return found;
}
// The engine selects a solver from model and state alone: solving again reports the one it used.
void report_chosen_solver(EvalRequest& request) {
  if (request.model.has_constraints()) by_solver(request, ConstraintSolver::automatic);
}

// Reactions of all joints and their uniqueness. Without loops all of them are unique.
UniqueReactions carried(EvalRequest& request) {
  UniqueReactions found;
  if (request.model.has_constraints() || request.solver != ConstraintSolver::automatic) {
    expect_ok(constrained_reactions(request.model, request.state(), request.inputs(),
                                    request.workspace, found, request.solver, request.stress));
    request.taken = found.solver;
    return found;
  }
  Inputs inputs = request.inputs();
  std::vector<double> a = zeros(request);
  if (request.has_tau) {  // accelerations under these efforts
    expect_ok(forward_dynamics(request.model, request.state(), inputs, request.workspace, a));
    inputs.a = a;
  }
  expect_ok(reactions(request.model, request.state(), inputs, request.workspace, found.force));
  found.is_unique.assign(found.force.size(), {true, true, true, true, true, true});
  return found;
}

// Efforts of the tree and, if there are any, of loop joints.
void add_efforts(const EvalRequest& request, const DriveEfforts& found, const char* part,
                 Answers& answers) {
  answers.push_back(efforts(request, {found.tau.begin(), found.tau.end()}, part));
  answers.back().uniqueness = Answer::Uniqueness{.is_unique = found.is_unique, .of_efforts = true};
  if (found.loop_tau.size() == 0) return;
  answers.push_back(list_answer(loop_dof_names(request.model),
                                {found.loop_tau.data(), std::size_t(found.loop_tau.size())},
                                loop_effort_units(request.model), "", "loop_effort"));
  answers.back().uniqueness =
      Answer::Uniqueness{.is_unique = found.loop_is_unique, .of_efforts = true};
}

}  // namespace

Answers eval_drive_efforts(EvalRequest& request) {
  DriveEfforts found;
  Inputs inputs = request.inputs();
  inputs.loop_tau = {};
  expect_ok(drive_efforts(request.model, request.state(), inputs, request.workspace, found));
  Answers answers;
  add_efforts(request, found, found.loop_tau.size() > 0 ? "effort" : "", answers);
  return answers;
}

Answers eval_inverse_dynamics(EvalRequest& request) {
  std::vector<double> tau = zeros(request);
  Inputs inputs = request.inputs();
  inputs.loop_tau = {};  // efforts are the result
  expect_ok(inverse_dynamics(request.model, request.state(), inputs, request.workspace, tau));
  return {efforts(request, tau)};
}

Answers eval_bias(EvalRequest& request) {
  std::vector<double> tau = zeros(request);
  expect_ok(bias(request.model, request.state(), request.inputs(), request.workspace, tau));
  return {efforts(request, tau)};
}

Answers eval_gravity_load(EvalRequest& request) {
  std::vector<double> tau = zeros(request);
  expect_ok(gravity_load(request.model, request.state(), request.workspace, tau));
  return {efforts(request, tau)};
}

Answers eval_passive_forces(EvalRequest& request) {
  std::vector<double> tau = zeros(request);
  expect_ok(passive_forces(request.model, request.state(), request.workspace, tau));
  return {efforts(request, tau)};
}

Answers eval_forward_dynamics(EvalRequest& request) {
  if (request.solver != ConstraintSolver::automatic) {
    const ConstrainedAnswer found = by_solver(request, request.solver);
    return {accelerations(request, {found.a.begin(), found.a.end()})};
  }
  std::vector<double> a = zeros(request);
  expect_ok(
      forward_dynamics(request.model, request.state(), request.inputs(), request.workspace, a));
  report_chosen_solver(request);
  return {accelerations(request, a)};
}

Answers eval_hybrid_dynamics(EvalRequest& request) {
  std::vector<double> a = zeros(request), tau = zeros(request);
  if (request.model.has_constraints()) {
    DriveEfforts found;
    expect_ok(prescribed_efforts(request.model, request.state(), request.inputs(),
                                 request.workspace, found));
    const ConstrainedAnswer motion = by_solver(request, ConstraintSolver::automatic);
    Answers answers = {accelerations(request, {motion.a.begin(), motion.a.end()}, "acceleration")};
    add_efforts(request, found, "effort", answers);
    return answers;
  }
  expect_ok(
      hybrid_dynamics(request.model, request.state(), request.inputs(), request.workspace, a, tau));
  return {accelerations(request, a, "acceleration"), efforts(request, tau, "effort")};
}

namespace {

// The same wrenches at one place: forces in the requested axes, moments about its origin. A
// component there is unique if every component that it is a sum of is unique.
void move_to_place(EvalRequest& request, UniqueReactions& found) {
  Positions seen(request.model);
  expect_ok(positions(request.model, request.state(), request.workspace, seen));
  const Pose<double> X_WA = pose(request.model, seen, *request.place);
  for (std::size_t k = 0; k < found.force.size(); ++k) {
    const NamedJoint& joint = request.model.joints()[k];
    const Pose<double> X_WM = pose(request.model, seen, {joint.child, joint.X_CM});
    const Vec3<double> force = X_WM.R * found.force[k].force;
    const Vec3<double> about = X_WM.R * found.force[k].moment + cross(X_WM.p - X_WA.p, force);
    const bool is_world = request.axes == Axes::world;
    found.force[k] = {is_world ? about : transpose_times(X_WA.R, about),
                      is_world ? force : transpose_times(X_WA.R, force)};
    auto& is_unique = found.is_unique[k];
    const bool forces_are = is_unique[3] && is_unique[4] && is_unique[5];
    const bool all_are = forces_are && is_unique[0] && is_unique[1] && is_unique[2];
    is_unique = {all_are, all_are, all_are, forces_are, forces_are, forces_are};
  }
}

}  // namespace

Answers eval_reactions(EvalRequest& request) {
  UniqueReactions found = carried(request);
  if (request.place) move_to_place(request, found);
  const std::vector<Force<double>>& forces = found.force;
  Answer answer{.shape = Answer::Shape::table,
                .columns = {"mx", "my", "mz", "fx", "fy", "fz"},
                .frame = !request.place                ? "of each joint on its child"
                         : request.axes == Axes::world ? "world, at " + request.place_name
                                                       : request.place_name,
                .uniqueness = Answer::Uniqueness{{}, found.length, !request.stress.joints.empty()}};
  answer.values.resize(std::ptrdiff_t(forces.size()), 6);
  for (std::size_t k = 0; k < forces.size(); ++k) {
    const auto& [moment_, force] = forces[k];
    answer.rows.push_back(request.model.joints()[k].name);
    answer.values.row(std::ptrdiff_t(k)) << moment_.x, moment_.y, moment_.z, force.x, force.y,
        force.z;
    for (std::size_t j = 0; j < 6; ++j) {
      answer.units.emplace_back(j < 3 ? "N m" : "N");
      answer.uniqueness->is_unique.push_back(found.is_unique[k][j]);
    }
  }
  return {answer};
}

Answers eval_contact_forces(EvalRequest& request) {
  std::vector<ContactForce> contacts;
  expect_ok(contact_forces(request.model, request.state(), request.workspace, contacts));
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
