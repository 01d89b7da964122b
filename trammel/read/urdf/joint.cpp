// <joint>: connection of two links.
#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <unordered_map>

#include <fmt/format.h>

#include "trammel/base/suggest.hpp"
#include "trammel/read/urdf/parts.hpp"

namespace trammel::urdf {

namespace {

class JointReader {
 public:
  explicit JointReader(const Element& joint) : description_(joint), report_(joint.report()) {
    joint_.place = description_.place();
  }

  void read(Description& description) {
    const std::size_t errors = report_.errors();
    joint_.name = description_.text("name");
    read_type();
    joint_.parent = read_end("parent");
    joint_.child = read_end("child");
    joint_.options.at = read_origin(description_, joint_.place, "at");
    read_axis();
    read_limit();
    read_dynamics();
    read_mimic(description);
    joint_.place.has_mistakes = report_.errors() > errors;
    description.joints.push_back(std::move(joint_));
  }

 private:
  void read_type() {
    if (!description_.has("type")) return;
    type_ = description_.text("type");
    const std::vector<JointType> types = joint_types(&JointTraits::urdf);
    const auto found = std::ranges::find(types, type_, &JointType::name);
    if (found != types.end()) {
      joint_.kind = found->kind;
      is_known_ = true;
      return;
    }
    std::vector<std::string> names;
    for (const JointType& type : types) names.push_back(type.name);
    const std::optional<std::string> meant = suggest(type_, names);
    report_.error(description_.place("type"),
                  fmt::format("{} has type '{}', which URDF does not know", description_.title(),
                              shortened(type_)),
                  meant ? fmt::format("did you mean '{}'?", *meant)
                        : "it is revolute, continuous, prismatic, fixed, floating or planar");
  }

  std::string read_end(const std::string& which) {
    const auto end = description_.child(which);
    if (!end) return {};
    joint_.place.key(which, end->place("link"));
    return end->text("link");
  }

  // A child that this joint type does not use is reported and ignored.
  std::optional<Element> useful_child(const std::string& name, bool is_useful) {
    std::optional<Element> child = description_.child(name);
    if (!child || is_useful || !is_known_) return child;
    report_.warning(child->place(), fmt::format("{} is {} and has <{}>, which is not used",
                                                description_.title(), type_, name));
    return std::nullopt;
  }
  bool has_one_dof() const { return traits(joint_.kind).dofs.count == 1; }

  void read_axis() {
    joint_.options.axis = {1.0, 0.0, 0.0};  // the default of URDF
    const auto axis = useful_child("axis", traits(joint_.kind).axes == JointAxes::one);
    if (!axis) return;
    joint_.options.axis = axis->three("xyz", {1, 0, 0});
    joint_.place.key("axis", axis->place("xyz"));
  }

  void read_limit() {
    const auto limit = useful_child("limit", has_one_dof());
    const bool has_range = has_one_dof() && type_ != "continuous";
    if (!limit) {
      if (has_range && is_known_ && !description_.has_child("limit"))
        report_.warning(
            description_.place(),
            fmt::format("{} is {} and has no <limit>: read as without limits", description_.title(),
                        type_),
            type_ == "revolute" ? "URDF demands one; or make it continuous" : "URDF demands one");
      return;
    }
    joint_.place.key("limits", limit->place());
    read_range(*limit, has_range);
    read_magnitude(*limit, "effort", joint_.options.limits.effort);
    read_magnitude(*limit, "velocity", joint_.options.limits.velocity);
  }
  void read_range(const Element& limit, bool has_range) {
    for (const std::string_view side : {"lower", "upper"}) {
      const double value = limit.number(side, 0);
      if (limit.has(side)) joint_.place.key(fmt::format("limits.{}", side), limit.place(side));
      if (has_range) {
        if (std::abs(value) < std::numeric_limits<double>::max())
          (side == "lower" ? joint_.options.limits.lower : joint_.options.limits.upper) = {value};
      } else if (limit.has(side)) {
        report_.warning(limit.place(side), fmt::format("{} is continuous and has a limit {}, which "
                                                       "is not used",
                                                       description_.title(), side));
      }
    }
    if (has_range && !limit.has("lower") && !limit.has("upper"))
      report_.warning(
          limit.place(),
          fmt::format("{} has neither lower nor upper: both are 0, as URDF demands", limit.title()),
          "give both, or make the joint continuous");
  }
  // The largest double means no limit, since URDF requires a value.
  void read_magnitude(const Element& limit, std::string_view what, std::vector<Expr>& out) {
    if (!limit.has(what))
      return report_.warning(
          limit.place(), fmt::format("{} has no {}: read as without limit", limit.title(), what),
          fmt::format("URDF demands it; add {}=\"...\"", what));
    joint_.place.key(fmt::format("limits.{}", what), limit.place(what));
    const std::vector<double> value = limit.numbers(what, 1);
    if (value.empty()) return;
    if (value[0] < std::numeric_limits<double>::max()) out = {value[0]};
    if (value[0] == 0)
      report_.warning(limit.place(what),
                      fmt::format("{} {} is 0, which allows none", limit.title(), what),
                      "give the true limit");
  }

  void read_dynamics() {
    const auto dynamics = useful_child("dynamics", has_one_dof());
    if (!dynamics) return;
    const double damping = dynamics->number("damping", 0);
    const double friction = dynamics->number("friction", 0);
    if (damping != 0) joint_.options.damping = {damping};
    joint_.place.key("damping", dynamics->place("damping"));
    if (friction != 0)
      report_.warning(dynamics->place("friction"),
                      fmt::format("{} has friction {}, which is not modeled: ignored",
                                  dynamics->title(), friction),
                      "damping is modeled");
  }

  // q = multiplier q_other + offset is the coupling 1 q - multiplier q_other = offset
  void read_mimic(Description& description) {
    const auto mimic = useful_child("mimic", has_one_dof());
    if (!mimic) return;
    CouplingDescription coupling{joint_.name + "_mimic"};
    coupling.terms = {{joint_.name, 1.0}, {mimic->text("joint"), -mimic->number("multiplier", 1)}};
    coupling.offset = mimic->number("offset", 0);
    coupling.place = mimic->place();
    coupling.place.key("terms", mimic->place("joint"));
    coupling.place.key("offset", mimic->place("offset"));
    description.couplings.push_back(std::move(coupling));
  }

  const Element& description_;
  Report& report_;
  JointDescription joint_;
  std::string type_;
  bool is_known_ = false;  // its type
};

}  // namespace

std::vector<JointType> joint_types(const char* JointTraits::*column) {
  std::vector<JointType> types;
  for (const JointKind kind : joint_kinds) {
    const JointTraits of = traits(kind);
    if (of.*column) types.push_back({of.*column, kind});
    if (kind == JointKind::revolute) types.push_back({"continuous", kind});
  }
  return types;
}

void read_joint(const Element& joint, Description& description) {
  JointReader(joint).read(description);
}

}  // namespace trammel::urdf
