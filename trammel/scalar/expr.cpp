#include "trammel/scalar/expr.hpp"

#include <cmath>
#include <initializer_list>
#include <stdexcept>
#include <utility>

namespace trammel {

namespace {

bool is(Expr x, double value) { return x.is_constant() && x.constant() == value; }
Expr operand(Expr x, int k) { return {*x.nodes(), x.node().operand[std::size_t(k)]}; }

// Whether it is finite for all regular values of its symbols. Only then may 0 * x be 0 and x - x be
// 0.
bool is_sound(Expr x) {
  return x.is_constant() ? std::isfinite(x.constant()) : !x.node().is_suspect;
}

// Whether it has a leading minus.
bool is_negative(Expr x) {
  if (x.is_constant()) return std::signbit(x.constant()) && !std::isnan(x.constant());
  return x.node().op == Op::neg;
}

std::string some_symbol(Expr x) {
  // an expression without symbols would have been folded: every node has one among its operands
  while (x.node().op != Op::symbol) {
    int k = 0;
    while (operand(x, k).is_constant()) ++k;
    x = operand(x, k);
  }
  return x.nodes()->symbols()[std::size_t(x.node().operand[0])];
}

Node node_of(Nodes& nodes, Op op, std::initializer_list<Expr> operands) {
  Node made{.op = op};
  std::size_t k = 0;
  for (const Expr& x : operands)
    made.operand[k++] = x.is_constant() ? nodes.constant(x.constant()) : x.id();
  return made;
}

Expr make(Op op, std::initializer_list<Expr> operands) {
  Nodes& nodes = *shared_nodes({operands.begin(), operands.size()});
  return {nodes, nodes.add(node_of(nodes, op, operands))};
}

// constants first, then the older node: x * y and y * x are the same node
Expr make_commutative(Op op, Expr x, Expr y) {
  const bool in_order = x.is_constant() || (!y.is_constant() && x.id() < y.id());
  return in_order ? make(op, {x, y}) : make(op, {y, x});
}

// f(-x) = -f(x)
Expr make_odd(Op op, Expr x) { return is_negative(x) ? -make(op, {-x}) : make(op, {x}); }

Condition compare(Op op, Expr x, Expr y) { return Condition(make(op, {x, y})); }

bool is_power_of_two(double x) {
  int exponent = 0;
  return std::isnormal(x) && std::isnormal(1 / x) && std::frexp(std::abs(x), &exponent) == 0.5;
}

constexpr int largest_unrolled_power = 8;

// x^n by squaring, n > 0
Expr unrolled_power(Expr x, int n) {
  Expr result = 1.0;
  for (; n > 0; n /= 2, x = n > 0 ? x * x : x)
    if (n % 2 == 1) result *= x;
  return result;
}

}  // namespace

// The functions below are noinline because their callers are flattened: with link-time optimization
// all of them would be copied into every recursion.

Expr::Expr(Nodes& nodes, int id) : nodes_(&nodes), id_(id) {
  if (nodes[id].op == Op::constant) *this = nodes[id].constant;
}

[[gnu::noinline]] Nodes* shared_nodes(std::span<const Expr> expressions) {
  const Expr* first = nullptr;
  for (const Expr& x : expressions) {
    if (x.is_constant()) continue;
    if (!first) first = &x;
    if (x.nodes() != first->nodes())
      throw std::logic_error("an expression of '" + some_symbol(*first) + "' meets one of '" +
                             some_symbol(x) + "' from another graph; make both symbols in one");
  }
  return first ? first->nodes() : nullptr;
}

[[gnu::noinline]] bool is_same(Expr x, Expr y) {
  if (x.nodes() != y.nodes()) return false;
  return x.is_constant() ? x.constant() == y.constant() : x.id() == y.id();
}

[[gnu::noinline]] Expr operator+(Expr x, Expr y) {
  if (x.is_constant() && y.is_constant()) return x.constant() + y.constant();
  if (is(x, 0.0)) return y;
  if (is(y, 0.0)) return x;
  if (is_same(x, y)) return 2.0 * x;
  if (is_negative(y)) return x - (-y);
  if (is_negative(x)) return y - (-x);
  return make_commutative(Op::add, x, y);
}

[[gnu::noinline]] Expr operator-(Expr x, Expr y) {
  if (x.is_constant() && y.is_constant()) return x.constant() - y.constant();
  if (is(y, 0.0)) return x;
  if (is(x, 0.0)) return -y;
  if (is_same(x, y) && is_sound(x)) return 0.0;
  if (is_negative(y)) return x + (-y);
  if (is_negative(x)) return -((-x) + y);

  // reuse y - x with a sign, if it exists: signs are moved outward and mostly cancel
  Nodes& nodes = *shared_nodes(std::array{x, y});
  if (const auto reversed = nodes.find(node_of(nodes, Op::sub, {y, x})))
    return -Expr(nodes, *reversed);
  return make(Op::sub, {x, y});
}

[[gnu::noinline]] Expr operator-(Expr x) {
  if (x.is_constant()) return -x.constant();
  if (x.is(Op::neg)) return operand(x, 0);
  return make(Op::neg, {x});
}

[[gnu::noinline]] Expr operator*(Expr x, Expr y) {
  if (x.is_constant() && y.is_constant()) return x.constant() * y.constant();
  if (y.is_constant()) std::swap(x, y);
  if (is(x, 0.0) && is_sound(y)) return 0.0;
  if (is(x, 1.0)) return y;
  if (is_negative(x)) return -((-x) * y);
  if (is_negative(y)) return -(x * (-y));

  // 2 * (3 * y) is 6 * y, as far as the range of double allows
  if (x.is_constant() && y.is(Op::mul) && operand(y, 0).is_constant()) {
    const double product = x.constant() * operand(y, 0).constant();
    if (std::isnormal(product)) return product * operand(y, 1);
  }
  return make_commutative(Op::mul, x, y);
}

[[gnu::noinline]] Expr operator/(Expr x, Expr y) {
  if (x.is_constant() && y.is_constant()) return x.constant() / y.constant();
  if (is(y, 1.0)) return x;
  if (is_same(x, y) && is_sound(x)) return 1.0;
  if (is(x, 0.0) && is_sound(y)) return 0.0;
  if (is_negative(x)) return -((-x) / y);
  if (is_negative(y)) return -(x / (-y));
  if (y.is_constant() && is_power_of_two(y.constant())) return (1 / y.constant()) * x;  // exact
  return make(Op::div, {x, y});
}

[[gnu::noinline]] Expr sqrt(Expr x) {
  if (x.is_constant()) return std::sqrt(x.constant());
  return make(Op::sqrt, {x});
}
[[gnu::noinline]] Expr sin(Expr x) {
  if (x.is_constant()) return std::sin(x.constant());
  return make_odd(Op::sin, x);
}
[[gnu::noinline]] Expr cos(Expr x) {
  if (x.is_constant()) return std::cos(x.constant());
  return make(Op::cos, {is_negative(x) ? -x : x});
}
[[gnu::noinline]] Expr tan(Expr x) {
  if (x.is_constant()) return std::tan(x.constant());
  return make_odd(Op::tan, x);
}
[[gnu::noinline]] Expr asin(Expr x) {
  if (x.is_constant()) return std::asin(x.constant());
  return make_odd(Op::asin, x);
}
[[gnu::noinline]] Expr acos(Expr x) {
  if (x.is_constant()) return std::acos(x.constant());
  return make(Op::acos, {x});
}
[[gnu::noinline]] Expr atan(Expr x) {
  if (x.is_constant()) return std::atan(x.constant());
  return make_odd(Op::atan, x);
}
[[gnu::noinline]] Expr atan2(Expr y, Expr x) {
  if (x.is_constant() && y.is_constant()) return std::atan2(y.constant(), x.constant());
  return make(Op::atan2, {y, x});
}
[[gnu::noinline]] Expr exp(Expr x) {
  if (x.is_constant()) return std::exp(x.constant());
  return make(Op::exp, {x});
}
[[gnu::noinline]] Expr log(Expr x) {
  if (x.is_constant()) return std::log(x.constant());
  return make(Op::log, {x});
}
[[gnu::noinline]] Expr abs(Expr x) {
  if (x.is_constant()) return std::abs(x.constant());
  if (x.is(Op::abs)) return x;
  return make(Op::abs, {is_negative(x) ? -x : x});
}

[[gnu::noinline]] Expr pow(Expr base, Expr exponent) {
  if (!exponent.is_constant()) return make(Op::pow, {base, exponent});
  const double n = exponent.constant();
  if (base.is_constant()) return std::pow(base.constant(), n);
  if (n == 0 && is_sound(base)) return 1.0;
  if (n == 0.5) return sqrt(base);
  if (n != 0 && n == std::trunc(n) && std::abs(n) <= largest_unrolled_power) {
    const Expr power = unrolled_power(base, int(std::abs(n)));
    return n > 0 ? power : 1.0 / power;
  }
  return make(Op::pow, {base, exponent});
}

[[gnu::noinline]] Expr min(Expr x, Expr y) {
  if (x.is_constant() && y.is_constant()) return y.constant() < x.constant() ? y : x;
  return is_same(x, y) ? x : make(Op::min, {x, y});
}
[[gnu::noinline]] Expr max(Expr x, Expr y) {
  if (x.is_constant() && y.is_constant()) return x.constant() < y.constant() ? y : x;
  return is_same(x, y) ? x : make(Op::max, {x, y});
}

[[gnu::noinline]] SinCos<Expr> sin_cos(Expr angle) { return {sin(angle), cos(angle)}; }

[[gnu::noinline]] Condition operator<(Expr x, Expr y) {
  if (x.is_constant() && y.is_constant()) return x.constant() < y.constant();
  return compare(Op::less, x, y);
}
[[gnu::noinline]] Condition operator<=(Expr x, Expr y) {
  if (x.is_constant() && y.is_constant()) return x.constant() <= y.constant();
  return compare(Op::less_equal, x, y);
}
[[gnu::noinline]] Condition operator==(Expr x, Expr y) {
  if (x.is_constant() && y.is_constant()) return x.constant() == y.constant();
  return Condition(make_commutative(Op::equal, x, y));
}
[[gnu::noinline]] Condition operator>(Expr x, Expr y) { return y < x; }
[[gnu::noinline]] Condition operator>=(Expr x, Expr y) { return y <= x; }

[[gnu::noinline]] Expr select(Condition condition, Expr yes, Expr no) {
  const Expr truth = condition.truth();
  if (truth.is_constant()) return truth.constant() != 0 ? yes : no;
  if (is_same(yes, no)) return yes;
  return make(Op::select, {truth, yes, no});
}

std::vector<int> live_nodes(std::span<const Expr> expressions) {
  const Nodes* nodes = shared_nodes(expressions);
  std::vector<int> live;
  if (!nodes) return live;

  // operands have smaller ids: in descending order, every user comes before its operands
  std::vector<bool> is_live(std::size_t(nodes->size()), false);
  for (const Expr& x : expressions)
    if (!x.is_constant()) is_live[std::size_t(x.id())] = true;
  for (int id = nodes->size() - 1; id >= 0; --id) {
    if (!is_live[std::size_t(id)]) continue;
    live.push_back(id);
    for (const int used : (*nodes)[id].operands()) is_live[std::size_t(used)] = true;
  }
  return {live.rbegin(), live.rend()};
}

}  // namespace trammel
