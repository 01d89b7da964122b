// Symbolic dynamics of a tree: mass matrix, inverse and forward dynamics as expressions of
// coordinates, velocities and parameters [Gutenkunst 2012, chapter 3]. The algorithms (CRBA, RNEA,
// ABA) are those of the numeric functions, evaluated on expressions.
//
// q, v, a, tau and `parameters` are symbols, formulas or constants of one graph. `parameters` has
// the order of Model::parameters(); if it is empty, they have their nominal values. Functions throw
// std::invalid_argument if a length is wrong, and fail if the model has constraints, force elements
// between bodies or, in forward dynamics, prescribed joints; the message names them.
#pragma once

#include <span>
#include <vector>

#include "trammel/base/status.hpp"
#include "trammel/model/model.hpp"
#include "trammel/scalar/expr.hpp"

namespace trammel::symbolic {

// Mass matrix M(q), nv x nv, column after column; symmetric.
[[nodiscard]] Status mass_matrix(const Model& model, std::span<const Expr> q,
                                 std::span<const Expr> parameters, std::vector<Expr>& M);

// Actuator efforts tau = M(q) a + C(q, v) v + N(q) - passive forces.
[[nodiscard]] Status inverse_dynamics(const Model& model, std::span<const Expr> q,
                                      std::span<const Expr> v, std::span<const Expr> a,
                                      std::span<const Expr> parameters, std::vector<Expr>& tau);

// Accelerations under the actuator efforts tau.
[[nodiscard]] Status forward_dynamics(const Model& model, std::span<const Expr> q,
                                      std::span<const Expr> v, std::span<const Expr> tau,
                                      std::span<const Expr> parameters, std::vector<Expr>& a);

}  // namespace trammel::symbolic
