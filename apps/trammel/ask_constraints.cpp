// Constraint quantities: constraint Jacobian, multipliers, row natures, wheel contacts.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "quantities.hpp"
#include "trammel/constraint/reachability.hpp"
#include "trammel/constraint/row_units.hpp"
#include "trammel/constraint/wheel_contacts.hpp"
#include "trammel/model/units.hpp"

namespace trammel::cli {

Answers ask_constraint_jacobian(EvalPoint& moment) {
  Answer answer{.shape = Answer::Shape::table,
                .rows = row_names(moment.model),
                .columns = freedom_names(moment.model)};
  expect_ok(constraint_jacobian(moment.model, moment.state(), moment.workspace, answer.values));
  for (const std::string& row : row_units(moment.model))
    for (const FreedomKind column : freedom_kinds(moment.model)) {
      const bool turns = row == "rad", by_turn = column == FreedomKind::turn;
      answer.units.emplace_back(turns == by_turn ? "1" : turns ? "rad/m" : "m/rad");
    }
  return {answer};
}

namespace {

Answer multipliers(const Model& model, const ConstrainedAnswer& found, const char* part = "") {
  std::vector<std::string> units;
  for (const std::string& counts : row_units(model))
    units.emplace_back(counts == "rad" ? "N m" : "N");
  return list_answer(row_names(model), {found.lambda.data(), std::size_t(found.lambda.size())},
                     units, "", part);
}

}  // namespace

Answers ask_multipliers(EvalPoint& moment) {
  ConstrainedAnswer found;
  expect_ok(constrained_dynamics(moment.model, moment.state(), moment.inputs(), moment.workspace,
                                 found, moment.solver));
  if (moment.model.has_constraints()) moment.taken = found.solver;
  return {multipliers(moment.model, found)};
}

Answers ask_sliding_dynamics(EvalPoint& moment) {
  ConstrainedAnswer found;
  expect_ok(sliding_dynamics(moment.model, moment.state(), moment.inputs(), moment.followers,
                             moment.workspace, found, moment.solver));
  if (moment.model.has_constraints()) moment.taken = found.solver;
  return {list_answer(freedom_names(moment.model), {found.a.data(), std::size_t(found.a.size())},
                      acceleration_units(moment.model), "", "acceleration"),
          multipliers(moment.model, found, "multiplier")};
}

Answers ask_row_natures(EvalPoint& moment) {
  std::vector<RowNature> natures;
  if (moment.model.has_constraints())
    expect_ok(row_natures(moment.model, moment.state(), moment.workspace, natures));
  Answer answer{.shape = Answer::Shape::table,
                .columns = {"exact", "integrable", "rheonomic", "catastatic"}};
  answer.values.resize(Eigen::Index(natures.size()), 4);
  for (std::size_t k = 0; k < natures.size(); ++k) {
    const RowNature& nature = natures[k];
    answer.rows.push_back(nature.name);
    answer.values.row(Eigen::Index(k)) << nature.is_exact, nature.is_integrable,
        nature.is_rheonomic, nature.is_catastatic;
  }
  answer.units.assign(std::size_t(answer.values.size()), "1");
  return {answer};
}

Answers ask_wheel_contacts(EvalPoint& moment) {
  std::vector<WheelContact> contacts;
  expect_ok(
      wheel_contacts(moment.model, moment.state(), moment.inputs(), moment.workspace, contacts));
  std::vector<std::string> names, units;
  std::vector<double> values, sizes;
  const auto add = [&](std::string name, double value, const char* unit, double size) {
    names.push_back(std::move(name));
    values.push_back(value);
    units.emplace_back(unit);
    sizes.push_back(size);
  };
  const double length = moment.model.characteristic_length();
  double largest = 0;
  for (const WheelContact& contact : contacts)
    for (const WheelContact::Push& push : contact.pushes)
      largest = std::max(largest, std::abs(push.force));
  for (const WheelContact& contact : contacts) {
    for (const auto& [axis, x] : {std::pair("x", contact.point.x), std::pair("y", contact.point.y),
                                  std::pair("z", contact.point.z)})
      add(fmt::format("{} touches at {}", contact.wheel, axis), x, "m", length);
    for (const WheelContact::Push& push : contact.pushes)
      add(fmt::format("{}: {}{}", contact.wheel, push.name, push.is_unique ? "" : " (chosen)"),
          push.force, "N", largest);
    if (contact.touches)
      add(contact.wheel + ": friction needed", contact.friction_needed(), "1", 1);
    if (contact.roller_rate)
      add(contact.wheel + ": roller turns", *contact.roller_rate, "rad/s", 1);
  }
  Answer answer = list_answer(names, values, units);
  answer.sizes = sizes;
  return {answer};
}

}  // namespace trammel::cli
