// Wheels and the terrain below them, couplings, constraints between frames.
#include <utility>

#include "trammel/write/model/toml/items.hpp"
#include "trammel/write/model/toml/text.hpp"

namespace trammel::toml {

namespace {

std::string_view name_of(WheelDescription::Kind kind) {
  switch (kind) {
    case WheelDescription::Kind::conventional: return "conventional";
    case WheelDescription::Kind::omni: return "omni";
    case WheelDescription::Kind::ball: return "ball";
    case WheelDescription::Kind::knife_edge: return "knife-edge";
    case WheelDescription::Kind::caster: return "caster";
  }
  return "conventional";
}
std::string_view name_of(ConstraintDescription::Kind kind) {
  switch (kind) {
    case ConstraintDescription::Kind::point: return "point";
    case ConstraintDescription::Kind::weld: return "weld";
    case ConstraintDescription::Kind::distance: return "distance";
    case ConstraintDescription::Kind::curve: return "curve";
  }
  return "point";
}

void add_curve(Table& table, const CurveDescription& curve, ValueWriter& values) {
  std::string points;
  for (const Vec3<Expr>& point : curve.points) points += "  " + values.text(point) + ",\n";
  if (!points.empty()) table.add("points", "[\n" + points + "]");
  for (const auto& [key, formula] :
       {std::pair("x", &curve.x), std::pair("y", &curve.y), std::pair("z", &curve.z)})
    if (!formula->empty()) table.add(key, string_text(*formula));
  Table with;
  for (const auto& [name, number] : curve.with) with.add(name, values.text(number));
  if (!with.is_empty()) table.add("with", with.in_line());
  if (curve.points.empty()) {
    table.add("from", values.text(curve.from));
    table.add("to", values.text(curve.to));
  }
  if (curve.closed) table.add("closed", "true");
}

}  // namespace

Table table_of(const WheelDescription& wheel, ValueWriter& values) {
  Table table;
  const NamedLists numbers = {{"radius", unless(wheel.radius, 0)},
                              {"roller_angle", unless(wheel.roller_angle, 0)},
                              {"roller_radius", when_given(wheel.roller_radius)},
                              {"friction", when_given(wheel.friction)},
                              {"trail", unless(wheel.trail, 0)},
                              {"mass", unless(wheel.mass, 0)}};
  const ItemScope scope(values, numbers);
  table.add("type", string_text(name_of(wheel.kind)));
  table.add("body", string_text(wheel.body));
  if (!is_equal(wheel.axis, 0, 1, 0)) table.add("axis", values.axis_text(wheel.axis));
  for (const auto& [name, list] : numbers) values.add_list(table, name, list);
  if (!is_zero(wheel.at)) table.add("at", values.text(wheel.at));
  if (wheel.on != "ground") table.add("on", string_text(wheel.on));
  if (!wheel.touches) table.add("touches", "false");
  return table;
}

Table table_of(const TerrainDescription& terrain, ValueWriter& values) {
  Table with, table;
  if (terrain.on != "ground") table.add("on", string_text(terrain.on));
  if (!terrain.height.empty()) table.add("height", string_text(terrain.height));
  for (const auto& [name, number] : terrain.with) with.add(name, values.text(number));
  if (!with.is_empty()) table.add("with", with.in_line());
  if (!terrain.from.empty()) table.add("from", values.text(terrain.from));
  if (!terrain.spacing.empty()) table.add("spacing", values.text(terrain.spacing));
  std::string lines;
  for (const std::vector<Expr>& line : terrain.heights) lines += "  " + values.text(line) + ",\n";
  if (!lines.empty()) table.add("heights", "[\n" + lines + "]");
  return table;
}

Table table_of(const CouplingDescription& coupling, ValueWriter& values) {
  Table terms, table;
  const NamedLists own = {{"offset", unless(coupling.offset, 0)}};
  const ItemScope scope(values, own);
  for (const auto& [joint, factor] : coupling.terms) terms.add(joint, values.text(factor));
  table.add("terms", terms.in_line());
  if (!is_zero(coupling.offset)) table.add("offset", values.text(coupling.offset, "offset"));
  return table;
}

Table table_of(const ConstraintDescription& constraint, ValueWriter& values) {
  Table table;
  table.add("type", string_text(name_of(constraint.kind)));
  table.add("between", pair_text(constraint.frame, constraint.other_frame));
  if (constraint.kind == ConstraintDescription::Kind::distance || !is_zero(constraint.distance))
    table.add("distance", values.text(constraint.distance));
  if (constraint.kind == ConstraintDescription::Kind::curve)
    add_curve(table, constraint.curve, values);
  if (!constraint.active) table.add("active", "false");
  return table;
}

}  // namespace trammel::toml
