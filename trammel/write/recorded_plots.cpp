#include "trammel/write/recorded_plots.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "trammel/write/plot.hpp"
#include "trammel/write/svg_text.hpp"

namespace trammel {

std::vector<std::size_t> columns_like(const Recording& recording, std::string_view pattern) {
  std::vector<std::size_t> columns;
  for (std::size_t c = 1; c < recording.columns.size(); ++c)
    if (is_like(pattern, recording.columns[c].name)) columns.push_back(c);
  return columns;
}

std::vector<std::string> recorded_plots(const Recording& recording,
                                        std::span<const std::size_t> columns,
                                        const std::string& title) {
  std::vector<std::pair<std::string, std::vector<std::size_t>>> by_unit;
  for (const std::size_t c : columns) {
    const std::string& unit = recording.columns[c].unit;
    auto found = std::ranges::find(by_unit, unit, &decltype(by_unit)::value_type::first);
    if (found == by_unit.end()) found = by_unit.insert(by_unit.end(), {unit, {}});
    found->second.push_back(c);
  }
  const auto values_of = [&](std::size_t c) {
    std::vector<double> values(recording.samples());
    for (std::size_t s = 0; s < values.size(); ++s) values[s] = recording.at(s, c);
    return values;
  };
  const std::vector<double> time = values_of(0);
  std::vector<std::string> pictures;
  for (const auto& [unit, members] : by_unit) {
    std::vector<std::vector<double>> values;
    std::vector<PlotLine> lines;
    for (const std::size_t c : members) values.push_back(values_of(c));
    for (std::size_t k = 0; k < members.size(); ++k)
      lines.push_back({recording.columns[members[k]].name, values[k]});
    pictures.push_back(plot(time, lines,
                            {.title = title,
                             .y_label = unit == "1" ? "" : "[" + unit + "]",
                             .size = natural_size(recording, members[0])}));
  }
  return pictures;
}

double natural_size(const Recording& recording, std::size_t column) {
  const auto is_gap = [&](std::size_t c) { return recording.columns[c].name.starts_with("gap."); };
  if (is_gap(column)) return 0;
  double largest = 0;
  for (std::size_t c = 1; c < recording.columns.size(); ++c) {
    if (recording.columns[c].unit != recording.columns[column].unit || is_gap(c)) continue;
    for (std::size_t s = 0; s < recording.samples(); ++s)
      if (const double x = std::abs(recording.at(s, c)); std::isfinite(x))
        largest = std::max(largest, x);
  }
  return largest;
}

std::string page_of_plots(std::span<const std::string> pictures, const std::string& title) {
  return fmt::format("<!doctype html>\n<meta charset=\"utf-8\">\n<title>{}</title>\n{}",
                     title.empty() ? "plots" : svg_text(title), fmt::join(pictures, ""));
}

}  // namespace trammel
