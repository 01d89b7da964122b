#include "trammel/scalar/expr_evaluate.hpp"

#include <array>

namespace trammel {

namespace evaluation {

void throw_lacks(Op op) {
  throw std::logic_error("this kind of number has no '" + std::string(name(op)) + "'");
}

void expect_symbols(const Graph& graph, std::size_t given) {
  const std::size_t needed = graph.symbols().size();
  if (given != needed)
    throw std::invalid_argument("evaluate: " + std::to_string(given) +
                                " values were given, the graph has " + std::to_string(needed) +
                                " symbols");
}

void expect_node(const Graph& graph, const Expr& expression, std::size_t evaluated) {
  if (expression.nodes() != &graph.nodes())
    throw std::logic_error("these are values of another graph than the expression's");
  if (std::size_t(expression.id()) >= evaluated)
    throw std::logic_error("these values were made before the expression; evaluate again");
}

}  // namespace evaluation

Expr substitute(const Expr& expression, std::span<const Substitution> substitutions) {
  if (expression.is_constant()) return expression;
  Nodes& nodes = *expression.nodes();

  // every symbol stands for itself, unless it is replaced
  std::vector<Expr> symbols;
  for (const std::string& name : nodes.symbols()) symbols.push_back({nodes, nodes.symbol(name)});
  for (const auto& [symbol, replacement] : substitutions) {
    if (symbol.is_constant() || nodes[symbol.id()].op != Op::symbol || symbol.nodes() != &nodes)
      throw std::invalid_argument(
          "substitute: only symbols of the expression's graph are replaced");
    symbols[std::size_t(nodes[symbol.id()].operand[0])] = replacement;
  }

  const std::span<const Expr> view = symbols;
  std::vector<Expr> values(std::size_t(nodes.size()));
  for (const int id : live_nodes(std::array{expression})) {
    const Node node = nodes[id];  // a copy: building may move the nodes
    values[std::size_t(id)] = evaluation::value(nodes, node, view, values);
  }
  return values[std::size_t(expression.id())];
}

Expr substitute(const Expr& expression, std::initializer_list<Substitution> substitutions) {
  return substitute(expression, std::span(substitutions.begin(), substitutions.size()));
}

}  // namespace trammel
