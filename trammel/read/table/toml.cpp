// Rows of a TOML file: one [[row]] each, with the columns as keys. Related numbers may be lists:
// com = [0, 0, 0.1], inertia = [xx, yy, zz, xy, xz, yz], gamma = [Rx, Ry, ...].
#include <utility>

#include <fmt/format.h>

#include "trammel/base/suggest.hpp"
#include "trammel/read/table/cells.hpp"
#include "trammel/read/table/rows.hpp"
#include "trammel/read/toml/document.hpp"

namespace trammel {

namespace {

// A key whose list fills several columns.
struct ListKey {
  std::string_view key;
  std::vector<std::string_view> columns;
  std::size_t least;  // least number of entries
};

std::vector<ListKey> list_keys(TableNotation notation) {
  std::vector<ListKey> keys;
  if (notation == TableNotation::platform) return keys;
  if (notation != TableNotation::sdof) keys.push_back({"limits", {"lower", "upper"}, 2});
  if (notation == TableNotation::chain) return keys;
  keys.push_back({"com", {"com x", "com y", "com z"}, 3});
  keys.push_back(
      {"inertia",
       {"inertia xx", "inertia yy", "inertia zz", "inertia xy", "inertia xz", "inertia yz"},
       3});
  if (notation == TableNotation::sdof) {
    keys.push_back({"gamma", {"rx", "ry", "rz", "dx", "dy", "dz"}, 6});
    keys.push_back({"mount", {"mount x", "mount y", "mount z"}, 3});
  }
  return keys;
}

class TomlRows {
 public:
  TomlRows(TableNotation notation, const Source& source, Diagnostics& diagnostics)
      : notation_(notation), source_(source), diagnostics_(diagnostics) {}

  std::optional<Table> read() {
    const std::optional<toml::Value> document = toml::parse_document(source_, diagnostics_);
    if (!document) return std::nullopt;
    Table table{.place = {source_.name, 0, 0}};
    bool has_rows = false;
    for (const toml::Entry& entry : document->entries) {
      if (entry.key == "row") {
        has_rows = true;
        read_rows(entry, table);
      } else {
        read_setting(entry, table.settings);
      }
    }
    if (!has_rows)
      diagnostics_.error(table.place, "the table has no rows", "give one [[row]] for each link");
    return table;
  }

 private:
  Place place_of(const toml::TextPosition& position) const {
    return {source_.name, position.line, position.column};
  }
  Place place_of(const toml::Value& value) const { return place_of(value.position); }

  void read_rows(const toml::Entry& entry, Table& table) {
    if (!entry.value.is_list())
      return diagnostics_.error(place_of(entry.position), "'row' is no list of rows",
                                "write [[row]] above each");
    const std::vector<toml::Value>& list = entry.value.list;
    if (list.size() > most_rows)
      diagnostics_.error(place_of(list[most_rows]),
                         fmt::format("the table has more than {} rows", most_rows),
                         "is this the right file?");
    for (std::size_t k = 0; k < list.size() && k < most_rows; ++k) {
      if (list[k].is_table())
        read_row(list[k], int(k) + 1, table);
      else
        diagnostics_.error(place_of(list[k]), fmt::format("row {} is no table", k + 1),
                           "write [[row]] above its keys");
    }
  }

  void read_row(const toml::Value& value, int number, Table& table) {
    TableRow row{.number = number, .place = place_of(value)};
    for (const toml::Entry& entry : value.entries) {
      bool is_list_key = false;
      for (const ListKey& key : list_keys(notation_))
        if (key.key == entry.key) is_list_key = true, read_list(key, entry, row);
      if (is_list_key) continue;
      if (const TableColumn* column = find_column(notation_, entry.key))
        add_cell(column_key(column->name), entry.value, entry.key, row);
      else
        diagnostics_.error(place_of(entry.position),
                           fmt::format("the {} table knows no column '{}'", to_string(notation_),
                                       shortened(entry.key)),
                           hint_for(entry.key));
    }
    table.rows.push_back(std::move(row));
  }

  std::string hint_for(const std::string& wrong) const {
    std::vector<std::string> keys;
    for (const ListKey& key : list_keys(notation_)) keys.emplace_back(key.key);
    const auto meant = suggest(wrong, keys);
    return meant ? fmt::format("did you mean '{}'?", *meant) : column_hint(notation_, wrong);
  }

  void read_list(const ListKey& key, const toml::Entry& entry, TableRow& row) {
    const std::vector<toml::Value>& list = entry.value.list;
    if (!entry.value.is_list() || list.size() < key.least || list.size() > key.columns.size() ||
        (list.size() > key.least && list.size() < key.columns.size())) {
      std::string columns;
      for (const std::string_view column : key.columns)
        columns += (columns.empty() ? "" : ", ") + std::string(column);
      const std::string given =
          entry.value.is_list() ? fmt::format("a list of {}", list.size()) : std::string("no list");
      diagnostics_.error(place_of(entry.value),
                         fmt::format("{} of row {} is {}", key.key, row.number, given),
                         fmt::format("give {}: {}",
                                     key.least == key.columns.size()
                                         ? fmt::format("{}", key.least)
                                         : fmt::format("{} or {}", key.least, key.columns.size()),
                                     columns));
      for (const std::string_view column : key.columns)  // report only once
        row.cells[std::string(column)] = {.number = 0.0, .place = place_of(entry.value)};
      return;
    }
    for (std::size_t k = 0; k < list.size(); ++k)
      add_cell(std::string(key.columns[k]), list[k], std::string(key.columns[k]), row);
  }

