#include "trammel/scalar/expr_count.hpp"

namespace trammel {

OperationCount operations(std::span<const Expr> expressions) {
  OperationCount count;
  const Nodes* nodes = shared_nodes(expressions);
  for (const int id : live_nodes(expressions)) {
    switch ((*nodes)[id].op) {
      case Op::constant:
      case Op::symbol: break;
      case Op::add:
      case Op::sub: ++count.additions; break;
      case Op::mul: ++count.multiplications; break;
      case Op::div: ++count.divisions; break;
      case Op::neg: ++count.negations; break;
      case Op::abs:
      case Op::min:
      case Op::max:
      case Op::less:
      case Op::less_equal:
      case Op::equal:
      case Op::select: ++count.choices; break;
      default: ++count.functions; break;
    }
  }
  return count;
}

}  // namespace trammel
