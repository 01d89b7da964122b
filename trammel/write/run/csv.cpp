#include "trammel/write/run/csv.hpp"

#include <algorithm>
#include <charconv>

#include "trammel/base/diagnostics.hpp"

namespace trammel {

namespace {

std::string in_quotes(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + '"';
}

void append_number(std::string& out, double value) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, value == 0 ? 0.0 : value).ptr;
  out.append(text, end);
}

// Cells of one line, with the column at which each begins.
struct Cell {
  std::string text;
  int column;
};
std::vector<Cell> cells_of(std::string_view line) {
  std::vector<Cell> cells;
  std::size_t at = 0;
  do {
    Cell cell{{}, int(at) + 1};
    if (at < line.size() && line[at] == '"') {
      for (++at; at < line.size(); ++at) {
        if (line[at] == '"' && (at + 1 == line.size() || line[at + 1] != '"')) break;
        if (line[at] == '"') ++at;
        cell.text += line[at];
      }
      at = std::min(line.find(',', at), line.size());
    } else {
      const std::size_t end = std::min(line.find(',', at), line.size());
      cell.text = line.substr(at, end - at);
      at = end;
    }
    cells.push_back(std::move(cell));
  } while (at++ < line.size());
  return cells;
}

// "q.elbow [rad]" -> q.elbow, rad, q
Column column_named(const std::string& heading) {
  Column column{heading, "1", {}};
  if (const std::size_t open = heading.rfind(" [");
      open != std::string::npos && heading.back() == ']')
    column = {heading.substr(0, open), heading.substr(open + 2, heading.size() - open - 3), {}};
  column.group = column.name.substr(0, column.name.find('.'));
  return column;
}

}  // namespace

Recording read_csv(std::string_view text, const std::string& file) {
  Recording recording;
  Diagnostics found;
  int line_number = 0;
  while (!text.empty()) {
    ++line_number;
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty()) continue;
    const std::vector<Cell> cells = cells_of(line);
    if (recording.columns.empty()) {
      for (const Cell& cell : cells) recording.columns.push_back(column_named(cell.text));
      continue;
    }
    if (cells.size() != recording.columns.size())
      found.error({file, line_number, 1},
                  "the row has " + std::to_string(cells.size()) + " cells, the first line " +
                      std::to_string(recording.columns.size()),
                  "was the file cut off here?");
    for (const Cell& cell : cells) {
      double value = 0;
      const char* const end = cell.text.data() + cell.text.size();
      const auto read = std::from_chars(cell.text.data(), end, value);
      if (read.ec != std::errc() || read.ptr != end)
        found.error({file, line_number, cell.column}, "'" + shortened(cell.text) + "' is no number",
                    "a recording has numbers only, below one line of names");
      recording.values.push_back(value);
    }
  }
  if (recording.columns.empty())
    found.error({file, 1, 1}, "the file is empty", "trammel simulate MODEL -o FILE writes one");
  if (found.has_errors()) throw ModelError(std::move(found));
  return recording;
}

std::string write_csv(const Recording& recording) {
  std::string out;
  const std::size_t n = recording.columns.size();
  for (std::size_t c = 0; c < n; ++c) {
    const auto& [name, unit, group] = recording.columns[c];
    out += (c > 0 ? "," : "") + in_quotes(unit == "1" ? name : name + " [" + unit + "]");
  }
  for (std::size_t k = 0; k < recording.values.size(); ++k) {
    out += k % n == 0 ? '\n' : ',';
    append_number(out, recording.values[k]);
  }
  return out + '\n';
}

}  // namespace trammel
