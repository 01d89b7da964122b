#include "trammel/read/toml/path.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "trammel/model/description/description_parameters.hpp"
#include "trammel/read/gallery.hpp"
#include "trammel/read/toml/load_path.hpp"

namespace trammel::toml {

double nominal_value(const Description& description, const Expr& formula) {
  if (formula.is_constant()) return formula.constant();
  std::vector<double> symbols;
  for (const std::string& symbol : description.graph.symbols()) {
    symbols.push_back(0);
    for (const ParameterDescription& parameter : description.parameters)
      if (parameter.name == symbol) symbols.back() = parameter.value;
  }
  const Expr wanted[] = {formula};
  return Values<double>(description.graph, std::span<const double>(symbols),
                        std::span<const Expr>(wanted))(formula);
}

namespace {

constexpr std::array<std::string_view, 4> ways = {"circle", "straight", "two_straights", "spline"};

Value list_of(const std::vector<double>& numbers) {
  Value list{.kind = Value::Kind::list, .list = {}, .entries = {}};
  for (const double number : numbers)
    list.list.push_back({.kind = Value::Kind::number, .number = number, .list = {}, .entries = {}});
  return list;
}

class PathReader {
 public:
  PathReader(Owner& owner, const Value& table, const Scope& scope, const Description& description,
             Report& report)
      : owner_(owner),
        description_(description),
        report_(report),
        reader_(owner, table, keys::path, scope, report),
        out_{{}, table} {}

  GivenPath read() {
    if (reader_.has("place")) out_.path.place = reader_.name("place");
    out_.path.forward = number(reader_, "forward", dimension::angle, 0);
    read_way();
    if (const Entry* yaw = reader_.entry("yaw")) read_yaw(*yaw);
    return std::move(out_);
  }

 private:
  void read_way() {
    std::vector<std::string_view> given;
    for (const std::string_view way : ways)
      if (reader_.has(way)) given.push_back(way);
    if (given.size() != 1)
      return reader_.error(reader_.table().position,
                           given.empty()
                               ? "it leads nowhere"
                               : fmt::format("it is {} at once", fmt::join(given, " and ")),
                           fmt::format("give one of {}", fmt::join(ways, ", ")));
    const Entry& found = *reader_.entry(given[0]);
    if (!reader_.expect_table(found.value, given[0])) return;
    if (given[0] == "circle") {
      TableReader of = inner(found, keys::path_circle);
      out_.path.way =
          CircleWay{above_zero(of, "radius", dimension::length),
                    needed(of, "angle", dimension::angle), above_zero(of, "over", dimension::time)};
    } else if (given[0] == "straight") {
      TableReader of = inner(found, keys::path_straight);
      out_.path.way =
          StraightWay{number(of, "x", dimension::length, 0), number(of, "y", dimension::length, 0),
                      above_zero(of, "over", dimension::time)};
    } else if (given[0] == "two_straights") {
      TableReader of = inner(found, keys::path_two_straights);
      out_.path.way = CurveWay{
          needed(of, "x_start", dimension::length),    needed(of, "x_end", dimension::length),
          needed(of, "y_start", dimension::length),    above_zero(of, "speed", dimension::velocity),
          above_zero(of, "start_up", dimension::time), above_zero(of, "curve", dimension::time),
          above_zero(of, "slow_down", dimension::time)};
    } else {
      read_points(found);
    }
  }

