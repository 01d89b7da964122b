// Constraint quantities: constraint Jacobian, multipliers, row natures, wheel contacts.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "quantities.hpp"
#include "trammel/constraint/equations/row_units.hpp"
#include "trammel/constraint/forces/wheel_contacts.hpp"
#include "trammel/constraint/mobility/reachability.hpp"
#include "trammel/model/units.hpp"

namespace trammel::cli {

Answers eval_constraint_jacobian(EvalRequest& request) {
  Answer answer{.shape = Answer::Shape::table,
                .rows = row_names(request.model),
                .columns = dof_names(request.model)};
  expect_ok(constraint_jacobian(request.model, request.state(), request.workspace, answer.values));
  for (const std::string& row : row_units(request.model))
    for (const DofKind column : dof_kinds(request.model)) {
      const bool turns = row == "rad", by_turn = column == DofKind::turn;
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

Answers eval_multipliers(EvalRequest& request) {
  ConstrainedAnswer found;
  expect_ok(constrained_dynamics(request.model, request.state(), request.inputs(),
                                 request.workspace, found, request.solver));
  if (request.model.has_constraints()) request.taken = found.solver;
  return {multipliers(request.model, found)};
}

Answers eval_sliding_dynamics(EvalRequest& request) {
  ConstrainedAnswer found;
  expect_ok(sliding_dynamics(request.model, request.state(), request.inputs(), request.followers,
                             request.workspace, found, request.solver));
  if (request.model.has_constraints()) request.taken = found.solver;
  return {list_answer(dof_names(request.model), {found.a.data(), std::size_t(found.a.size())},
                      acceleration_units(request.model), "", "acceleration"),
          multipliers(request.model, found, "multiplier")};
}

Answers eval_row_natures(EvalRequest& request) {
  std::vector<RowNature> natures;
  if (request.model.has_constraints())
    expect_ok(row_natures(request.model, request.state(), request.workspace, natures));
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

Answers eval_wheel_contacts(EvalRequest& request) {
  std::vector<WheelContact> contacts;
  expect_ok(wheel_contacts(request.model, request.state(), request.inputs(), request.workspace,
                           contacts));
  std::vector<std::string> names, units;
  std::vector<double> values, sizes;
  const auto add = [&](std::string name, double value, const char* unit, double size) {
    names.push_back(std::move(name));
    values.push_back(value);
    units.emplace_back(unit);
    sizes.push_back(size);
  };
  const double length = request.model.characteristic_length();
  double largest = 0;
  for (const WheelContact& contact : contacts)
    for (const WheelContact::RowForce& push : contact.row_forces)
      largest = std::max(largest, std::abs(push.force));
  for (const WheelContact& contact : contacts) {
    for (const auto& [axis, x] : {std::pair("x", contact.point.x), std::pair("y", contact.point.y),
                                  std::pair("z", contact.point.z)})
      add(fmt::format("{} touches at {}", contact.wheel, axis), x, "m", length);
    for (const WheelContact::RowForce& push : contact.row_forces)
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
