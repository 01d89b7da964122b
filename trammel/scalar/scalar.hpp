// What a number is: a double, a float, a Pack of states, a Dual with slopes, or an Expr of symbols.
//
// Code over a Scalar never branches on a value: a Pack is many truths at once and an Expr is none
// yet. A comparison gives whatever the number's kind of truth is, and select() chooses by it.
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

// What a parameter times a number is: double times Pack is Pack.
template <class P, class S> using Product = decltype(std::declval<P>() * std::declval<S>());

// Sine and cosine of one angle, made together.
template <class S> struct SinCos { S sin, cos; };

using std::sqrt;

inline double select(bool condition, double yes, double no) { return condition ? yes : no; }
inline float select(bool condition, float yes, float no) { return condition ? yes : no; }

}  // namespace trammel
