// Label of a number of a description, and iteration over numbers of vectors and lists.
#pragma once

#include <concepts>
#include <string>
#include <string_view>
#include <vector>

#include "trammel/scalar/expr.hpp"
#include "trammel/spatial/vec3.hpp"

namespace trammel {

// Label of one number of an item: "mass", "com.x", "damping[1]". Formatted as text only on demand.
struct NumberLabel {
  std::string_view name;
  int k = -1;                  // 1 of "damping[1]"
  std::string_view part = {};  // "x" of "com.x"
};
std::string to_string(const NumberLabel& label);

// An item of type Of that may be const: each_number calls visit(label, expression) for its numbers,
// which visit may change if it is not.
template <class Item, class Of>
concept ConstOrNot = std::same_as<std::remove_const_t<Item>, Of>;

// Visits the numbers of a vector with the labels "name.x", "name.y", "name.z"; for entry k of a
// list of vectors "name[k].x" and so on.
template <ConstOrNot<Vec3<Expr>> Vector, class Visit>
void each_number(Vector& a, std::string_view name, const Visit& visit, int k = -1) {
  visit(NumberLabel{name, k, "x"}, a.x);
  visit(NumberLabel{name, k, "y"}, a.y);
  visit(NumberLabel{name, k, "z"}, a.z);
}
// Visits the numbers of a list with the labels "name[0]", "name[1]", ...
template <ConstOrNot<std::vector<Expr>> List, class Visit>
void each_number(List& list, std::string_view name, const Visit& visit) {
  for (std::size_t k = 0; k < list.size(); ++k) visit(NumberLabel{name, int(k), ""}, list[k]);
}

}  // namespace trammel