  void read_points(const Entry& found) {
    TableReader of = inner(found, keys::path_spline);
    if (of.has("file")) return read_file(found, of);
    PointsWay points;
    points.times = list(of, "times", dimension::time, true);
    points.x = list(of, "x", dimension::length, true);
    points.y = list(of, "y", dimension::length, true);
    points.yaw = list(of, "yaw", dimension::angle, false);
    const std::size_t n = points.times.size();
    if (!of.has("times") || !of.has("x") || !of.has("y")) return;
    if (points.x.size() != n || points.y.size() != n || (of.has("yaw") && points.yaw.size() != n))
      return of.error(found.value.position,
                      fmt::format("spline has {} times, {} x, {} y and {} yaw", n, points.x.size(),
                                  points.y.size(), points.yaw.size()),
                      "give as many of each, or no yaw: then it faces along");
    check_times(found, of, points.times);
    out_.path.way = std::move(points);
  }
  static void check_times(const Entry& found, TableReader& of, const std::vector<double>& times) {
    if (times.size() < 2)
      return of.error(found.value.position,
                      fmt::format("spline has {} point{}", times.size(), times.empty() ? "s" : ""),
                      "give two or more");
    for (std::size_t k = 0; k < times.size(); ++k) {
      const Value& place = of.table().find("times")->value.list[k];
      if (k == 0 && times[0] != 0)
        of.error(place.position, fmt::format("spline.times begins at {} s", times[0]),
                 "let the path begin at 0");
      if (k > 0 && !(times[k] > times[k - 1]))
        of.error(place.position,
                 fmt::format("spline.times has {} s after {} s", times[k], times[k - 1]),
                 "sort the points by time, each time once");
    }
  }
  void read_file(const Entry& found, TableReader& of) {
    const Entry& file = *of.entry("file");
    for (const char* key : {"times", "x", "y", "yaw"})
      if (of.has(key))
        return of.error(file.position, "spline has a file, and points of its own",
                        "leave out the one or the other");
    const std::string path = path_from(report_.source().name, of.text("file"));
    Diagnostics given;
    std::optional<PointsWay> points = read_path_points(path, given);
    for (const Diagnostic& each : given.list()) report_.append(each);
    if (!points)
      return of.error(file.value.position, fmt::format("spline.file '{}' cannot be used", path),
                      "see the messages about that file");
    // stored with its points, so that the file is not needed again
    for (Entry& entry : out_.table.entries)
      if (entry.key == found.key) {
        entry.value.entries = {{"times", {}, list_of(points->times)},
                               {"x", {}, list_of(points->x)},
                               {"y", {}, list_of(points->y)}};
        if (!points->yaw.empty()) entry.value.entries.push_back({"yaw", {}, list_of(points->yaw)});
      }
    out_.path.way = std::move(*points);
  }

  void read_yaw(const Entry& yaw) {
    if (!yaw.value.is_table()) {
      const double always = number(reader_, "yaw", dimension::angle, 0);
      out_.path.yaw = YawTurn{always, always, 0, 0};
      return;
    }
    TableReader of = inner(yaw, keys::path_yaw);
    out_.path.yaw =
        YawTurn{number(of, "from", dimension::angle, 0), needed(of, "to", dimension::angle),
                number(of, "start", dimension::time, 0), above_zero(of, "over", dimension::time)};
  }

  TableReader inner(const Entry& found, std::span<const Key> keys) {
    return TableReader(owner_, found.value, keys, reader_.scope(), report_, found.key + ".",
                       found.key + ".");
  }
  double number(TableReader& of, std::string_view key, const Dimension& expected,
                double otherwise) {
    return nominal_value(description_, of.number(key, expected, otherwise));
  }
  double needed(TableReader& of, std::string_view key, const Dimension& expected) {
    if (!of.require(key, "it is one of the numbers of the way")) return 0;
    return number(of, key, expected, 0);
  }
  double above_zero(TableReader& of, std::string_view key, const Dimension& expected) {
    if (!of.require(key, "it is one of the numbers of the way")) return 1;
    const double given = number(of, key, expected, 1);
    if (given > 0) return given;
    of.error(of.table().find(key)->value.position, fmt::format("its {} is {}", key, given),
             "give a number above zero");
    return 1;
  }
  std::vector<double> list(TableReader& of, std::string_view key, const Dimension& expected,
                           bool is_needed) {
    std::vector<double> numbers;
    if (is_needed ? !of.require(key, "one number for each point") : !of.has(key)) return numbers;
    const Value& found = of.entry(key)->value;
    if (!of.expect_list(found, key, "numbers")) return numbers;
    for (const Value& each : found.list)
      numbers.push_back(nominal_value(description_, of.number_of(each, key, expected)));
    return numbers;
  }

  Owner& owner_;
  const Description& description_;
  Report& report_;
  TableReader reader_;
  GivenPath out_;
};

}  // namespace

GivenPath read_path_table(Owner& owner, const Value& table, const Scope& scope,
                          const Description& description, Report& report) {
  return PathReader(owner, table, scope, description, report).read();
}

void keep_path(const Entry& entry, Context& context) {
  Owner owner = owner_of("path", entry, context.report);
  const Description& known = context.description;
  const GivenPath given = read_path_table(owner, entry.value, context.scope, known, context.report);
  const std::string& place = given.path.place;
  std::vector<std::string> places{"ground"};
  for (const BodyDescription& body : known.bodies) places.push_back(body.name);
  for (const FrameDescription& frame : known.frames) places.push_back(frame.name);
  if (!place.empty() && std::ranges::find(places, place) == places.end()) {
    const auto meant = suggest(place, places);
    context.report.error(
        entry.value.find("place")->value.position,
        fmt::format("{} has place '{}', but no body or frame has that name", owner.text,
                    shortened(place)),
        meant ? fmt::format("did you mean '{}'?", *meant) : "name what follows the path");
  }
  context.description.raw_sections.push_back(
      {fmt::format("path.{}", item_name(entry)), to_text(given.table), std::move(owner.place)});
}

}  // namespace trammel::toml