  void add_cell(const std::string& column, const toml::Value& value, const std::string& description,
                TableRow& row) {
    TableCell cell{.place = place_of(value)};
    if (value.is_number()) {
      cell.number = value.number;
    } else if (value.is_text()) {
      cell.text = value.text;
      ++cell.place.column;  // after the quote
    } else if (column == "free" && value.is_list()) {
      for (const toml::Value& word : value.list)
        cell.text += (cell.text.empty() ? "" : " ") + word.text;
    } else {
      diagnostics_.error(
          cell.place, fmt::format("{} of row {} is no number and no text", description, row.number),
          "write a number, such as 0.5, or a text, such as \"30 deg\"");
      cell.number = 0.0;
    }
    if (cell.number || !cell.text.empty()) row.cells[column] = std::move(cell);
  }

  void read_setting(const toml::Entry& entry, TableSettings& settings) {
    const bool is_sdof = notation_ == TableNotation::sdof;
    std::vector<std::string> known = {"name", "gravity", "row"};
    if (is_sdof) known.insert(known.end(), {"offset", "tip_turn"});
    if (!is_sdof && notation_ != TableNotation::platform) known.push_back("base_at");
    if (notation_ == TableNotation::dh || notation_ == TableNotation::dh_modified)
      known.push_back("tool");

    if (entry.key == "name" && entry.value.is_text())
      settings.name = entry.value.text;
    else if (entry.key == "name")
      diagnostics_.error(place_of(entry.value), "the name is no text", "write name = \"arm\"");
    else if (entry.key == "gravity")
      settings.gravity = vector_of(entry.value, "gravity", dimension::acceleration);
    else if (is_sdof && entry.key == "offset")
      settings.base_at.xyz = vector_of(entry.value, "offset", dimension::length);
    else if (is_sdof && entry.key == "tip_turn")
      settings.tool.rpy = vector_of(entry.value, "tip_turn", dimension::angle);
    else if (!is_sdof && entry.key == "base_at")
      settings.base_at = placement_of(entry);
    else if (known.back() == "tool" && entry.key == "tool")
      settings.tool = placement_of(entry);
    else
      report_unknown(entry, known);
  }

  void report_unknown(const toml::Entry& entry, const std::vector<std::string>& known) {
    const auto meant = suggest(entry.key, known);
    std::string list;
    for (const std::string& name : known) list += (list.empty() ? "" : ", ") + name;
    diagnostics_.error(
        place_of(entry.position),
        fmt::format("the {} table knows no key '{}'", to_string(notation_), shortened(entry.key)),
        meant ? fmt::format("did you mean '{}'?", *meant) : "its keys are " + list);
  }

  Placement placement_of(const toml::Entry& entry) {
    Placement placement;
    for (const toml::Entry& part : entry.value.entries) {
      const std::string name = entry.key + "." + part.key;
      if (part.key == "xyz")
        placement.xyz = vector_of(part.value, name, dimension::length);
      else if (part.key == "rpy")
        placement.rpy = vector_of(part.value, name, dimension::angle);
      else
        report_unknown(part, {"xyz", "rpy"});
    }
    if (!entry.value.is_table())
      diagnostics_.error(
          place_of(entry.value), fmt::format("{} is no table", entry.key),
          fmt::format("write {} = {{ xyz = [0, 0, 0], rpy = [0, 0, 0] }}", entry.key));
    return placement;
  }

  Vec3<Expr> vector_of(const toml::Value& value, const std::string& name,
                       const Dimension& expected) {
    if (!value.is_list() || value.list.size() != 3) {
      diagnostics_.error(place_of(value), fmt::format("{} is no list of three numbers", name),
                         fmt::format("write {} = [0, 0, 0]", name.substr(name.find('.') + 1)));
      return {};
    }
    double x[3] = {};
    for (std::size_t k = 0; k < 3; ++k) {
      const toml::Value& item = value.list[k];
      TableCell cell{.text = item.text, .place = place_of(item)};
      if (item.is_text()) ++cell.place.column;
      if (item.is_number()) cell.number = item.number;
      x[k] = number_of(cell, name, expected, diagnostics_).value_or(0);
    }
    return {x[0], x[1], x[2]};
  }

  TableNotation notation_;
  const Source& source_;
  Diagnostics& diagnostics_;
};

}  // namespace

std::optional<Table> read_toml_rows(TableNotation notation, const Source& source,
                                    Diagnostics& diagnostics) {
  return TomlRows(notation, source, diagnostics).read();
}

}  // namespace trammel
