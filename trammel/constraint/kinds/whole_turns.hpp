#pragma once

#include <cmath>
#include <numbers>

#include "trammel/constraint/kinds/constraint_block.hpp"

namespace trammel {

// Residual of an angle, modulo whole turns.
template <Scalar S> S but_for_turns(const S& missed, double turn = 2 * std::numbers::pi) {
  return missed - turn * std::round(value_of(missed) / turn);
}

}  // namespace trammel
