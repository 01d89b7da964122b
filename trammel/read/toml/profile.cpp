#include "trammel/read/toml/profile.hpp"

#include <algorithm>
#include <array>

#include "trammel/read/gallery.hpp"

namespace trammel::toml {

namespace {

class ProfileReader {
 public:
  ProfileReader(const ProfileOwner& whose, TableReader& reader, Context& context,
                InputDescription& out)
      : whose_(whose), reader_(reader), context_(context), out_(out) {}

  void read() {
    static constexpr std::array<std::string_view, 10> profiles = {
        "constant", "speed", "ramp", "step", "sine", "random", "pulse", "cubic", "spline", "table"};
    std::vector<std::string_view> description;
    for (const std::string_view profile : profiles)
      if (reader_.has(profile)) description.push_back(profile);
    if (description.size() != 1)
      return reader_.error(whose_.entry.position,
                           description.empty()
                               ? "it has no effort over time"
                               : fmt::format("it has {} at once", fmt::join(description, " and ")),
                           fmt::format("give one of {}", fmt::join(profiles, ", ")));
    out_.profile = description[0];
    const Entry& found = *reader_.entry(description[0]);
    if (description[0] == "constant")
      return keep("value", reader_.numbers("constant", whose_.expected));
    if (description[0] == "speed") return read_speed(found);
    if (!reader_.expect_table(found.value, description[0])) return;
    if (description[0] == "ramp" || description[0] == "cubic") {
      TableReader ramp = inner(found, keys::input_ramp);
      read_values(ramp, "from", false);
      read_values(ramp, "to", true);
      read_scalar(ramp, "over", dimension::time, true);
      read_scalar(ramp, "start", dimension::time, false);
    } else if (description[0] == "step") {
      TableReader step = inner(found, keys::input_step);
      read_values(step, "from", false);
      read_values(step, "to", true);
      read_scalar(step, "at", dimension::time, false);
    } else if (description[0] == "pulse") {
      TableReader pulse = inner(found, keys::input_pulse);
      read_values(pulse, "from", false);
      read_values(pulse, "to", true);
      read_scalar(pulse, "at", dimension::time, false);
      read_scalar(pulse, "over", dimension::time, true);
    } else if (description[0] == "sine") {
      TableReader sine = inner(found, keys::input_sine);
      read_values(sine, "amplitude", true);
      read_scalar(sine, "frequency", dimension::frequency, true);
      read_scalar(sine, "phase", dimension::angle, false);
      read_values(sine, "offset", false);
    } else if (description[0] == "random") {
      TableReader random = inner(found, keys::input_random);
      read_values(random, "rms", true);
      read_scalar(random, "low", dimension::frequency, false);
      read_scalar(random, "high", dimension::frequency, true);
      read_scalar(random, "seed", dimension::none, false);
      read_values(random, "offset", false);
    } else {
      TableReader points = inner(found, keys::input_points);
      points.has("file") ? read_file(points) : read_points(points);
    }
  }

 private:
  TableReader inner(const Entry& found, std::span<const Key> keys) {
    return TableReader(reader_.owner(), found.value, keys, reader_.scope(), context_.report,
                       found.key + ".", found.key + ".");
  }

  // speed = "60 rpm", or { rate, from }
  void read_speed(const Entry& found) {
    if (!whose_.is_position && !whose_.expected.empty())
      return reader_.error(found.position, "speed is a motion, and this is an effort",
                           "prescribed motion needs a joint with drive = \"motion\"; a motor that "
                           "holds a speed is a "
                           "controller with target = { speed = ... }");
    std::vector<Expected> rates = whose_.expected;
    for (Expected& rate : rates)
      if (rate) --rate->time;
    if (!found.value.is_table()) return keep("rate", reader_.numbers("speed", rates));
    TableReader speed = inner(found, keys::input_speed);
    if (require(speed, "rate")) keep("rate", speed.numbers("rate", rates));
    read_values(speed, "from", false);
  }

  void keep(std::string_view name, std::vector<Expr> values) {
    out_.numbers.emplace_back(std::string(name), std::move(values));
  }
  void read_scalar(TableReader& table, std::string_view key, const Expected& expected,
                   bool is_needed) {
    if (is_needed ? require(table, key) : table.has(key))
      keep(key, {table.number(key, expected, 0.0)});
  }
  // one value per degree of freedom
  void read_values(TableReader& table, std::string_view key, bool is_needed) {
    if (is_needed ? require(table, key) : table.has(key))
      keep(key, table.numbers(key, whose_.expected));
  }
  bool require(TableReader& table, std::string_view key) {
    return table.require(key, "these are the numbers of the effort over time");
  }

  void read_file(TableReader& points) {
    const Entry& file = *points.entry("file");
    if (points.has("times") || points.has("values"))
      return points.error(file.position, out_.profile + " has a file, and points of its own",
                          "leave out the one or the other");
    const std::string path = path_from(context_.report.source().name, points.text("file"));
    Diagnostics found;
    std::optional<PointsInFile> read = read_points_file(path, whose_.expected, found);
    for (const Diagnostic& description : found.list()) context_.report.append(description);
    if (!read)
      return points.error(file.value.position,
                          fmt::format("{}.file '{}' cannot be used", out_.profile, path),
                          "see the messages about that file");
    keep("times", std::move(read->times));
    keep("values", std::move(read->values));
  }

  // increasing times; for each a value, or a list with one per degree of freedom
  void read_points(TableReader& points) {
    if (!require(points, "times") || !require(points, "values")) return;
    const Value& times = points.entry("times")->value;
    const Value& values = points.entry("values")->value;
    if (!points.expect_list(times, "times", "numbers") ||
        !points.expect_list(values, "values", "numbers"))
      return;
    const std::vector<Expected>& expected = whose_.expected;
    std::vector<Expr> instants, efforts;
    for (const Value& time : times.list)
      instants.push_back(points.number_of(time, "times", dimension::time));
    for (const Value& row : values.list) {
      const std::size_t count = row.is_list() ? row.list.size() : 1;
      if (!expected.empty() && count != expected.size())
        points.error(
            row.position,
            fmt::format("{}.values has {} for one time, but joint '{}' has {} degree of freedom{}",
                        out_.profile, count, whose_.joint, expected.size(),
                        expected.size() == 1 ? "" : "s"),
            "give one value for each degree of freedom: [[1, 0], [2, 0]]");
      for (std::size_t k = 0; k < count; ++k)
        efforts.push_back(points.number_of(row.is_list() ? row.list[k] : row, "values",
                                           count == expected.size() ? expected[k] : Expected{}));
    }
    if (times.list.size() != values.list.size())
      points.error(
          values.position,
          fmt::format("{}.values has {} entr{} for {} times", out_.profile, values.list.size(),
                      values.list.size() == 1 ? "y" : "ies", times.list.size()),
          "give a value for each time");
    keep("times", std::move(instants));
    keep("values", std::move(efforts));
  }

  const ProfileOwner& whose_;
  TableReader& reader_;
  Context& context_;
  InputDescription& out_;
};

}  // namespace

void read_profile(const ProfileOwner& whose, TableReader& table, Context& context,
                  InputDescription& out) {
  ProfileReader(whose, table, context, out).read();
}

}  // namespace trammel::toml
