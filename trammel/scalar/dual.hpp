// Dual number: a value and its N derivatives, for forward-mode automatic differentiation. The
// derivatives lie side by side in SIMD registers, so that eight cost little more than one.
//
// Comparisons use the value only and are plain bools. The layout depends on -march: keep it out of
// public signatures.
#pragma once

#include <bit>
#include <cmath>
#include <experimental/simd>

#include "trammel/scalar/scalar.hpp"
#include "trammel/scalar/sin_cos.hpp"

namespace trammel {

template <int N> struct Dual {
  using Derivative =
      std::experimental::simd<double, std::experimental::simd_abi::deduce_t<double, N>>;
  double value = 0;
  Derivative derivative = 0.0;

  Dual() = default;
  Dual(double constant) : value(constant) {}
  Dual(double v, const Derivative& s) : value(v), derivative(s) {}
  // The k-th independent variable.
  static Dual variable(double v, int k) {
    return {v, Derivative([k](int i) { return i == k ? 1.0 : 0.0; })};
  }
  // Written out, and by arithmetic that the compiler removes again, so that derivatives are copied
  // register by register: as bytes, gcc copies them in halves or quarters, and the next load of a
  // whole register waits for all those stores.
  Dual(const Dual& other) : value(other.value), derivative(-(-other.derivative)) {}
  Dual& operator=(const Dual& other) {
    value = other.value;
    derivative = -(-other.derivative);
    return *this;
  }

  friend Dual operator+(const Dual& a, const Dual& b) {
    return {a.value + b.value, a.derivative + b.derivative};
  }
  friend Dual operator+(const Dual& a, double b) { return {a.value + b, a.derivative}; }
  friend Dual operator+(double a, const Dual& b) { return {a + b.value, b.derivative}; }
  friend Dual operator-(const Dual& a, const Dual& b) {
    return {a.value - b.value, a.derivative - b.derivative};
  }
  friend Dual operator-(const Dual& a, double b) { return {a.value - b, a.derivative}; }
  friend Dual operator-(double a, const Dual& b) { return {a - b.value, -b.derivative}; }
  friend Dual operator-(const Dual& a) { return {-a.value, -a.derivative}; }
  friend Dual operator*(const Dual& a, const Dual& b) {
    return {a.value * b.value, a.value * b.derivative + b.value * a.derivative};
  }
  friend Dual operator*(double a, const Dual& b) { return {a * b.value, a * b.derivative}; }
  friend Dual operator*(const Dual& a, double b) { return b * a; }
  friend Dual operator/(const Dual& a, const Dual& b) {
    const double quotient = a.value / b.value;
    return {quotient, divided(a.derivative - quotient * b.derivative, b.value)};
  }
  friend Dual operator/(const Dual& a, double b) { return {a.value / b, divided(a.derivative, b)}; }
  Dual& operator+=(const Dual& b) { return *this = *this + b; }
  Dual& operator-=(const Dual& b) { return *this = *this - b; }
  Dual& operator*=(const Dual& b) { return *this = *this * b; }
  Dual& operator/=(const Dual& b) { return *this = *this / b; }

  friend Dual sqrt(const Dual& a) {
    const double root = std::sqrt(a.value);
    return {root, chain(0.5 / root, a.derivative)};
  }
  friend SinCos<Dual> sin_cos(const Dual& angle) {
    const auto [s, c] = sin_cos(angle.value);
    return {{s, c * angle.derivative}, {c, -s * angle.derivative}};
  }
  friend Dual sin(const Dual& a) { return sin_cos(a).sin; }
  friend Dual cos(const Dual& a) { return sin_cos(a).cos; }
  friend Dual tan(const Dual& a) {
    const double tangent = std::tan(a.value);
    return {tangent, chain(1 + tangent * tangent, a.derivative)};
  }
  friend Dual asin(const Dual& a) {
    return {std::asin(a.value), chain(1 / std::sqrt(1 - a.value * a.value), a.derivative)};
  }
  friend Dual acos(const Dual& a) {
    return {std::acos(a.value), chain(-1 / std::sqrt(1 - a.value * a.value), a.derivative)};
  }
  friend Dual atan(const Dual& a) {
    return {std::atan(a.value), chain(1 / (1 + a.value * a.value), a.derivative)};
  }
  friend Dual atan2(const Dual& y, const Dual& x) {
    const double square = x.value * x.value + y.value * y.value;
    return {std::atan2(y.value, x.value),
            chain(x.value / square, y.derivative) - chain(y.value / square, x.derivative)};
  }
  friend Dual exp(const Dual& a) {
    const double power = std::exp(a.value);
    return {power, chain(power, a.derivative)};
  }
  friend Dual log(const Dual& a) { return {std::log(a.value), chain(1 / a.value, a.derivative)}; }
  friend Dual pow(const Dual& a, double b) {
    if (b == 0) return 1.0;
    return {std::pow(a.value, b), chain(b * std::pow(a.value, b - 1), a.derivative)};
  }
  friend Dual pow(const Dual& a, const Dual& b) {
    const Dual as_if_constant = pow(a, b.value);
    const double power = as_if_constant.value;
    return {power, as_if_constant.derivative + chain(power * std::log(a.value), b.derivative)};
  }

  friend Dual abs(const Dual& a) { return a.value < 0 ? -a : a; }
  friend Dual min(const Dual& a, const Dual& b) { return b.value < a.value ? b : a; }
  friend Dual max(const Dual& a, const Dual& b) { return a.value < b.value ? b : a; }
  friend Dual select(bool condition, const Dual& yes, const Dual& no) {
    return condition ? yes : no;
  }

  friend bool operator<(const Dual& a, const Dual& b) { return a.value < b.value; }
  friend bool operator>(const Dual& a, const Dual& b) { return a.value > b.value; }
  friend bool operator<=(const Dual& a, const Dual& b) { return a.value <= b.value; }
  friend bool operator>=(const Dual& a, const Dual& b) { return a.value >= b.value; }
  friend bool operator==(const Dual& a, const Dual& b) { return a.value == b.value; }

 private:
  // Chain rule. The derivative of a constant is 0, even where the function is infinitely steep: the
  // square root of a constant 0 has derivative 0, not nan.
  static Derivative chain(double rate, const Derivative& inner) {
    Derivative derivative = rate * inner;
    if (!std::isfinite(rate)) [[unlikely]]
      for (std::size_t k = 0; k < derivative.size(); ++k)
        if (inner[k] == 0.0) derivative[k] = 0.0;
    return derivative;
  }
  static Derivative divided(const Derivative& derivative, double by) {
#ifdef __clang__  // at AVX-512 libstdc++ 12 does not divide a partly filled register
    if constexpr (!std::has_single_bit(unsigned(N)))
      return Derivative([&](auto lane) { return derivative[lane] / by; });
#endif
    return derivative / by;
  }
};

}  // namespace trammel
