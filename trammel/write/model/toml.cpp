#include "trammel/write/model/toml.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <numbers>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "trammel/model/build/names.hpp"
#include "trammel/model/description/joint_table.hpp"
#include "trammel/write/model/toml/formulas.hpp"
#include "trammel/write/model/toml/table.hpp"
#include "trammel/write/model/toml/text.hpp"

namespace trammel::toml {

namespace {

bool is_zero(const Expr& x) { return x.is_constant() && x.constant() == 0; }
bool is(const Vec3<Expr>& a, double x, double y, double z) {
  return is_same(a.x, x) && is_same(a.y, y) && is_same(a.z, z);
}
bool is_zero(const Vec3<Expr>& a) { return is(a, 0, 0, 0); }
bool is_zero(const Placement& at) { return is_zero(at.xyz) && is_zero(at.rpy); }

bool has_axis(JointKind kind) {
  const JointAxes axes = traits(kind).axes;
  return axes == JointAxes::one || axes == JointAxes::two;
}

std::string_view name_of(Drive drive) {
  switch (drive) {
    case Drive::none: return "none";
    case Drive::torque: return "torque";
    case Drive::motion: return "motion";
    case Drive::locked: return "locked";
  }
  return "none";
}
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

class Writer {
  using NamedLists = std::vector<std::pair<std::string, std::vector<Expr>>>;

 public:
  explicit Writer(const Description& description)
      : description_(description), formula_text_(description) {}

  std::string write() {
    write_items();
    // last, since only now all definitions are known
    return header() + parameters() + out_;
  }

 private:
  void write_items() {
    for (const BodyDescription& body : description_.bodies)
      section("body", body.name, table_of(body));
    for (const FrameDescription& each : description_.frames)
      section("frame", each.name, table_of(each));
    for (const JointDescription& each : description_.joints)
      section("joint", each.name, table_of(each));
    for (const WheelDescription& each : description_.wheels)
      section("wheel", each.name, table_of(each));
    for (const auto& each : description_.terrains) section("terrain", each.name, table_of(each));
    for (const auto& each : description_.couplings) section("coupling", each.name, table_of(each));
    for (const auto& each : description_.constraints)
      section("constraint", each.name, table_of(each));
    each_force_element_list(description_, [this]<class Element>(const std::vector<Element>& list) {
      for (const Element& each : list) section(Element::kind, each.name, table_of(each));
    });
    for (const auto& each : description_.motors) section("motor", each.name, table_of(each));
    section("state.position", positions_table(description_.start_positions));
    section("state.velocity", table_of(description_.start_velocities));
    section("state.guess", positions_table(description_.position_guesses));
    section("state.velocity_guess", table_of(description_.velocity_guesses));
    for (const InputDescription& each : description_.inputs)
      section("input", each.name, table_of(each));
    for (const auto& each : description_.wrenches) section("wrench", each.name, table_of(each));
    if (description_.ground_motion) section("ground.motion", table_of(*description_.ground_motion));
    for (const auto& each : description_.controllers)
      section("controller", each.name, table_of(each));
    for (const auto& each : description_.events) section("event", each.name, table_of(each));
    for (const RawSection& section : description_.raw_sections) write_raw_section(section);
  }

  std::string header() {
    in_scope_.clear();
    Table table;
    table.add("trammel", "1");
    if (!description_.name.empty()) table.add("name", string_text(description_.name));
    table.add("gravity", text(description_.gravity));
    return table.in_lines();
  }

  std::string parameters() const {
    Table symbols;
    for (const ParameterDescription& parameter : description_.parameters)
      symbols.add(parameter.name, number_text(parameter.value));
    for (const DefinitionDescription& definition : description_.definitions)
      if (definition.formula.is_constant())
        symbols.add(definition.name, number_text(definition.formula.constant()));
    for (const auto& [name, formula] : formula_text_.definitions())
      symbols.add(name, string_text(formula));
    return symbols.is_empty() ? "" : "\n[parameters]\n" + symbols.in_lines();
  }

  // "controller.hold": the first part is a keyword of the format, the rest is a name
  void write_raw_section(const RawSection& section) {
    const std::size_t dot = section.name.find('.');
    const std::string heading =
        dot == std::string::npos
            ? key_text(section.name)
            : section.name.substr(0, dot) + "." + key_text(section.name.substr(dot + 1));
    out_ += fmt::format("\n[{}]\n{}", heading, section.text);
    if (!out_.ends_with('\n')) out_ += '\n';
  }

