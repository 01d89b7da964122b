#include "trammel/scalar/expr_parser.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "tests/unit/scalar/random_formula.hpp"
#include "trammel/scalar/expr_evaluate.hpp"
#include "trammel/scalar/expr_print.hpp"

namespace trammel::expr_parser_test {
namespace {

struct Parsing : testing::Test {
  Graph graph;
  Expr x = graph.symbol("x"), y = graph.symbol("y"), crank = graph.symbol("crank");

  std::variant<Expr, ParseError> read(std::string_view text) {
    const auto resolve = [this](std::string_view name) -> std::optional<Expr> {
      for (const std::string& known : graph.symbols())
        if (known == name) return graph.symbol(known);
      return std::nullopt;
    };
    return parse(text, resolve, graph.symbols());
  }

  void expect(std::string_view text, const Expr& expected) {
    const auto result = read(text);
    if (const auto* error = std::get_if<ParseError>(&result)) {
      ADD_FAILURE() << text << ": " << error->message;
      return;
    }
    EXPECT_TRUE(is_same(std::get<Expr>(result), expected))
        << text << " is " << to_string(std::get<Expr>(result)) << ", not " << to_string(expected);
  }

  void expect_error(std::string_view text, int position, const std::string& message,
                    const std::string& hint = {}) {
    const auto result = read(text);
    const auto* error = std::get_if<ParseError>(&result);
    if (!error) {
      ADD_FAILURE() << text << " was read as " << to_string(std::get<Expr>(result));
      return;
    }
    EXPECT_EQ(error->message, message) << text;
    EXPECT_EQ(error->hint, hint) << text;
    EXPECT_EQ(error->position, position) << text;
  }
};

TEST_F(Parsing, reads_numbers) {
  expect("1", 1.0);
  expect(".5", 0.5);
  expect("2.", 2.0);
  expect(" 2e-3 ", 0.002);
  expect("1E+2", 100.0);
  expect("-3", -3.0);
  expect("+3", 3.0);
  expect("pi/2", std::numbers::pi / 2);
}

TEST_F(Parsing, knows_precedence) {
  expect("x + y*crank", x + y * crank);
  expect("(x + y)*crank", (x + y) * crank);
  expect("x - y - crank", (x - y) - crank);
  expect("x/y/crank", (x / y) / crank);
  expect("x^y^crank", pow(x, pow(y, crank)));
  expect("-x^2", -(x * x));
  expect("(-x)^y", pow(-x, y));
  expect("x^-2", 1.0 / (x * x));
  expect("2^-x^2", pow(2.0, -(x * x)));
  expect("2^-x*y", pow(2.0, -x) * y);
  expect("x*-y", -(x * y));
  expect("x - -y", x + y);
  expect("--x", x);
}

TEST_F(Parsing, calls_functions) {
  expect("sin(x)*cos(y) + tan(x)", sin(x) * cos(y) + tan(x));
  expect("asin(x) + acos(x) + atan(x)", asin(x) + acos(x) + atan(x));
  expect("atan2(y, -x)", atan2(y, -x));
  expect("sqrt (x) + exp(x) + log(x) + abs(x)", sqrt(x) + exp(x) + log(x) + abs(x));
  expect("min(x, max(y, 1 + crank))", min(x, max(y, 1.0 + crank)));
  expect("pow(x, y)", pow(x, y));
}

TEST_F(Parsing, prefers_the_names_of_the_file) {
  graph.symbol("pi");
  graph.symbol("min");
  expect("pi + min", graph.symbol("pi") + graph.symbol("min"));
  expect("min(pi, min)", min(graph.symbol("pi"), graph.symbol("min")));
}

TEST_F(Parsing, says_what_was_expected) {
  expect_error("", 0, "the expression is empty");
  expect_error("  ", 2, "the expression is empty");
  expect_error("x*", 2, "expected a number, a name or '(' after '*'");
  expect_error("x* /y", 3, "expected a number, a name or '(' after '*'");
  expect_error("x**2", 2, "expected a number, a name or '(' after '*'", "a power is written x^2");
  expect_error("*x", 0, "expected a number, a name or '('");
  expect_error("()", 1, "expected a number, a name or '(' after '('");
  expect_error("min(x, )", 7, "expected a number, a name or '(' after ','");
  expect_error("2x", 1, "expected an operator after '2'", "a product is written with '*'");
  expect_error("x y", 2, "expected an operator after 'x'", "a product is written with '*'");
  expect_error("(x)(y)", 3, "expected an operator after ')'", "a product is written with '*'");
  expect_error("1.2.3", 3, "expected an operator after '1.2'", "a product is written with '*'");
  expect_error("x $ y", 2, "'$' has no meaning in an expression");
  expect_error("x \u2212 y", 2, "'\u2212' has no meaning in an expression");
  expect_error(".", 0, "'.' alone is not a number");
  expect_error("1e999", 0, "'1e999' is out of the range of a number");
}

TEST_F(Parsing, matches_parentheses) {
  expect_error("x*(y + 1", 8, "')' is missing for the '(' at column 3");
  expect_error("sin(x", 5, "')' is missing for the '(' at column 4");
  expect_error("x + y)", 5, "')' has no '(' before it");
  expect_error("x, y", 1, "',' stands only between the arguments of a function",
               "decimals are written with a point: 0.5");
  expect_error("sin((x, y))", 6, "',' stands only between the arguments of a function",
               "decimals are written with a point: 0.5");
}

TEST_F(Parsing, counts_arguments) {
  expect_error("1 + sin(x, y)", 4, "sin takes 1 argument, got 2");
  expect_error("atan2(x)", 0, "atan2 takes 2 arguments, got 1");
  expect_error("sin()", 0, "sin takes 1 argument, got 0");
}

TEST_F(Parsing, suggests_names) {
  expect_error("2*crnak", 2, "nothing is called 'crnak'", "did you mean 'crank'?");
  expect_error("sine(x)", 0, "no function is called 'sine'", "did you mean 'sin'?");
  expect_error("elbow", 0, "nothing is called 'elbow'");
  expect_error("x(y)", 1, "expected an operator after 'x'", "a product is written with '*'");
  expect_error("sin x", 0, "'sin' is a function and needs its arguments", "write sin(...)");
}

TEST(Parser, reads_numbers_without_any_names) {
  EXPECT_TRUE(is_same(std::get<Expr>(parse("2*3", nullptr)), 6.0));
  EXPECT_EQ(std::get<ParseError>(parse("x", nullptr)).message, "nothing is called 'x'");
}

TEST_F(Parsing, reads_very_deep_nesting) {
  constexpr std::size_t depth = 100000;
  const std::string open(depth, '('), close(depth, ')'), minus(depth, '-');
  expect(open + "x" + close, x);
  expect(minus + "x", x);
  std::string sines, powers = "x";
  for (std::size_t i = 0; i < depth; ++i) sines += "sin(";
  for (std::size_t i = 0; i < depth; ++i) powers += "^y";
  EXPECT_TRUE(std::holds_alternative<Expr>(read(sines + "x" + close)));
  EXPECT_TRUE(std::holds_alternative<Expr>(read(powers)));
  expect_error(open + "x", int(depth) + 1,
               "')' is missing for the '(' at column " + std::to_string(depth));
}

// Every printed formula can be read back (except select, which only programs write).
class EveryText : public testing::TestWithParam<unsigned> {};

TEST_P(EveryText, read_back_is_worth_the_same) {
  Graph graph;
  const std::vector<Expr> symbols{graph.symbol("a"), graph.symbol("b"), graph.symbol("c")};
  const Expr formula = random_formula<Expr>(GetParam(), symbols, /*with_select=*/false);
  const std::string text = to_string(formula, 1000000);

  const auto resolve = [&](std::string_view name) { return std::optional(graph.symbol(name)); };
  const auto result = parse(text, resolve);
  ASSERT_TRUE(std::holds_alternative<Expr>(result)) << text << std::get<ParseError>(result).message;
  const std::vector<double> point = random_point(GetParam(), 3);
  const Values<double> values(graph, point);

  // a product with a constant is read back in another order: rounding only
  const double expected = values(formula);
  EXPECT_NEAR(values(std::get<Expr>(result)), expected, 1e-11 * (1 + std::abs(expected))) << text;
}
INSTANTIATE_TEST_SUITE_P(seeds, EveryText, testing::Range(1u, 101u));

}  // namespace
}  // namespace trammel::expr_parser_test
