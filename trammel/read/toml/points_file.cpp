#include <charconv>
#include <cmath>

#include "trammel/read/source.hpp"
#include "trammel/read/toml/profile.hpp"

namespace trammel {

namespace {

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

std::optional<double> number_in(std::string_view cell) {
  double number = 0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), number);
  if (error != std::errc() || end != cell.data() + cell.size() || !std::isfinite(number))
    return std::nullopt;
  return number;
}

std::vector<std::string_view> cells_of(std::string_view line) {
  std::vector<std::string_view> cells;
  for (std::size_t start = 0; start <= line.size();) {
    const std::size_t comma = std::min(line.find(',', start), line.size());
    cells.push_back(trimmed(line.substr(start, comma - start)));
    start = comma + 1;
  }
  return cells;
}

}  // namespace

std::optional<PointsInFile> read_points_file(const std::string& path, std::size_t freedoms,
                                             Diagnostics& diagnostics) {
  const std::optional<Source> source = open_source(path, diagnostics);
  if (!source) return std::nullopt;
  PointsInFile points;
  const auto error = [&](int line, std::string fact, std::string hint) {
    diagnostics.error(Place{source->name, line, 1}, std::move(fact), std::move(hint));
  };

  double last = -std::numeric_limits<double>::infinity();
  std::size_t at = 0;
  for (int line = 1; at < source->text.size(); ++line) {
    const std::size_t end = std::min(source->text.find('\n', at), source->text.size());
    const std::string_view text = trimmed(std::string_view(source->text).substr(at, end - at));
    at = end + 1;
    if (text.empty() || text[0] == '#') continue;
    const std::vector<std::string_view> cells = cells_of(text);
    const bool is_heading = points.times.empty() && !number_in(cells[0]);
    if (is_heading) continue;
    if (cells.size() != freedoms + 1) {
      error(line,
            fmt::format("there are {} numbers in this line, it takes the time and {} value{}",
                        cells.size(), freedoms, freedoms == 1 ? "" : "s"),
            "one for each freedom of the joint");
      continue;
    }
    for (std::size_t k = 0; k < cells.size(); ++k) {
      const std::optional<double> number = number_in(cells[k]);
      if (!number)
        error(line,
              cells[k].empty() ? "there is a hole in this line"
                               : fmt::format("'{}' is no number", shortened(std::string(cells[k]))),
              "give a finite number");
      (k == 0 ? points.times : points.values).push_back(number.value_or(0));
      if (k > 0 || !number) continue;
      if (!(*number > last))
        error(line, fmt::format("the time {} is not after {}", *number, last),
              "sort the lines by time, each time once");
      last = *number;
    }
  }
  if (points.times.empty() && !diagnostics.has_errors())
    error(1, "there is no line with numbers", "begin with a time, a comma and a value");
  if (diagnostics.has_errors()) return std::nullopt;
  return points;
}

}  // namespace trammel
