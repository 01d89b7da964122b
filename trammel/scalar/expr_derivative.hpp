// Symbolic derivatives of expressions by symbols, as expressions of the same graph.
//
// Where a function is not differentiable (abs, min, max, select) the derivative is that of the
// branch taken.
#pragma once

#include <span>
#include <vector>

#include "trammel/scalar/expr.hpp"

namespace trammel {

// One derivative, by forward mode. Cost O(nodes of the graph), no recursion.
Expr derivative(const Expr& expression, const Expr& symbol);

// All derivatives, by reverse mode: about four times the operations of the expression, for any
// number of symbols. At a point where the branch of a select that is not taken has an infinite
// derivative, reverse mode gives nan; derivative() does not.
std::vector<Expr> gradient(const Expr& expression, std::span<const Expr> symbols);

}  // namespace trammel