  void section(std::string_view kind, const std::string& name, const Table& table) {
    out_ += fmt::format("\n[{}.{}]\n{}", kind, key_text(name), table.in_lines());
  }
  void section(std::string_view name, const Table& table) {
    if (!table.is_empty()) out_ += fmt::format("\n[{}]\n{}", name, table.in_lines());
  }

  Table table_of(const BodyDescription& body) {
    const auto& [mass, com, inertia] = body.solid;
    Table table;
    in_scope_.clear();
    if (!is_zero(mass)) see("mass", mass);
    if (!is_zero(mass)) table.add("mass", text(mass, "mass"));
    if (!is_zero(com)) table.add("com", text(com));
    const bool has_products = !is_zero({inertia.xy, inertia.xz, inertia.yz});
    if (has_products)
      table.add("inertia",
                text({inertia.xx, inertia.yy, inertia.zz, inertia.xy, inertia.xz, inertia.yz}));
    else if (!is_zero({inertia.xx, inertia.yy, inertia.zz}))
      table.add("inertia", text({inertia.xx, inertia.yy, inertia.zz}));
    if (body.shapes.size() == 1) table.add("shape", table_of(body.shapes[0]).in_line());
    if (body.shapes.size() > 1) {
      std::string list = "[\n";
      for (const Shape& shape : body.shapes) list += "  " + table_of(shape).in_line() + ",\n";
      table.add("shape", list + "]");
    }
    return table;
  }

  Table table_of(const Shape& shape) {
    Table table;
    switch (shape.kind) {
      case Shape::Kind::box: table.add("box", text(shape.size)); break;
      case Shape::Kind::sphere: table.add("sphere", text(shape.size.x)); break;
      case Shape::Kind::cylinder: table.add("cylinder", text({shape.size.x, shape.size.y})); break;
      case Shape::Kind::capsule: table.add("capsule", text({shape.size.x, shape.size.y})); break;
      case Shape::Kind::mesh:
        table.add("mesh", string_text(shape.mesh));
        if (!is(shape.scale, 1, 1, 1)) table.add("scale", text(shape.scale));
        break;
    }
    if (!is_zero(shape.at)) table.add("at", text(shape.at));
    if (shape.color) {
      const auto& [red, green, blue, opacity] = *shape.color;
      table.add("color",
                opacity == 1 ? text({red, green, blue}) : text({red, green, blue, opacity}));
    }
    if (shape.is_collision) table.add("collision", "true");
    if (!shape.name.empty()) table.add("name", string_text(shape.name));
    return table;
  }

  Table table_of(const FrameDescription& frame) {
    Table table;
    in_scope_.clear();
    table.add("body", string_text(frame.body));
    if (!is_zero(frame.at)) table.add("at", text(frame.at));
    return table;
  }

  Table table_of(const JointDescription& joint) {
    const JointOptions& how = joint.options;
    Table table;
    in_scope_.clear();
    const bool has_pitch = traits(joint.kind).has_pitch || !is_zero(how.pitch);
    if (has_pitch) see("pitch", how.pitch);
    table.add("type", string_text(to_string(joint.kind)));
    table.add("parent", string_text(joint.parent));
    table.add("child", string_text(joint.child));
    if (!is_zero(how.at)) table.add("at", text(how.at));
    if (!is_zero(how.child_at)) table.add("child_at", text(how.child_at));
    if (has_axis(joint.kind) && !is(how.axis, 0, 0, 1)) table.add("axis", axis_text(how.axis));
    if (traits(joint.kind).axes == JointAxes::two && !is(how.axis2, 1, 0, 0))
      table.add("axis2", axis_text(how.axis2));
    if (!how.motions.empty()) table.add("motions", text(how.motions));
    if (has_pitch) table.add("pitch", text(how.pitch, "pitch"));
    if (how.drive != Drive::none) table.add("drive", string_text(name_of(how.drive)));
    if (how.cut) table.add("cut", "true");

    if (const Table spring = spring_table(how); !spring.is_empty())
      table.add("spring", spring.in_line());
    if (!how.friction.empty())
      table.add("friction",
                numbers_table({{"effort", how.friction}, {"speed", how.friction_speed}}).in_line());
    if (const Table limits = limits_table(how.limits); !limits.is_empty())
      table.add("limits", limits.in_line());
    return table;
  }

