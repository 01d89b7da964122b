// Efforts, accelerations, and what joints carry.
#include "quantities.hpp"
#include "trammel/constraint/constrained_dynamics.hpp"
#include "trammel/constraint/loop_motion.hpp"
#include "trammel/dynamics/contact_forces.hpp"
#include "trammel/dynamics/forward_dynamics.hpp"
#include "trammel/dynamics/hybrid_dynamics.hpp"
#include "trammel/dynamics/inverse_dynamics.hpp"
#include "trammel/dynamics/reactions.hpp"
#include "trammel/model/units.hpp"

namespace trammel::cli {

namespace {

std::vector<double> room(const Moment& moment) {
  return std::vector<double>(std::size_t(moment.model.nv()));
}

Answer efforts(const Moment& moment, const std::vector<double>& tau, std::string part = {}) {
  return list_answer(freedom_names(moment.model), tau, effort_units(moment.model), "",
                     std::move(part));
}

Answer accelerations(const Moment& moment, const std::vector<double>& a, std::string part = {}) {
  return list_answer(freedom_names(moment.model), a, acceleration_units(moment.model), "",
                     std::move(part));
}

ConstrainedAnswer by_road(Moment& moment, Road road) {
  ConstrainedAnswer found;
  expect_ok(constrained_dynamics(moment.model, moment.state(), moment.inputs(), moment.workspace,
                                 found, road));
  moment.taken = found.road;
  return found;
}
// The engine chooses a road by model and state alone: to ask again is to be told which it was.
void tell_road_chosen(Moment& moment) {
  if (moment.model.has_constraints()) by_road(moment, Road::automatic);
}

// What joints carry, and which of it is unique: without loops, all.
UniqueReactions carried(Moment& moment) {
  UniqueReactions found;
  if (moment.model.has_constraints() || moment.road != Road::automatic) {
    expect_ok(constrained_reactions(moment.model, moment.state(), moment.inputs(), moment.workspace,
                                    found, moment.road, moment.stress));
    moment.taken = found.road;
    return found;
  }
  expect_ok(
      reactions(moment.model, moment.state(), moment.inputs(), moment.workspace, found.force));
  found.is_unique.assign(found.force.size(), {true, true, true, true, true, true});
  return found;
}

}  // namespace

Answers ask_drive_efforts(Moment& moment) {
  DriveEfforts found;
  Inputs inputs = moment.inputs();
  inputs.loop_tau = {};
  expect_ok(drive_efforts(moment.model, moment.state(), inputs, moment.workspace, found));
  const bool has_loops = found.loop_tau.size() > 0;
  Answers answers = {
      efforts(moment, {found.tau.begin(), found.tau.end()}, has_loops ? "effort" : "")};
  if (has_loops)
    answers.push_back(list_answer(loop_freedom_names(moment.model),
                                  {found.loop_tau.data(), std::size_t(found.loop_tau.size())},
                                  loop_effort_units(moment.model), "", "loop_effort"));
  return answers;
}

Answers ask_inverse_dynamics(Moment& moment) {
  std::vector<double> tau = room(moment);
  Inputs inputs = moment.inputs();
  inputs.loop_tau = {};  // efforts are the answer
  expect_ok(inverse_dynamics(moment.model, moment.state(), inputs, moment.workspace, tau));
  return {efforts(moment, tau)};
}

Answers ask_bias(Moment& moment) {
  std::vector<double> tau = room(moment);
  expect_ok(bias(moment.model, moment.state(), moment.inputs(), moment.workspace, tau));
  return {efforts(moment, tau)};
}

Answers ask_gravity_load(Moment& moment) {
  std::vector<double> tau = room(moment);
  expect_ok(gravity_load(moment.model, moment.state(), moment.workspace, tau));
  return {efforts(moment, tau)};
}

Answers ask_passive_forces(Moment& moment) {
  std::vector<double> tau = room(moment);
  expect_ok(passive_forces(moment.model, moment.state(), moment.workspace, tau));
  return {efforts(moment, tau)};
}

Answers ask_forward_dynamics(Moment& moment) {
  if (moment.road != Road::automatic) {
    const ConstrainedAnswer found = by_road(moment, moment.road);
    return {accelerations(moment, {found.a.begin(), found.a.end()})};
  }
  std::vector<double> a = room(moment);
  expect_ok(forward_dynamics(moment.model, moment.state(), moment.inputs(), moment.workspace, a));
  tell_road_chosen(moment);
  return {accelerations(moment, a)};
}

Answers ask_hybrid_dynamics(Moment& moment) {
  std::vector<double> a = room(moment), tau = room(moment);
  expect_ok(
      hybrid_dynamics(moment.model, moment.state(), moment.inputs(), moment.workspace, a, tau));
  tell_road_chosen(moment);
  return {accelerations(moment, a, "acceleration"), efforts(moment, tau, "effort")};
}

Answers ask_reactions(Moment& moment) {
  const UniqueReactions found = carried(moment);
  const std::vector<Force<double>>& forces = found.force;
  Answer answer{.shape = Answer::Shape::table,
                .columns = {"mx", "my", "mz", "fx", "fy", "fz"},
                .frame = "of each joint on its child",
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

Answers ask_contact_forces(Moment& moment) {
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
