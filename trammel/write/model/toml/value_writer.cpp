#include "trammel/write/model/toml/value_writer.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "trammel/write/model/toml/text.hpp"

namespace trammel::toml {

bool is_zero(const Expr& x) { return x.is_constant() && x.constant() == 0; }
bool is_equal(const Vec3<Expr>& a, double x, double y, double z) {
  return is_same(a.x, x) && is_same(a.y, y) && is_same(a.z, z);
}
bool is_zero(const Vec3<Expr>& a) { return is_equal(a, 0, 0, 0); }
bool is_zero(const Placement& at) { return is_zero(at.xyz) && is_zero(at.rpy); }

std::vector<Expr> unless(const Expr& x, double otherwise) {
  return is_same(x, otherwise) ? std::vector<Expr>{} : std::vector<Expr>{x};
}
std::vector<Expr> when_given(const std::optional<Expr>& x) {
  return x ? std::vector<Expr>{*x} : std::vector<Expr>{};
}

std::string pair_text(const std::string& first, const std::string& second) {
  return fmt::format("[{}, {}]", string_text(first), string_text(second));
}

std::string ValueWriter::text(const Expr& x, std::string_view own_key) {
  if (x.is_constant()) return number_text(x.constant());
  std::vector<NumberInScope> others = in_scope_;
  std::erase_if(others, [&](const NumberInScope& number) { return number.key == own_key; });
  return string_text(formula_text_(x, others));
}

std::string ValueWriter::text(const std::vector<Expr>& list) {
  std::string out;
  for (const Expr& x : list) out += (out.empty() ? "" : ", ") + text(x);
  return "[" + out + "]";
}

std::string ValueWriter::text(const Placement& at) {
  Table table;
  if (!is_zero(at.xyz)) table.add("xyz", text(at.xyz));
  if (!is_zero(at.rpy)) table.add("rpy", text(at.rpy));
  return table.in_line();
}

std::string ValueWriter::text(const std::vector<JointStep>& motions) {
  std::string out;
  for (const JointStep& step : motions) {
    Table table;
    table.add(step.kind == JointStep::Kind::turn ? "turn" : "slide", axis_text(step.axis));
    out += (out.empty() ? "" : ", ") + table.in_line();
  }
  return "[" + out + "]";
}

std::string ValueWriter::axis_text(const Vec3<Expr>& axis) {
  constexpr std::string_view names[] = {"x", "y", "z"};
  for (int k = 0; k < 3; ++k)
    for (const double sign : {1.0, -1.0})
      if (is_equal(axis, k == 0 ? sign : 0, k == 1 ? sign : 0, k == 2 ? sign : 0))
        return fmt::format("\"{}{}\"", sign < 0 ? "-" : "", names[k]);
  return text(axis);
}

std::string ValueWriter::range_text(const std::vector<Expr>& lower,
                                    const std::vector<Expr>& upper) {
  const auto entry = [](const std::vector<Expr>& list, std::size_t k, double none) {
    return list.size() == 1 ? list[0] : k < list.size() ? list[k] : Expr(none);
  };
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const std::size_t count = std::max(lower.size(), upper.size());
  std::string out;
  for (std::size_t k = 0; k < count; ++k)
    out += (k > 0 ? ", " : "") + text({entry(lower, k, -infinity), entry(upper, k, infinity)});
  return count == 1 ? out : "[" + out + "]";
}

void ValueWriter::add_list(Table& table, std::string_view name, const std::vector<Expr>& list) {
  if (list.size() == 1)
    table.add(name, text(list[0], name));
  else if (!list.empty())
    table.add(name, text(list));
}

Table ValueWriter::numbers_table(const NamedLists& lists) {
  Table table;
  const ItemScope scope(*this, lists);
  for (const auto& [name, list] : lists) add_list(table, name, list);
  return table;
}

Table ValueWriter::points_table(const NamedLists& lists) {
  Table table;
  const std::size_t times = lists.empty() ? 0 : lists[0].second.size();
  const auto rows_text = [&](const std::vector<Expr>& list, std::size_t width) {
    std::string out;
    for (auto at = list.begin(); at + std::ptrdiff_t(width) <= list.end();
         at += std::ptrdiff_t(width))
      out += (out.empty() ? "" : ", ") + text(std::vector<Expr>(at, at + std::ptrdiff_t(width)));
    return "[" + out + "]";
  };
  for (const auto& [name, list] : lists) {
    const std::size_t width = times > 0 ? list.size() / times : 1;
    table.add(name, width > 1 ? rows_text(list, width) : text(list));
  }
  return table;
}

ItemScope::ItemScope(ValueWriter& values, const NamedLists& numbers)
    : values_(values), outside_(values.in_scope_.size()) {
  for (const auto& [name, list] : numbers)
    if (list.size() == 1) values.in_scope_.push_back({name, list[0]});
}

}  // namespace trammel::toml