  Table spring_table(const JointOptions& how) {
    const std::vector<Expr> rest = how.stiffness.empty() ? std::vector<Expr>{} : how.rest;
    return numbers_table({{"stiffness", how.stiffness}, {"rest", rest}, {"damping", how.damping}});
  }
  Table limits_table(const BasicJointLimits<Expr>& limits) {
    Table table;
    const std::size_t outside = in_scope_.size();
    see("velocity", limits.velocity);
    see("effort", limits.effort);
    see("restitution", limits.restitution);
    if (!limits.lower.empty() || !limits.upper.empty())
      table.add("position", range_text(limits.lower, limits.upper));
    in_scope_.resize(outside);
    table.append(numbers_table({{"velocity", limits.velocity},
                                {"effort", limits.effort},
                                {"restitution", limits.restitution}}));
    return table;
  }

  Table table_of(const WheelDescription& wheel) {
    Table table;
    in_scope_.clear();
    const NamedLists numbers = {{"radius", unless(wheel.radius, 0)},
                                {"roller_angle", unless(wheel.roller_angle, 0)},
                                {"roller_radius", when_given(wheel.roller_radius)},
                                {"friction", when_given(wheel.friction)},
                                {"trail", unless(wheel.trail, 0)},
                                {"mass", unless(wheel.mass, 0)}};
    for (const auto& [name, list] : numbers) see(name, list);
    table.add("type", string_text(name_of(wheel.kind)));
    table.add("body", string_text(wheel.body));
    if (!is(wheel.axis, 0, 1, 0)) table.add("axis", axis_text(wheel.axis));
    for (const auto& [name, list] : numbers) add_list(table, name, list);
    if (!is_zero(wheel.at)) table.add("at", text(wheel.at));
    if (wheel.on != "ground") table.add("on", string_text(wheel.on));
    if (!wheel.touches) table.add("touches", "false");
    return table;
  }

  Table table_of(const TerrainDescription& terrain) {
    Table with, table;
    in_scope_.clear();
    if (terrain.on != "ground") table.add("on", string_text(terrain.on));
    if (!terrain.height.empty()) table.add("height", string_text(terrain.height));
    for (const auto& [name, number] : terrain.with) with.add(name, text(number));
    if (!with.is_empty()) table.add("with", with.in_line());
    if (!terrain.from.empty()) table.add("from", text(terrain.from));
    if (!terrain.spacing.empty()) table.add("spacing", text(terrain.spacing));
    std::string lines;
    for (const std::vector<Expr>& line : terrain.heights) lines += "  " + text(line) + ",\n";
    if (!lines.empty()) table.add("heights", "[\n" + lines + "]");
    return table;
  }

  Table table_of(const CouplingDescription& coupling) {
    Table terms, table;
    in_scope_.clear();
    if (!is_zero(coupling.offset)) see("offset", coupling.offset);
    for (const auto& [joint, factor] : coupling.terms) terms.add(joint, text(factor));
    table.add("terms", terms.in_line());
    if (!is_zero(coupling.offset)) table.add("offset", text(coupling.offset, "offset"));
    return table;
  }

  void add_curve(Table& table, const CurveDescription& curve) {
    std::string points;
    for (const Vec3<Expr>& point : curve.points) points += "  " + text(point) + ",\n";
    if (!points.empty()) table.add("points", "[\n" + points + "]");
    for (const auto& [key, formula] :
         {std::pair("x", &curve.x), std::pair("y", &curve.y), std::pair("z", &curve.z)})
      if (!formula->empty()) table.add(key, string_text(*formula));
    Table with;
    for (const auto& [name, number] : curve.with) with.add(name, text(number));
    if (!with.is_empty()) table.add("with", with.in_line());
    if (curve.points.empty()) {
      table.add("from", text(curve.from));
      table.add("to", text(curve.to));
    }
    if (curve.closed) table.add("closed", "true");
  }

