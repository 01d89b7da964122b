// Rows of a CSV file: cells separated by commas (or semicolons, or tabs, as in the header), quotes
// around cells that contain a separator, comments after #.
#include <set>
#include <utility>

#include <fmt/format.h>

#include "trammel/read/table/columns.hpp"
#include "trammel/read/table/heading.hpp"
#include "trammel/read/table/rows.hpp"

namespace trammel {

namespace {

struct CsvCell {
  std::string text;
  int line = 1, column = 1;  // in characters, from 1
};
using CsvLine = std::vector<CsvCell>;

constexpr std::string_view blanks = " \t\r";
constexpr std::size_t most_cells = 200;  // per line

std::string trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return "";
  return std::string(text.substr(first, text.find_last_not_of(blanks) - first + 1));
}

class CsvParser {
 public:
  CsvParser(const Source& source, Diagnostics& diagnostics)
      : source_(source), text_(source.text), diagnostics_(diagnostics) {}

  // Nonempty lines. Returns nothing and reports the first error if the text is not CSV.
  std::optional<std::vector<CsvLine>> run() {
    while (at_ < text_.size()) {
      if (!read_line()) return std::nullopt;
      if (lines_.size() > most_rows + 1) break;
    }
    return std::move(lines_);
  }

 private:
  bool read_line() {
    CsvLine line;
    for (bool is_first = true;; is_first = false) {
      if (line.size() == most_cells) {
        diagnostics_.error({source_.name, line_, column_},
                           fmt::format("this line has more than {} cells", most_cells),
                           "is this the right file?");
        return false;
      }
      if (!read_cell(line)) return false;
      const char end = at_ < text_.size() ? text_[at_] : '\n';
      if (end != '\n' && end != '#' && separator_ == 0) separator_ = end;
      if (end == '\n' || end == '#') {
        while (at_ < text_.size() && text_[at_] != '\n') pass();
        if (at_ < text_.size()) pass();
        const bool is_empty = is_first && line.back().text.empty();
        if (!is_empty) lines_.push_back(std::move(line));
        return true;
      }
      pass();
    }
  }

  // reads up to a separator, a comment or the end of the line
  bool read_cell(CsvLine& line) {
    while (at_ < text_.size() && is_blank(text_[at_])) pass();
    CsvCell cell{"", line_, column_};
    if (at_ < text_.size() && text_[at_] == '"') {
      if (!read_quoted(cell)) return false;
    } else {
      const std::size_t start = at_;
      while (at_ < text_.size() && !ends_cell(text_[at_])) pass();
      cell.text = trimmed(text_.substr(start, at_ - start));
    }
    line.push_back(std::move(cell));
    return true;
  }

  bool read_quoted(CsvCell& cell) {
    for (pass(); at_ < text_.size(); pass()) {
      if (text_[at_] != '"') {
        cell.text += text_[at_];
        continue;
      }
      pass();
      const bool is_doubled = at_ < text_.size() && text_[at_] == '"';
      if (is_doubled) {
        cell.text += '"';
        continue;
      }
      while (at_ < text_.size() && is_blank(text_[at_])) pass();
      if (at_ == text_.size() || ends_cell(text_[at_])) return true;
      diagnostics_.error({source_.name, line_, column_}, "something follows the closing quote",
                         "a quote inside quotes is written twice: \"\"");
      return false;
    }
    diagnostics_.error({source_.name, cell.line, cell.column}, "this quote is never closed",
                       "end the cell with another one");
    return false;
  }

  // the first separator found is used for the whole file
  bool ends_cell(char c) const {
    if (c == '\n' || c == '#') return true;
    return separator_ == 0 ? c == ',' || c == ';' || c == '\t' : c == separator_;
  }
  bool is_blank(char c) const { return c == ' ' || c == '\r' || (c == '\t' && separator_ == ','); }
  void pass() {
    const char c = text_[at_++];
    if (c == '\n')
      ++line_, column_ = 1;
    else if (at_ == text_.size() || (text_[at_] & 0xC0) != 0x80)
      ++column_;
  }

  const Source& source_;
  std::string_view text_;
  Diagnostics& diagnostics_;
  std::size_t at_ = 0;
  int line_ = 1, column_ = 1;
  char separator_ = 0;
  std::vector<CsvLine> lines_;
};

// A column of the file; `kind` is null if its name is unknown.
struct Header {
  const TableColumn* kind = nullptr;
  std::optional<Unit> unit = {};
};

class CsvRows {
 public:
  CsvRows(TableNotation notation, const Source& source, Diagnostics& diagnostics)
      : notation_(notation), source_(source), diagnostics_(diagnostics) {}

