#include "trammel/read/table/columns.hpp"

#include <vector>

#include <fmt/format.h>

#include "trammel/base/suggest.hpp"

namespace trammel {

namespace {

using Holds = TableColumn::Holds;
constexpr Dimension length = dimension::length, angle = dimension::angle;

constexpr TableColumn link_columns[] = {
    {"mass", Holds::number, dimension::mass},
    {"com x", Holds::number, length},
    {"com y", Holds::number, length},
    {"com z", Holds::number, length},
    {"inertia xx", Holds::number, dimension::inertia},
    {"inertia yy", Holds::number, dimension::inertia},
    {"inertia zz", Holds::number, dimension::inertia},
    {"inertia xy", Holds::number, dimension::inertia},
    {"inertia xz", Holds::number, dimension::inertia},
    {"inertia yz", Holds::number, dimension::inertia},
};
constexpr TableColumn joint_columns[] = {
    {"lower", Holds::either},  {"upper", Holds::either},   {"velocity", Holds::either},
    {"effort", Holds::either}, {"damping", Holds::either},
};
constexpr TableColumn dh_columns[] = {
    {"theta", Holds::number, angle, true},
    {"d", Holds::number, length, true},
    {"a", Holds::number, length, true},
    {"alpha", Holds::number, angle, true},
    {"name", Holds::text},
    {"type", Holds::text},
};
constexpr TableColumn sdof_columns[] = {
    {"Rx", Holds::number, angle, true},
    {"Ry", Holds::number, angle, true},
    {"Rz", Holds::number, angle, true},
    {"Dx", Holds::number, length, true},
    {"Dy", Holds::number, length, true},
    {"Dz", Holds::number, length, true},
    {"free", Holds::text},
    {"name", Holds::text},
    {"link", Holds::number},
    {"mount x", Holds::number, angle},
    {"mount y", Holds::number, angle},
    {"mount z", Holds::number, angle},
    {"damping", Holds::either},
};
constexpr TableColumn chain_columns[] = {
    {"length", Holds::number, length, true},
    {"mass", Holds::number, dimension::mass, true},
    {"name", Holds::text},
    {"type", Holds::text},
    {"axis", Holds::text},
    {"along", Holds::text},
    {"radius", Holds::number, length},
    {"count", Holds::number},
    {"stiffness", Holds::either},
};

constexpr TableColumn platform_columns[] = {
    {"name", Holds::text},
    {"type", Holds::text},
    {"x", Holds::number, length},
    {"y", Holds::number, length},
    {"distance", Holds::number, length},
    {"bearing", Holds::number, angle},
    {"axle", Holds::number, angle},
    {"radius", Holds::number, length},
    {"rollers", Holds::number, angle},
    {"roller radius", Holds::number, length},
    {"trail", Holds::number, length},
    {"mass", Holds::number, dimension::mass},
    {"axial", Holds::number, dimension::inertia},
    {"across", Holds::number, dimension::inertia},
    {"driven", Holds::text},
    {"effort", Holds::number, dimension::torque},
    {"steering group", Holds::number},
    {"driving group", Holds::number},
    {"height", Holds::number, length},
    {"stands on", Holds::text},
    {"friction", Holds::number},
};

constexpr TableColumn path_columns[] = {
    {"t", Holds::number, dimension::time}, {"time", Holds::number, dimension::time},
    {"x", Holds::number, length, true},    {"y", Holds::number, length, true},
    {"yaw", Holds::number, angle},
};

std::vector<TableColumn> joined(std::initializer_list<std::span<const TableColumn>> lists) {
  std::vector<TableColumn> all;
  for (const auto& list : lists) all.insert(all.end(), list.begin(), list.end());
  return all;
}

std::vector<std::string> names_of(std::span<const TableColumn> columns) {
  std::vector<std::string> names;
  for (const TableColumn& column : columns) names.emplace_back(column.name);
  return names;
}

}  // namespace

std::span<const TableColumn> columns_of(TableNotation notation) {
  static const std::vector<TableColumn> dh = joined({dh_columns, link_columns, joint_columns}),
                                        sdof = joined({sdof_columns, link_columns}),
                                        chain = joined({chain_columns, joint_columns}),
                                        platform = joined({platform_columns});
  switch (notation) {
    case TableNotation::dh:
    case TableNotation::dh_modified: return dh;
    case TableNotation::sdof: return sdof;
    case TableNotation::chain: return chain;
    case TableNotation::platform: return platform;
    case TableNotation::path: return path_columns;
  }
  return {};
}

std::string column_key(std::string_view written) {
  std::string key;
  for (const char c : written) {
    const bool is_gap = c == ' ' || c == '_' || c == '.' || c == '-' || c == '\t';
    const char plain = c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c;
    if (!is_gap)
      key += plain;
    else if (!key.empty() && key.back() != ' ')
      key += ' ';
  }
  return key;
}

const TableColumn* find_column(TableNotation notation, std::string_view written) {
  const std::string key = column_key(written);
  for (const TableColumn& column : columns_of(notation))
    if (column_key(column.name) == key) return &column;
  return nullptr;
}

std::string column_hint(TableNotation notation, std::string_view wrong) {
  const auto meant = suggest(wrong, names_of(columns_of(notation)));
  return meant ? fmt::format("did you mean '{}'?", *meant)
               : "its columns are " + list_of_columns(notation);
}

std::string list_of_columns(TableNotation notation) {
  std::string list;
  for (const std::string& name : names_of(columns_of(notation)))
    list += (list.empty() ? "" : ", ") + name;
  return list;
}

}  // namespace trammel
