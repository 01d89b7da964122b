// The wrenches that go with the ways a joint can move, C: those that read its rates from a motion,
// and those that do no work on any of them. For doubles, and for Dual numbers, where slopes follow
// from the values: no factorisation is differentiated.
#pragma once

#include <array>
#include <span>

#include "trammel/spatial/motion.hpp"

namespace trammel {

// Per column, D_k with D C = 1, and the least that do that: rates = D V. Where two of the columns
// are one, zero.
template <Scalar S> std::array<Force<S>, 6> wrenches_reading(std::span<const Motion<S>> columns);

// The first six less the columns: N with N C = 0, each of length 1.
template <Scalar S> std::array<Force<S>, 6> wrenches_idle_on(std::span<const Motion<S>> columns);

}  // namespace trammel
