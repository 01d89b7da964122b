#include <pybind11/operators.h>
#include <pybind11/stl.h>

#include <map>

#include "binder.hpp"
#include "bindings.hpp"
#include "expr_conversion.hpp"
#include "records.hpp"
#include "trammel/scalar/expr_count.hpp"
#include "trammel/scalar/expr_derivative.hpp"
#include "trammel/scalar/expr_evaluate.hpp"
#include "trammel/scalar/expr_print.hpp"

namespace trammel::python {

namespace {

// The result of two operands belongs to the graph of one of them.
template <class Operation>
BoundExpr combine(const BoundExpr& x, const BoundExpr& y, Operation operation) {
  if (x.graph && y.graph && &x.graph->nodes() != &y.graph->nodes())
    throw std::invalid_argument("'" + to_string(x.value) + "' and '" + to_string(y.value) +
                                "' are of different graphs; make both symbols in one description");
  return {operation(x.value, y.value), x.graph ? x.graph : y.graph};
}

std::vector<Expr> values(const std::vector<BoundExpr>& numbers) {
  std::vector<Expr> list;
  for (const BoundExpr& number : numbers) list.push_back(number.value);
  return list;
}

double value_at(const BoundExpr& number, const std::map<std::string, double>& given) {
  if (number.value.is_constant()) return number.value.constant();
  // values of symbols that the formula does not use may be left out
  std::vector<double> symbols(number.graph->symbols().size());
  std::vector<bool> is_given(symbols.size());
  for (std::size_t k = 0; k < symbols.size(); ++k)
    if (const auto found = given.find(number.graph->symbols()[k]); found != given.end()) {
      symbols[k] = found->second;
      is_given[k] = true;
    }
  for (const int id : live_nodes(std::span(&number.value, 1))) {
    const Node& node = number.graph->nodes()[id];
    if (node.op == Op::symbol && !is_given[std::size_t(node.operand[0])])
      throw std::invalid_argument("value: the symbol '" +
                                  number.graph->symbols()[std::size_t(node.operand[0])] +
                                  "' has no value; give it one");
  }
  return Values<double>(*number.graph, symbols, std::span(&number.value, 1))(number.value);
}

using ExprClass = Class<BoundExpr>;

void bind_operations(ExprClass& expr) {
  const auto binary = [&](const char* name, const char* reflected, auto operation) {
    expr.def(
        name, [=](const BoundExpr& x, const BoundExpr& y) { return combine(x, y, operation); },
        py::arg("other"), py::is_operator());
    expr.def(
        reflected, [=](const BoundExpr& x, const BoundExpr& y) { return combine(y, x, operation); },
        py::arg("other"), py::is_operator());
  };
  binary("__add__", "__radd__", [](Expr x, Expr y) { return x + y; });
  binary("__sub__", "__rsub__", [](Expr x, Expr y) { return x - y; });
  binary("__mul__", "__rmul__", [](Expr x, Expr y) { return x * y; });
  binary("__truediv__", "__rtruediv__", [](Expr x, Expr y) { return x / y; });
  binary("__pow__", "__rpow__", [](Expr x, Expr y) { return pow(x, y); });
}

void bind_mathematical_functions(ExprClass& expr) {
  const auto function = [&](const char* name, const char* text, Expr (*f)(Expr)) {
    expr.def(
        name,
        [=](const BoundExpr& x) {
          return BoundExpr{f(x.value), x.graph};
        },
        text);
  };
  function("__neg__", "-x", [](Expr x) { return -x; });
  function("__pos__", "x", [](Expr x) { return x; });
  function("__abs__", "|x|", [](Expr x) { return abs(x); });
  // numpy calls these methods: np.sin(x) is x.sin()
  function("sqrt", "Its square root.", [](Expr x) { return sqrt(x); });
  function("sin", "Its sine.", [](Expr x) { return sin(x); });
  function("cos", "Its cosine.", [](Expr x) { return cos(x); });
  function("tan", "Its tangent.", [](Expr x) { return tan(x); });
  function("arcsin", "The angle with this sine [rad].", [](Expr x) { return asin(x); });
  function("arccos", "The angle with this cosine [rad].", [](Expr x) { return acos(x); });
  function("arctan", "The angle with this tangent [rad].", [](Expr x) { return atan(x); });
  function("exp", "e to its power.", [](Expr x) { return exp(x); });
  function("log", "Its natural logarithm.", [](Expr x) { return log(x); });
  expr.def(
      "arctan2",
      [](const BoundExpr& y, const BoundExpr& x) {
        return combine(y, x, [](Expr a, Expr b) { return atan2(a, b); });
      },
      py::arg("x"), "The angle of the point (x, this) [rad].");
}

void bind_evaluation(ExprClass& expr) {
  expr.field(
      "is_constant", [](const BoundExpr& x) { return x.value.is_constant(); },
      "Whether it is a plain number.");
  expr.def("value", &value_at, py::arg("symbols") = std::map<std::string, double>(),
           "Its value for given values of its symbols: (l / 2).value({'l': 0.8}).")
      .def("__float__",
           [](const BoundExpr& x) {
             if (x.value.is_constant()) return x.value.constant();
             throw py::type_error("'" + to_string(x.value) +
                                  "' is a formula, no number yet; value({...}) gives it one");
           })
      .def(
          "__eq__",
          [](const BoundExpr& x, const BoundExpr& y) { return is_same(x.value, y.value); },
          py::arg("other"), py::is_operator())
      .def("__hash__",
           [](const BoundExpr& x) {
             return x.value.is_constant() ? std::hash<double>()(x.value.constant())
                                          : std::hash<int>()(x.value.id());
           })
      .def("__str__", [](const BoundExpr& x) { return to_string(x.value); })
      .def("__repr__", [](const BoundExpr& x) { return "<Expr " + to_string(x.value) + ">"; });
}

void bind_graph(py::module_& module) {
  Class<Graph> graph_class(
      module, "Graph",
      "Expression graph, which makes symbols; formulas of one graph may be combined.");
  graph_class.def(py::init<>(), "A graph without symbols.");
  graph_class
      .method(
          "symbol",
          [](Graph& graph, const std::string& name) {
            return BoundExpr{graph.symbol(name), graph};
          },
          py::arg("name"), "The symbol of that name, made if it is new.")
      .field(
          "symbols", [](const Graph& graph) { return graph.symbols(); },
          "The names of its symbols, in the order in which they were made.")
      .repr([](const Graph& graph) {
        return "<Graph of " + std::to_string(graph.symbols().size()) + " symbols and " +
               std::to_string(graph.size()) + " nodes>";
      });
}

}  // namespace

void bind_expressions(py::module_& module) {
  ExprClass expr(
      module, "Expr",
      "A number that may be a formula of symbols; + - * / ** and numpy's sin, cos, sqrt, ... make "
      "new ones.\n\n"
      "Symbols come from Description.parameter or Graph.symbol.");
  expr.def(py::init([](double constant) { return BoundExpr{constant}; }), py::arg("constant"),
           "A constant.");
  py::implicitly_convertible<double, BoundExpr>();
  py::implicitly_convertible<long, BoundExpr>();
  bind_operations(expr);
  bind_mathematical_functions(expr);
  bind_evaluation(expr);
  bind_graph(module);

  module.def(
      "derivative",
      [](const BoundExpr& expression, const BoundExpr& symbol) {
        return combine(expression, symbol, [](Expr f, Expr x) { return derivative(f, x); });
      },
      py::arg("expression"), py::arg("symbol"),
      "Derivative of an expression by a symbol, as an expression.");
  module.def(
      "operations",
      [](const std::vector<BoundExpr>& expressions) {
        const OperationCount n = operations(values(expressions));
        return record("OperationCount", n.additions, n.multiplications, n.divisions, n.functions,
                      n.negations, n.choices);
      },
      py::arg("expressions"),
      "Number of operations to compute these expressions, each common subexpression counted once.");
}

}  // namespace trammel::python
