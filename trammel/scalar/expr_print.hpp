// Text of an expression, for messages and tests: "m*l^2" is "m*l*l", with as few parentheses as
// reading it back permits. Common subexpressions are repeated, so formulas can be long: after
// `longest` characters the text ends in "...".
#pragma once

#include <cstddef>
#include <string>

#include "trammel/scalar/expr.hpp"

namespace trammel {

std::string to_string(const Expr& expression, std::size_t longest = 2000);

}  // namespace trammel
