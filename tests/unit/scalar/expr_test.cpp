#include "trammel/scalar/expr.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <concepts>
#include <limits>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "tests/unit/scalar/random_formula.hpp"
#include "trammel/scalar/dual.hpp"
#include "trammel/scalar/expr_count.hpp"
#include "trammel/scalar/expr_derivative.hpp"
#include "trammel/scalar/expr_evaluate.hpp"
#include "trammel/scalar/expr_print.hpp"

namespace trammel::expr_test {
namespace {

static_assert(Scalar<Expr> && Scalar<Dual<4>>);
static_assert(std::same_as<Product<double, Expr>, Expr>);
static_assert(std::is_trivially_copyable_v<Expr>);
static_assert(!std::convertible_to<Condition, bool> && !std::constructible_from<bool, Condition>);
static_assert(!std::convertible_to<double, Condition>);

constexpr double infinity = std::numeric_limits<double>::infinity();
const double nan = std::numeric_limits<double>::quiet_NaN();

struct TwoLetters : testing::Test {
  Graph graph;
  Expr x = graph.symbol("x"), y = graph.symbol("y");

  double at(const Expr& expression, double x_value, double y_value) const {
    return Values<double>(graph, std::array{x_value, y_value})(expression);
  }
};
using Letters = TwoLetters;
using Folding = TwoLetters;
using Conditions = TwoLetters;
using Evaluation = TwoLetters;
using Derivatives = TwoLetters;
using Printing = TwoLetters;

TEST_F(Letters, of_the_same_name_are_one_node) {
  EXPECT_TRUE(is_same(x, graph.symbol("x")));
  EXPECT_FALSE(is_same(x, y));
  EXPECT_EQ(graph.symbols(), (std::vector<std::string>{"x", "y"}));
}

TEST_F(Letters, of_a_copied_graph_are_of_the_same_graph) {
  Graph copy = graph;
  EXPECT_TRUE(is_same(copy.symbol("x") + copy.symbol("z"), graph.symbol("z") + x));
}

TEST_F(Letters, of_two_graphs_do_not_mix) {
  Graph other;
  const Expr z = other.symbol("z"), of_x = 1.0 - sin(x), of_z = 2.0 * z;
  try {
    static_cast<void>(of_x / of_z);
    FAIL() << "two graphs were mixed";
  } catch (const std::logic_error& error) {
    EXPECT_STREQ(
        error.what(),
        "an expression of 'x' meets one of 'z' from another graph; make both symbols in one");
  }
  EXPECT_THROW(static_cast<void>(select(x < y, z, 0.0)), std::logic_error);
  EXPECT_THROW(static_cast<void>(derivative(x, z)), std::logic_error);
}

TEST_F(Letters, equal_expressions_are_one_node) {
  const Expr once = sin(x * y) / (x + 2.0);
  const int size = graph.size();
  EXPECT_TRUE(is_same(once, sin(y * x) / (2.0 + x)));
  EXPECT_EQ(graph.size(), size);
}

TEST_F(Letters, stay_one_node_each_when_there_are_thousands) {
  std::vector<Expr> terms;
  for (int i = 0; i < 10000; ++i) terms.push_back(x + double(i + 1));
  const int size = graph.size();
  for (int i = 0; i < 10000; ++i) ASSERT_TRUE(is_same(terms[std::size_t(i)], x + double(i + 1)));
  EXPECT_EQ(graph.size(), size);
}

TEST(Constants, fold_without_a_graph) {
  const Expr two = 2, half = 0.5;
  const Expr result = sqrt(two * two) + pow(two, 3) / half - sin(Expr()) + atan2(Expr(0), 1.0);
  ASSERT_TRUE(result.is_constant());
  EXPECT_EQ(result.constant(), 18);
  EXPECT_EQ((Expr(1.0) / 0.0).constant(), infinity);
  EXPECT_TRUE(std::isnan((Expr(0.0) / 0.0).constant()));
  EXPECT_TRUE(std::isnan(sqrt(Expr(-1.0)).constant()));
}

TEST_F(Folding, drops_zeros_and_ones) {
  EXPECT_TRUE(is_same(0.0 + x, x) && is_same(x + 0.0, x) && is_same(x - 0.0, x));
  EXPECT_TRUE(is_same(1.0 * x, x) && is_same(x * 1.0, x) && is_same(x / 1.0, x));
  EXPECT_TRUE(is_same(0.0 * x, 0.0) && is_same(x * 0.0, 0.0) && is_same(0.0 / x, 0.0));
  EXPECT_TRUE(is_same(x - x, 0.0) && is_same(x / x, 1.0) && is_same(pow(x, 0.0), 1.0));
  EXPECT_TRUE(is_same(x + x, 2.0 * x) && is_same(2.0 * (3.0 * x), 6.0 * x));
  EXPECT_TRUE(is_same(x / 4.0, 0.25 * x));
  EXPECT_TRUE(is_same(pow(x, 2.0), x * x) && is_same(pow(x, -1.0), 1.0 / x));
  EXPECT_TRUE(is_same(pow(x, 5.0), x * ((x * x) * (x * x))));
  EXPECT_TRUE(is_same(pow(x, 0.5), sqrt(x)));
}

TEST_F(Folding, moves_signs_outward) {
  EXPECT_TRUE(is_same(-(-x), x) && is_same(0.0 - x, -x) && is_same(-1.0 * x, -x));
  EXPECT_TRUE(is_same(x - (-y), x + y) && is_same(x + (-y), x - y) && is_same((-x) + y, y - x));
  EXPECT_TRUE(is_same((-x) + (-y), -(x + y)) && is_same((-x) - y, -(x + y)));
  EXPECT_TRUE(is_same((-x) * y, -(x * y)) && is_same((-x) * (-y), x * y));
  EXPECT_TRUE(is_same(-2.0 * x, -(2.0 * x)) && is_same(x + -2.0, x - 2.0));
  EXPECT_TRUE(is_same((-x) / y, -(x / y)) && is_same(x / (-y), -(x / y)));
  EXPECT_TRUE(is_same(y - x, -(x - y))) << "a difference and its reverse share a node";
  EXPECT_TRUE(is_same(sin(-x), -sin(x)) && is_same(cos(-x), cos(x)) && is_same(tan(-x), -tan(x)));
  EXPECT_TRUE(is_same(sin(y - x), -sin(x - y)));
  EXPECT_TRUE(is_same(abs(-x), abs(x)) && is_same(abs(abs(x)), abs(x)));
}

TEST_F(Folding, never_hides_a_nan_or_a_division_by_zero) {
  for (const Expr& broken : {x / 0.0, x / -0.0, x + nan, sin(x) * infinity, sqrt(y + nan)}) {
    for (const Expr& folded : {0.0 * broken, broken * 0.0, broken - broken, broken / broken,
                               0.0 / (1.0 / broken), pow(broken, 0.0) + broken}) {
      EXPECT_FALSE(folded.is_constant()) << to_string(broken) << " became " << to_string(folded);
    }
    EXPECT_TRUE(std::isnan(at(0.0 * broken, 1.0, 1.0))) << to_string(broken);
  }
  EXPECT_EQ(at(x / 0.0, 2.0, 0.0), infinity);
  EXPECT_EQ(at(x / -0.0, 2.0, 0.0), -infinity);
}

TEST_F(Conditions, choose_later_or_fold_at_once) {
  const Expr clamped = select(x < -1.0, -1.0, select(x > 1.0, 1.0, x));
  EXPECT_EQ(at(clamped, -3.0, 0.0), -1.0);
  EXPECT_EQ(at(clamped, 0.5, 0.0), 0.5);
  EXPECT_EQ(at(clamped, 2.0, 0.0), 1.0);
  EXPECT_EQ(at(select(x <= y, 1.0, 2.0), 1.0, 1.0), 1.0);
  EXPECT_EQ(at(select(x >= y, 1.0, 2.0), 1.0, 1.5), 2.0);
  EXPECT_EQ(at(select(x == y, 1.0, 2.0), 1.0, 1.0), 1.0);

  EXPECT_TRUE(is_same(select(Expr(1.0) < 2.0, x, y), x));
  EXPECT_TRUE(is_same(select(false, x, y), y));
  EXPECT_TRUE(is_same(select(x < y, x, x), x));
}

TEST_F(Evaluation, lifts_constants_and_checks_its_symbols) {
  const std::array point{1.0, 2.0};
  const Values<double> values(graph, point);
  EXPECT_EQ(values(7.0), 7.0);
  EXPECT_EQ(values(y), 2.0);
  EXPECT_THROW(static_cast<void>(values(x + y)), std::logic_error) << "made after the values";
  EXPECT_THROW(static_cast<void>(values(Graph().symbol("x"))), std::logic_error);
  EXPECT_THROW(static_cast<void>(evaluate<double>(graph, std::array{1.0})), std::invalid_argument);
}

// A scalar type with arithmetic only.
struct Bare {
  double value;
  explicit Bare(double v) : value(v) {}
  friend Bare operator+(Bare a, Bare b) { return Bare(a.value + b.value); }
  friend Bare operator-(Bare a, Bare b) { return Bare(a.value - b.value); }
  friend Bare operator*(Bare a, Bare b) { return Bare(a.value * b.value); }
  friend Bare operator/(Bare a, Bare b) { return Bare(a.value / b.value); }
  friend Bare operator-(Bare a) { return Bare(-a.value); }
};

TEST_F(Evaluation, names_the_function_a_kind_of_number_lacks) {
  const std::array point{Bare(3.0), Bare(4.0)};
  const Expr square = x * x + y * y;
  static_cast<void>(log(x));
  EXPECT_EQ(Values<Bare>(graph, point, std::array{square})(square).value, 25.0);
  try {
    static_cast<void>(evaluate<Bare>(graph, point));
    FAIL() << "a logarithm of bare numbers";
  } catch (const std::logic_error& error) {
    EXPECT_STREQ(error.what(), "this kind of number has no 'log'");
  }
}

TEST_F(Evaluation, with_expressions_of_another_graph_is_substitution) {
  const Expr formula = sin(x) * y;
  Graph other;
  const Expr a = other.symbol("a");
  const Values<Expr> values(graph, std::array{2.0 * a, Expr(1.0)});
  EXPECT_TRUE(is_same(values(formula), sin(2.0 * a)));
}

TEST_F(Evaluation, substitutes_all_symbols_at_once) {
  EXPECT_TRUE(is_same(substitute(x - 2.0 * y, {{x, y}, {y, x}}), y - 2.0 * x));
  EXPECT_TRUE(is_same(substitute(sin(x) * y, {{x, 0.0}}), 0.0));
  EXPECT_TRUE(is_same(substitute(3.0, {{x, y}}), 3.0));
  EXPECT_THROW(static_cast<void>(substitute(x, {{x + y, y}})), std::invalid_argument);
}

TEST_F(Derivatives, are_those_of_the_table) {
  EXPECT_EQ(to_string(derivative(x * x * y, x)), to_string(2.0 * x * y));
  EXPECT_TRUE(is_same(derivative(sin(x), x), cos(x)));
  EXPECT_TRUE(is_same(derivative(exp(2.0 * x), x), 2.0 * exp(2.0 * x)));
  EXPECT_TRUE(is_same(derivative(y, x), 0.0));
  EXPECT_TRUE(is_same(derivative(5.0, x), 0.0));
  EXPECT_THROW(static_cast<void>(derivative(x * y, x * y)), std::invalid_argument);
}

TEST_F(Derivatives, of_a_branch_not_taken_do_not_matter) {
  // the derivative of sqrt is infinite at 0, but there the other branch is selected
  EXPECT_EQ(at(derivative(select(x > 0.0, sqrt(x), 3.0 * x), x), 0.0, 0.0), 3.0);
}

TEST_F(Derivatives, of_a_power_of_a_negative_base_are_finite) {
  const Expr power = pow(x, 11.0);
  EXPECT_DOUBLE_EQ(at(derivative(power, x), -1.0, 0.0), 11.0);
  const std::array point{Dual<1>::variable(-1.0, 0), Dual<1>(0.0)};
  EXPECT_DOUBLE_EQ(Values<Dual<1>>(graph, point)(power).derivative[0], 11.0);
}

// Properties of every formula
class EveryFormula : public testing::TestWithParam<unsigned> {
 protected:
  Graph graph;
  std::vector<Expr> symbols{graph.symbol("a"), graph.symbol("b"), graph.symbol("c")};
  Expr formula = random_formula<Expr>(GetParam(), symbols);
  std::vector<double> point = random_point(GetParam(), 3);

