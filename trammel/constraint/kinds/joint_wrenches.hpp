// Wrenches dual to the motion subspace C of a joint: those that measure its rates, and the
// constraint wrenches, which do no work on it. For doubles and for Dual numbers, whose derivatives
// follow from the values: no factorization is differentiated.
#pragma once

#include <array>
#include <span>

#include "trammel/spatial/motion.hpp"

namespace trammel {

// Rows of the pseudo-inverse D of C, D C = 1: rates = D V. Zero if the columns are dependent.
template <Scalar S> std::array<Force<S>, 6> wrenches_reading(std::span<const Motion<S>> columns);

// Orthonormal basis N of the constraint wrenches, N C = 0: the first 6 - columns entries.
template <Scalar S> std::array<Force<S>, 6> wrenches_idle_on(std::span<const Motion<S>> columns);

}  // namespace trammel