  Table table_of(const ConstraintDescription& constraint) {
    Table table;
    in_scope_.clear();
    table.add("type", string_text(name_of(constraint.kind)));
    table.add("between", pair_text(constraint.frame, constraint.other_frame));
    if (constraint.kind == ConstraintDescription::Kind::distance || !is_zero(constraint.distance))
      table.add("distance", text(constraint.distance));
    if (constraint.kind == ConstraintDescription::Kind::curve) add_curve(table, constraint.curve);
    if (!constraint.active) table.add("active", "false");
    return table;
  }

  Table table_of(const SpringDescription& spring) {
    Table table;
    in_scope_.clear();
    table.add("between", pair_text(spring.frame, spring.other_frame));
    table.append(numbers_table({{"stiffness", unless(spring.stiffness, 0)},
                                {"length", unless(spring.length, 0)},
                                {"damping", unless(spring.damping, 0)}}));
    return table;
  }

  Table table_of(const BushingDescription& bushing) {
    Table table, tables;
    in_scope_.clear();
    table.add("between", pair_text(bushing.frame, bushing.other_frame));
    const auto add_matrix = [&](const char* name, const std::vector<Expr>& given) {
      if (given.size() != 36) return given.empty() ? void() : table.add(name, text(given));
      std::string rows;
      for (auto row = given.begin(); row != given.end(); row += 6)
        rows += "  " + text(std::vector<Expr>(row, row + 6)) + ",\n";
      table.add(name, "[\n" + rows + "]");
    };
    add_matrix("stiffness", bushing.stiffness);
    add_matrix("damping", bushing.damping);
    if (!bushing.preload.empty()) table.add("preload", text(bushing.preload));
    for (std::size_t axis = 0; axis < 6; ++axis) {
      const auto& [at, force] = bushing.tables[axis];
      Table points;
      points.add("at", text(at));
      points.add("force", text(force));
      if (!at.empty() || !force.empty())
        tables.add(BushingDescription::axes[axis], points.in_line());
    }
    if (!tables.is_empty()) table.add("table", tables.in_line());
    if (bushing.interpolation == BushingDescription::Interpolation::linear)
      table.add("interpolation", string_text("linear"));
    return table;
  }
  [[noreturn]] Table table_of(const UserForceDescription& force) {
    throw std::invalid_argument(fmt::format(
        "write_toml: user_force '{}' is code, which a file cannot hold: take it out of the "
        "description first, and add it again after reading",
        force.name));
  }

  Table table_of(const ContactDescription& contact) {
    Table table;
    in_scope_.clear();
    table.add("body", string_text(contact.body));
    if (contact.on != "ground") table.add("on", string_text(contact.on));
    const NamedLists lists = {{"radius", unless(contact.radius, 0)},
                              {"stiffness", {contact.stiffness}},
                              {"dissipation", unless(contact.dissipation, 0)},
                              {"friction", unless(contact.friction, 0)},
                              {"slip_speed", unless(contact.slip_speed, default_friction_speed)}};
    for (const auto& [name, list] : lists) see(name, list);
    if (!is_zero(contact.at)) table.add("at", text(contact.at));
    in_scope_.clear();
    table.append(numbers_table(lists));
    return table;
  }

  Table table_of(const MotorDescription& motor) {
    Table table;
    in_scope_.clear();
    table.add("joint", string_text(motor.joint));
    table.append(numbers_table({{"gear", unless(motor.gear, 1)},
                                {"rotor_inertia", unless(motor.rotor_inertia, 0)},
                                {"stall_torque", when_given(motor.stall_torque)},
                                {"no_load_speed", when_given(motor.no_load_speed)}}));
    return table;
  }

  static std::vector<Expr> unless(const Expr& x, double otherwise) {
    return is_same(x, otherwise) ? std::vector<Expr>{} : std::vector<Expr>{x};
  }
  static std::vector<Expr> when_given(const std::optional<Expr>& x) {
    return x ? std::vector<Expr>{*x} : std::vector<Expr>{};
  }

