// Initial state, inputs, controllers and events: all refer to joints, so they are read last.
#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <iterator>
#include <numbers>
#include <string_view>
#include <unordered_set>

#include "trammel/model/build/checks.hpp"
#include "trammel/model/build/names.hpp"
#include "trammel/model/column_name.hpp"
#include "trammel/read/toml/items.hpp"
#include "trammel/read/toml/joint_dofs.hpp"
#include "trammel/read/toml/profile.hpp"

namespace trammel::toml {

namespace {

// The dimensions are unknown if the joint does not exist.
DofDimensions dimensions_of(const std::string& joint, const Context& context) {
  const auto found = context.joints.find(joint);
  if (found == context.joints.end()) return {};
  const JointDescription& known = context.description.joints[found->second];
  return known.place.has_mistakes ? DofDimensions{} : dof_dimensions(known);
}

// Warns of "elbow = 90": a number without a unit, larger than a turn, for an angle without limits.
// Above largest_sound_angle the checks of the model warn whatever the unit.
void warn_about_degrees(const Value& value, const GivenNumber& number, const Owner& owner,
                        const JointDescription& joint, Context& context) {
  const double x = std::abs(value.number);
  const BasicJointLimits<Expr>& limits = joint.options.limits;
  if (!value.is_number() || !number.is_sound || !limits.lower.empty() || !limits.upper.empty() ||
      !(x > 2 * std::numbers::pi && x <= largest_sound_angle))
    return;
  context.report.warning(
      value.position,
      fmt::format("{} is {:g} rad, which is {:.3g} turns", owner.text, value.number,
                  x / (2 * std::numbers::pi)),
      fmt::format("did you mean \"{0:g} deg\"? If not, write \"{0:g} rad\"", value.number));
}

void read_starts(TableReader& state, std::string_view key, bool is_position,
                 std::vector<StartDescription>& starts, Context& context) {
  const Entry* found = state.entry(key);
  if (!found || !state.expect_table(found->value, key)) return;
  for (const Entry& entry : found->value.entries) {
    Owner owner{fmt::format("the start {} of joint '{}'",
                            key == "velocity_guess" ? "velocity guess" : key, shortened(entry.key)),
                context.report.place(entry.value.position)};
    const DofDimensions dimensions = dimensions_of(entry.key, context);
    const std::vector<Expected>& expected =
        is_position ? dimensions.coordinate : dimensions.velocity;
    const bool is_list = entry.value.is_list();
    const std::size_t count = is_list ? entry.value.list.size() : 1;

    StartDescription start{item_name(entry), {}, {}};
    for (std::size_t k = 0; k < count; ++k) {
      const Expected one = count == expected.size() ? expected[k] : Expected{};
      const NumberName name{owner.text, ""};
      const GivenNumber number = read_number(is_list ? entry.value.list[k] : entry.value, name,
                                             context.scope, context.report);
      owner.place.has_mistakes |=
          !number.is_sound || !check_unit(number, name, one, context.report);
      if (is_position && one == dimension::angle)
        warn_about_degrees(is_list ? entry.value.list[k] : entry.value, number, owner,
                           context.description.joints[context.joints.at(entry.key)], context);
      start.values.push_back(number.value);
    }
    start.place = std::move(owner.place);
    starts.push_back(std::move(start));
  }
}

// Removes from `earlier` the joints that `later` gives.
void remove_replaced(std::initializer_list<std::vector<StartDescription>*> earlier,
                     std::initializer_list<const std::vector<StartDescription>*> later) {
  std::unordered_set<std::string_view> given;
  for (const auto* list : later)
    for (const StartDescription& start : *list) given.insert(start.joint);
  for (auto* starts : earlier)
    std::erase_if(*starts,
                  [&](const StartDescription& start) { return given.contains(start.joint); });
}
void append(std::vector<StartDescription>& from, std::vector<StartDescription>& to) {
  std::ranges::move(from, std::back_inserter(to));
}

// Dimension of "elbow" or "wrist.slide".
Expected coordinate_dimension(const std::string& text, const Context& context) {
  const auto [joint, k] = coordinate_named(text, context.description);
  const std::vector<Expected> all = dimensions_of(joint, context).coordinate;
  if (k < 0) return all.size() == 1 ? all[0] : Expected{};
  return std::size_t(k) < all.size() ? all[std::size_t(k)] : Expected{};
}
// Dimension of a recorded column, as far as its name determines it.
Expected column_dimension(const std::string& column, const Context& context) {
  const std::string_view group = group_of_items(column);
  const auto has = [&](std::string_view part) { return column.find(part) != column.npos; };
  const auto ends = [&](std::string_view part) { return column.ends_with(part); };
  if (group == "q.") return coordinate_dimension(column.substr(group.size()), context);
  if (group == "distance." || ends(".depth") || has(".point.")) return dimension::length;
  const bool is_along_axis = ends(".x") || ends(".y") || ends(".z");
  if (is_along_axis && (group == "frame." || group == "pose." || column.starts_with("com.")))
    return dimension::length;
  if (ends(".roller_rate")) return dimension::angular_velocity;
  if (group == "wheel." || group == "contact.") return dimension::force;
  return {};
}

// A list of names, or a single name.
std::vector<std::string> read_names(TableReader& reader, std::string_view key) {
  std::vector<std::string> names;
  const Entry* found = reader.entry(key);
  if (!found) return names;
  if (!found->value.is_list()) return {reader.name(key)};
  for (const Value& name : found->value.list) names.push_back(reader.name_of(name, key));
  return names;
}

}  // namespace

void read_input(const Entry& entry, Context& context) {
  Owner owner = owner_of("input", entry, context.report);
  TableReader reader(owner, entry.value, keys::input, context.scope, context.report);
  InputDescription input;
  input.name = item_name(entry);
  reader.require("joint", "name the joint it drives");
  input.joint = reader.name("joint");
  // for a joint driven by motion the profile is a position, not an effort
  const DofDimensions dimensions = dimensions_of(input.joint, context);
  const auto joint = context.joints.find(input.joint);
  const bool is_prescribed =
      joint != context.joints.end() &&
      context.description.joints[joint->second].options.drive == Drive::motion;
  // prescribed motions of quaternion joints are given by angles, one per degree of freedom
  read_profile(
      {entry, input.joint, is_prescribed ? dimensions.position : dimensions.effort, is_prescribed},
      reader, context, input);
  input.place = std::move(owner.place);
  context.description.inputs.push_back(std::move(input));
}

void read_controller(const Entry& entry, Context& context) {
  static constexpr std::array<Choice<bool>, 2> rates = {{{"error", false}, {"joint", true}}};
  Owner owner = owner_of("controller", entry, context.report);
  TableReader reader(owner, entry.value, keys::controller, context.scope, context.report);
  ControllerDescription controller;
  controller.name = item_name(entry);
  reader.require("joint", "name the joint it holds");
  controller.joint = reader.name("joint");
  if (!reader.has("p") && !reader.has("i") && !reader.has("d"))
    reader.error(entry.position, "there is no gain", "give p, i or d, or all of them");
  controller.p = reader.number("p", std::nullopt, 0.0);
  controller.i = reader.number("i", std::nullopt, 0.0);
  controller.d = reader.number("d", std::nullopt, 0.0);
  controller.filter = reader.number("filter", dimension::time, 0.0);
  if (reader.has("limit")) controller.limit = reader.number("limit", std::nullopt, 0.0);
  controller.is_rate_of_joint = reader.choice<bool>("rate", rates, false);

  // target: a number, or a profile
  controller.target.name = controller.name;
  controller.target.joint = controller.joint;
  const CoordinateName controlled = coordinate_named(controller.joint, context.description);
  std::vector<Expected> expected = dimensions_of(controlled.joint, context).coordinate;
  if (controlled.k >= 0 && std::size_t(controlled.k) < expected.size())
    expected = {expected[std::size_t(controlled.k)]};
  const Entry* target = reader.entry("target");
  if (!target) {
    reader.require("target", "as in target = 0.5, or target = { ramp = { to = 0.5, over = 2 } }");
  } else if (target->value.is_table()) {
    TableReader profile(owner, target->value, keys::controller_target, reader.scope(),
                        context.report, "target.", "target.");
    read_profile({*target, controller.joint, expected, true}, profile, context, controller.target);
  } else {
    controller.target.profile = "constant";
    controller.target.numbers.emplace_back("value", reader.numbers("target", expected));
  }
  controller.place = std::move(owner.place);
  controller.target.place = controller.place;
  context.description.controllers.push_back(std::move(controller));
}

void read_event(const Entry& entry, Context& context) {
  using Way = EventDescription::Way;
  static constexpr std::array<Choice<Way>, 3> ways = {
      {{"up", Way::up}, {"down", Way::down}, {"both", Way::both}}};
  Owner owner = owner_of("event", entry, context.report);
  TableReader reader(owner, entry.value, keys::event, context.scope, context.report);
  EventDescription event;
  event.name = item_name(entry);
  if (reader.has("at") == reader.has("when"))
    reader.error(entry.position,
                 reader.has("at") ? "it has a time, and waits for a joint too"
                                  : "it does not say when it happens",
                 "give at = 2.5, or when = { joint = \"elbow\", crosses = 0.5 }");
  if (reader.has("at")) event.time = reader.number("at", dimension::time, 0.0);
  if (const Entry* when = reader.entry("when"); when && reader.expect_table(when->value, "when")) {
    TableReader crossing(owner, when->value, keys::event_when, reader.scope(), context.report,
                         "when.", "when.");
    if (crossing.has("joint") == crossing.has("column"))
      crossing.error(
          when->position,
          crossing.has("joint") ? "it waits for a joint and for a column"
                                : "it does not say what crosses",
          "give joint = \"elbow\", or a column of a recording: column = \"frame.tip.z\"");
    event.joint = crossing.name(crossing.has("joint") ? "joint" : "column");
    crossing.require("crosses", "give the value that is crossed");
    const Expected expected = crossing.has("joint") ? coordinate_dimension(event.joint, context)
                                                    : column_dimension(event.joint, context);
    event.value = crossing.number("crosses", expected, 0.0);
    event.way = crossing.choice<Way>("way", ways, Way::both);
  }
  if (reader.has("every")) event.every = reader.truth("every");
  event.lock = read_names(reader, "lock");
  event.unlock = read_names(reader, "unlock");
  event.grasp = read_names(reader, "grasp");
  event.release = read_names(reader, "release");
  if (reader.has("stop")) event.stops = reader.truth("stop");
  // a repeated event is recorded at each crossing, even without an action
  if (!owner.place.has_mistakes && !event.every && !event.stops && event.lock.empty() &&
      event.unlock.empty() && event.grasp.empty() && event.release.empty())
    reader.error(
        entry.position, "nothing happens",
        "give one or more of lock, unlock, grasp, release, stop; or every = true, and it is "
        "told every time");
  event.place = std::move(owner.place);
  context.description.events.push_back(std::move(event));
}

void read_state(const Entry& entry, Context& context) {
  Owner owner{"state", context.report.place(entry.position)};
  if (!entry.value.is_table()) {
    context.report.error(entry.value.position,
                         fmt::format("state is {}, it must be a table", kind_of(entry.value)),
                         "write [state.position], and below it lines as in shoulder = 0.5");
    return;
  }
  TableReader state(owner, entry.value, keys::state, context.scope, context.report);
  Description& description = context.description;
  std::vector<StartDescription> positions, velocities, guesses, velocity_guesses;
  read_starts(state, "position", true, positions, context);
  read_starts(state, "velocity", false, velocities, context);
  read_starts(state, "guess", true, guesses, context);
  read_starts(state, "velocity_guess", false, velocity_guesses, context);
  // values of included files come first and are replaced
  remove_replaced({&description.start_positions, &description.position_guesses},
                  {&positions, &guesses});
  remove_replaced({&description.start_velocities, &description.velocity_guesses},
                  {&velocities, &velocity_guesses});
  append(positions, description.start_positions);
  append(velocities, description.start_velocities);
  append(guesses, description.position_guesses);
  append(velocity_guesses, description.velocity_guesses);
}

}  // namespace trammel::toml
