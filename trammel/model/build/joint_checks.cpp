#include "trammel/model/build/joint_checks.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "trammel/model/description/frames.hpp"
#include "trammel/model/description/joint_table.hpp"

namespace trammel {

std::string counted(int count, EntryKind kind) {
  const char* const suffix = count == 1 ? "" : "s";
  return kind == EntryKind::dof ? fmt::format("{} degree{} of freedom", count, suffix)
                                : fmt::format("{} coordinate{}", count, suffix);
}

namespace {

class JointCheck {
 public:
  JointCheck(const JointDescription& joint, const Values<double>& value, bool is_strict,
             Diagnostics& diagnostics)
      : joint_(joint),
        options_(joint.options),
        value_(value),
        is_strict_(is_strict),
        diagnostics_(diagnostics) {}

  void check() {
    check_motions();
    check_axes();
    check_drive();
    check_springs();
    check_limits();
  }

 private:
  void error(std::string_view key, const std::string& fact, std::string hint) {
    diagnostics_.error(joint_.place.of(key), fmt::format("joint '{}' {}", joint_.name, fact),
                       std::move(hint));
  }

  void check_motions() {
    const std::size_t count = options_.motions.size();
    if (traits(joint_.kind).axes == JointAxes::per_motion) {
      if (count < 1 || count > 6)
        error("motions", fmt::format("is compound and has {} motions", count), "give it 1 to 6");
    } else if (count > 0) {
      error(
          "motions",
          fmt::format("is {} and has motions, as only compound joints do", to_string(joint_.kind)),
          "make it a compound joint, or leave the motions out");
    }
    if (!traits(joint_.kind).has_pitch && value_(options_.pitch) != 0)
      error("pitch",
            fmt::format("is {} and has a pitch, as only screw joints do", to_string(joint_.kind)),
            "make it a screw joint, or leave the pitch out");
  }

  void check_axes() {
    switch (traits(joint_.kind).axes) {
      case JointAxes::none: return;
      case JointAxes::per_motion:
        for (std::size_t k = 0; k < options_.motions.size(); ++k)
          check_axis("motions", options_.motions[k].axis,
                     fmt::format("a motion {} with an axis", k + 1));
        return;
      case JointAxes::two: {
        const bool has_first = check_axis("axis", options_.axis, "an axis");
        const bool has_second = check_axis("axis2", options_.axis2, "a second axis");
        if (has_first && has_second) check_perpendicular();
        return;
      }
      case JointAxes::one: check_axis("axis", options_.axis, "an axis");
    }
  }
  // Checks that the axis has a direction.
  bool check_axis(std::string_view key, const Vec3<Expr>& axis, const std::string& which) {
    const double length = norm(value_of(axis, value_));
    if (length == 0 || !std::isfinite(length)) {
      error(key, fmt::format("has {} of length {}", which, length),
            "an axis is a direction, for example 0 0 1");
      return false;
    }
    if (std::abs(length - 1) > 1e-9)
      diagnostics_.warning(
          joint_.place.of(key),
          fmt::format("joint '{}' has {} of length {:.6g}: normalized", joint_.name, which, length),
          "give a direction of length 1");
    return true;
  }
  void check_perpendicular() {
    const double cosine = dot(normalized(value_of(options_.axis, value_)),
                              normalized(value_of(options_.axis2, value_)));
    if (std::abs(cosine) <= 1e-9) return;
    const double degrees = std::acos(std::clamp(cosine, -1.0, 1.0)) * 180 / std::numbers::pi;
    error(
        "axis2",
        fmt::format("is {} and has axes {:.6g} deg apart, not 90", to_string(joint_.kind), degrees),
        "use a compound joint for oblique axes");
  }

  void check_drive() {
    if (joint_.kind == JointKind::fixed && options_.drive != Drive::none)
      error("drive", "is fixed and has a drive, which can move nothing",
            "leave the drive out, or choose a kind of joint that moves");
  }

  void check_springs() {
    const int nv = dofs(joint_);
    check_count("stiffness", "stiffness", options_.stiffness.size(), nv, EntryKind::dof);
    check_count("rest", "rest", options_.rest.size(), nv, EntryKind::dof);
    check_count("damping", "damping", options_.damping.size(), nv, EntryKind::dof);
    if (has_quaternion(joint_.kind) && !options_.stiffness.empty())
      error("stiffness",
            fmt::format("is {} and has a stiffness, but its coordinates are a quaternion",
                        to_string(joint_.kind)),
            "use a universal or compound joint, or a point-to-point spring");
    for (const Expr& damping : options_.damping)
      if (value_(damping) < 0)
        error("damping", fmt::format("has damping {}", value_(damping)), "damping is zero or more");
    check_friction();
  }

