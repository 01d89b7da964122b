// Appends one description to another: every name gets a prefix, and formulas are rewritten in the
// symbols of the other description.
#pragma once

#include <string>

#include "trammel/model/description/description.hpp"
#include "trammel/scalar/expr_evaluate.hpp"

namespace trammel::toml {

struct Transplant {
  std::string prefix;
  // maps formulas of the source description to formulas of the target description
  Values<Expr> value{Graph(), std::span<const Expr>()};
  std::string folder;  // folder of the source's files, relative to the target's
};

// All items but parameters, definitions and raw sections. Ground gets a prefix like any other body.
void append_prefixed(const Description& from, const Transplant& transplant, Description& to);

}  // namespace trammel::toml