  // Angles larger than a turn get their unit: without one the reader warns.
  Table positions_table(const std::vector<StartDescription>& starts) {
    Table table;
    in_scope_.clear();
    for (const StartDescription& start : starts) {
      const auto joint =
          std::ranges::find(description_.joints, start.joint, &JointDescription::name);
      const bool is_angle = joint != description_.joints.end() &&
                            joint->kind == JointKind::revolute && start.values.size() == 1 &&
                            start.values[0].is_constant();
      if (is_angle && std::abs(start.values[0].constant()) > 2 * std::numbers::pi)
        table.add(start.joint, string_text(text(start.values[0]) + " rad"));
      else
        add_list(table, start.joint, start.values);
    }
    return table;
  }
  Table table_of(const std::vector<StartDescription>& starts) {
    Table table;
    in_scope_.clear();
    for (const StartDescription& start : starts) add_list(table, start.joint, start.values);
    return table;
  }

  Table table_of(const InputDescription& input) {
    Table table;
    in_scope_.clear();
    table.add("joint", string_text(input.joint));
    table.append(profile_table(input));
    return table;
  }
  Table profile_table(const InputDescription& input) {
    Table table;
    if (input.profile == "constant" && input.numbers.size() == 1)
      add_list(table, "constant", input.numbers[0].second);
    else if (input.profile == "spline" || input.profile == "table")
      table.add(input.profile, points_table(input.numbers).in_line());
    else
      table.add(input.profile, numbers_table(input.numbers).in_line());
    return table;
  }

  Table table_of(const WrenchDescription& wrench) {
    Table table;
    in_scope_.clear();
    table.add("at", string_text(wrench.at));
    if (wrench.is_in_own_axes) table.add("axes", string_text("own"));
    add_profile(table, "moment", wrench.moment);
    add_profile(table, "force", wrench.force);
    return table;
  }
  Table table_of(const GroundMotionDescription& motion) {
    Table table;
    in_scope_.clear();
    add_profile(table, "position", motion.position);
    add_profile(table, "yaw_pitch_roll", motion.yaw_pitch_roll);
    return table;
  }
  void add_profile(Table& table, std::string_view name,
                   const std::optional<InputDescription>& profile) {
    if (profile) table.add(name, profile_table(*profile).in_line());
  }

  Table table_of(const ControllerDescription& controller) {
    Table table;
    in_scope_.clear();
    table.add("joint", string_text(controller.joint));
    const NamedLists gains = {{"p", unless(controller.p, 0)},
                              {"i", unless(controller.i, 0)},
                              {"d", unless(controller.d, 0)},
                              {"filter", unless(controller.filter, 0)},
                              {"limit", when_given(controller.limit)}};
    table.append(numbers_table(gains));
    if (controller.is_rate_of_joint) table.add("rate", string_text("joint"));
    for (const auto& [name, list] : gains) see(name, list);
    table.add("target", profile_table(controller.target).in_line());
    return table;
  }

  Table table_of(const EventDescription& event) {
    Table table;
    in_scope_.clear();
    if (event.time) {
      table.add("at", text(*event.time, "at"));
    } else {
      Table when;
      const std::string joint = coordinate_named(event.joint).joint;
      const bool is_joint = std::ranges::find(description_.joints, joint,
                                              &JointDescription::name) != description_.joints.end();
      when.add(is_joint ? "joint" : "column", string_text(event.joint));
      when.add("crosses", text(event.value, "crosses"));
      if (event.way != EventDescription::Way::both)
        when.add("way", string_text(event.way == EventDescription::Way::up ? "up" : "down"));
      table.add("when", when.in_line());
    }
    if (event.every) table.add("every", "true");
    const auto add_names = [&](std::string_view name, const std::vector<std::string>& names) {
      std::string list;
      for (const std::string& each : names) list += (list.empty() ? "" : ", ") + string_text(each);
      if (!names.empty()) table.add(name, "[" + list + "]");
    };
    add_names("lock", event.lock);
    add_names("unlock", event.unlock);
    add_names("grasp", event.grasp);
    add_names("release", event.release);
    if (event.stops) table.add("stop", "true");
    return table;
  }

