#include "trammel/write/toml.hpp"

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "trammel/write/toml/formulas.hpp"
#include "trammel/write/toml/text.hpp"

namespace trammel {

namespace {

using toml_text::key;

bool is_zero(const Expr& x) { return x.is_constant() && x.constant() == 0; }
bool is(const Vec3<Expr>& a, double x, double y, double z) {
  return is_same(a.x, x) && is_same(a.y, y) && is_same(a.z, z);
}
bool is_zero(const Vec3<Expr>& a) { return is(a, 0, 0, 0); }
bool is_zero(const Placement& at) { return is_zero(at.xyz) && is_zero(at.rpy); }

bool has_axis(JointKind kind) {
  switch (kind) {
    case JointKind::fixed:
    case JointKind::spherical:
    case JointKind::free:
    case JointKind::compound: return false;
    default: return true;
  }
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
  }
  return "conventional";
}
std::string_view name_of(ConstraintDescription::Kind kind) {
  switch (kind) {
    case ConstraintDescription::Kind::point: return "point";
    case ConstraintDescription::Kind::weld: return "weld";
    case ConstraintDescription::Kind::distance: return "distance";
  }
  return "point";
}

// The keys of one table with their values, as texts.
class Table {
 public:
  void add(std::string_view name, std::string value) {
    entries_.emplace_back(key(name), std::move(value));
  }
  bool is_empty() const { return entries_.empty(); }

  // { a = 1, b = 2 }
  std::string in_line() const {
    std::string out;
    for (const auto& [name, value] : entries_)
      out += fmt::format("{}{} = {}", out.empty() ? "{ " : ", ", name, value);
    return out.empty() ? "{}" : out + " }";
  }
  // one a line, with the values in one column
  std::string in_lines() const {
    std::size_t width = 0;
    for (const auto& entry : entries_)
      if (entry.first.size() <= widest_key) width = std::max(width, entry.first.size());
    std::string out;
    for (const auto& [name, value] : entries_)
      out += fmt::format("{:{}} = {}\n", name, width, value);
    return out;
  }

 private:
  static constexpr std::size_t widest_key = 24;  // a longer one stands out
  std::vector<std::pair<std::string, std::string>> entries_;
};

class Writer {
 public:
  explicit Writer(const Description& description)
      : said_(description), formula_text_(description) {}

  std::string write() {
    write_header();
    write_parameters();
    for (const BodyDescription& body : said_.bodies) section("body", body.name, table_of(body));
    for (const FrameDescription& frame : said_.frames)
      section("frame", frame.name, table_of(frame));
    for (const JointDescription& joint : said_.joints)
      section("joint", joint.name, table_of(joint));
    for (const WheelDescription& wheel : said_.wheels)
      section("wheel", wheel.name, table_of(wheel));
    for (const auto& coupling : said_.couplings)
      section("coupling", coupling.name, table_of(coupling));
    for (const auto& each : said_.constraints) section("constraint", each.name, table_of(each));
    for (const SpringDescription& spring : said_.springs)
      section("spring", spring.name, table_of(spring));
    section("state.position", table_of(said_.start_positions));
    section("state.velocity", table_of(said_.start_velocities));
    for (const InputDescription& input : said_.inputs)
      section("input", input.name, table_of(input));
    for (const KeptSection& kept : said_.kept) write_kept(kept);
    return std::move(out_);
  }

 private:
  void write_header() {
    Table header;
    header.add("trammel", "1");
    if (!said_.name.empty()) header.add("name", toml_text::string(said_.name));
    header.add("gravity", text(said_.gravity));
    out_ += header.in_lines();
  }

  void write_parameters() {
    Table letters;
    for (const ParameterDescription& parameter : said_.parameters)
      letters.add(parameter.name, toml_text::number(parameter.value));
    for (const auto& [name, formula] : formula_text_.definitions())
      letters.add(name, toml_text::string(formula));
    section("parameters", letters);
  }

