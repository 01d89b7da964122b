// Points of a vehicle's path, one row per point.
#include <fmt/format.h>

#include "trammel/read/table/cells.hpp"
#include "trammel/read/toml/load_path.hpp"

namespace trammel {

namespace {

constexpr TableNotation path_notation = TableNotation::path;

class PointRows {
 public:
  PointRows(const Table& table, Diagnostics& diagnostics)
      : table_(table), diagnostics_(diagnostics) {
    for (const TableRow& row : table.rows) {
      has_t_ |= row.cells.contains("t");
      has_time_ |= row.cells.contains("time");
      has_yaw_ |= row.cells.contains("yaw");
    }
  }

  PointsWay read() {
    if (has_t_ == has_time_)
      diagnostics_.error(table_.place,
                         has_t_ ? "the path table has both columns 't' and 'time'"
                                : "the path table has no column 't'",
                         "give the time of each point [s] in one column, 't' or 'time'");
    else
      for (const TableRow& row : table_.rows)
        add(RowReader(path_notation, table_, row, diagnostics_));
    if (points_.times.size() == 1)
      diagnostics_.error(table_.place, "the path has one point", "give two or more");
    return std::move(points_);
  }

 private:
  void add(const RowReader& row) {
    const std::string_view clock = has_t_ ? "t" : "time";
    if (!row.has(clock))
      row.error(clock, fmt::format("row {} has no time", row.row()), "give one for each point");
    if (has_yaw_ && !row.has("yaw"))
      row.error("yaw", fmt::format("row {} has no 'yaw', but others have", row.row()),
                "give one for each point, or leave the column out: then it faces along");
    const double time = row.number(clock);
    if (points_.times.empty() && time != 0)
      row.error(clock, fmt::format("the path begins at t = {} s", time), "let it begin at 0");
    if (!points_.times.empty() && row.has(clock) && !(time > points_.times.back()))
      row.error(clock,
                fmt::format("row {} is at t = {} s, not after the one before it, {} s", row.row(),
                            time, points_.times.back()),
                "sort the rows by time, each time once");
    points_.times.push_back(time);
    points_.x.push_back(row.number("x"));
    points_.y.push_back(row.number("y"));
    if (has_yaw_) points_.yaw.push_back(row.number("yaw"));
  }

  const Table& table_;
  Diagnostics& diagnostics_;
  bool has_t_ = false, has_time_ = false, has_yaw_ = false;
  PointsWay points_;
};

}  // namespace

std::optional<PointsWay> read_path_points(const std::string& file, Diagnostics& diagnostics) {
  Diagnostics found;
  std::optional<PointsWay> points;
  if (const std::optional<Source> source = open_source(file, found))
    if (const std::optional<Table> table = read_csv_rows(path_notation, *source, found))
      points = PointRows(*table, found).read();
  diagnostics.append(found);
  if (found.has_errors()) return std::nullopt;
  return points;
}

}  // namespace trammel
