// Parser of formulas in model files: "crank/2 + sqrt(l^2 - h^2)*sin(pi/6)".
//
// Numbers, names, + - * / ^, a unary minus (-x^2 is -(x^2)), parentheses, pi, and the functions sin
// cos tan asin acos atan atan2 sqrt exp log abs min max pow. Operator-precedence parsing with
// explicit stacks (shunting yard), so that no depth of nesting can overflow the call stack.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "trammel/scalar/expr.hpp"

namespace trammel {

struct ParseError {
  int position = 0;     // position in the text, from 0; messages count columns from 1
  std::string message;  // the thing and the fact
  std::string hint;     // the next step; may be empty
};

// Resolves a name to its expression, or to nothing if it is unknown. Called before pi is, so that a
// file may define its own pi.
using Resolve = std::function<std::optional<Expr>(std::string_view name)>;

// The expression, or the first error. `known`: names to suggest for an unknown one.
std::variant<Expr, ParseError> parse(std::string_view text, const Resolve& resolve,
                                     std::span<const std::string> known = {});

}  // namespace trammel
