// Number of operations needed to compute expressions, each common subexpression once.
#pragma once

#include <span>

#include "trammel/scalar/expr.hpp"

namespace trammel {

struct OperationCount {
  int additions = 0;  // and subtractions
  int multiplications = 0;
  int divisions = 0;
  int functions = 0;  // sqrt, sin, pow, ...
  int negations = 0;  // most are absorbed by a following addition
  int choices = 0;    // comparisons, select, abs, min, max

  int total() const {
    return additions + multiplications + divisions + functions + negations + choices;
  }
  bool operator==(const OperationCount&) const = default;
};

// Symbols and constants cost nothing.
OperationCount operations(std::span<const Expr> expressions);

}  // namespace trammel
