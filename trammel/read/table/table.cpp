#include "trammel/read/table/table.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "trammel/read/table/mechanisms.hpp"
#include "trammel/read/table/rows.hpp"

namespace trammel {

namespace {

constexpr TableNotation notations[] = {TableNotation::dh, TableNotation::dh_modified,
                                       TableNotation::sdof, TableNotation::chain,
                                       TableNotation::platform};

// A table has no parameters, and its base is ground.
void check(const ReadOptions& options, const std::string& path, Diagnostics& diagnostics) {
  for (const auto& [name, value] : options.set)
    diagnostics.error({path, 0, 0},
                      fmt::format("parameter '{}' is set, but a table has none", shortened(name)),
                      "assemble a model file from the table and give it parameters");
  if (options.base == Base::free)
    diagnostics.error({path, 0, 0}, "the chain of a table stands on ground",
                      "assemble a model file from it and make its first joint free");
}

std::optional<Table> rows_of(TableNotation notation, const Source& source,
                             Diagnostics& diagnostics) {
  return source.name.ends_with(".toml") ? read_toml_rows(notation, source, diagnostics)
                                        : read_csv_rows(notation, source, diagnostics);
}

Description read_mechanism(TableNotation notation, const std::string& path, const Source* source,
                           const ReadOptions& options, Diagnostics& diagnostics) {
  Description description(std::filesystem::path(path).stem().string());
  description.source = Place{path, 0, 0};
  check(options, path, diagnostics);
  if (source == nullptr) return description;
  const std::optional<Table> table = rows_of(notation, *source, diagnostics);
  if (!table) return description;
  if (!table->settings.name.empty()) description.name = table->settings.name;
  if (table->settings.gravity) description.gravity = *table->settings.gravity;
  if (table->rows.empty()) return description;
  switch (notation) {
    case TableNotation::dh:
    case TableNotation::dh_modified: add_dh_rows(notation, *table, description, diagnostics); break;
    case TableNotation::sdof: add_sdof_rows(*table, description, diagnostics); break;
    case TableNotation::chain: add_chain_rows(*table, description, diagnostics); break;
    case TableNotation::platform: add_platform_rows(*table, description, diagnostics); break;
    case TableNotation::path: break;  // no mechanism
  }
  return description;
}

// Sorts by position in the file, since columns are checked in another order.
Diagnostics sorted(const Diagnostics& found) {
  std::vector<Diagnostic> list = found.list();
  std::stable_sort(list.begin(), list.end(), [](const Diagnostic& a, const Diagnostic& b) {
    return std::pair(a.place.line, a.place.column) < std::pair(b.place.line, b.place.column);
  });
  Diagnostics out;
  for (const Diagnostic& each : list)
    each.severity == Severity::error ? out.error(each.place, each.message, each.hint)
                                     : out.warning(each.place, each.message, each.hint);
  return out;
}

}  // namespace

std::string_view to_string(TableNotation notation) {
  switch (notation) {
    case TableNotation::dh: return "dh";
    case TableNotation::dh_modified: return "dh-modified";
    case TableNotation::sdof: return "sdof";
    case TableNotation::chain: return "chain";
    case TableNotation::platform: return "platform";
    case TableNotation::path: return "path";
  }
  return "";
}

const std::vector<std::string>& notation_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const TableNotation notation : notations) list.emplace_back(to_string(notation));
    return list;
  }();
  return names;
}

std::optional<TableNotation> find_notation(std::string_view name) {
  for (const TableNotation notation : notations)
    if (to_string(notation) == name) return notation;
  return std::nullopt;
}

Description read_table(TableNotation notation, const std::string& path, const ReadOptions& options,
                       Diagnostics& diagnostics) {
  Diagnostics found;
  const std::optional<Source> source = open_source(path, found);
  Description description =
      read_mechanism(notation, path, source ? &*source : nullptr, options, found);
  diagnostics.append(sorted(found));
  return description;
}

Description read_table(TableNotation notation, const Source& source, const ReadOptions& options,
                       Diagnostics& diagnostics) {
  Diagnostics found;
  Description description = read_mechanism(notation, source.name, &source, options, found);
  diagnostics.append(sorted(found));
  return description;
}

Description read_vehicle(const Source& source, const ReadOptions& options,
                         Diagnostics& diagnostics) {
  const auto fits = [&](TableNotation notation) {
    Diagnostics found;
    return rows_of(notation, source, found) && !found.has_errors();
  };
  if (!fits(TableNotation::platform))
    for (const TableNotation notation : notations)
      if (fits(notation)) {
        diagnostics.error(
            {source.name, 0, 0},
            fmt::format(
                "this is a {} table; of tables, only those of wheels are models as they are",
                to_string(notation)),
            fmt::format("make a model of it: trammel generate {} {} -o model.toml",
                        to_string(notation), shortened(source.name)));
        return Description{};
      }
  return read_table(TableNotation::platform, source, options, diagnostics);
}

}  // namespace trammel
