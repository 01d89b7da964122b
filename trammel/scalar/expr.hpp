// Expr: symbolic expression, the scalar type that turns a computation into formulas. Graph: the
// owner of the symbols and nodes.
//
// An Expr is either a constant, which needs no graph, or a node of one. It is folded while it is
// built: 0 + x, 1 * x, 0 * x, x - x, x / x and signs never become nodes; a nan or a division by the
// constant 0 is never folded away. Comparisons give a Condition, which is not a bool: choose by
// select().
#pragma once

#include <concepts>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "trammel/base/expects.hpp"
#include "trammel/scalar/expr_nodes.hpp"
#include "trammel/scalar/scalar.hpp"

namespace trammel {

class Condition;

// The functions are found by argument-dependent lookup only (as friends), so that sin(2.0) in this
// namespace never becomes an Expr by accident.
class Expr {
 public:
  Expr() : Expr(0.0) {}
  Expr(double constant) : nodes_(nullptr), constant_(constant) {}
  Expr(Nodes& nodes, int id);  // a node; a constant node becomes a constant

  bool is_constant() const { return nodes_ == nullptr; }
  double constant() const {
    TRAMMEL_EXPECTS(is_constant());
    return constant_;
  }
  Nodes* nodes() const { return nodes_; }  // null for a constant
  int id() const {
    TRAMMEL_EXPECTS(!is_constant());
    return id_;
  }
  const Node& node() const { return (*nodes_)[id()]; }  // of an expression that is not a constant
  bool is(Op op) const { return !is_constant() && node().op == op; }

  friend Expr operator+(Expr x, Expr y);
  friend Expr operator-(Expr x, Expr y);
  friend Expr operator*(Expr x, Expr y);
  friend Expr operator/(Expr x, Expr y);
  friend Expr operator-(Expr x);
  Expr& operator+=(Expr y) { return *this = *this + y; }
  Expr& operator-=(Expr y) { return *this = *this - y; }
  Expr& operator*=(Expr y) { return *this = *this * y; }
  Expr& operator/=(Expr y) { return *this = *this / y; }

  friend Expr sqrt(Expr x);
  friend Expr sin(Expr x);
  friend Expr cos(Expr x);
  friend Expr tan(Expr x);
  friend Expr asin(Expr x);
  friend Expr acos(Expr x);
  friend Expr atan(Expr x);
  friend Expr atan2(Expr y, Expr x);
  friend Expr exp(Expr x);
  friend Expr log(Expr x);
  friend Expr pow(Expr base, Expr exponent);
  friend Expr abs(Expr x);
  friend Expr min(Expr x, Expr y);
  friend Expr max(Expr x, Expr y);
  friend SinCos<Expr> sin_cos(Expr angle);

  friend Condition operator<(Expr x, Expr y);
  friend Condition operator>(Expr x, Expr y);
  friend Condition operator<=(Expr x, Expr y);
  friend Condition operator>=(Expr x, Expr y);
  friend Condition operator==(Expr x, Expr y);
  friend Expr select(Condition condition, Expr yes, Expr no);

  // Whether they are the same node, or the same constant. (x == y compares values, at evaluation.)
  friend bool is_same(Expr x, Expr y);

 private:
  Nodes* nodes_;  // not owned: a Graph owns them
  union {
    double constant_;
    int id_;
  };
};
static_assert(sizeof(Expr) == 16);

// Truth value that may be known only at evaluation; therefore it cannot be branched on.
class Condition {
 public:
  Condition(std::same_as<bool> auto truth) : truth_(truth ? 1.0 : 0.0) {}
  explicit Condition(Expr truth) : truth_(truth) {}
  Expr truth() const { return truth_; }  // constant 0 or 1, or a comparison node

  friend Expr select(Condition condition, Expr yes, Expr no);

 private:
  Expr truth_;
};

// Handle of a graph: copies refer to the same graph. Expressions of one graph share its nodes,
// which only grow, and no single owner outlives all others: hence the one shared_ptr of the
// library. Keep one handle as long as any Expr made from it. One thread at a time may build; many
// may read.
class Graph {
 public:
  Expr symbol(std::string_view name) { return {*nodes_, nodes_->symbol(name)}; }

  const std::vector<std::string>& symbols() const { return nodes_->symbols(); }
  const Nodes& nodes() const { return *nodes_; }
  int size() const { return nodes_->size(); }

 private:
  std::shared_ptr<Nodes> nodes_ = std::make_shared<Nodes>();
};

// The nodes these expressions consist of: their ids, each after its operands. Constants have none.
std::vector<int> live_nodes(std::span<const Expr> expressions);

// The common graph of these expressions, null if all are constants; throws std::logic_error if
// there are two.
Nodes* shared_nodes(std::span<const Expr> expressions);

}  // namespace trammel
