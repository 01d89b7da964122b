#include "trammel/generate/platform.hpp"

#include <cmath>
#include <map>
#include <numbers>
#include <utility>

#include <fmt/format.h>

namespace trammel {

namespace {

using Kind = PlatformWheel::Kind;
constexpr double wheel_quarter_turn = std::numbers::pi / 2;

bool has_fork(const PlatformWheel& wheel) {
  return wheel.kind == Kind::steered || wheel.kind == Kind::caster;
}
std::string name_of(const PlatformTable& table, std::size_t k) {
  const std::string& name = table.wheels[k].name;
  return table.prefix + (name.empty() ? fmt::format("wheel{}", k + 1) : name);
}

// Checks the parameters that this kind of wheel needs or must not have.
void check_kind(const PlatformWheel& wheel, const std::string& name, Diagnostics& diagnostics) {
  const auto known = [](const Expr& x, double otherwise) {
    return x.is_constant() ? x.constant() : otherwise;
  };
  const auto error = [&](const std::string& fact, const char* hint) {
    diagnostics.error(wheel.place, fact, hint);
  };
  const bool is_omni = wheel.kind == Kind::omni, is_caster = wheel.kind == Kind::caster;
  if (const double radius = known(wheel.radius, 1); !(radius > 0))
    error(fmt::format("wheel '{}' has the radius {}", name, radius), "a radius is above zero");
  if (is_omni && !(std::abs(std::sin(known(wheel.roller_angle, 1))) > 1e-6))
    error(fmt::format("wheel '{}' has rollers along its axle", name),
          "give a roller angle, 90 deg for omni and 45 deg for Mecanum wheels; or "
          "let its type be fixed");
  if (!is_omni && (known(wheel.roller_angle, 1) != 0 || known(wheel.roller_radius, 1) != 0))
    error(fmt::format("wheel '{}' has rollers, but its type is {}", name, to_string(wheel.kind)),
          "let its type be omni, or leave its rollers out");
  if (is_caster && known(wheel.trail, 1) == 0)
    error(fmt::format("caster '{}' has no trail", name),
          "give the distance from its pivot to its wheel; or let its type be steered");
  if (!is_caster && known(wheel.trail, 1) != 0)
    error(fmt::format("wheel '{}' has a trail, but its type is {}", name, to_string(wheel.kind)),
          "let its type be caster, or leave its trail out");
  if (wheel.is_steering_driven && !has_fork(wheel))
    error(fmt::format("wheel '{}' has a driven steering, but no fork", name),
          "let its type be steered or caster");
  if (wheel.steering_group != 0 && !has_fork(wheel))
    error(fmt::format("wheel '{}' is in steering group {}, but has no fork", name,
                      wheel.steering_group),
          "let its type be steered or caster");
}

void check(const PlatformTable& table) {
  Diagnostics diagnostics;
  if (table.wheels.empty())
    diagnostics.error({}, "the platform has no wheels", "give at least one");
  for (std::size_t k = 0; k < table.wheels.size(); ++k) {
    const std::string name = name_of(table, k);
    check_kind(table.wheels[k], name, diagnostics);
    if (table.wheels[k].friction && !table.stands_on_wheels)
      diagnostics.error(
          table.wheels[k].place,
          fmt::format("wheel '{}' has friction, but does not press on the floor", name),
          "let the platform stand on wheels, or leave the friction out");
  }
  if (diagnostics.has_errors()) throw ModelError(std::move(diagnostics));
}

Shape disk_of(const PlatformWheel& wheel) {
  return {.kind = Shape::Kind::cylinder,
          .size = {wheel.radius, wheel.radius / 2.0, 0.0},
          .at = {{}, {0.0, wheel_quarter_turn, 0.0}}};
}

// The body that carries the wheel's axle, and the placement on it.
std::pair<std::string, Placement> add_mount(Description& description, const PlatformTable& table,
                                            const PlatformWheel& wheel, const std::string& name) {
  const Placement at{{wheel.x, wheel.y, wheel.radius - table.height}, {0.0, 0.0, wheel.axle}};
  if (!has_fork(wheel)) return {table.prefix + "platform", at};
  const std::string fork = name + "_fork";
  description.body(fork, {});
  if (wheel.kind == Kind::caster)
    description.bodies.back().shapes.push_back(
        {.size = {wheel.radius / 4.0, wheel.trail, wheel.radius / 8.0},
         .at = {{0.0, -wheel.trail / 2.0, wheel.radius}, {}}});
  description.joint(name + "_steering", JointKind::revolute, table.prefix + "platform", fork,
                    {.at = at,
                     .axis = {0.0, 0.0, 1.0},
                     .drive = wheel.is_steering_driven ? Drive::torque : Drive::none});
  return {fork, Placement{{0.0, wheel.kind == Kind::caster ? -wheel.trail : Expr(0.0), 0.0}, {}}};
}

void couple(Description& description, const std::map<int, std::vector<std::string>>& groups,
            const std::string& what) {
  for (const auto& [group, joints] : groups)
    for (std::size_t k = 1; k < joints.size(); ++k)
      description.couplings.push_back({.name = fmt::format("{}{}_{}", what, group, k),
                                       .terms = {{joints[0], 1.0}, {joints[k], -1.0}}});
}

}  // namespace

std::string to_string(PlatformWheel::Kind kind) {
  switch (kind) {
    case Kind::fixed: return "fixed";
    case Kind::steered: return "steered";
    case Kind::caster: return "caster";
    case Kind::omni: return "omni";
  }
  return "";
}

void add_platform(Description& description, const PlatformTable& table) {
  check(table);
  const std::string platform = table.prefix + "platform";
  description.body(platform, table.solid);
  description.joint(table.prefix + "base",
                    table.stands_on_wheels ? JointKind::free : JointKind::planar, "ground",
                    platform, {.at = {{0.0, 0.0, table.height}, {}}});
  std::map<int, std::vector<std::string>> steering, driving;
  for (std::size_t k = 0; k < table.wheels.size(); ++k) {
    const PlatformWheel& wheel = table.wheels[k];
    const std::string name = name_of(table, k);
    const auto [mount, at] = add_mount(description, table, wheel, name);
    description.body(name,
                     {wheel.mass, {}, {wheel.axial, 0.0, 0.0, wheel.across, 0.0, wheel.across}});
    description.bodies.back().shapes.push_back(disk_of(wheel));
    JointOptions how{
        .at = at, .axis = {1.0, 0.0, 0.0}, .drive = wheel.is_driven ? Drive::torque : Drive::none};
    if (!is_same(wheel.effort, 0.0)) how.limits.effort = {wheel.effort};
    description.joint(name, JointKind::revolute, mount, name, how);
    description.wheels.push_back({.name = name + "_rim",
                                  .body = name,
                                  .axis = {1.0, 0.0, 0.0},
                                  .radius = wheel.radius,
                                  .kind = wheel.kind == Kind::omni
                                              ? WheelDescription::Kind::omni
                                              : WheelDescription::Kind::conventional,
                                  .roller_angle = wheel.roller_angle,
                                  .friction = wheel.friction,
                                  .touches = table.stands_on_wheels});
    if (!is_same(wheel.roller_radius, 0.0))
      description.wheels.back().roller_radius = wheel.roller_radius;
    if (wheel.steering_group != 0) steering[wheel.steering_group].push_back(name + "_steering");
    if (wheel.driving_group != 0) driving[wheel.driving_group].push_back(name);
  }
  couple(description, steering, table.prefix + "steering");
  couple(description, driving, table.prefix + "driving");
}

}  // namespace trammel
