#include "trammel/write/report/overlaid_plots.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>

#include <fmt/format.h>

#include "trammel/write/plot/plot.hpp"
#include "trammel/write/report/recorded_plots.hpp"

namespace trammel {

namespace {

constexpr double not_there = std::numeric_limits<double>::quiet_NaN();

std::optional<std::size_t> find_column(const Recording& recording, const std::string& name) {
  const auto found = std::ranges::find(recording.columns, name, &Column::name);
  if (found == recording.columns.end()) return std::nullopt;
  return std::size_t(found - recording.columns.begin());
}

std::vector<double> column_values(const Recording& recording, std::size_t column) {
  std::vector<double> values(recording.samples());
  for (std::size_t s = 0; s < values.size(); ++s) values[s] = recording.at(s, column);
  return values;
}

std::string unit_of(std::span<const NamedRecording> runs, const std::string& column) {
  for (const NamedRecording& run : runs)
    if (const auto found = find_column(*run.recording, column))
      return run.recording->columns[*found].unit;
  throw std::invalid_argument(fmt::format("plot: no run has a column '{}'", column));
}

std::string in_brackets(const std::string& unit) {
  return unit.empty() || unit == "1" ? "" : "[" + unit + "]";
}

// One line of a panel; spans of a PlotLine refer to it.
struct DrawnColumn {
  std::string name;
  std::vector<double> x, values;
  bool is_first_run = true;
};

std::vector<double> x_values(const NamedRecording& run, const std::string& x) {
  const auto found = find_column(*run.recording, x);
  if (!found)
    throw std::invalid_argument(fmt::format("plot: {}has no column '{}'",
                                            run.name.empty() ? "the run " : run.name + " ", x));
  return column_values(*run.recording, *found);
}

double largest_size(std::span<const NamedRecording> runs, const std::string& column) {
  double size = 0;
  for (const NamedRecording& run : runs)
    if (const auto found = find_column(*run.recording, column))
      size = std::max(size, natural_size(*run.recording, *found));
  return size;
}

// Value of a column at a time, interpolated linearly between samples.
double value_at(const std::vector<double>& times, const std::vector<double>& values, double time) {
  const auto after = std::ranges::lower_bound(times, time);
  if (after == times.end()) return not_there;
  const std::size_t k = std::size_t(after - times.begin());
  if (times[k] == time) return values[k];
  if (k == 0) return not_there;
  const double part = (time - times[k - 1]) / (times[k] - times[k - 1]);
  return values[k - 1] + part * (values[k] - values[k - 1]);
}

// Times of all these recordings, each once.
std::vector<double> all_times(std::span<const NamedRecording> runs) {
  std::vector<double> times;
  for (const NamedRecording& run : runs) {
    const std::vector<double> own = column_values(*run.recording, 0);
    times.insert(times.end(), own.begin(), own.end());
  }
  std::ranges::sort(times);
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return times;
}

}  // namespace

std::vector<std::string> overlaid_plots(std::span<const NamedRecording> runs,
                                        std::span<const std::string> columns,
                                        const OverlayOptions& options) {
  std::vector<std::pair<std::string, std::vector<std::string>>> panels;  // unit, columns
  for (const std::string& column : columns) {
    const std::string unit = unit_of(runs, column);
    auto found = std::ranges::find(panels, unit, &decltype(panels)::value_type::first);
    if (found == panels.end()) found = panels.insert(found, {unit, {}});
    if (std::ranges::find(found->second, column) == found->second.end())
      found->second.push_back(column);
  }
  const std::string x = options.x.empty() ? "time" : options.x;
  const bool is_over_time = options.x.empty();
  std::vector<std::string> pictures;
  for (const auto& [unit, members] : panels) {
    std::vector<DrawnColumn> curves;
    for (const std::string& column : members)
      for (const NamedRecording& run : runs)
        if (const auto found = find_column(*run.recording, column))
          curves.push_back({run.name.empty() ? column : run.name + ": " + column,
                            is_over_time ? column_values(*run.recording, 0) : x_values(run, x),
                            column_values(*run.recording, *found), &run == runs.data()});
    std::vector<PlotLine> lines;
    for (const DrawnColumn& curve : curves) {
      const bool is_alone = runs.size() == 1;
      lines.push_back({.name = curve.name,
                       .values = curve.values,
                       .x = curve.x,
                       .width = is_alone             ? 1.7
                                : curve.is_first_run ? 3.0
                                                     : 1.6,
                       .is_dashed = !curve.is_first_run});
    }
    const std::string x_unit = is_over_time ? "[s]" : in_brackets(unit_of(runs, x));
    pictures.push_back(plot({}, lines,
                            {.title = pictures.empty() ? options.title : "",
                             .x_label = x + (x_unit.empty() ? "" : " ") + x_unit,
                             .y_label = in_brackets(unit),
                             .size = largest_size(runs, members[0]),
                             .is_curve = !is_over_time}));
  }
  return pictures;
}

Recording joined_recording(std::span<const NamedRecording> runs,
                           std::span<const std::string> columns) {
  const std::vector<double> times = all_times(runs);
  Recording out;
  out.columns.push_back({"time", "s", "time"});
  std::vector<std::vector<double>> joined;
  for (const std::string& name : columns)
    for (const NamedRecording& run : runs) {
      const auto found = find_column(*run.recording, name);
      if (!found) continue;
      Column column = run.recording->columns[*found];
      column.name = run.name + ": " + column.name;
      if (column.group.empty()) column.group = name.substr(0, name.find('.'));
      out.columns.push_back(std::move(column));
      const std::vector<double> own = column_values(*run.recording, 0),
                                values = column_values(*run.recording, *found);
      std::vector<double>& at = joined.emplace_back();
      for (const double time : times) at.push_back(value_at(own, values, time));
    }
  for (std::size_t s = 0; s < times.size(); ++s) {
    out.values.push_back(times[s]);
    for (const std::vector<double>& values : joined) out.values.push_back(values[s]);
  }
  return out;
}

std::vector<ColumnDifference> largest_differences(const Recording& a, const Recording& b,
                                                  std::span<const std::string> columns) {
  const NamedRecording both[] = {{"", &a}, {"", &b}};
  const std::vector<double> times = all_times(both), times_a = column_values(a, 0),
                            times_b = column_values(b, 0);
  std::vector<ColumnDifference> out;
  for (const std::string& name : columns) {
    const auto in_a = find_column(a, name), in_b = find_column(b, name);
    if (!in_a || !in_b) continue;
    const std::vector<double> values_a = column_values(a, *in_a),
                              values_b = column_values(b, *in_b);
    ColumnDifference found{name, a.columns[*in_a].unit, not_there, not_there};
    for (const double time : times) {
      const double difference =
          std::abs(value_at(times_a, values_a, time) - value_at(times_b, values_b, time));
      if (difference <= found.largest || std::isnan(difference)) continue;
      found.largest = difference, found.time = time;
    }
    out.push_back(std::move(found));
  }
  return out;
}

}  // namespace trammel
