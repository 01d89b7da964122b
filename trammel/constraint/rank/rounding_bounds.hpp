// Thresholds of the rank decision (docs/theory/rank.md), common to dense and sparse decompositions.
// Internal to constraint/rank.
#pragma once

#include <limits>

namespace trammel {

// A pivot above this multiple of its rounding bound is independent, one below the bound dependent.
constexpr double surely = 1e3;
// The row bounds cover rounding and constraint violation in J; the triangular solve L^-1 J^T and
// the reflections of QR cost a few more digits of the largest entry.
constexpr double least_bound = 32 * std::numeric_limits<double>::epsilon();

}  // namespace trammel
