#include "trammel/read/urdf/numbers.hpp"

#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "trammel/base/diagnostics.hpp"

namespace trammel::urdf {

namespace {

constexpr std::string_view spaces = " \t\r\n\v\f";

// A number that underflows is zero; one that overflows is infinite.
double beyond_doubles(std::string_view word) {
  const std::size_t exponent = word.find_first_of("eE");
  const bool is_tiny = exponent == std::string_view::npos
                           ? word.find('.') < 3
                           : word.substr(exponent + 1).starts_with('-');
  return is_tiny ? 0.0 : INFINITY;
}

bool parse(std::string_view word, double& value) {
  if (word.size() > 1 && word[0] == '+' && word[1] != '-') word.remove_prefix(1);
  const char* end = word.data() + word.size();
  const auto [stop, error] = std::from_chars(word.data(), end, value);
  if (error == std::errc::result_out_of_range) value = beyond_doubles(word);
  return stop == end && (error == std::errc() || error == std::errc::result_out_of_range);
}

}  // namespace

NumberList parse_numbers(std::string_view text, std::size_t asked) {
  NumberList list;
  for (std::size_t at = 0; (at = text.find_first_not_of(spaces, at)) != std::string_view::npos;) {
    const std::size_t end = std::min(text.find_first_of(spaces, at), text.size());
    const std::string_view word = text.substr(at, end - at);
    at = end;
    double value = 0;
    if (!parse(word, value)) {
      list.mistake = fmt::format("'{}', which is not a number", shortened(word));
      list.hint = word.find(',') != std::string_view::npos
                      ? "use a point for decimals, and spaces between numbers"
                      : "write a number such as 1.5 or 2e-3; URDF has no units and no formulas";
      return list;
    }
    if (!std::isfinite(value)) {
      list.mistake = fmt::format("'{}', which is not finite", shortened(word));
      list.hint = "give a finite number";
      return list;
    }
    if (++list.count <= asked) list.values.push_back(value);
  }
  return list;
}

}  // namespace trammel::urdf
