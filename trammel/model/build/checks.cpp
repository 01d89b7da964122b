#include "trammel/model/build/checks.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <string_view>
#include <unordered_map>

#include <fmt/format.h>

#include "trammel/model/build/joint_checks.hpp"
#include "trammel/model/build/motors.hpp"
#include "trammel/model/build/physical_inertia.hpp"
#include "trammel/model/description/description_parameters.hpp"
#include "trammel/model/description/frames.hpp"
#include "trammel/model/description/joint_table.hpp"

namespace trammel {

namespace {

// Powers of longer lengths overflow: an inertia of 1 kg is 1e200 kg m^2 there, and is multiplied by
// such lengths again.
constexpr double longest = 1e100;  // [m]

bool is_length(std::string_view name) {
  static constexpr std::array<std::string_view, 16> lengths = {
      "com",     "at.xyz",  "child_at.xyz",  "at",     "shape.size", "shape.at.xyz",
      "radius",  "trail",   "distance",      "length", "pitch",      "from",
      "spacing", "heights", "roller_radius", "points"};
  return std::ranges::find(lengths, name) != lengths.end();
}

std::string hint_for(const Expr& number) {
  return number.is_constant() ? "give a finite number"
                              : "look at its formula and at the parameters in it";
}

// Checks that every number of an item is finite and every length small enough to be squared.
// Reports the others.
template <class Item>
bool is_finite(std::string_view kind, const Item& item, const Values<double>& value,
               Diagnostics& diagnostics) {
  bool all = true;
  each_number(item, [&](const NumberLabel& label, const Expr& number) {
    const double x = value(number);
    if (label.name.starts_with("limits.")) return;  // an infinite limit is none
    const bool is_too_long = std::isfinite(x) && std::abs(x) > longest && is_length(label.name);
    if (std::isfinite(x) && !is_too_long) return;
    all = false;
    if (is_too_long)
      diagnostics.error(item.place.of(label.name),
                        fmt::format("{} '{}': {} is {:g}, and lengths beyond {:g} m overflow when "
                                    "they are multiplied",
                                    kind, item.name, to_string(label), x, longest),
                        number.is_constant() ? "check its unit" : hint_for(number));
    else
      diagnostics.error(item.place.of(label.name),
                        fmt::format("{} '{}': {} is {}", kind, item.name, to_string(label), x),
                        hint_for(number));
  });
  return all;
}

bool check_parameters(const Description& description, Diagnostics& diagnostics) {
  bool all = true;
  for (const auto& [name, x, place] : description.parameters) {
    if (std::isfinite(x)) continue;
    all = false;
    diagnostics.error(place, fmt::format("parameter '{}' is {}", name, x), "give a finite number");
  }
  return all;
}

// Named formulas are evaluated even if nothing uses them.
void check_definitions(const Description& description, Diagnostics& diagnostics) {
  std::vector<Expr> formulas;
  for (const DefinitionDescription& definition : description.definitions)
    if (!definition.formula.is_constant()) formulas.push_back(definition.formula);
  std::unordered_map<std::string_view, double> nominal;
  for (const ParameterDescription& parameter : description.parameters)
    nominal.try_emplace(parameter.name, parameter.value);
  std::vector<double> symbols;
  for (const std::string& symbol : description.graph.symbols()) {
    const auto found = nominal.find(symbol);
    symbols.push_back(found == nominal.end() ? 0.0 : found->second);
  }
  const Values<double> value(description.graph, std::span<const double>(symbols),
                             std::span<const Expr>(formulas));
  for (const auto& [name, formula, place] : description.definitions)
    if (const double x = value(formula); !std::isfinite(x))
      diagnostics.error(place, fmt::format("parameter '{}' is {}", name, x), hint_for(formula));
}

void check_gravity(const Vec3<double>& gravity, const Place& place, Diagnostics& diagnostics) {
  if (std::isfinite(gravity.x) && std::isfinite(gravity.y) && std::isfinite(gravity.z)) return;
  diagnostics.error(place, fmt::format("gravity is {}, {}, {}", gravity.x, gravity.y, gravity.z),
                    "give three finite numbers in m/s^2");
}

void check_body(const BodyDescription& body, double size, const Values<double>& value,
                const BuildOptions& options, Diagnostics& diagnostics) {
  const double mass = value(body.solid.mass);
  if (mass < 0)
    diagnostics.error(body.place.of("mass"), fmt::format("body '{}' has mass {}", body.name, mass),
                      "a mass is zero or more");

  const SymMat3<Expr>& I = body.solid.inertia;
  const SymMat3<double> inertia{value(I.xx), value(I.xy), value(I.xz),
                                value(I.yy), value(I.yz), value(I.zz)};
  const auto [moments, verdict] = principal_moments(inertia, mass, size);
  using Verdict = PrincipalMoments::Verdict;
  if (verdict == Verdict::negative) {
    const std::string fact =
        fmt::format("body '{}' has a principal moment of inertia of {:.6g}", body.name, moments[0]);
    if (options.allow_nonphysical)
      diagnostics.warning(body.place.of("inertia"), fact + ": used as it is",
                          "forward dynamics fails where a joint meets no positive inertia");
    else
      diagnostics.error(body.place.of("inertia"), fact,
                        "all three are zero or more, about the center of mass, in the body's axes; "
                        "--allow-nonphysical uses it as it is");
  } else if (verdict == Verdict::breaks_triangle_inequality) {
    const std::string fact = fmt::format(
        "body '{}' has principal moments of inertia {:.6g}, {:.6g} and {:.6g}; the last exceeds "
        "the sum of the others",
        body.name, moments[0], moments[1], moments[2]);
    const char* const hint =
        "no solid is like that: check units, and signs of the products of inertia";
    if (options.strict)
      diagnostics.error(body.place.of("inertia"), fact, hint);
    else
      diagnostics.warning(body.place.of("inertia"),
                          fact + ": the dynamics use it as it is; it has no equivalent ellipsoid",
                          hint);
  }
}

void check_wheel(const WheelDescription& wheel, const Values<double>& value,
                 Diagnostics& diagnostics) {
  if (norm(value_of(wheel.axis, value)) == 0)
    diagnostics.error(wheel.place.of("axis"),
                      fmt::format("wheel '{}' has an axis of length 0", wheel.name),
                      "an axis is a direction, for example 0 1 0");
  const double radius = value(wheel.radius);
  const bool is_knife_edge = wheel.kind == WheelDescription::Kind::knife_edge;
  if (radius < 0 || (radius == 0 && !is_knife_edge))
    diagnostics.error(
        wheel.place.of("radius"), fmt::format("wheel '{}' has radius {}", wheel.name, radius),
        is_knife_edge ? "of a knife edge it is zero or more" : "it is more than zero");
  const auto check = [&](const char* key, double x, bool may_be_zero) {
    if (x < 0 || (x == 0 && !may_be_zero))
      diagnostics.error(wheel.place.of(key),
                        fmt::format("wheel '{}' has {} {}", wheel.name, key, x),
                        may_be_zero ? "it is zero or more" : "it is more than zero");
  };
  if (wheel.roller_radius) check("roller_radius", value(*wheel.roller_radius), false);
  if (wheel.friction) check("friction", value(*wheel.friction), true);
}

void check_terrain(const TerrainDescription& terrain, const Values<double>& value,
                   Diagnostics& diagnostics) {
  const auto error = [&](const char* key, const std::string& fact, const char* hint) {
    diagnostics.error(terrain.place.of(key), fmt::format("terrain '{}' {}", terrain.name, fact),
                      hint);
  };
  if (!terrain.height.empty() && !terrain.heights.empty())
    error("height", "has a formula and a grid of heights", "leave out the one or the other");
  if (!terrain.height.empty()) return;
  if (terrain.heights.size() < 2 || terrain.heights[0].size() < 2)
    return error("heights",
                 fmt::format("has {} lines of heights, the first with {}", terrain.heights.size(),
                             terrain.heights.empty() ? 0 : terrain.heights[0].size()),
                 "give a formula as in height = \"0.1*sin(x)\", or at least two heights each way");
  for (std::size_t k = 1; k < terrain.heights.size(); ++k)
    if (terrain.heights[k].size() != terrain.heights[0].size())
      return error("heights",
                   fmt::format("has {} heights in line {} and {} in the first",
                               terrain.heights[k].size(), k + 1, terrain.heights[0].size()),
                   "give as many in each");
  if (terrain.from.size() != 2 || terrain.spacing.size() != 2)
    return error("spacing",
                 fmt::format("has {} numbers for where it begins and {} for its spacing",
                             terrain.from.size(), terrain.spacing.size()),
                 "give two each, along x and along y");
  for (const Expr& step : terrain.spacing)
    if (!(value(step) > 0))
      error("spacing", fmt::format("has spacing {}", value(step)), "it is more than zero");
}

void check_controller(const ControllerDescription& controller, const Values<double>& value,
                      Diagnostics& diagnostics) {
  const auto check = [&](const char* key, const Expr& number) {
    if (value(number) < 0)
      diagnostics.error(
          controller.place.of(key),
          fmt::format("controller '{}' has {} {}", controller.name, key, value(number)),
          "it is zero or more");
  };
  check("filter", controller.filter);
  if (controller.limit) check("limit", *controller.limit);
}

// Checks that initial values fit their joint.
class StartCheck {
 public:
  StartCheck(const StartDescription& start, std::string_view what, const Values<double>& value,
             Diagnostics& diagnostics)
      : start_(start), what_(what), value_(value), diagnostics_(diagnostics) {}

