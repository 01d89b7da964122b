// How does an expression change with its letters? Again as expressions of the same graph.
//
// Where a function has a corner (abs, min, max, select) the slope is that of the branch taken.
#pragma once

#include <span>
#include <vector>

#include "trammel/scalar/expr.hpp"

namespace trammel {

// One derivative, by one forward sweep. Cost O(nodes of the graph), no recursion.
Expr derivative(const Expr& expression, const Expr& letter);

// All derivatives, by one reverse sweep: about four times the operations of the expression, however
// many letters there are. At a point where the branch of a select that is not taken has an infinite
// slope, reverse sweeps give nan; derivative() does not.
std::vector<Expr> gradient(const Expr& expression, std::span<const Expr> letters);

}  // namespace trammel
