#include "trammel/model/checks.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include <fmt/format.h>
#include <Eigen/Eigenvalues>

#include "trammel/model/description_numbers.hpp"
#include "trammel/model/frames.hpp"
#include "trammel/model/joint_checks.hpp"
#include "trammel/model/joint_kinds.hpp"
#include "trammel/model/motors.hpp"

namespace trammel {

namespace {

// Is every number of it finite? Reports those that are not.
template <class Item>
bool is_finite(std::string_view kind, const Item& item, const Values<double>& value,
               Diagnostics& diagnostics) {
  bool all = true;
  each_number(item, [&](const NumberLabel& label, const Expr& number) {
    const double x = value(number);
    if (std::isfinite(x) || label.name.starts_with("limits.")) return;  // an infinite limit is none
    all = false;
    diagnostics.error(item.place.of(label.name),
                      fmt::format("{} '{}': {} is {}", kind, item.name, to_string(label), x),
                      number.is_constant() ? "give a finite number"
                                           : "look at its formula and at the parameters in it");
  });
  return all;
}

Eigen::Vector3d principal_moments(const SymMat3<double>& I) {
  Eigen::Matrix3d matrix;
  matrix << I.xx, I.xy, I.xz, I.xy, I.yy, I.yz, I.xz, I.yz, I.zz;
  return Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(matrix, Eigen::EigenvaluesOnly)
      .eigenvalues();
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

void check_gravity(const Vec3<double>& gravity, const Place& place, Diagnostics& diagnostics) {
  if (std::isfinite(gravity.x) && std::isfinite(gravity.y) && std::isfinite(gravity.z)) return;
  diagnostics.error(place, fmt::format("gravity is {}, {}, {}", gravity.x, gravity.y, gravity.z),
                    "give three finite numbers in m/s^2");
}

void check_body(const BodyDescription& body, const Values<double>& value,
                Diagnostics& diagnostics) {
  const double mass = value(body.solid.mass);
  if (mass < 0)
    diagnostics.error(body.place.of("mass"), fmt::format("body '{}' has mass {}", body.name, mass),
                      "a mass is zero or more");

  const SymMat3<Expr>& I = body.solid.inertia;
  const SymMat3<double> inertia{value(I.xx), value(I.xy), value(I.xz),
                                value(I.yy), value(I.yz), value(I.zz)};
  const Eigen::Vector3d moments = principal_moments(inertia);  // smallest first
  const double tolerance = 1e-9 * std::abs(trace(inertia));
  if (moments[0] < -tolerance)
    diagnostics.error(
        body.place.of("inertia"),
        fmt::format("body '{}' has a principal moment of inertia of {:.6g}", body.name, moments[0]),
        "all three are zero or more; the inertia is about the centre of mass, in the body's axes");
  else if (moments[0] + moments[1] < moments[2] - tolerance)
    diagnostics.error(body.place.of("inertia"),
                      fmt::format("body '{}' has principal moments of inertia {:.6g}, {:.6g} and "
                                  "{:.6g}; the last exceeds the sum of the others",
                                  body.name, moments[0], moments[1], moments[2]),
                      "no solid is like that: check units, and signs of the products of inertia");
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

void check_spring(const SpringDescription& spring, const Values<double>& value,
                  Diagnostics& diagnostics) {
  const auto check = [&](const char* key, const char* what, double x) {
    if (x < 0)
      diagnostics.error(spring.place.of(key),
                        fmt::format("spring '{}' has {} {}", spring.name, what, x),
                        "it is zero or more");
  };
  check("damping", "damping", value(spring.damping));
  check("length", "length", value(spring.length));
}

void check_contact(const ContactDescription& contact, const Values<double>& value,
                   Diagnostics& diagnostics) {
  const auto check = [&](const char* key, const Expr& number, bool may_be_zero) {
    const double x = value(number);
    if (x < 0 || (x == 0 && !may_be_zero))
      diagnostics.error(contact.place.of(key),
                        fmt::format("contact '{}' has {} {}", contact.name, key, x),
                        may_be_zero ? "it is zero or more" : "it is more than zero");
  };
  check("radius", contact.radius, true);
  check("stiffness", contact.stiffness, true);  // 0: what it does is left to a law
  check("dissipation", contact.dissipation, true);
  check("friction", contact.friction, true);
  check("slip_speed", contact.slip_speed, false);
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

// Does what the motion starts from fit its joint?
class StartCheck {
 public:
  StartCheck(const StartDescription& start, std::string_view what, const Values<double>& value,
             Diagnostics& diagnostics)
      : start_(start), what_(what), value_(value), diagnostics_(diagnostics) {}

  void check(const JointDescription& joint, int places, std::string_view place) {
    if (start_.values.size() != std::size_t(places))
      return error(fmt::format("has {} value{}, but a {} joint has {} {}{}", start_.values.size(),
                               start_.values.size() == 1 ? "" : "s", to_string(joint.kind), places,
                               place, places == 1 ? "" : "s"),
                   places == 7   ? "give the quaternion w x y z, then x y z"
                   : places == 4 ? "give the quaternion w x y z"
                                 : "give one value for each");
    for (const Expr& number : start_.values)
      if (!std::isfinite(value_(number)))
        return error(fmt::format("is {}", value_(number)), "give finite numbers");
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

void check_start(const Description& description, const Values<double>& value,
                 Diagnostics& diagnostics) {
  const auto joint_named = [&](const std::string& name) {
    return std::find_if(description.joints.begin(), description.joints.end(),
                        [&](const JointDescription& joint) { return joint.name == name; });
  };
  for (const StartDescription& start : description.start_positions) {
    const auto joint = joint_named(start.joint);
    if (joint == description.joints.end() || start.place.has_mistakes) continue;
    StartCheck check(start, "position", value, diagnostics);
    check.check(*joint, coordinates(*joint), "coordinate");
    if (has_quaternion(joint->kind)) check.check_quaternion();
  }
  for (const StartDescription& start : description.start_velocities) {
    const auto joint = joint_named(start.joint);
    if (joint == description.joints.end() || start.place.has_mistakes) continue;
    StartCheck(start, "velocity", value, diagnostics).check(*joint, freedoms(*joint), "freedom");
  }
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

void check_numbers(const Description& description, Diagnostics& diagnostics) {
  // from a parameter that is not finite, no number follows
  if (!check_parameters(description, diagnostics)) return;

  const Values<double> value = evaluate_at_nominal(description);
  check_gravity(value_of(description.gravity, value), description.source.of("gravity"),
                diagnostics);
  each_item(description, [&]<class Item>(std::string_view kind, const Item& item) {
    if (item.place.has_mistakes || !is_finite(kind, item, value, diagnostics)) return;
    if constexpr (std::same_as<Item, BodyDescription>) check_body(item, value, diagnostics);
    if constexpr (std::same_as<Item, JointDescription>) check_joint(item, value, diagnostics);
    if constexpr (std::same_as<Item, WheelDescription>) check_wheel(item, value, diagnostics);
    if constexpr (std::same_as<Item, TerrainDescription>) check_terrain(item, value, diagnostics);
    if constexpr (std::same_as<Item, SpringDescription>) check_spring(item, value, diagnostics);
    if constexpr (std::same_as<Item, ContactDescription>) check_contact(item, value, diagnostics);
    if constexpr (std::same_as<Item, EventDescription>) check_event(item, diagnostics);
    if constexpr (std::same_as<Item, MotorDescription>) check_motor(item, value, diagnostics);
    if constexpr (std::same_as<Item, ControllerDescription>)
      check_controller(item, value, diagnostics);
  });
  check_start(description, value, diagnostics);
}

}  // namespace trammel
