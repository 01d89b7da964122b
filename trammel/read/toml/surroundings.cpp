// Environment of a mechanism: terrains, external wrenches, ground motion.
#include <array>

#include "trammel/read/toml/items.hpp"
#include "trammel/read/toml/profile.hpp"

namespace trammel::toml {

namespace {

// Three numbers over time, below a key: a list of three, or a profile.
std::optional<InputDescription> read_three(TableReader& reader, std::string_view key,
                                           const Expected& expected, bool is_position,
                                           Context& context) {
  const Entry* found = reader.entry(key);
  if (!found) return std::nullopt;
  InputDescription out;
  out.name = key;
  const std::vector<Expected> three(3, expected);
  if (found->value.is_table()) {
    const std::string path = std::string(key) + ".";
    TableReader profile(reader.owner(), found->value, keys::controller_target, reader.scope(),
                        context.report, path, path);
    read_profile({*found, std::string(key), three, is_position}, profile, context, out);
  } else {
    out.profile = "constant";
    out.numbers.emplace_back("value", reader.numbers(key, three));
  }
  for (const auto& [name, values] : out.numbers) {
    const bool is_of_time = name == "over" || name == "start" || name == "at" ||
                            name == "frequency" || name == "phase" || name == "times" ||
                            name == "low" || name == "high" || name == "seed";
    if (!is_of_time && values.size() % 3 != 0)
      reader.error(found->value.position,
                   fmt::format("{} has {} number{}, it has three: along x, y and z", key,
                               values.size(), values.size() == 1 ? "" : "s"),
                   "as in [0, 0, 10]");
  }
  return out;
}

}  // namespace

void read_terrain(const Entry& entry, Context& context) {
  Owner owner = owner_of("terrain", entry, context.report);
  TableReader reader(owner, entry.value, keys::terrain, context.scope, context.report);
  TerrainDescription terrain;
  terrain.name = item_name(entry);
  if (reader.has("on")) terrain.on = reader.name("on");
  if (reader.has("height") == reader.has("heights"))
    reader.error(entry.position,
                 reader.has("height") ? "it has a formula and a grid of heights"
                                      : "it does not say how high it is",
                 "give height = \"0.1*sin(x)\", or heights = [[0, 0.1], [0, 0.2]] with a spacing");
  if (reader.has("height")) terrain.height = reader.text("height");
  if (const Entry* with = reader.entry("with"); with && reader.expect_table(with->value, "with"))
    for (const Entry& name : with->value.entries)
      terrain.with.emplace_back(item_name(name),
                                reader.number_of(name.value, "with." + name.key, std::nullopt));
  if (const Entry* lines = reader.entry("heights");
      lines && reader.expect_list(lines->value, "heights", "lists"))
    for (const Value& line : lines->value.list) {
      if (!reader.expect_list(line, "heights", "numbers")) break;
      terrain.heights.emplace_back();
      for (const Value& height : line.list)
        terrain.heights.back().push_back(reader.number_of(height, "heights", dimension::length));
    }
  if (reader.has("heights")) {
    reader.require("spacing", "as in spacing = [0.5, 0.5]: from one height to the next");
    terrain.from = {0.0, 0.0};
  }
  const std::vector<Expected> two(2, dimension::length);
  if (reader.has("from")) terrain.from = reader.numbers("from", two);
  if (reader.has("spacing")) terrain.spacing = reader.numbers("spacing", two);
  terrain.place = std::move(owner.place);
  context.description.terrains.push_back(std::move(terrain));
}

void read_wrench(const Entry& entry, Context& context) {
  static constexpr std::array<Choice<bool>, 2> axes = {{{"world", false}, {"own", true}}};
  Owner owner = owner_of("wrench", entry, context.report);
  TableReader reader(owner, entry.value, keys::wrench, context.scope, context.report);
  WrenchDescription wrench;
  wrench.name = item_name(entry);
  reader.require("at", "name the frame or body it acts at");
  wrench.at = reader.name("at");
  wrench.is_in_own_axes = reader.choice<bool>("axes", axes, false);
  if (!reader.has("force") && !reader.has("moment"))
    reader.error(entry.position, "it has neither a force nor a moment",
                 "as in force = [0, 0, 10], or force = { step = { to = [0, 0, 10], at = 1 } }");
  wrench.moment = read_three(reader, "moment", dimension::torque, false, context);
  wrench.force = read_three(reader, "force", dimension::force, false, context);
  wrench.place = std::move(owner.place);
  for (std::optional<InputDescription>* part : {&wrench.moment, &wrench.force})
    if (*part) (*part)->place = wrench.place;
  context.description.wrenches.push_back(std::move(wrench));
}

void read_ground_motion(const Entry& entry, Context& context) {
  Owner owner{"ground", context.report.place(entry.position)};
  if (!entry.value.is_table()) {
    context.report.error(entry.value.position,
                         fmt::format("ground is {}, it must be a table", kind_of(entry.value)),
                         "a moving support is given below [ground.motion]");
    return;
  }
  TableReader reader(owner, entry.value, keys::ground, context.scope, context.report);
  const Entry* found = reader.entry("motion");
  if (!found || !reader.expect_table(found->value, "motion")) return;
  TableReader motion(owner, found->value, keys::ground_motion, context.scope, context.report,
                     "motion.", "motion.");
  GroundMotionDescription description;
  if (!motion.has("position") && !motion.has("yaw_pitch_roll"))
    motion.error(found->position, "it has neither a position nor a yaw_pitch_roll",
                 "as in position = { sine = { amplitude = [0.01, 0, 0], frequency = 2 } }");
  description.position = read_three(motion, "position", dimension::length, true, context);
  description.yaw_pitch_roll =
      read_three(motion, "yaw_pitch_roll", dimension::angle, true, context);
  description.place = std::move(owner.place);
  for (std::optional<InputDescription>* part : {&description.position, &description.yaw_pitch_roll})
    if (*part) (*part)->place = description.place;
  context.description.ground_motion = std::move(description);
}

}  // namespace trammel::toml