  double value(const Expr& expression, const std::vector<double>& where) const {
    return Values<double>(graph, where)(expression);
  }
};

// formulas have some 40 steps whose values stay below 1e3: rounding stays below 1e-11
constexpr double rounding = 1e-11;
double scale(double x) { return 1 + std::abs(x); }

TEST_P(EveryFormula, is_worth_the_same_folded_and_not) {
  const double expected = random_formula<double>(GetParam(), point);
  EXPECT_NEAR(value(formula, point), expected, rounding * scale(expected));
}

TEST_P(EveryFormula, has_derivatives_that_match_duals_and_differences) {
  std::array<Dual<3>, 3> moving;
  for (int k = 0; k < 3; ++k) moving[std::size_t(k)] = Dual<3>::variable(point[std::size_t(k)], k);
  const Dual<3> dual = Values<Dual<3>>(graph, moving)(formula);
  const Dual<3> direct = random_formula<Dual<3>>(GetParam(), moving);

  for (std::size_t k = 0; k < 3; ++k) {
    const double slope = value(derivative(formula, symbols[k]), point);
    EXPECT_NEAR(slope, dual.derivative[k], rounding * 100 * scale(slope));
    EXPECT_NEAR(slope, direct.derivative[k], rounding * 100 * scale(slope));

    // central differences: h^2 of truncation with third derivatives up to 1e6, eps/h of rounding
    const double h = 1e-6;
    std::vector<double> before = point, after = point;
    before[k] -= h;
    after[k] += h;
    const double difference = (value(formula, after) - value(formula, before)) / (2 * h);
    EXPECT_NEAR(slope, difference, 1e-6 * scale(slope));
  }
}

TEST_P(EveryFormula, has_a_gradient_of_its_derivatives) {
  const std::vector<Expr> all = gradient(formula, symbols);
  for (std::size_t k = 0; k < 3; ++k) {
    const double slope = value(derivative(formula, symbols[k]), point);
    EXPECT_NEAR(value(all[k], point), slope, rounding * 100 * scale(slope));
  }
}

TEST_P(EveryFormula, substituted_and_evaluated_is_evaluated_at_the_substitute) {
  const Expr replacement = 0.3 * symbols[1] + sin(symbols[2]);
  const Expr substituted =
      substitute(formula, {{symbols[0], replacement}, {symbols[1], symbols[0]}});
  const std::vector<double> moved{value(replacement, point), point[0], point[2]};
  const double expected = value(formula, moved);
  EXPECT_NEAR(value(substituted, point), expected, rounding * scale(expected));
}

TEST_P(EveryFormula, built_again_adds_nothing) {
  const int size = graph.size();
  EXPECT_TRUE(is_same(random_formula<Expr>(GetParam(), symbols), formula));
  EXPECT_EQ(graph.size(), size);
}
INSTANTIATE_TEST_SUITE_P(seeds, EveryFormula, testing::Range(1u, 101u));

TEST(Operations, are_counted_once_each) {
  Graph graph;
  const Expr x = graph.symbol("x"), y = graph.symbol("y");
  const Expr common = x * y + 1.0;
  const std::array wanted{sin(common) / common, -common, select(x < y, common, x - y), Expr(3.0)};
  EXPECT_EQ(operations(wanted), (OperationCount{.additions = 2,
                                                .multiplications = 1,
                                                .divisions = 1,
                                                .functions = 1,
                                                .negations = 1,
                                                .choices = 2}));
  EXPECT_EQ(operations(wanted).total(), 8);
  EXPECT_EQ(operations(std::array{x, Expr(2.0)}).total(), 0);
}

TEST_F(Printing, uses_few_parentheses) {
  const Expr z = graph.symbol("z");
  EXPECT_EQ(to_string(2.5), "2.5");
  EXPECT_EQ(to_string(x + y + z), "x + y + z");
  EXPECT_EQ(to_string(x - (y - z)), "x - (y - z)");
  EXPECT_EQ(to_string((x + y) * z), "z*(x + y)");
  EXPECT_EQ(to_string(-2.0 * x * y), "-2*x*y");
  EXPECT_EQ(to_string(1.0 - x), "1 - x");
  EXPECT_EQ(to_string(x - 1.0), "x - 1") << "kept as the reverse of 1 - x";
  EXPECT_EQ(to_string(z * (x - 1.0)), "-z*(1 - x)");
  EXPECT_EQ(to_string(x / (y * z)), "x/(y*z)");
  EXPECT_EQ(to_string(pow(-x, 1.5)), "(-x)^1.5");
  EXPECT_EQ(to_string(z * pow(x, y)), "z*x^y");
  EXPECT_EQ(to_string(pow(x, -1.5)), "x^(-1.5)");
  EXPECT_EQ(to_string(atan2(-x, sqrt(y))), "atan2(-x, sqrt(y))");
  EXPECT_EQ(to_string(select(x < y, 0.0, x)), "select(x < y, 0, x)");
}

TEST_F(Printing, ends_long_texts_in_dots) {
  Expr doubling = x + y;
  for (int i = 0; i < 200; ++i) doubling = sin(doubling) * doubling;  // 2^200 symbols if unrolled
  const std::string text = to_string(doubling);
  EXPECT_EQ(text.size(), 2003u);
  EXPECT_EQ(text.substr(2000), "...");
}

TEST(DeepExpressions, do_not_overflow_the_stack) {
  constexpr int depth = 100000;
  Graph graph;
  const Expr x = graph.symbol("x");
  Expr chain = x;
  for (int i = 0; i < depth; ++i) chain = (i % 2 == 0 ? sin(x) : x) + 0.5 * chain;

  const std::array point{0.3};
  const double value = Values<double>(graph, point)(chain);
  EXPECT_TRUE(std::isfinite(value));
  EXPECT_EQ(operations(std::array{chain}).additions, depth);
  EXPECT_LE(to_string(chain).size(), 2003u);

  const Expr slope = derivative(chain, x), same = gradient(chain, std::array{x})[0];
  const Values<double> values(graph, point);
  EXPECT_NEAR(values(slope), values(same), 1e-12);  // both sum a geometric series
  EXPECT_NEAR(Values<double>(graph, point)(substitute(chain, {{x, 0.3}})), value, 1e-12);
}

}  // namespace
}  // namespace trammel::expr_test
