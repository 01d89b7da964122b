// Elements between bodies other than joints: wheels, couplings, constraints, springs.
#include <array>

#include "trammel/read/toml/items.hpp"

namespace trammel::toml {

namespace {

void read_caster(const Entry& entry, TableReader& reader, WheelDescription& wheel) {
  if (wheel.kind == WheelDescription::Kind::caster) {
    reader.require("trail", "how far its wheel runs behind the fork's axis, as in trail = 0.05");
    reader.require("mass", "of its wheel, as in mass = 0.5");
    wheel.trail = reader.number("trail", dimension::length, 0.0);
    wheel.mass = reader.number("mass", dimension::mass, 0.0);
    return;
  }
  for (const std::string_view key : {"trail", "mass"})
    if (reader.has(key))
      reader.error(entry.value.find(key)->value.position,
                   fmt::format("{} belongs to a caster, and this is none", key),
                   "say type = \"caster\", or leave it out");
}

}  // namespace

void read_wheel(const Entry& entry, Context& context) {
  using Kind = WheelDescription::Kind;
  static constexpr std::array<Choice<Kind>, 5> kinds = {{{"conventional", Kind::conventional},
                                                         {"omni", Kind::omni},
                                                         {"ball", Kind::ball},
                                                         {"knife-edge", Kind::knife_edge},
                                                         {"caster", Kind::caster}}};
  Owner owner = owner_of("wheel", entry, context.report);
  TableReader reader(owner, entry.value, keys::wheel, context.scope, context.report);
  WheelDescription wheel;
  wheel.name = item_name(entry);
  wheel.kind = reader.choice<Kind>("type", kinds, Kind::conventional);
  reader.require("body", "name the body that is the wheel");
  wheel.body = reader.name("body");
  wheel.axis = reader.axis("axis", wheel.axis);
  if (wheel.kind != Kind::knife_edge) reader.require("radius", "as in radius = 0.1");
  wheel.radius = reader.number("radius", dimension::length, 0.0);
  wheel.roller_angle = reader.number("roller_angle", dimension::angle, 0.0);
  for (const std::string_view key : {"roller_angle", "roller_radius"})
    if (reader.has(key) && wheel.kind != Kind::omni)
      reader.error(entry.value.find(key)->value.position,
                   fmt::format("{} belongs to an omni wheel, and this is none", key),
                   "say type = \"omni\", or leave it out");
  if (reader.has("roller_radius"))
    wheel.roller_radius = reader.number("roller_radius", dimension::length, 0.0);
  if (reader.has("friction")) wheel.friction = reader.number("friction", dimension::none, 0.0);
  read_caster(entry, reader, wheel);
  wheel.at = reader.placement("at");
  if (reader.has("on")) wheel.on = reader.name("on");
  if (reader.has("touches")) wheel.touches = reader.truth("touches");
  wheel.place = std::move(owner.place);
  context.description.wheels.push_back(std::move(wheel));
}

void read_contact(const Entry& entry, Context& context) {
  Owner owner = owner_of("contact", entry, context.report);
  TableReader reader(owner, entry.value, keys::contact, context.scope, context.report);
  ContactDescription contact;
  contact.name = item_name(entry);
  reader.require("body", "name the body that may touch");
  contact.body = reader.name("body");
  if (reader.has("on")) contact.on = reader.name("on");
  contact.at = reader.vector("at", dimension::length, contact.at);
  contact.radius = reader.number("radius", dimension::length, 0.0);
  reader.require("stiffness", "in N/m^1.5, as in stiffness = 1e6");
  contact.stiffness = reader.number("stiffness", std::nullopt, 0.0);
  contact.dissipation = reader.number("dissipation", std::nullopt, 0.0);
  contact.friction = reader.number("friction", dimension::none, 0.0);
  contact.slip_speed = reader.number("slip_speed", dimension::velocity, default_friction_speed);
  contact.place = std::move(owner.place);
  context.description.contacts.push_back(std::move(contact));
}

void read_motor(const Entry& entry, Context& context) {
  Owner owner = owner_of("motor", entry, context.report);
  TableReader reader(owner, entry.value, keys::motor, context.scope, context.report);
  MotorDescription motor;
  motor.name = item_name(entry);
  reader.require("joint", "name the joint it turns");
  motor.joint = reader.name("joint");
  motor.gear = reader.number("gear", std::nullopt, 1.0);  // of a prismatic joint in rad/m
  motor.rotor_inertia = reader.number("rotor_inertia", std::nullopt, 0.0);
  if (reader.has("stall_torque"))
    motor.stall_torque = reader.number("stall_torque", dimension::torque, 0.0);
  if (reader.has("no_load_speed"))
    motor.no_load_speed = reader.number("no_load_speed", dimension::angular_velocity, 0.0);
  if (motor.no_load_speed && !motor.stall_torque)
    reader.error(entry.value.find("no_load_speed")->value.position,
                 "no_load_speed is where the torque has fallen to nothing, but from how much?",
                 "give the stall_torque too");
  motor.place = std::move(owner.place);
  context.description.motors.push_back(std::move(motor));
}

void read_coupling(const Entry& entry, Context& context) {
  Owner owner = owner_of("coupling", entry, context.report);
  TableReader reader(owner, entry.value, keys::coupling, context.scope, context.report);
  CouplingDescription coupling;
  coupling.name = item_name(entry);
  reader.require("terms", "as in terms = { motor = 1, arm = -50 }");
  if (const Entry* terms = reader.entry("terms");
      terms && reader.expect_table(terms->value, "terms"))
    for (const Entry& term : terms->value.entries) {
      if (term.key.size() > longest_name || term.key.empty()) {
        reader.error(
            term.position,
            fmt::format("terms has '{}', which is no name of a joint", shortened(term.key)),
            "as in terms = { motor = 1, arm = -50 }");
        continue;
      }
      coupling.terms.emplace_back(term.key,
                                  reader.number_of(term.value, "terms." + term.key, std::nullopt));
    }
  coupling.offset = reader.number("offset", std::nullopt, 0.0);
  coupling.place = std::move(owner.place);
  context.description.couplings.push_back(std::move(coupling));
}

namespace {

// The curve of a constraint: points, or formulas of s with a range.
void read_curve(const Entry& entry, TableReader& reader, CurveDescription& curve) {
  const bool has_formula = reader.has("x") || reader.has("y") || reader.has("z");
  if (reader.has("points") == has_formula)
    reader.error(entry.position,
                 has_formula ? "it has points and formulas" : "it does not say which curve",
                 "give points = [[0, 0, 0], [0.1, 0, 0]], or formulas as in x = \"0.1*cos(s)\", "
                 "y = \"0.1*sin(s)\" with from and to");
  if (const Entry* points = reader.entry("points");
      points && reader.expect_list(points->value, "points", "points"))
    for (const Value& point : points->value.list)
      if (const auto xyz = reader.vector_of(point, "points", dimension::length))
        curve.points.push_back(*xyz);
  for (const auto& [key, formula] :
       {std::pair("x", &curve.x), std::pair("y", &curve.y), std::pair("z", &curve.z)})
    if (reader.has(key)) *formula = reader.text(key);
  if (has_formula) {
    reader.require("from", "the first value of s, as in from = 0");
    reader.require("to", "the last value of s, as in to = 1");
  }
  for (const std::string_view key : {"from", "to", "with"})
    if (reader.has(key) && !has_formula)
      reader.error(entry.value.find(key)->value.position,
                   fmt::format("{} belongs to formulas of s, and this curve has points", key),
                   "leave it out");
  curve.from = reader.number("from", std::nullopt, 0.0);
  curve.to = reader.number("to", std::nullopt, 0.0);
  if (const Entry* with = reader.entry("with"); with && reader.expect_table(with->value, "with"))
    for (const Entry& name : with->value.entries)
      curve.with.emplace_back(item_name(name),
                              reader.number_of(name.value, "with." + name.key, std::nullopt));
  if (reader.has("closed")) curve.closed = reader.truth("closed");
}

}  // namespace

void read_constraint(const Entry& entry, Context& context) {
  using Kind = ConstraintDescription::Kind;
  static constexpr std::array<Choice<Kind>, 4> kinds = {{{"point", Kind::point},
                                                         {"weld", Kind::weld},
                                                         {"distance", Kind::distance},
                                                         {"curve", Kind::curve}}};
  Owner owner = owner_of("constraint", entry, context.report);
  TableReader reader(owner, entry.value, keys::constraint, context.scope, context.report);
  ConstraintDescription constraint;
  constraint.name = item_name(entry);
  reader.require("type", "it is \"point\", \"weld\", \"distance\" or \"curve\"");
  constraint.kind = reader.choice<Kind>("type", kinds, Kind::point);
  const bool knows_kind = !owner.place.has_mistakes;
  reader.require("between", "as in between = [\"tip\", \"ground\"]");
  std::tie(constraint.frame, constraint.other_frame) = reader.two_names("between");
  const bool is_distance = constraint.kind == Kind::distance;
  if (is_distance) reader.require("distance", "as in distance = 0.3");
  constraint.distance = reader.number("distance", dimension::length, 0.0);
  if (knows_kind && !is_distance && reader.has("distance"))
    reader.error(entry.value.find("distance")->value.position,
                 "distance belongs to type = \"distance\", and this is another type",
                 "say type = \"distance\", or leave it out");
  if (constraint.kind == Kind::curve) read_curve(entry, reader, constraint.curve);
  for (const std::string_view key : {"points", "x", "y", "z", "with", "from", "to", "closed"})
    if (knows_kind && constraint.kind != Kind::curve && reader.has(key))
      reader.error(entry.value.find(key)->value.position,
                   fmt::format("{} belongs to type = \"curve\", and this is another type", key),
                   "say type = \"curve\", or leave it out");
  if (reader.has("active")) constraint.active = reader.truth("active");
  constraint.place = std::move(owner.place);
  context.description.constraints.push_back(std::move(constraint));
}

void read_spring(const Entry& entry, Context& context) {
  Owner owner = owner_of("spring", entry, context.report);
  TableReader reader(owner, entry.value, keys::spring, context.scope, context.report);
  SpringDescription spring;
  spring.name = item_name(entry);
  reader.require("between", "as in between = [\"tip\", \"ground\"]");
  std::tie(spring.frame, spring.other_frame) = reader.two_names("between");
  if (!reader.has("stiffness") && !reader.has("damping"))
    reader.error(entry.position, "there is neither a stiffness nor a damping",
                 "give one of them, or both");
  if (reader.has("stiffness"))
    reader.require("length", "give the length at which it pulls and pushes nothing; 0 is one");
  spring.stiffness = reader.number("stiffness", dimension::stiffness, 0.0);
  spring.length = reader.number("length", dimension::length, 0.0);
  spring.damping = reader.number("damping", dimension::damping, 0.0);
  spring.place = std::move(owner.place);
  context.description.springs.push_back(std::move(spring));
}

}  // namespace trammel::toml
