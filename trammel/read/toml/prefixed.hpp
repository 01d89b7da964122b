// One description inside another: every name with a prefix, every formula in the other's letters.
#pragma once

#include <string>

#include "trammel/model/description.hpp"
#include "trammel/scalar/expr_evaluate.hpp"

namespace trammel {

struct Transplant {
  std::string prefix;
  // of the formulas of the one, as formulas of the other
  Values<Expr> value{Graph(), std::span<const Expr>()};
  std::string folder;  // where the one's files are, seen from the other
};

// All items but parameters, definitions and kept sections. Ground is prefixed like any other body.
void append_prefixed(const Description& from, const Transplant& transplant, Description& to);

}  // namespace trammel
