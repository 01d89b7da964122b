// Sine and cosine of one angle together, without a branch: reduction by multiples of pi/2 in four
// parts (Cody and Waite), then the polynomials of fdlibm. Under 2 ulp for |angle| < 1e5 with or
// without fused multiply-add; beyond that, the C library.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>

#include "trammel/scalar/scalar.hpp"

namespace trammel {

namespace sine {

inline constexpr double limit = 1e5;
inline constexpr double two_over_pi = 2 * std::numbers::inv_pi;
// 1.5 * 2^52: adding it rounds to an integer, which then lies in the low bits
inline constexpr double round = 6755399441055744.0;
// pi/2 = the sum; the first three have 33 bits, so that a multiple of up to 2^20 is exact
inline constexpr double half_pi[4] = {1.57079632673412561417e+00, 6.07710050630396597660e-11,
                                      2.02226624871116645580e-21, 8.47842766036889956997e-32};

// c0 + c1 x + ... + c5 x^5, x2 = x^2, x4 = x^4: in pairs, which halves the dependency chain of one
// product after the other (Estrin's scheme).
template <class S> S in_pairs(const double (&c)[6], const S& x, const S& x2, const S& x4) {
  return ((c[0] + c[1] * x) + (c[2] + c[3] * x) * x2) + (c[4] + c[5] * x) * x4;
}
inline constexpr double sin_tail[6] = {-1.66666666666666324348e-01, 8.33333333332248946124e-03,
                                       -1.98412698298579493134e-04, 2.75573137070700676789e-06,
                                       -2.50507602534068634195e-08, 1.58969099521155010221e-10};
inline constexpr double cos_tail[6] = {4.16666666666666019037e-02, -1.38888888888741095749e-03,
                                       2.48015872894767294178e-05, -2.75573143513906633035e-07,
                                       2.08757232129817482790e-09, -1.13596475577881948265e-11};

// sin(r) and cos(r) for |r| <= pi/4; r2, r4, r8 are powers of r
template <class S> S kernel_sin(const S& r, const S& r2, const S& r4, const S& r8) {
  return r + (r * r2) * in_pairs(sin_tail, r2, r4, r8);
}
template <class S> S kernel_cos(const S& r2, const S& r4, const S& r8) {
  return 1.0 - (0.5 * r2 - r4 * in_pairs(cos_tail, r2, r4, r8));
}

// Sine and cosine for |angle| < limit, of one real or a register of them; Bits is the unsigned
// integer of the same width.
template <class Bits, class Real> SinCos<Real> of_bounded(const Real& angle) {
  const Real shifted = angle * two_over_pi + round;
  const Real k = shifted - round;
  // both products are exact; the rounding error of the subtraction is kept and added back
  const Real first = angle - k * half_pi[0];
  Real r = first - k * half_pi[1];
  const Real lost = (first - r) - k * half_pi[1];
  r = r + (lost - (k * half_pi[2] + k * half_pi[3]));
  const Real r2 = r * r, r4 = r2 * r2, r8 = r4 * r4;
  const Bits s = std::bit_cast<Bits>(kernel_sin(r, r2, r4, r8)),
             c = std::bit_cast<Bits>(kernel_cos(r2, r4, r8));

  // the quadrant swaps sine and cosine when odd, and flips signs
  const Bits quadrant = std::bit_cast<Bits>(shifted), one = 1, two = 2, zero = 0;
  const Bits swap = (s ^ c) & (zero - (quadrant & one));
  return {std::bit_cast<Real>(Bits(s ^ swap ^ ((quadrant & two) << 62))),
          std::bit_cast<Real>(Bits(c ^ swap ^ (((quadrant + one) & two) << 62)))};
}
[[gnu::noinline, gnu::cold]] inline SinCos<double> of_large(double angle) {
  return {std::sin(angle), std::cos(angle)};
}

}  // namespace sine

// Sine and cosine of an angle [rad]; nan for inf and nan. For float they are computed in double.
inline SinCos<double> sin_cos(double angle) {
  if (!(std::abs(angle) < sine::limit)) [[unlikely]]
    return sine::of_large(angle);
  return sine::of_bounded<std::uint64_t>(angle);
}
inline SinCos<float> sin_cos(float angle) {
  const auto [s, c] = sin_cos(double(angle));
  return {float(s), float(c)};
}

}  // namespace trammel
