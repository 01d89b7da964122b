// Where the motion starts, and what drives it: both speak of joints, so they come last.
#include <algorithm>
#include <array>

#include "trammel/read/toml/items.hpp"
#include "trammel/read/toml/joint_freedoms.hpp"

namespace trammel {

namespace {

// Nothing is known of the freedoms of a joint that is not there.
FreedomDimensions dimensions_of(const std::string& joint, const TomlContext& context) {
  const auto found = context.joints.find(joint);
  if (found == context.joints.end()) return {};
  const JointDescription& known = context.description.joints[found->second];
  return known.place.has_mistakes ? FreedomDimensions{} : freedom_dimensions(known);
}

void read_starts(TableReader& state, std::string_view key, bool is_position,
                 std::vector<StartDescription>& starts, TomlContext& context) {
  const TomlEntry* found = state.entry(key);
  if (!found || !state.expect_table(found->value, key)) return;
  for (const TomlEntry& entry : found->value.entries) {
    TomlOwner owner{fmt::format("the start {} of joint '{}'", key, shortened(entry.key)),
                    context.report.place(entry.value.position)};
    const FreedomDimensions dimensions = dimensions_of(entry.key, context);
    const std::vector<Expected>& expected =
        is_position ? dimensions.coordinate : dimensions.velocity;
    const bool is_list = entry.value.is_list();
    const std::size_t count = is_list ? entry.value.list.size() : 1;

    StartDescription start{item_name(entry), {}, {}};
    for (std::size_t k = 0; k < count; ++k) {
      const Expected one = count == expected.size() ? expected[k] : Expected{};
      const NumberName name{owner.text, ""};
      const SaidNumber number = read_number(is_list ? entry.value.list[k] : entry.value, name,
                                            context.scope, context.report);
      owner.place.has_mistakes |=
          !number.is_sound || !check_unit(number, name, one, context.report);
      start.values.push_back(number.value);
    }
    start.place = std::move(owner.place);
    starts.push_back(std::move(start));
  }
}

class InputReader {
 public:
  InputReader(const TomlEntry& entry, TomlContext& context)
      : entry_(entry),
        context_(context),
        owner_(owner_of("input", entry, context.report)),
        reader_(owner_, entry.value, toml_keys::input, context.scope, context.report) {}

  void read() {
    input_.name = item_name(entry_);
    reader_.require("joint", "name the joint it drives");
    input_.joint = reader_.name("joint");
    const FreedomDimensions dimensions = dimensions_of(input_.joint, context_);
    effort_ = is_planned() ? dimensions.coordinate : dimensions.effort;
    read_profile();
    input_.place = std::move(owner_.place);
    context_.description.inputs.push_back(std::move(input_));
  }

 private:
  // a joint that is driven by motion is told where to be, not how hard to push
  bool is_planned() const {
    const auto found = context_.joints.find(input_.joint);
    return found != context_.joints.end() &&
           context_.description.joints[found->second].options.drive == Drive::motion;
  }
  void read_profile() {
    static constexpr std::array<std::string_view, 8> profiles = {
        "constant", "ramp", "step", "sine", "pulse", "cubic", "spline", "table"};
    std::vector<std::string_view> said;
    for (const std::string_view profile : profiles)
      if (reader_.has(profile)) said.push_back(profile);
    if (said.size() != 1)
      return reader_.error(entry_.position,
                           said.empty()
                               ? "it has no effort over time"
                               : fmt::format("it has {} at once", fmt::join(said, " and ")),
                           fmt::format("give one of {}", fmt::join(profiles, ", ")));
    input_.profile = said[0];
    const TomlEntry& found = *reader_.entry(said[0]);
    if (said[0] == "constant") return keep("value", reader_.numbers("constant", effort_));
    if (!reader_.expect_table(found.value, said[0])) return;
    if (said[0] == "ramp" || said[0] == "cubic") {
      TableReader ramp = inner(found, toml_keys::input_ramp);
      read_effort(ramp, "from", false);
      read_effort(ramp, "to", true);
      read_scalar(ramp, "over", dimension::time, true);
      read_scalar(ramp, "start", dimension::time, false);
    } else if (said[0] == "step") {
      TableReader step = inner(found, toml_keys::input_step);
      read_effort(step, "from", false);
      read_effort(step, "to", true);
      read_scalar(step, "at", dimension::time, false);
    } else if (said[0] == "pulse") {
      TableReader pulse = inner(found, toml_keys::input_pulse);
      read_effort(pulse, "from", false);
      read_effort(pulse, "to", true);
      read_scalar(pulse, "at", dimension::time, false);
      read_scalar(pulse, "over", dimension::time, true);
    } else if (said[0] == "sine") {
      TableReader sine = inner(found, toml_keys::input_sine);
      read_effort(sine, "amplitude", true);
      read_scalar(sine, "frequency", dimension::frequency, true);
      read_scalar(sine, "phase", dimension::angle, false);
      read_effort(sine, "offset", false);
    } else {
      TableReader points = inner(found, toml_keys::input_points);
      read_points(points);
    }
  }
  TableReader inner(const TomlEntry& found, std::span<const TomlKey> keys) {
    return TableReader(owner_, found.value, keys, reader_.scope(), context_.report, found.key + ".",
                       found.key + ".");
  }

