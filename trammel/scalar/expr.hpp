// Expr: a symbol, or what an algorithm made of symbols; the number kind that turns a computation
// into formulas. Graph: where letters come from.
//
// An Expr is either a constant, which needs no graph, or a node of one. It is folded while it is
// built: 0 + x, 1 * x, 0 * x, x - x, x / x and signs never become nodes; a nan or a division by the
// constant 0 is never folded away. Comparisons give a Condition, which is no bool: choose by
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

// The functions are found by their argument only (unqualified, as friends), so that sin(2.0) in
// this namespace never becomes an Expr by accident.
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

  // Are they the same node, or the same constant? (x == y asks about values, later.)
  friend bool is_same(Expr x, Expr y);

 private:
  Nodes* nodes_;  // not owned: a Graph keeps them
  union {
    double constant_;
    int id_;
  };
};
static_assert(sizeof(Expr) == 16);

// A truth that may not be known yet; therefore nothing to branch on.
class Condition {
 public:
  Condition(std::same_as<bool> auto truth) : truth_(truth ? 1.0 : 0.0) {}
  explicit Condition(Expr truth) : truth_(truth) {}
  Expr truth() const { return truth_; }  // constant 0 or 1, or a node that compares

  friend Expr select(Condition condition, Expr yes, Expr no);

 private:
  Expr truth_;
};

// A handle: copies mean the same graph. Expressions of one graph share its nodes, which only grow,
// and no single owner outlives all the rest: hence the one shared_ptr of the house. Keep one handle
// as long as any Expr made from it. One thread at a time may build; many may read.
class Graph {
 public:
  Expr letter(std::string_view name) { return {*nodes_, nodes_->letter(name)}; }

  const std::vector<std::string>& letters() const { return nodes_->letters(); }
  const Nodes& nodes() const { return *nodes_; }
  int size() const { return nodes_->size(); }

 private:
  std::shared_ptr<Nodes> nodes_ = std::make_shared<Nodes>();
};

// Which nodes are these made of? Their numbers, each after its operands. Constants have none.
std::vector<int> live_nodes(std::span<const Expr> expressions);

// The one graph of these, null if all are constants; throws std::logic_error if there are two.
Nodes* shared_nodes(std::span<const Expr> expressions);

}  // namespace trammel
