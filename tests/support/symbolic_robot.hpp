// A random robot with symbols: its parameters and its state are symbols of one graph, with the
// values of the numeric robot at which they are evaluated.
#pragma once

#include "tests/support/random_robot.hpp"
#include "trammel/dynamics/kernel_input.hpp"
#include "trammel/model/build/parameters.hpp"
#include "trammel/scalar/expr_evaluate.hpp"

namespace trammel {

struct SymbolicRobot {
  SymbolicRobot(int seed, const RandomRobotOptions& options)
      : plain(seed, options),
        numbers(make_numbers<Expr>(plain.model, symbols("p", nominal()))),
        q(symbols("q", plain.state.q)),
        v(symbols("v", plain.state.v)),
        a(symbols("a", plain.a)) {}

  KernelInput<Expr, Expr> input() const { return {plain.model, numbers}; }

  // New symbols stem0, stem1, ... with these values.
  std::vector<Expr> symbols(const std::string& stem, const std::vector<double>& at) {
    std::vector<Expr> out;
    for (std::size_t k = 0; k < at.size(); ++k) {
      out.push_back(graph.symbol(stem + std::to_string(k)));
      values.push_back(at[k]);
    }
    return out;
  }
  std::vector<double> operator()(const std::vector<Expr>& expressions) const {
    const Values<double> value(graph, values);
    std::vector<double> out;
    for (const Expr& e : expressions) out.push_back(value(e));
    return out;
  }
  double operator()(const Expr& e) const { return Values<double>(graph, values)(e); }

 private:
  std::vector<double> nominal() const {
    std::vector<double> x;
    for (const auto& parameter : plain.model.parameters()) x.push_back(parameter.value);
    return x;
  }

 public:
  RandomRobot plain;
  Graph graph;
  std::vector<double> values;
  ModelParameters<Expr> numbers;
  std::vector<Expr> q, v, a;
};

}  // namespace trammel