  void keep(std::string_view name, std::vector<Expr> values) {
    input_.numbers.emplace_back(std::string(name), std::move(values));
  }
  void read_scalar(TableReader& table, std::string_view key, const Expected& expected,
                   bool is_needed) {
    if (is_needed ? require(table, key) : table.has(key))
      keep(key, {table.number(key, expected, 0.0)});
  }
  // one for each freedom of the joint
  void read_effort(TableReader& table, std::string_view key, bool is_needed) {
    if (is_needed ? require(table, key) : table.has(key)) keep(key, table.numbers(key, effort_));
  }
  bool require(TableReader& table, std::string_view key) {
    return table.require(key, "these are the numbers of the effort over time");
  }

  // times in order; to each a value, or a list with one for each freedom
  void read_points(TableReader& points) {
    if (!require(points, "times") || !require(points, "values")) return;
    const TomlValue& times = points.entry("times")->value;
    const TomlValue& values = points.entry("values")->value;
    if (!points.expect_list(times, "times", "numbers") ||
        !points.expect_list(values, "values", "numbers"))
      return;
    std::vector<Expr> instants, efforts;
    for (const TomlValue& time : times.list)
      instants.push_back(points.number_of(time, "times", dimension::time));
    for (const TomlValue& row : values.list) {
      const std::size_t count = row.is_list() ? row.list.size() : 1;
      if (!effort_.empty() && count != effort_.size())
        points.error(row.position,
                     fmt::format("{}.values has {} for one time, but joint '{}' has {} freedom{}",
                                 input_.profile, count, input_.joint, effort_.size(),
                                 effort_.size() == 1 ? "" : "s"),
                     "give one value for each freedom: [[1, 0], [2, 0]]");
      for (std::size_t k = 0; k < count; ++k)
        efforts.push_back(points.number_of(row.is_list() ? row.list[k] : row, "values",
                                           count == effort_.size() ? effort_[k] : Expected{}));
    }
    if (times.list.size() != values.list.size())
      points.error(
          values.position,
          fmt::format("{}.values has {} entr{} for {} times", input_.profile, values.list.size(),
                      values.list.size() == 1 ? "y" : "ies", times.list.size()),
          "give a value for each time");
    keep("times", std::move(instants));
    keep("values", std::move(efforts));
  }

  const TomlEntry& entry_;
  TomlContext& context_;
  TomlOwner owner_;
  TableReader reader_;
  InputDescription input_;
  std::vector<Expected> effort_;
};

}  // namespace

void read_input(const TomlEntry& entry, TomlContext& context) {
  InputReader(entry, context).read();
}

void read_state(const TomlEntry& entry, TomlContext& context) {
  TomlOwner owner{"state", context.report.place(entry.position)};
  if (!entry.value.is_table()) {
    context.report.error(entry.value.position,
                         fmt::format("state is {}, it must be a table", kind_of(entry.value)),
                         "write [state.position], and below it lines as in shoulder = 0.5");
    return;
  }
  TableReader state(owner, entry.value, toml_keys::state, context.scope, context.report);
  Description& description = context.description;
  read_starts(state, "position", true, description.start_positions, context);
  read_starts(state, "velocity", false, description.start_velocities, context);
}

}  // namespace trammel
