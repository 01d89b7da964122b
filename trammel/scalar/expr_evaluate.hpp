// Evaluation of expressions for given values of the symbols, with any scalar P: doubles give a
// value, Packs many, Duals a derivative, Exprs a substitution.
//
// One pass over the nodes in order of their ids; no recursion, so depth is not limited.
#pragma once

#include <cmath>
#include <initializer_list>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "trammel/scalar/expr.hpp"
#include "trammel/scalar/scalar.hpp"

namespace trammel {

namespace evaluation {

[[noreturn]] void throw_lacks(Op op);  // this scalar type has no such function
void expect_symbols(const Graph& graph, std::size_t given);
void expect_node(const Graph& graph, const Expr& expression, std::size_t evaluated);

// Functions of one operand; a function that a scalar type lacks is replaced by an equivalent where
// there is one.
template <Scalar P> P function(Op op, const P& x) {
  using std::abs, std::acos, std::asin, std::atan, std::cos, std::exp, std::log, std::sin,
      std::sqrt, std::tan;
  switch (op) {
    case Op::sqrt:
      if constexpr (requires { sqrt(x); }) return sqrt(x);
      break;
    case Op::sin:
      if constexpr (requires { sin(x); })
        return sin(x);
      else if constexpr (requires { sin_cos(x); })
        return sin_cos(x).sin;
      break;
    case Op::cos:
      if constexpr (requires { cos(x); })
        return cos(x);
      else if constexpr (requires { sin_cos(x); })
        return sin_cos(x).cos;
      break;
    case Op::tan:
      if constexpr (requires { tan(x); })
        return tan(x);
      else if constexpr (requires { sin_cos(x); })
        return sin_cos(x).sin / sin_cos(x).cos;
      break;
    case Op::asin:
      if constexpr (requires { asin(x); }) return asin(x);
      break;
    case Op::acos:
      if constexpr (requires { acos(x); }) return acos(x);
      break;
    case Op::atan:
      if constexpr (requires { atan(x); }) return atan(x);
      break;
    case Op::exp:
      if constexpr (requires { exp(x); }) return exp(x);
      break;
    case Op::log:
      if constexpr (requires { log(x); }) return log(x);
      break;
    case Op::abs:
      if constexpr (requires { abs(x); })
        return abs(x);
      else if constexpr (requires { select(x < P(0.0), -x, x); })
        return select(x < P(0.0), -x, x);
      break;
    default: break;
  }
  throw_lacks(op);
}

// `yes` or `no`, by the comparison of x with y
template <Scalar P> P choice(Op comparison, const P& x, const P& y, const P& yes, const P& no) {
  switch (comparison) {
    case Op::less:
      if constexpr (requires { select(x < y, yes, no); }) return select(x < y, yes, no);
      break;
    case Op::less_equal:
      if constexpr (requires { select(x <= y, yes, no); }) return select(x <= y, yes, no);
      break;
    case Op::equal:
      if constexpr (requires { select(x == y, yes, no); }) return select(x == y, yes, no);
      break;
    default: break;
  }
  throw_lacks(comparison);
}

// A constant exponent stays a double where P supports that: no logarithm of a negative base.
template <Scalar P> P power(const P& base, const P& exponent, const Node& exponent_node) {
  using std::pow;
  if (exponent_node.op == Op::constant) {
    if constexpr (requires { pow(base, exponent_node.constant); })
      return P(pow(base, exponent_node.constant));
  }
  if constexpr (requires { pow(base, exponent); })
    return pow(base, exponent);
  else
    throw_lacks(Op::pow);
}

// atan2(y, x) [rad]; throws std::logic_error if P has no such function.
template <Scalar P> P angle_of(const P& y, const P& x) {
  using std::atan2;
  if constexpr (requires { atan2(y, x); })
    return atan2(y, x);
  else
    throw_lacks(Op::atan2);
}

// Value of one node, from those of its operands. A condition has no value: its select compares.
template <Scalar P>
P value(const Nodes& nodes, const Node& node, std::span<const P> symbols,
        const std::vector<P>& values) {
  const auto x = [&](std::size_t k) -> const P& { return values[std::size_t(node.operand[k])]; };
  // clang-format off
  switch (node.op) {
    case Op::constant: return P(node.constant);
    case Op::symbol: return symbols[std::size_t(node.operand[0])];
    case Op::add: return x(0) + x(1);
    case Op::sub: return x(0) - x(1);
    case Op::mul: return x(0) * x(1);
    case Op::div: return x(0) / x(1);
    case Op::neg: return -x(0);
    case Op::atan2: return angle_of(x(0), x(1));
    case Op::pow: return power(x(0), x(1), nodes[node.operand[1]]);
    case Op::min: return choice(Op::less, x(1), x(0), x(1), x(0));
    case Op::max: return choice(Op::less, x(0), x(1), x(1), x(0));
    case Op::less:
    case Op::less_equal:
    case Op::equal: return P(0.0);
    case Op::select: {
      const Node& condition = nodes[node.operand[0]];
      const auto compared = [&](std::size_t k) -> const P& {
        return values[std::size_t(condition.operand[k])];
      };
      return choice(condition.op, compared(0), compared(1), x(1), x(2));
    }
    default: return function(node.op, x(0));
  }
  // clang-format on
}

}  // namespace evaluation

// Values of all nodes. `symbols` are in the order of Graph::symbols().
//
// Throws std::logic_error if some node is a function that P lacks (a Pack has no log).
template <Scalar P> std::vector<P> evaluate(const Graph& graph, std::span<const P> symbols) {
  evaluation::expect_symbols(graph, symbols.size());
  const int n = graph.size();  // P may be an Expr of this very graph, which then grows
  std::vector<P> values;
  values.reserve(std::size_t(n));
  for (int id = 0; id < n; ++id) {
    const Node node = graph.nodes()[id];
    values.push_back(evaluation::value(graph.nodes(), node, symbols, values));
  }
  return values;
}

// The same for the nodes that `wanted` consist of only; the others are zero.
template <Scalar P>
std::vector<P> evaluate(const Graph& graph, std::span<const P> symbols,
                        std::span<const Expr> wanted) {
  evaluation::expect_symbols(graph, symbols.size());
  for (const Expr& expression : wanted)
    if (!expression.is_constant())
      evaluation::expect_node(graph, expression, std::size_t(graph.size()));
  std::vector<P> values(std::size_t(graph.size()), P(0.0));
  for (const int id : live_nodes(wanted)) {
    const Node node = graph.nodes()[id];
    values[std::size_t(id)] = evaluation::value(graph.nodes(), node, symbols, values);
  }
  return values;
}

// Values of expressions of a graph, for given values of the symbols.
template <Scalar P> class Values {
 public:
  Values(Graph graph, std::span<const P> symbols)
      : graph_(std::move(graph)), values_(evaluate<P>(graph_, symbols)) {}
  Values(Graph graph, std::span<const P> symbols, std::span<const Expr> wanted)
      : graph_(std::move(graph)), values_(evaluate<P>(graph_, symbols, wanted)) {}

  P operator()(const Expr& expression) const {
    if (expression.is_constant()) return P(expression.constant());
    evaluation::expect_node(graph_, expression, values_.size());
    return values_[std::size_t(expression.id())];
  }

 private:
  Graph graph_;
  std::vector<P> values_;
};

// Pair of a symbol and the expression that replaces it.
struct Substitution {
  Expr symbol, replacement;
};

// The expression with symbols replaced by expressions, simultaneously: {{x, y}, {y, x}} swaps.
Expr substitute(const Expr& expression, std::span<const Substitution> substitutions);
Expr substitute(const Expr& expression, std::initializer_list<Substitution> substitutions);

}  // namespace trammel