  std::optional<Table> read() {
    std::optional<std::vector<CsvLine>> lines = CsvParser(source_, diagnostics_).run();
    if (!lines) return std::nullopt;
    if (lines->empty()) {
      diagnostics_.error({source_.name, 0, 0}, "the table is empty",
                         "begin with a row of column names: " + list_of_columns(notation_));
      return std::nullopt;
    }
    Table table{.place = place_of((*lines)[0][0])};
    read_header((*lines)[0], table);
    if (lines->size() == 1)
      diagnostics_.error(table.place, "the table has no rows", "give one for each link");
    if (lines->size() > most_rows + 1)
      diagnostics_.error(place_of((*lines)[most_rows + 1][0]),
                         fmt::format("the table has more than {} rows", most_rows),
                         "is this the right file?");
    for (std::size_t k = 1; k < lines->size() && k <= most_rows; ++k)
      read_row((*lines)[k], int(k), table);
    return table;
  }

 private:
  Place place_of(const CsvCell& cell, std::size_t within = 0) const {
    return {source_.name, cell.line, cell.column + int(within)};
  }

  void read_header(const CsvLine& line, Table& table) {
    std::set<std::string> seen;
    for (const CsvCell& cell : line) headers_.push_back(header_of(cell, seen));
    for (const TableColumn& column : columns_of(notation_))
      if (column.is_needed && !seen.contains(column_key(column.name))) {
        table.absent.insert(column_key(column.name));
        diagnostics_.error(
            place_of(line[0]),
            fmt::format("the {} table has no column '{}'", to_string(notation_), column.name),
            "add it to the header, with a number in every row");
      }
  }

  // "alpha [deg]"
  Header header_of(const CsvCell& cell, std::set<std::string>& seen) {
    const std::size_t bracket = unit_bracket(cell.text);
    const std::string name = heading_name(cell.text);
    if (cell.text.empty()) return {};  // a column without a name is ignored
    const TableColumn* kind = find_column(notation_, name);
    if (!kind) {
      diagnostics_.error(
          place_of(cell),
          fmt::format("the {} table knows no column '{}'", to_string(notation_), shortened(name)),
          column_hint(notation_, name));
      return {};
    }
    if (!seen.insert(column_key(name)).second) {
      diagnostics_.error(place_of(cell), fmt::format("a second column is named '{}'", kind->name),
                         "leave one of the two out");
      return {};
    }
    if (bracket == std::string::npos) return {kind, {}};
    return {kind, unit_of(cell, bracket, *kind)};
  }

  std::optional<Unit> unit_of(const CsvCell& cell, std::size_t bracket, const TableColumn& kind) {
    if (kind.holds == TableColumn::Holds::text) {
      diagnostics_.error(place_of(cell, bracket),
                         fmt::format("column '{}' holds words and has a unit", kind.name),
                         "leave the unit out");
      return std::nullopt;
    }
    std::optional<Dimension> expected = kind.dimension;
    if (kind.holds == TableColumn::Holds::either) expected.reset();
    return heading_unit(cell.text, kind.name, expected, place_of(cell), diagnostics_);
  }

  void read_row(const CsvLine& line, int number, Table& table) {
    const bool ends_in_comma = line.size() == headers_.size() + 1 && line.back().text.empty();
    if (line.size() != headers_.size() && !ends_in_comma) {
      diagnostics_.error(place_of(line[0]),
                         fmt::format("row {} has {} cell{}, but the header has {}", number,
                                     line.size(), line.size() == 1 ? "" : "s", headers_.size()),
                         "give one for each column; an empty one between two commas is none");
      return;
    }
    TableRow row{.number = number, .place = place_of(line[0])};
    for (std::size_t k = 0; k < headers_.size(); ++k)
      if (headers_[k].kind && !line[k].text.empty())
        row.cells[column_key(headers_[k].kind->name)] = {
            .text = line[k].text, .unit = headers_[k].unit, .place = place_of(line[k])};
    table.rows.push_back(std::move(row));
  }

  TableNotation notation_;
  const Source& source_;
  Diagnostics& diagnostics_;
  std::vector<Header> headers_;
};

}  // namespace

std::optional<Table> read_csv_rows(TableNotation notation, const Source& source,
                                   Diagnostics& diagnostics) {
  return CsvRows(notation, source, diagnostics).read();
}

}  // namespace trammel
