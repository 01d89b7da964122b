// Values of one item as TOML text: numbers and formulas, vectors, placements, tables of numbers.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "trammel/model/description/description.hpp"
#include "trammel/write/model/toml/formulas.hpp"
#include "trammel/write/model/toml/table.hpp"

namespace trammel::toml {

// Keys with their numbers. An empty list is not written, a single number is written without a list.
using NamedLists = std::vector<std::pair<std::string, std::vector<Expr>>>;

bool is_zero(const Expr& x);
bool is_zero(const Vec3<Expr>& a);
bool is_zero(const Placement& at);
bool is_equal(const Vec3<Expr>& a, double x, double y, double z);

// The number as a list of one, or an empty list if it has the default value or is not given.
std::vector<Expr> unless(const Expr& x, double otherwise);
std::vector<Expr> when_given(const std::optional<Expr>& x);

// ["first", "second"]
std::string pair_text(const std::string& first, const std::string& second);

class ValueWriter {
 public:
  explicit ValueWriter(const Description& description) : formula_text_(description) {}

  // `own_key`: key of the number itself; in its own formula that name refers to the outer scope.
  std::string text(const Expr& x, std::string_view own_key = {});
  std::string text(const std::vector<Expr>& list);
  std::string text(std::initializer_list<Expr> list) { return text(std::vector<Expr>(list)); }
  std::string text(const Vec3<Expr>& a) { return text({a.x, a.y, a.z}); }
  std::string text(const Placement& at);
  std::string text(const std::vector<JointStep>& motions);
  // "x", "-z", or a list
  std::string axis_text(const Vec3<Expr>& axis);
  // One pair for all coordinates, or a list with one per coordinate; a missing value is no limit.
  std::string range_text(const std::vector<Expr>& lower, const std::vector<Expr>& upper);

  void add_list(Table& table, std::string_view name, const std::vector<Expr>& list);
  // Numbers by their keys, each of which may refer to the others.
  Table numbers_table(const NamedLists& lists);
  // Always lists, even with one entry; for several dof one row per time.
  Table points_table(const NamedLists& lists);

  const FormulaTexts& formulas() const { return formula_text_; }

 private:
  friend class ItemScope;

  FormulaTexts formula_text_;
  std::vector<NumberInScope> in_scope_;  // of the current item
};

// As long as it lives, formulas may refer to these numbers by their keys: the reader finds them
// in the item, or in the inner table, that is being written.
class ItemScope {
 public:
  ItemScope(ValueWriter& values, const NamedLists& numbers);
  ItemScope(ValueWriter&, NamedLists&&) = delete;  // the keys are not copied
  ItemScope(const ItemScope&) = delete;
  ~ItemScope() { values_.in_scope_.resize(outside_); }

 private:
  ValueWriter& values_;
  std::size_t outside_;  // numbers that were in scope before
};

}  // namespace trammel::toml
