#include "trammel/write/report/recorded_plots.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "trammel/write/report/json_text.hpp"
#include "trammel/write/report/overlaid_plots.hpp"
#include "trammel/write/report/page_data.hpp"
#include "trammel/write/report/plain_page.hpp"
#include "trammel/write/report/viewer_page.hpp"

namespace trammel {

std::vector<std::size_t> columns_like(const Recording& recording, std::string_view pattern) {
  std::vector<std::size_t> columns;
  for (std::size_t c = 1; c < recording.columns.size(); ++c)
    if (is_like(pattern, recording.columns[c].name)) columns.push_back(c);
  return columns;
}

namespace {

std::vector<double> values_of(const Recording& recording, std::size_t column) {
  std::vector<double> values(recording.samples());
  for (std::size_t s = 0; s < values.size(); ++s) values[s] = recording.at(s, column);
  return values;
}

// Columns that share an axis: those of each unit, in the order of the first column of each unit.
std::vector<std::vector<std::size_t>> by_unit(const Recording& recording,
                                              std::span<const std::size_t> columns) {
  std::vector<std::vector<std::size_t>> out;
  for (const std::size_t c : columns) {
    const auto found = std::ranges::find_if(out, [&](const std::vector<std::size_t>& members) {
      return recording.columns[members[0]].unit == recording.columns[c].unit;
    });
    std::vector<std::size_t>& members = found == out.end() ? out.emplace_back() : *found;
    if (std::ranges::find(members, c) == members.end()) members.push_back(c);
  }
  return out;
}

// Heading of the columns of one unit: "positions"; several groups are listed.
std::string heading(const Recording& recording, std::span<const std::size_t> members) {
  std::vector<std::string> groups;
  for (const std::size_t c : members) {
    const Column& column = recording.columns[c];
    const std::string group =
        column.group.empty() ? column.name.substr(0, column.name.find('.')) : column.group;
    if (std::ranges::find(groups, group) == groups.end()) groups.push_back(group);
  }
  return fmt::format("{}", fmt::join(groups, ", "));
}

}  // namespace

std::vector<std::string> recorded_plots(const Recording& recording,
                                        std::span<const std::size_t> columns,
                                        const std::string& title) {
  const NamedRecording run{"", &recording};
  std::vector<std::string> names;
  for (const std::size_t c : columns) names.push_back(recording.columns[c].name);
  return overlaid_plots({&run, 1}, names, {.title = title});
}

double natural_size(const Recording& recording, std::size_t column) {
  const auto is_violation = [&](std::size_t c) {
    return recording.columns[c].name.starts_with("violation.");
  };
  if (is_violation(column)) return 0;
  double largest = 0;
  for (std::size_t c = 1; c < recording.columns.size(); ++c) {
    if (recording.columns[c].unit != recording.columns[column].unit || is_violation(c)) continue;
    for (std::size_t s = 0; s < recording.samples(); ++s)
      if (const double x = std::abs(recording.at(s, c)); std::isfinite(x))
        largest = std::max(largest, x);
  }
  return largest;
}

std::string plots_page(const Recording& recording, std::span<const std::size_t> columns,
                       const std::string& title) {
  const std::string heading_of_page = title.empty() ? "plots" : title;
  const std::string pictures = fmt::format("{}", fmt::join(recorded_plots(recording, columns), ""));
  const ViewerPage viewer = plots_viewer();
  if (viewer.script.empty())
    return page_head() + plain_beginning(heading_of_page) +
           lacks_note("plots that zoom and tell their values are", "plots") + pictures +
           "</body>\n</html>\n";
  std::vector<std::string> series;
  for (const std::vector<std::size_t>& members : by_unit(recording, columns))
    for (const std::size_t c : members)
      series.push_back(series_json({recording.columns[c].name, recording.columns[c].unit,
                                    heading(recording, members), values_of(recording, c)},
                                   natural_size(recording, c)));
  return scripted_page(
      viewer, {.title = heading_of_page,
               .id = "trammel-plots",
               .data = fmt::format(R"({{"title":{},"times":{},"series":[{}]}})",
                                   json::text(heading_of_page),
                                   json::doubles(values_of(recording, 0)), fmt::join(series, ",")),
               .without_script = pictures});
}

}  // namespace trammel