  void check(const JointDescription& joint, int places, EntryKind place) {
    if (start_.values.size() != std::size_t(places))
      return error(fmt::format("has {} value{}, but a {} joint has {}", start_.values.size(),
                               start_.values.size() == 1 ? "" : "s", to_string(joint.kind),
                               counted(places, place)),
                   places == 7   ? "give the quaternion w x y z, then x y z"
                   : places == 4 ? "give the quaternion w x y z"
                                 : "give one value for each");
    for (const Expr& number : start_.values)
      if (!std::isfinite(value_(number)))
        return error(fmt::format("is {}", value_(number)), "give finite numbers");
  }
  // Coordinates only: a position that the joint cannot have.
  void check_position(const JointDescription& joint) {
    const std::size_t count = start_.values.size();
    double q[7] = {};
    if (count != std::size_t(coordinates(joint)) || count > std::size(q) ||
        joint.options.motions.size() > 6)
      return;  // reported before
    for (std::size_t k = 0; k < count; ++k) q[k] = value_(start_.values[k]);
    if (const char* const fault = position_fault(make_joint(joint, false), q))
      error(fmt::format("is not possible: the joint {}", fault), "choose another position");
  }
  // Coordinates only: lengths that overflow, angles so large that doubles are coarse there.
  void check_sizes(const JointDescription& joint) {
    if (start_.values.size() != std::size_t(coordinates(joint))) return;  // reported before
    for (std::size_t k = 0; k < start_.values.size(); ++k) {
      const double x = value_(start_.values[k]);
      if (!std::isfinite(x)) return;  // reported before
      if (!is_angle(joint, k) && std::abs(x) > longest)
        return error(fmt::format("is {:g}, and lengths beyond {:g} m overflow when they are "
                                 "multiplied",
                                 x, longest),
                     "check its unit");
      if (is_angle(joint, k) && std::abs(x) > largest_sound_angle)
        diagnostics_.warning(
            start_.place,
            fmt::format(
                "the start {} of joint '{}' is {:g} rad, where neighboring doubles "
                "are {:.2g} rad apart",
                what_, start_.joint, x,
                std::nextafter(std::abs(x), std::numeric_limits<double>::infinity()) - std::abs(x)),
            "take full turns off, or check its unit");
    }
  }
  void check_quaternion() {
    if (start_.values.size() < 4) return;
    double square = 0;
    for (int k = 0; k < 4; ++k) square += value_(start_.values[k]) * value_(start_.values[k]);
    if (std::abs(square - 1) > 2e-6)
      error(fmt::format("has a quaternion of length {:.6g}", std::sqrt(square)),
            "a quaternion w x y z has length 1; 1 0 0 0 turns nothing");
  }

