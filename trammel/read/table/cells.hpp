// Reads the cells of one table row. A missing or invalid cell is reported and replaced by a
// harmless value, so that the other cells are checked too.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "trammel/read/table/columns.hpp"
#include "trammel/read/table/rows.hpp"

namespace trammel {

// A number with an optional unit or formula, "30 deg" or "pi/2", converted to SI. `what` begins the
// messages: "alpha of row 2". Returns nothing and reports an error if it is not a number.
std::optional<double> number_of(const TableCell& cell, const std::string& what,
                                const Dimension& expected, Diagnostics& diagnostics);

class RowReader {
 public:
  RowReader(TableNotation notation, const Table& table, const TableRow& row,
            Diagnostics& diagnostics)
      : notation_(notation), table_(table), row_(row), diagnostics_(diagnostics) {}

  bool has(std::string_view column) const { return row_.cells.contains(column); }
  Place place_of(std::string_view column) const;
  int row() const { return row_.number; }
  void error(std::string_view column, const std::string& fact, const std::string& hint) const;

  // Reports an error if the table needs the column and this row has no value in it.
  double number(std::string_view column, double otherwise = 0) const;
  // Values of a column whose dimension depends on the joint: a length or an angle, and so on.
  std::vector<Expr> per_joint(std::string_view column, const Dimension& expected) const;
  std::string text(std::string_view column) const;
  // Index of one of these words; 0 if the cell is empty, or has another word, which is reported.
  std::size_t choice(std::string_view column, const std::vector<std::string>& words) const;
  Vec3<Expr> axis(std::string_view column, const Vec3<Expr>& otherwise) const;

  Solid solid() const;
  JointKind kind(const std::vector<JointKind>& kinds) const;
  // Limits and damping of a revolute or prismatic joint.
  void read_joint(JointKind kind, JointOptions& how) const;
  ItemPlace body_place() const;
  ItemPlace joint_place() const;

 private:
  double value(std::string_view column, const Dimension& expected, double otherwise) const;
  ItemPlace place_with(
      std::initializer_list<std::pair<std::string_view, std::string_view>> keys) const;

  TableNotation notation_;
  const Table& table_;
  const TableRow& row_;
  Diagnostics& diagnostics_;
};

}  // namespace trammel
