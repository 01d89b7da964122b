// A wheeled vehicle, one row per wheel; the platform itself has a row of its own.
#include <cmath>

#include <fmt/format.h>

#include "trammel/generate/platform.hpp"
#include "trammel/read/table/cells.hpp"
#include "trammel/read/table/mechanisms.hpp"

namespace trammel {

namespace {

using Kind = PlatformWheel::Kind;
constexpr TableNotation platform_notation = TableNotation::platform;

// The relevant moment of inertia is the one about the vertical.
Solid platform_solid(const RowReader& row) {
  const double about = row.number("axial"),
               across = row.has("across") ? row.number("across") : about;
  return {.mass = row.number("mass"), .com = {}, .inertia = {across, 0.0, 0.0, across, 0.0, about}};
}

int group_of(const RowReader& row, const char* column) {
  const double description = row.number(column);
  if (description >= 0 && description == std::floor(description) && description < 1000)
    return int(description);
  row.error(column, fmt::format("{} of row {} is {}", column, row.row(), description),
            "groups have whole numbers from 1; 0 or nothing: by itself");
  return 0;
}

PlatformWheel wheel_of(const RowReader& row, Kind kind, const Place& place) {
  PlatformWheel wheel{.name = row.text("name"), .kind = kind};
  wheel.place = place;
  const bool is_polar = row.has("distance") || row.has("bearing");
  if (is_polar && (row.has("x") || row.has("y")))
    row.error("distance", fmt::format("row {} has both x, y and distance, bearing", row.row()),
              "say where the wheel is in one of these ways");
  const double distance = row.number("distance"), bearing = row.number("bearing");
  wheel.x = is_polar ? distance * std::cos(bearing) : row.number("x");
  wheel.y = is_polar ? distance * std::sin(bearing) : row.number("y");
  wheel.axle = row.number("axle");
  wheel.radius = row.number("radius", 0.1);
  wheel.roller_angle = row.number("rollers");
  wheel.roller_radius = row.number("roller radius");
  wheel.trail = row.number("trail");
  if (row.has("friction")) wheel.friction = row.number("friction");
  wheel.mass = row.number("mass");
  wheel.axial = row.number("axial");
  wheel.across = row.number("across");
  wheel.effort = row.number("effort");
  // a caster is passive unless the table has it driven
  const bool is_free = kind == Kind::caster && !row.has("driven");
  const std::size_t driven = row.choice("driven", {"yes", "no", "steering", "both"});
  wheel.is_driven = !is_free && (driven == 0 || driven == 3);
  wheel.is_steering_driven = !is_free && (driven == 2 || driven == 3);
  wheel.steering_group = group_of(row, "steering group");
  wheel.driving_group = group_of(row, "driving group");
  return wheel;
}

}  // namespace

void add_platform_rows(const Table& table, Description& description, Diagnostics& diagnostics) {
  PlatformTable platform;
  std::vector<const TableRow*> rows;  // the row of each wheel
  bool has_platform = false;
  for (const TableRow& each : table.rows) {
    const RowReader row(platform_notation, table, each, diagnostics);
    const std::size_t type = row.choice("type", {"fixed", "steered", "caster", "omni", "platform"});
    if (type == 4) {
      if (has_platform)
        row.error("type", fmt::format("row {} is a second platform", row.row()),
                  "a table has one; wheels are fixed, steered, caster or omni");
      has_platform = true;
      platform.solid = platform_solid(row);
      platform.height = row.number("height", 0.1);
      platform.stands_on_wheels = row.choice("stands on", {"joint", "wheels"}) == 1;
      continue;
    }
    platform.wheels.push_back(wheel_of(row, Kind(type), each.place));
    rows.push_back(&each);
  }
  if (!has_platform)
    diagnostics.error(table.place, "the table has no platform",
                      "give a row of type platform, with its mass and, as axial, its moment of "
                      "inertia about the vertical");
  const std::size_t first_wheel = description.wheels.size();
  try {
    add_platform(description, platform);
  } catch (const ModelError& error) {
    for (const Diagnostic& each : error.diagnostics().list())
      diagnostics.error(each.place.file.empty() ? table.place : each.place, each.message,
                        each.hint);
    return;
  }
  for (std::size_t k = 0; k < rows.size(); ++k) {
    WheelDescription& wheel = description.wheels[first_wheel + k];
    wheel.place = rows[k]->place;
    for (BodyDescription& body : description.bodies)
      if (body.name == wheel.body) body.place = rows[k]->place;
    for (JointDescription& joint : description.joints)
      if (joint.child == wheel.body) joint.place = rows[k]->place;
  }
}

}  // namespace trammel
