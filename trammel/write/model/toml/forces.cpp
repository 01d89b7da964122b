// Force elements: springs, bushings, contacts.
#include <stdexcept>

#include <fmt/format.h>

#include "trammel/force/formula_force.hpp"
#include "trammel/write/model/toml/items.hpp"
#include "trammel/write/model/toml/text.hpp"

namespace trammel::toml {

Table table_of(const SpringDescription& spring, ValueWriter& values) {
  Table table;
  table.add("between", pair_text(spring.frame, spring.other_frame));
  table.append(values.numbers_table({{"stiffness", unless(spring.stiffness, 0)},
                                     {"length", unless(spring.length, 0)},
                                     {"damping", unless(spring.damping, 0)}}));
  return table;
}

Table table_of(const BushingDescription& bushing, ValueWriter& values) {
  Table table, tables;
  table.add("between", pair_text(bushing.frame, bushing.other_frame));
  const auto add_matrix = [&](const char* name, const std::vector<Expr>& given) {
    if (given.size() != 36) return given.empty() ? void() : table.add(name, values.text(given));
    std::string rows;
    for (auto row = given.begin(); row != given.end(); row += 6)
      rows += "  " + values.text(std::vector<Expr>(row, row + 6)) + ",\n";
    table.add(name, "[\n" + rows + "]");
  };
  add_matrix("stiffness", bushing.stiffness);
  add_matrix("damping", bushing.damping);
  if (!bushing.preload.empty()) table.add("preload", values.text(bushing.preload));
  for (std::size_t axis = 0; axis < 6; ++axis) {
    const auto& [at, force] = bushing.tables[axis];
    Table points;
    points.add("at", values.text(at));
    points.add("force", values.text(force));
    if (!at.empty() || !force.empty()) tables.add(BushingDescription::axes[axis], points.in_line());
  }
  if (!tables.is_empty()) table.add("table", tables.in_line());
  if (bushing.interpolation == BushingDescription::Interpolation::linear)
    table.add("interpolation", string_text("linear"));
  return table;
}

Table table_of(const UserForceDescription& force, ValueWriter& values) {
  if (const ForceFormulas* const formulas = force.element ? formulas_of(*force.element) : nullptr) {
    Table table, with;
    table.add("between", pair_text(force.frame, force.other_frame));
    if (!formulas->force.empty()) table.add("force", string_text(formulas->force));
    if (!formulas->energy.empty()) table.add("energy", string_text(formulas->energy));
    for (const auto& [name, number] : formulas->with) with.add(name, values.text(number));
    if (!with.is_empty()) table.add("with", with.in_line());
    return table;
  }
  throw std::invalid_argument(fmt::format(
      "write_toml: user_force '{}' is code, which a file cannot hold: take it out of the "
      "description first, and add it again after reading",
      force.name));
}

Table table_of(const ContactDescription& contact, ValueWriter& values) {
  Table table;
  table.add("body", string_text(contact.body));
  if (contact.on != "ground") table.add("on", string_text(contact.on));
  const NamedLists lists = {{"radius", unless(contact.radius, 0)},
                            {"stiffness", {contact.stiffness}},
                            {"dissipation", unless(contact.dissipation, 0)},
                            {"friction", unless(contact.friction, 0)},
                            {"slip_speed", unless(contact.slip_speed, default_friction_speed)}};
  if (!is_zero(contact.at)) {
    const ItemScope scope(values, lists);
    table.add("at", values.text(contact.at));
  }
  table.append(values.numbers_table(lists));
  return table;
}

}  // namespace trammel::toml
