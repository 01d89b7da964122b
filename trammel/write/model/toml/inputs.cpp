// Inputs over time: efforts, wrenches, ground motion, controllers, events.
#include <algorithm>

#include "trammel/model/build/names.hpp"
#include "trammel/write/model/toml/items.hpp"
#include "trammel/write/model/toml/text.hpp"

namespace trammel::toml {

namespace {

Table profile_table(const InputDescription& input, ValueWriter& values) {
  Table table;
  if (input.profile == "constant" && input.numbers.size() == 1)
    values.add_list(table, "constant", input.numbers[0].second);
  else if (input.profile == "speed" && input.numbers.size() == 1)
    values.add_list(table, "speed", input.numbers[0].second);
  else if (input.profile == "spline" || input.profile == "table")
    table.add(input.profile, values.points_table(input.numbers).in_line());
  else
    table.add(input.profile, values.numbers_table(input.numbers).in_line());
  return table;
}

void add_profile(Table& table, std::string_view name,
                 const std::optional<InputDescription>& profile, ValueWriter& values) {
  if (profile) table.add(name, profile_table(*profile, values).in_line());
}

}  // namespace

Table table_of(const InputDescription& input, ValueWriter& values) {
  Table table;
  table.add("joint", string_text(input.joint));
  table.append(profile_table(input, values));
  return table;
}

Table table_of(const WrenchDescription& wrench, ValueWriter& values) {
  Table table;
  table.add("at", string_text(wrench.at));
  if (wrench.is_in_own_axes) table.add("axes", string_text("own"));
  add_profile(table, "moment", wrench.moment, values);
  add_profile(table, "force", wrench.force, values);
  return table;
}

Table table_of(const GroundMotionDescription& motion, ValueWriter& values) {
  Table table;
  add_profile(table, "position", motion.position, values);
  add_profile(table, "yaw_pitch_roll", motion.yaw_pitch_roll, values);
  return table;
}

Table table_of(const ControllerDescription& controller, ValueWriter& values) {
  Table table;
  table.add("joint", string_text(controller.joint));
  const NamedLists gains = {{"p", unless(controller.p, 0)},
                            {"i", unless(controller.i, 0)},
                            {"d", unless(controller.d, 0)},
                            {"filter", unless(controller.filter, 0)},
                            {"limit", when_given(controller.limit)}};
  table.append(values.numbers_table(gains));
  if (controller.is_rate_of_joint) table.add("rate", string_text("joint"));
  const ItemScope scope(values, gains);
  table.add("target", profile_table(controller.target, values).in_line());
  return table;
}

Table table_of(const EventDescription& event, const Description& description, ValueWriter& values) {
  Table table;
  if (event.time) {
    table.add("at", values.text(*event.time, "at"));
  } else {
    Table when;
    const std::string joint = coordinate_named(event.joint, description).joint;
    const bool is_joint = std::ranges::find(description.joints, joint, &JointDescription::name) !=
                          description.joints.end();
    when.add(is_joint ? "joint" : "column", string_text(event.joint));
    when.add("crosses", values.text(event.value, "crosses"));
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

}  // namespace trammel::toml