 private:
  static bool is_angle(const JointDescription& joint, std::size_t k) {
    const std::vector<DofKind> kinds = dof_kinds(joint);
    return !has_quaternion(joint.kind) && k < kinds.size() && kinds[k] == DofKind::turn;
  }
  void error(const std::string& fact, const std::string& hint) {
    diagnostics_.error(start_.place,
                       fmt::format("the start {} of joint '{}' {}", what_, start_.joint, fact),
                       hint);
  }
  const StartDescription& start_;
  std::string_view what_;
  const Values<double>& value_;
  Diagnostics& diagnostics_;
};

// A joint with an exact initial value must not have a guess.
void check_guesses(const std::vector<StartDescription>& kept,
                   const std::vector<StartDescription>& guesses, std::string_view key,
                   std::string_view guess_key, Diagnostics& diagnostics) {
  std::unordered_map<std::string_view, const StartDescription*> by_joint;
  for (const StartDescription& start : kept) by_joint.emplace(start.joint, &start);
  for (const StartDescription& guess : guesses) {
    const auto same = by_joint.find(guess.joint);
    if (same == by_joint.end() || guess.place.has_mistakes || same->second->place.has_mistakes)
      continue;
    const Place& other = same->second->place;
    diagnostics.error(
        guess.place,
        fmt::format("joint '{}' has a {} that is kept{} and a guess of it", guess.joint, key,
                    other.line > 0 ? fmt::format(" (line {})", other.line) : ""),
        fmt::format("give it in [state.{}] to keep it, or in [state.{}] where assembly may move it",
                    key, guess_key));
  }
}

void check_start(const Description& description, const Values<double>& value,
                 Diagnostics& diagnostics) {
  std::unordered_map<std::string_view, const JointDescription*> by_name;
  for (const JointDescription& joint : description.joints) by_name.emplace(joint.name, &joint);
  const auto joint_of = [&](const StartDescription& start) {
    const auto found = by_name.find(start.joint);
    return found == by_name.end() || start.place.has_mistakes ? nullptr : found->second;
  };
  const auto check_positions = [&](const std::vector<StartDescription>& starts, const char* key) {
    for (const StartDescription& start : starts) {
      const JointDescription* const joint = joint_of(start);
      if (joint == nullptr) continue;
      StartCheck check(start, key, value, diagnostics);
      check.check(*joint, coordinates(*joint), EntryKind::coordinate);
      check.check_sizes(*joint);
      check.check_position(*joint);
      if (has_quaternion(joint->kind)) check.check_quaternion();
    }
  };
  const auto check_velocities = [&](const std::vector<StartDescription>& starts, const char* key) {
    for (const StartDescription& start : starts) {
      const JointDescription* const joint = joint_of(start);
      if (joint == nullptr) continue;
      StartCheck(start, key, value, diagnostics).check(*joint, dofs(*joint), EntryKind::dof);
    }
  };
  check_positions(description.start_positions, "position");
  check_velocities(description.start_velocities, "velocity");
  check_positions(description.position_guesses, "guess");
  check_velocities(description.velocity_guesses, "velocity guess");
  check_guesses(description.start_positions, description.position_guesses, "position", "guess",
                diagnostics);
  check_guesses(description.start_velocities, description.velocity_guesses, "velocity",
                "velocity_guess", diagnostics);
}

void check_event(const EventDescription& event, Diagnostics& diagnostics) {
  if (!event.every) return;
  if (event.time)
    diagnostics.error(
        event.place.of("every"),
        fmt::format("event '{}' happens at a time, which comes only once", event.name),
        "leave out every, or let it wait for something: when = { joint = \"elbow\", crosses = 0.5 "
        "}");
  if (event.stops)
    diagnostics.error(event.place.of("every"),
                      fmt::format("event '{}' ends the run the first time", event.name),
                      "leave out every, or stop");
}

}  // namespace

void check_numbers(const Description& description, const BuildOptions& options,
                   Diagnostics& diagnostics) {
  // with a parameter that is not finite, no formula can be evaluated
  if (!check_parameters(description, diagnostics)) return;
  check_definitions(description, diagnostics);

  const Values<double> value = evaluate_at_nominal(description);
  check_gravity(value_of(description.gravity, value), description.source.of("gravity"),
                diagnostics);
  const std::vector<double> sizes = body_sizes(description, value);
  std::size_t body = 0;
  each_item(description, [&]<class Item>(std::string_view kind, const Item& item) {
    const double size = std::same_as<Item, BodyDescription> ? sizes[body++] : 0;
    if (item.place.has_mistakes || !is_finite(kind, item, value, diagnostics)) return;
    if constexpr (std::same_as<Item, BodyDescription>)
      check_body(item, size, value, options, diagnostics);
    if constexpr (std::same_as<Item, JointDescription>)
      check_joint(item, value, options, diagnostics);
    if constexpr (std::same_as<Item, WheelDescription>) check_wheel(item, value, diagnostics);
    if constexpr (std::same_as<Item, TerrainDescription>) check_terrain(item, value, diagnostics);
    if constexpr (requires(Item element) { element.ends(); })  // a force element
      check_numbers(item, value, diagnostics);
    if constexpr (std::same_as<Item, EventDescription>) check_event(item, diagnostics);
    if constexpr (std::same_as<Item, MotorDescription>) check_motor(item, value, diagnostics);
    if constexpr (std::same_as<Item, ControllerDescription>)
      check_controller(item, value, diagnostics);
  });
  check_start(description, value, diagnostics);
}

void check_read_without_errors(const Description& description, Diagnostics& diagnostics) {
  each_item(description, [&]<class Item>(std::string_view kind, const Item& item) {
    if (!item.place.has_mistakes) return;
    std::string name;
    if constexpr (requires { item.name; })
      name = item.name;
    else if constexpr (requires { item.joint; })
      name = item.joint;
    diagnostics.error(item.place, fmt::format("{} '{}' was read with errors", kind, name),
                      "give build_model the diagnostics of the reader, which has reported them");
  });
}

}  // namespace trammel
