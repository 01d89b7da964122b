#include <limits>
#include <utility>

#include "trammel/read/source.hpp"
#include "trammel/read/table/cells.hpp"
#include "trammel/read/table/heading.hpp"
#include "trammel/read/toml/profile.hpp"

namespace trammel::toml {

namespace {

struct Cell {
  std::string_view text;
  int column = 1;  // in bytes, from 1
};

Cell trimmed(std::string_view text, std::size_t start) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == text.npos) return {{}, int(start) + 1};
  return {text.substr(first, text.find_last_not_of(" \t\r") - first + 1), int(start + first) + 1};
}

std::vector<Cell> cells_of(std::string_view line) {
  std::vector<Cell> cells;
  for (std::size_t start = 0; start <= line.size();) {
    const std::size_t comma = std::min(line.find(',', start), line.size());
    cells.push_back(trimmed(line.substr(start, comma - start), start));
    start = comma + 1;
  }
  return cells;
}

class PointsReader {
 public:
  PointsReader(const Source& source, const std::vector<Expected>& expected,
               Diagnostics& diagnostics)
      : source_(source), diagnostics_(diagnostics), measures_{dimension::time} {
    measures_.insert(measures_.end(), expected.begin(), expected.end());
    if (expected.empty()) measures_.emplace_back();
    units_.resize(measures_.size());
  }

  PointsInFile read() {
    std::size_t at = 0;
    bool is_first = true;
    for (line_ = 1; at < source_.text.size(); ++line_) {
      const std::size_t end = std::min(source_.text.find('\n', at), source_.text.size());
      const std::string_view text = std::string_view(source_.text).substr(at, end - at);
      at = end + 1;
      const std::string_view description = trimmed(text, 0).text;
      if (description.empty() || description[0] == '#') continue;
      const std::vector<Cell> cells = cells_of(text);
      if (std::exchange(is_first, false) && is_heading(cells[0].text))
        read_heading(cells);
      else
        read_line(cells);
    }
    if (points_.times.empty() && !diagnostics_.has_errors())
      diagnostics_.error({source_.name, 1, 1}, "there is no line with numbers",
                         "begin with a time, a comma and a value");
    return std::move(points_);
  }

 private:
  Place place_of(const Cell& cell) const { return {source_.name, line_, cell.column}; }
  // matches "time [ms]", but not "0 ms" or an empty cell
  static bool is_heading(std::string_view first) {
    return !first.empty() && first.find_first_of("0123456789.+-(") != 0;
  }

  bool has_all(const std::vector<Cell>& cells, const char* of_what) {
    const std::size_t values = measures_.size() - 1;
    if (cells.size() == values + 1) return true;
    diagnostics_.error({source_.name, line_, 1},
                       fmt::format("there are {} {} in this line, it takes the time and {} value{}",
                                   cells.size(), of_what, values, values == 1 ? "" : "s"),
                       "one for each degree of freedom of the joint");
    return false;
  }

  void read_heading(const std::vector<Cell>& cells) {
    if (!has_all(cells, "names")) return;
    for (std::size_t k = 0; k < cells.size(); ++k)
      units_[k] = heading_unit(cells[k].text, heading_name(cells[k].text), measures_[k],
                               place_of(cells[k]), diagnostics_);
  }

  void read_line(const std::vector<Cell>& cells) {
    if (!has_all(cells, "numbers")) return;
    for (std::size_t k = 0; k < cells.size(); ++k) {
      const std::optional<double> number = number_in(cells[k], k);
      (k == 0 ? points_.times : points_.values).push_back(number.value_or(0));
      if (k > 0 || !number) continue;
      if (!(*number > last_))
        diagnostics_.error(place_of(cells[k]),
                           fmt::format("the time {} s is not after {} s", *number, last_),
                           "sort the lines by time, each time once");
      last_ = *number;
    }
  }

  std::optional<double> number_in(const Cell& cell, std::size_t k) {
    if (cell.text.empty()) {
      diagnostics_.error(place_of(cell), "there is a hole in this line", "give a finite number");
      return std::nullopt;
    }
    // if any dimension is allowed, the one of the column's unit is expected
    const Dimension anything = units_[k] ? units_[k]->dimension : dimension::none;
    return number_of({.text = std::string(cell.text), .unit = units_[k], .place = place_of(cell)},
                     k == 0 ? "the time" : "the value", measures_[k].value_or(anything),
                     diagnostics_);
  }

  const Source& source_;
  Diagnostics& diagnostics_;
  std::vector<Expected> measures_;          // per column
  std::vector<std::optional<Unit>> units_;  // from the heading
  int line_ = 1;
  double last_ = -std::numeric_limits<double>::infinity();
  PointsInFile points_;
};

}  // namespace

std::optional<PointsInFile> read_points_file(const std::string& path,
                                             const std::vector<Expected>& expected,
                                             Diagnostics& diagnostics) {
  const std::optional<Source> source = open_source(path, diagnostics);
  if (!source) return std::nullopt;
  PointsInFile points = PointsReader(*source, expected, diagnostics).read();
  if (diagnostics.has_errors()) return std::nullopt;
  return points;
}

}  // namespace trammel::toml
