#include "trammel/scalar/expr_print.hpp"

#include <charconv>
#include <cmath>
#include <string_view>
#include <vector>

namespace trammel {

namespace {

// Binding strength of a text; parentheses where a weaker text stands in a place for a stronger one.
enum Tightness { any, sum, product, power, atom };

// Either a piece of text, or an expression that is still to be written.
struct Piece {
  std::string_view text;
  Expr expression;
  Tightness needed = any;
};

bool is_sum(Expr x) { return x.is(Op::add) || x.is(Op::sub); }
bool is_product(Expr x) { return x.is(Op::mul) || x.is(Op::div); }

Tightness tightness(Expr x) {
  if (x.is_constant()) return std::signbit(x.constant()) ? product : atom;
  switch (x.node().op) {
    case Op::less:
    case Op::less_equal:
    case Op::equal: return any;
    case Op::add:
    case Op::sub: return sum;
    case Op::neg: return Expr(*x.nodes(), x.node().operand[0]).is(Op::sub) ? sum : product;
    case Op::mul:
    case Op::div: return product;
    case Op::pow: return power;
    default: return atom;
  }
}

std::string shortest(double x) {
  char buffer[32];  // the longest is -2.2250738585072014e-308
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, x).ptr;
  return {buffer, end};
}

// Pieces of a node that is neither a constant nor a symbol, in writing order.
std::vector<Piece> pieces(Expr x) {
  const Op op = x.node().op;
  const auto operand = [](Expr of, std::size_t k) {
    return Expr(*of.nodes(), of.node().operand[k]);
  };
  const auto text = [](std::string_view t) { return Piece{t, {}, any}; };
  const auto part = [](Expr e, Tightness needed) { return Piece{{}, e, needed}; };
  const Expr a = operand(x, 0), b = arity(op) > 1 ? operand(x, 1) : Expr();

  switch (op) {
    case Op::add:
      // sums first and constants last: l1 + l2 + 1
      if (a.is_constant() || (is_sum(b) && !is_sum(a)))
        return {part(b, sum), text(" + "), part(a, product)};
      return {part(a, sum), text(" + "), part(b, product)};
    case Op::sub: return {part(a, sum), text(" - "), part(b, product)};
    case Op::mul:
      // constants and products first: 2*a*b is (2*a)*b, and 2*(a*b) keeps its parentheses, because
      // rounding differs
      if (a.is_constant()) return {part(a, product), text("*"), part(b, power)};
      if (is_product(b) && !is_product(a)) return {part(b, product), text("*"), part(a, power)};
      return {part(a, product), text("*"), part(b, power)};
    case Op::div: return {part(a, product), text("/"), part(b, power)};
    case Op::neg:
      if (a.is(Op::sub))
        return {part(operand(a, 1), sum), text(" - "), part(operand(a, 0), product)};
      return {text("-"), part(a, product)};
    case Op::pow: return {part(a, atom), text("^"), part(b, power)};
    case Op::less:
    case Op::less_equal:
    case Op::equal: return {part(a, sum), text(" "), text(name(op)), text(" "), part(b, sum)};
    default: break;
  }

  std::vector<Piece> call{text(name(op)), text("(")};
  for (std::size_t k = 0; k < std::size_t(arity(op)); ++k) {
    if (k > 0) call.push_back(text(", "));
    call.push_back(part(operand(x, k), any));
  }
  call.push_back(text(")"));
  return call;
}

}  // namespace

std::string to_string(const Expr& expression, std::size_t longest) {
  std::string result;
  std::vector<Piece> rest{{{}, expression, any}};  // the next piece is at the back
  while (!rest.empty()) {
    const Piece piece = rest.back();
    const Expr x = piece.expression;
    rest.pop_back();

    if (!piece.text.empty()) {
      result += piece.text;
    } else if (tightness(x) < piece.needed) {
      rest.push_back({")", {}, any});
      rest.push_back({{}, x, any});
      rest.push_back({"(", {}, any});
    } else if (x.is_constant()) {
      result += shortest(x.constant());
    } else if (x.node().op == Op::symbol) {
      result += x.nodes()->symbols()[std::size_t(x.node().operand[0])];
    } else {
      const std::vector<Piece> parts = pieces(x);
      rest.insert(rest.end(), parts.rbegin(), parts.rend());
    }
    if (result.size() > longest) return result.substr(0, longest) + "...";
  }
  return result;
}

}  // namespace trammel