  void write_kept(const KeptSection& kept) {
    out_ += fmt::format("\n[{}]\n{}", kept.name, kept.text);
    if (!out_.ends_with('\n')) out_ += '\n';
  }

  void section(std::string_view kind, const std::string& name, const Table& table) {
    out_ += fmt::format("\n[{}.{}]\n{}", kind, key(name), table.in_lines());
  }
  void section(std::string_view name, const Table& table) {
    if (!table.is_empty()) out_ += fmt::format("\n[{}]\n{}", name, table.in_lines());
  }

  Table table_of(const BodyDescription& body) const {
    const auto& [mass, com, inertia] = body.solid;
    Table table;
    if (!is_zero(mass)) table.add("mass", text(mass));
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

  Table table_of(const Shape& shape) const {
    Table table;
    switch (shape.kind) {
      case Shape::Kind::box: table.add("box", text(shape.size)); break;
      case Shape::Kind::sphere: table.add("sphere", text(shape.size.x)); break;
      case Shape::Kind::cylinder: table.add("cylinder", text({shape.size.x, shape.size.y})); break;
      case Shape::Kind::capsule: table.add("capsule", text({shape.size.x, shape.size.y})); break;
      case Shape::Kind::mesh:
        table.add("mesh", toml_text::string(shape.mesh));
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
    if (!shape.name.empty()) table.add("name", toml_text::string(shape.name));
    return table;
  }

  Table table_of(const FrameDescription& frame) const {
    Table table;
    table.add("body", toml_text::string(frame.body));
    if (!is_zero(frame.at)) table.add("at", text(frame.at));
    return table;
  }

  Table table_of(const JointDescription& joint) const {
    const JointOptions& how = joint.options;
    Table table;
    table.add("type", toml_text::string(to_string(joint.kind)));
    table.add("parent", toml_text::string(joint.parent));
    table.add("child", toml_text::string(joint.child));
    if (!is_zero(how.at)) table.add("at", text(how.at));
    if (!is_zero(how.child_at)) table.add("child_at", text(how.child_at));
    if (has_axis(joint.kind) && !is(how.axis, 0, 0, 1)) table.add("axis", axis_text(how.axis));
    if (joint.kind == JointKind::universal && !is(how.axis2, 1, 0, 0))
      table.add("axis2", axis_text(how.axis2));
    if (!how.motions.empty()) table.add("motions", text(how.motions));
    if (!is_zero(how.pitch)) table.add("pitch", text(how.pitch));
    if (how.drive != Drive::none) table.add("drive", toml_text::string(name_of(how.drive)));
    if (how.cut) table.add("cut", "true");

    Table spring, limits;
    add_list(spring, "stiffness", how.stiffness);
    add_list(spring, "rest", how.rest);
    add_list(spring, "damping", how.damping);
    if (!spring.is_empty()) table.add("spring", spring.in_line());
    if (!how.limits.lower.empty() || !how.limits.upper.empty())
      limits.add("position", range_text(how.limits.lower, how.limits.upper));
    add_list(limits, "velocity", how.limits.velocity);
    add_list(limits, "effort", how.limits.effort);
    if (!limits.is_empty()) table.add("limits", limits.in_line());
    return table;
  }

  Table table_of(const WheelDescription& wheel) const {
    Table table;
    table.add("type", toml_text::string(name_of(wheel.kind)));
    table.add("body", toml_text::string(wheel.body));
    if (!is(wheel.axis, 0, 1, 0)) table.add("axis", axis_text(wheel.axis));
    table.add("radius", text(wheel.radius));
    if (!is_zero(wheel.roller_angle)) table.add("roller_angle", text(wheel.roller_angle));
    if (!is_zero(wheel.at)) table.add("at", text(wheel.at));
    if (wheel.on != "ground") table.add("on", toml_text::string(wheel.on));
    return table;
  }

  Table table_of(const CouplingDescription& coupling) const {
    Table terms, table;
    for (const auto& [joint, factor] : coupling.terms) terms.add(joint, text(factor));
    table.add("terms", terms.in_line());
    if (!is_zero(coupling.offset)) table.add("offset", text(coupling.offset));
    return table;
  }

  Table table_of(const ConstraintDescription& constraint) const {
    Table table;
    table.add("type", toml_text::string(name_of(constraint.kind)));
    table.add("between", pair_text(constraint.frame, constraint.other_frame));
    if (constraint.kind == ConstraintDescription::Kind::distance || !is_zero(constraint.distance))
      table.add("distance", text(constraint.distance));
    return table;
  }

  Table table_of(const SpringDescription& spring) const {
    Table table;
    table.add("between", pair_text(spring.frame, spring.other_frame));
    if (!is_zero(spring.stiffness)) table.add("stiffness", text(spring.stiffness));
    if (!is_zero(spring.length)) table.add("length", text(spring.length));
    if (!is_zero(spring.damping)) table.add("damping", text(spring.damping));
    return table;
  }

  Table table_of(const std::vector<StartDescription>& starts) const {
    Table table;
    for (const StartDescription& start : starts) add_list(table, start.joint, start.values);
    return table;
  }

  Table table_of(const InputDescription& input) const {
    Table numbers, table;
    for (const auto& [name, values] : input.numbers) add_list(numbers, name, values);
    table.add("joint", toml_text::string(input.joint));
    table.add(input.profile, numbers.in_line());
    return table;
  }

  // one number stands for itself
  void add_list(Table& table, std::string_view name, const std::vector<Expr>& list) const {
    if (list.size() == 1)
      table.add(name, text(list[0]));
    else if (!list.empty())
      table.add(name, text(list));
  }

  std::string text(const Expr& x) const {
    return x.is_constant() ? toml_text::number(x.constant()) : toml_text::string(formula_text_(x));
  }
  std::string text(const std::vector<Expr>& list) const {
    std::string out;
    for (const Expr& x : list) out += (out.empty() ? "" : ", ") + text(x);
    return "[" + out + "]";
  }
  std::string text(std::initializer_list<Expr> list) const { return text(std::vector<Expr>(list)); }
  std::string text(const Vec3<Expr>& a) const { return text({a.x, a.y, a.z}); }
  std::string text(const Placement& at) const {
    Table table;
    if (!is_zero(at.xyz)) table.add("xyz", text(at.xyz));
    if (!is_zero(at.rpy)) table.add("rpy", text(at.rpy));
    return table.in_line();
  }
  std::string text(const std::vector<JointStep>& motions) const {
    std::string out;
    for (const JointStep& step : motions) {
      Table table;
      table.add(step.kind == JointStep::Kind::turn ? "turn" : "slide", axis_text(step.axis));
      out += (out.empty() ? "" : ", ") + table.in_line();
    }
    return "[" + out + "]";
  }

  std::string axis_text(const Vec3<Expr>& axis) const {
    constexpr std::string_view names[] = {"x", "y", "z"};
    for (int k = 0; k < 3; ++k)
      for (const double sign : {1.0, -1.0})
        if (is(axis, k == 0 ? sign : 0, k == 1 ? sign : 0, k == 2 ? sign : 0))
          return fmt::format("\"{}{}\"", sign < 0 ? "-" : "", names[k]);
    return text(axis);
  }

  // one pair for all coordinates, or a list with one for each; what is not said is no limit
  std::string range_text(const std::vector<Expr>& lower, const std::vector<Expr>& upper) const {
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
    return fmt::format("[{}, {}]", toml_text::string(first), toml_text::string(second));
  }

  const Description& said_;
  FormulaTexts formula_text_;
  std::string out_;
};

}  // namespace

std::string write_toml(const Description& description) { return Writer(description).write(); }

}  // namespace trammel
