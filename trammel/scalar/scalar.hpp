// Scalar types: double, float, Pack (SIMD lanes of states), Dual (with derivatives), Expr
// (symbolic).
//
// Code templated on Scalar never branches on a value: a comparison of Packs has one result per
// lane, one of Exprs has none yet. Comparisons return the scalar's own kind of condition, and
// select() chooses by it.
#pragma once

#include <cmath>
#include <concepts>
#include <utility>

namespace trammel {

template <class S>
concept Scalar = std::copyable<S> && std::constructible_from<S, double> && requires(S a, S b) {
  { a + b } -> std::convertible_to<S>;
  { a - b } -> std::convertible_to<S>;
  { a* b } -> std::convertible_to<S>;
  { a / b } -> std::convertible_to<S>;
  { -a } -> std::convertible_to<S>;
};

// Type of a parameter times a number: double times Pack is Pack.
template <class P, class S> using Product = decltype(std::declval<P>() * std::declval<S>());

// Sine and cosine of one angle, computed together.
template <class S> struct SinCos { S sin, cos; };

using std::sqrt;

// `yes` if the condition is true, otherwise `no`. Other scalars have their own select: Packs choose
// lane by lane, Exprs make a node. Both values are computed in any case.
inline double select(bool condition, double yes, double no) { return condition ? yes : no; }
inline float select(bool condition, float yes, float no) { return condition ? yes : no; }

}  // namespace trammel
