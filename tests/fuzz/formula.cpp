// Fuzz target: formulas with units. A formula printed and parsed again has the same value; mistakes
// have a place in the text.
#include <array>
#include <cmath>

#include "tests/fuzz/target.hpp"
#include "trammel/read/units.hpp"
#include "trammel/scalar/expr_count.hpp"
#include "trammel/scalar/expr_derivative.hpp"
#include "trammel/scalar/expr_evaluate.hpp"
#include "trammel/scalar/expr_parser.hpp"
#include "trammel/scalar/expr_print.hpp"

namespace trammel::fuzz {

namespace {

void expect_readable(const ParseError& error, std::string_view text) {
  expect(!error.message.empty(), "a mistake has no words");
  expect(error.position >= 0 && std::size_t(error.position) <= text.size(),
         "a mistake lies outside the text: " + error.message);
  if (is_utf8(text))
    expect(is_utf8(error.message) && is_utf8(error.hint), "a mistake is not UTF-8");
}

bool is_same(double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); }

void check_unit(std::string_view text) {
  const auto unit = parse_unit(text);
  if (const auto* error = std::get_if<ParseError>(&unit)) return expect_readable(*error, text);
  expect(!name_of(std::get<Unit>(unit).dimension).empty(), "a dimension has no name");
  (void)units_of(std::get<Unit>(unit).dimension);
  (void)in_si(1.0, std::get<Unit>(unit));
}

void check_formula(std::string_view text) {
  const std::vector<std::string> names = {"a", "b", "length"};
  // with these values no short formula is 0, whose sign printing need not preserve
  const std::array at{0.73908513321516064, -1.4142135623730951, 2.7182818284590452};
  Graph graph;
  for (const std::string& name : names) graph.symbol(name);
  const auto resolve = [&](std::string_view name) -> std::optional<Expr> {
    for (const std::string& each : names)
      if (each == name) return graph.symbol(each);
    return std::nullopt;
  };
  const auto parsed = parse(text, resolve, names);
  if (const auto* error = std::get_if<ParseError>(&parsed)) return expect_readable(*error, text);
  const Expr formula = std::get<Expr>(parsed);
  const Expr slope = derivative(formula, graph.symbol("a"));
  (void)operations(std::array{formula, slope});
  const std::string printed = to_string(formula, 20000);
  if (printed.ends_with("...") || printed.find("nan") != printed.npos ||
      printed.find("inf") != printed.npos)
    return;
  const auto again = parse(printed, resolve, names);
  if (const auto* error = std::get_if<ParseError>(&again))
    throw Finding("a printed formula is no formula: " + printed + ": " + error->message);
  const Values<double> value(graph, at);
  expect(is_same(value(formula), value(std::get<Expr>(again))),
         "a printed formula has another value: " + printed);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = text_of(data, size);
  const std::size_t unit = find_unit(text);
  expect(unit <= text.size(), "a unit begins behind the end");
  check_formula(text.substr(0, unit));
  if (unit < text.size()) check_unit(text.substr(unit));
  check_unit(text);
  return 0;
}

}  // namespace trammel::fuzz