  void check_friction() {
    const int nv = dofs(joint_);
    check_count("friction", "friction", options_.friction.size(), nv, EntryKind::dof);
    check_count("friction_speed", "friction speed", options_.friction_speed.size(), nv,
                EntryKind::dof);
    for (const Expr& friction : options_.friction)
      if (value_(friction) < 0)
        error("friction", fmt::format("has friction {}", value_(friction)), "it is zero or more");
    for (const Expr& speed : options_.friction_speed)
      if (!(value_(speed) > 0))
        error("friction_speed", fmt::format("has friction speed {}", value_(speed)),
              "it is more than zero: below it friction is not fully there");
  }

  void check_limits() {
    const BasicJointLimits<Expr>& limits = options_.limits;
    const bool has_range = !(limits.lower.empty() && limits.upper.empty());
    if (has_range && has_quaternion(joint_.kind)) {
      error("limits.lower",
            fmt::format("is {} and has limits of position, but its coordinates are a quaternion",
                        to_string(joint_.kind)),
            "leave them out, or use a universal or compound joint");
    } else if (has_range) {
      const int nq = coordinates(joint_);
      const bool has_lower =
          check_limit("limits.lower", "lower limit", limits.lower, nq, EntryKind::coordinate);
      const bool has_upper =
          check_limit("limits.upper", "upper limit", limits.upper, nq, EntryKind::coordinate);
      if (has_lower && has_upper) check_ranges();
    }
    check_magnitudes("limits.velocity", "velocity limit", limits.velocity);
    check_magnitudes("limits.effort", "effort limit", limits.effort);
    check_restitution();
  }
  void check_restitution() {
    const BasicJointLimits<Expr>& limits = options_.limits;
    check_count("limits.restitution", "restitution", limits.restitution.size(), dofs(joint_),
                EntryKind::dof);
    if (!limits.restitution.empty() && limits.lower.empty() && limits.upper.empty())
      error("limits.restitution", "has a restitution, but no limits of position it could meet",
            "give the limits, or leave it out");
    for (const Expr& restitution : limits.restitution)
      if (const double e = value_(restitution); !(e >= 0 && e <= 1))
        error("limits.restitution", fmt::format("has restitution {}", e),
              "it is the part of the speed that comes back: 0 to 1");
  }
  // one entry for all, or one for each
  bool check_count(std::string_view key, std::string_view what, std::size_t count, int places,
                   EntryKind place) {
    if (count == 0 || (count == 1 && places > 0) || count == std::size_t(places)) return true;
    error(key,
          fmt::format("has {} value{} of {} for {}", count, count == 1 ? "" : "s", what,
                      counted(places, place)),
          places == 0 ? "a fixed joint takes none" : "give one for all, or one for each");
    return false;
  }
  bool check_limit(std::string_view key, std::string_view what, const std::vector<Expr>& limits,
                   int places, EntryKind place) {
    bool are_numbers = true;
    for (const Expr& limit : limits) are_numbers &= !std::isnan(value_(limit));
    if (!are_numbers)
      error(key, fmt::format("has nan for its {}", what), "give a number; inf is no limit");
    return check_count(key, what, limits.size(), places, place) && are_numbers;
  }
  void check_ranges() {
    const std::vector<Expr>&lower = options_.limits.lower, &upper = options_.limits.upper;
    if (lower.empty() || upper.empty()) return;
    for (std::size_t k = 0; k < std::max(lower.size(), upper.size()); ++k) {
      const double low = value_(lower.size() == 1 ? lower[0] : lower[k]);
      const double high = value_(upper.size() == 1 ? upper[0] : upper[k]);
      if (!(low > high)) continue;
      const std::string fact =
          fmt::format("has a lower limit of {} above its upper limit of {}", low, high);
      if (is_strict_)
        error("limits.lower", fact, "exchange them");
      else
        diagnostics_.warning(joint_.place.of("limits.lower"),
                             fmt::format("joint '{}' {}: neither is used", joint_.name, fact),
                             "exchange them");
    }
  }
  void check_magnitudes(std::string_view key, std::string_view what,
                        const std::vector<Expr>& limits) {
    if (!check_limit(key, what, limits, dofs(joint_), EntryKind::dof)) return;
    for (const Expr& limit : limits)
      if (value_(limit) < 0)
        error(key, fmt::format("has {} for its {}", value_(limit), what), "it is zero or more");
  }

  const JointDescription& joint_;
  const JointOptions& options_;
  const Values<double>& value_;
  bool is_strict_;
  Diagnostics& diagnostics_;
};

}  // namespace

void check_joint(const JointDescription& joint, const Values<double>& value,
                 const BuildOptions& options, Diagnostics& diagnostics) {
  JointCheck(joint, value, options.strict, diagnostics).check();
}

}  // namespace trammel
