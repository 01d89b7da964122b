#include "trammel/scalar/expr_derivative.hpp"

#include <array>
#include <stdexcept>

namespace trammel {

namespace {

// Change of node `id` by a small change of operand k. It is linear in `change`, so reverse mode
// uses it too: with a node's adjoint as the change, it returns the contribution to the operand's
// adjoint.
Expr passed_on(Nodes& nodes, int id, int k, Expr change) {
  const Node node = nodes[id];  // a copy: building may move the nodes
  const auto operand = [&](std::size_t i) { return Expr(nodes, node.operand[i]); };
  const auto y = [&] { return Expr(nodes, id); };
  const auto x = [&] { return operand(0); };
  const bool is_first = k == 0;
  // clang-format off
  switch (node.op) {
    case Op::add: return change;
    case Op::sub: return is_first ? change : -change;
    case Op::mul: return change * operand(is_first ? 1 : 0);
    case Op::div: return is_first ? change / operand(1) : -(change / operand(1) * y());
    case Op::neg: return -change;
    case Op::sqrt: return 0.5 * (change / y());
    case Op::sin: return change * cos(x());
    case Op::cos: return -(change * sin(x()));
    case Op::tan: return change * (1.0 + y() * y());
    case Op::asin: return change / sqrt(1.0 - x() * x());
    case Op::acos: return -(change / sqrt(1.0 - x() * x()));
    case Op::atan: return change / (1.0 + x() * x());
    case Op::atan2: {
      const Expr ratio = change / (x() * x() + operand(1) * operand(1));
      return is_first ? ratio * operand(1) : -(ratio * x());
    }
    case Op::exp: return change * y();
    case Op::log: return change / x();
    case Op::pow:
      if (is_first) return change * (operand(1) * pow(x(), operand(1) - 1.0));
      return change * (y() * log(x()));
    case Op::abs: return select(x() < 0.0, -change, change);
    case Op::min: return select(operand(1) < x(), is_first ? 0.0 : change, is_first ? change : 0.0);
    case Op::max: return select(x() < operand(1), is_first ? 0.0 : change, is_first ? change : 0.0);
    case Op::select: {
      if (is_first) return 0.0;  // a condition is piecewise constant
      const Condition condition(x());
      return k == 1 ? select(condition, change, 0.0) : select(condition, 0.0, change);
    }
    default: return 0.0;  // a condition, again
  }
  // clang-format on
}

void expect_symbol(const Expr& symbol) {
  if (symbol.is_constant() || (*symbol.nodes())[symbol.id()].op != Op::symbol)
    throw std::invalid_argument("derivative: with respect to a symbol, not to another expression");
}

// Nodes that depend on these symbols.
std::vector<bool> changing(const Nodes& nodes, std::span<const int> live,
                           std::span<const Expr> symbols) {
  std::vector<bool> is_changing(std::size_t(nodes.size()), false);
  for (const Expr& symbol : symbols) is_changing[std::size_t(symbol.id())] = true;
  for (const int id : live)
    for (const int operand : nodes[id].operands())
      if (is_changing[std::size_t(operand)]) is_changing[std::size_t(id)] = true;
  return is_changing;
}

}  // namespace

Expr derivative(const Expr& expression, const Expr& symbol) {
  expect_symbol(symbol);
  if (expression.is_constant()) return 0.0;
  Nodes& nodes = *shared_nodes(std::array{expression, symbol});

  const std::vector<int> live = live_nodes(std::array{expression});
  const std::vector<bool> is_changing = changing(nodes, live, std::array{symbol});
  std::vector<Expr> derivative(is_changing.size());
  derivative[std::size_t(symbol.id())] = 1.0;

  // forward mode: each node's derivative is the sum over its operands
  for (const int id : live) {
    const Node node = nodes[id];
    for (int k = 0; k < arity(node.op); ++k) {
      const std::size_t operand = std::size_t(node.operand[std::size_t(k)]);
      if (is_changing[operand])
        derivative[std::size_t(id)] += passed_on(nodes, id, k, derivative[operand]);
    }
  }
  return derivative[std::size_t(expression.id())];
}

std::vector<Expr> gradient(const Expr& expression, std::span<const Expr> symbols) {
  for (const Expr& symbol : symbols) expect_symbol(symbol);
  std::vector<Expr> result(symbols.size());
  if (expression.is_constant() || symbols.empty()) return result;
  std::vector<Expr> all(symbols.begin(), symbols.end());
  all.push_back(expression);
  Nodes& nodes = *shared_nodes(all);

  const std::vector<int> live = live_nodes(std::array{expression});
  const std::vector<bool> is_changing = changing(nodes, live, symbols);
  std::vector<Expr> adjoint(is_changing.size());  // derivative of the expression by each node
  adjoint[std::size_t(expression.id())] = 1.0;

  // reverse mode: each operand sums the contributions of all its users
  for (auto id = live.rbegin(); id != live.rend(); ++id) {
    const Node node = nodes[*id];
    for (int k = 0; k < arity(node.op); ++k) {
      const std::size_t operand = std::size_t(node.operand[std::size_t(k)]);
      if (is_changing[operand])
        adjoint[operand] += passed_on(nodes, *id, k, adjoint[std::size_t(*id)]);
    }
  }
  for (std::size_t i = 0; i < symbols.size(); ++i)
    result[i] = adjoint[std::size_t(symbols[i].id())];
  return result;
}

}  // namespace trammel
