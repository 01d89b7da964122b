// A formula as a person writes it in a file: "crank/2 + sqrt(l^2 - h^2)*sin(pi/6)".
//
// Numbers, names, + - * / ^, a minus in front (-x^2 is -(x^2)), parentheses, pi, and the functions
// sin cos tan asin acos atan atan2 sqrt exp log abs min max pow. Read by precedence with explicit
// stacks (shunting yard), so that no depth of nesting can overflow the program's own.
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
  int position = 0;     // where in the text, from 0; messages count columns from 1
  std::string message;  // the thing and the fact
  std::string hint;     // the next step; may be empty
};

// What a name means; nothing if it has no meaning. Asked before pi, so that a file may have its
// own.
using Resolve = std::function<std::optional<Expr>(std::string_view name)>;

// The expression, or the first mistake. `known` are the names to suggest for an unknown one.
std::variant<Expr, ParseError> parse(std::string_view text, const Resolve& resolve,
                                     std::span<const std::string> known = {});

}  // namespace trammel