  // Always lists, even with one entry; for several dof one row per time.
  Table points_table(const NamedLists& lists) {
    Table table;
    const std::size_t times = lists.empty() ? 0 : lists[0].second.size();
    for (const auto& [name, list] : lists) {
      const std::size_t width = times > 0 ? list.size() / times : 1;
      table.add(name, width > 1 ? rows_text(list, width) : text(list));
    }
    return table;
  }
  std::string rows_text(const std::vector<Expr>& list, std::size_t width) {
    std::string out;
    for (auto at = list.begin(); at + std::ptrdiff_t(width) <= list.end();
         at += std::ptrdiff_t(width))
      out += (out.empty() ? "" : ", ") + text(std::vector<Expr>(at, at + std::ptrdiff_t(width)));
    return "[" + out + "]";
  }

  // Numbers by their keys, each of which may refer to the others.
  Table numbers_table(const NamedLists& lists) {
    Table table;
    const std::size_t outside = in_scope_.size();
    for (const auto& [name, list] : lists) see(name, list);
    for (const auto& [name, list] : lists) add_list(table, name, list);
    in_scope_.resize(outside);
    return table;
  }

  // The number is written: formulas of this item may now refer to it by its key.
  void see(std::string_view name, const Expr& x) { in_scope_.push_back({name, x}); }
  void see(std::string_view name, const std::vector<Expr>& list) {
    if (list.size() == 1) see(name, list[0]);
  }

  // a single number is written without a list
  void add_list(Table& table, std::string_view name, const std::vector<Expr>& list) {
    if (list.size() == 1)
      table.add(name, text(list[0], name));
    else if (!list.empty())
      table.add(name, text(list));
  }

  // `own_key`: key of the number itself; in its own formula that name refers to the outer scope
  std::string text(const Expr& x, std::string_view own_key = {}) {
    if (x.is_constant()) return number_text(x.constant());
    std::vector<NumberInScope> others = in_scope_;
    std::erase_if(others, [&](const NumberInScope& number) { return number.key == own_key; });
    return string_text(formula_text_(x, others));
  }
  std::string text(const std::vector<Expr>& list) {
    std::string out;
    for (const Expr& x : list) out += (out.empty() ? "" : ", ") + text(x);
    return "[" + out + "]";
  }
  std::string text(std::initializer_list<Expr> list) { return text(std::vector<Expr>(list)); }
  std::string text(const Vec3<Expr>& a) { return text({a.x, a.y, a.z}); }
  std::string text(const Placement& at) {
    Table table;
    if (!is_zero(at.xyz)) table.add("xyz", text(at.xyz));
    if (!is_zero(at.rpy)) table.add("rpy", text(at.rpy));
    return table.in_line();
  }
  std::string text(const std::vector<JointStep>& motions) {
    std::string out;
    for (const JointStep& step : motions) {
      Table table;
      table.add(step.kind == JointStep::Kind::turn ? "turn" : "slide", axis_text(step.axis));
      out += (out.empty() ? "" : ", ") + table.in_line();
    }
    return "[" + out + "]";
  }

  std::string axis_text(const Vec3<Expr>& axis) {
    constexpr std::string_view names[] = {"x", "y", "z"};
    for (int k = 0; k < 3; ++k)
      for (const double sign : {1.0, -1.0})
        if (is(axis, k == 0 ? sign : 0, k == 1 ? sign : 0, k == 2 ? sign : 0))
          return fmt::format("\"{}{}\"", sign < 0 ? "-" : "", names[k]);
    return text(axis);
  }

  // one pair for all coordinates, or a list with one per coordinate; a missing value is no limit
  std::string range_text(const std::vector<Expr>& lower, const std::vector<Expr>& upper) {
    const auto entry = [](const std::vector<Expr>& list, std::size_t k, double none) {
      return list.size() == 1 ? list[0] : k < list.size() ? list[k] : Expr(none);
    };
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const std::size_t count = std::max(lower.size(), upper.size());
    std::string out;
    for (std::size_t k = 0; k < count; ++k)
      out += (k > 0 ? ", " : "") + text({entry(lower, k, -infinity), entry(upper, k, infinity)});
    return count == 1 ? out : "[" + out + "]";
  }

  static std::string pair_text(const std::string& first, const std::string& second) {
    return fmt::format("[{}, {}]", string_text(first), string_text(second));
  }

  const Description& description_;
  FormulaTexts formula_text_;
  std::vector<NumberInScope> in_scope_;  // of the current item
  std::string out_;
};

}  // namespace

}  // namespace trammel::toml

std::string trammel::write_toml(const Description& description) {
  return toml::Writer(description).write();
}
