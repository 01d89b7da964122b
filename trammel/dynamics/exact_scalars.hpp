// Scalars of functions outside inner loops: double and Expr (symbolic).
#pragma once

#include "trammel/scalar/expr.hpp"

// clang-format off
#define TRAMMEL_FOR_EACH_EXACT_PAIR(X) X(double, double) X(double, Expr) X(Expr, Expr)
#define TRAMMEL_FOR_EACH_EXACT_SCALAR(X) X(double) X(Expr)
// clang-format on
