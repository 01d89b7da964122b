// Rotations: unit quaternions w x y z, rotation vectors, roll pitch yaw; and exponential and
// logarithm of SO(3) and SE(3).
//
// Formulas that are 0/0 at angle zero are even functions of the angle: they take its square, and
// near zero their power series, so that they are valid for every Scalar and have all derivatives.
#pragma once

#include "trammel/scalar/sin_cos.hpp"
#include "trammel/spatial/pose.hpp"

namespace trammel {

template <Scalar S> struct Quaternion { S w, x, y, z; };

template <Scalar S> Quaternion<S> operator*(const Quaternion<S>& a, const Quaternion<S>& b) {
  return {
      a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
      a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}
template <Scalar S> Quaternion<S> conjugate(const Quaternion<S>& q) {
  return {q.w, -q.x, -q.y, -q.z};
}
template <Scalar S> Quaternion<S> normalized(const Quaternion<S>& q) {
  const S k = S(1.0) / sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
  return {k * q.w, k * q.x, k * q.y, k * q.z};
}
template <Scalar S> Mat3<S> rotation(const Quaternion<S>& q) {
  const auto& [w, x, y, z] = q;
  const S one(1.0), two(2.0);
  return {{one - two * (y * y + z * z), two * (x * y + w * z), two * (x * z - w * y)},
          {two * (x * y - w * z), one - two * (x * x + z * z), two * (y * z + w * x)},
          {two * (x * z + w * y), two * (y * z - w * x), one - two * (x * x + y * y)}};
}

// Even functions of an angle t, as functions of t^2:
//   sinc = sin(t)/t,  one_minus_cos = (1 - cos t)/t^2,  t_minus_sin = (t - sin t)/t^3.
template <Scalar S> struct EvenSines { S cos, sinc, one_minus_cos, t_minus_sin; };
template <Scalar S> EvenSines<S> even_sines(const S& t2) {
  // t - sin t cancels near zero; for t below 1/4 seven terms of the series are exact to rounding
  const auto is_small = t2 < S(0.0625);
  const S safe = select(is_small, S(1.0), t2), t = sqrt(safe);
  const auto [s, c] = sin_cos(t);
  const auto series = [&](double a, double b, double d, double e, double f, double g, double h) {
    return a + t2 * (b + t2 * (d + t2 * (e + t2 * (f + t2 * (g + t2 * S(h))))));
  };
  return {select(is_small,
                 series(1.0, -1.0 / 2, 1.0 / 24, -1.0 / 720, 1.0 / 40320, -1.0 / 3628800,
                        1.0 / 479001600),
                 c),
          select(is_small,
                 series(1.0, -1.0 / 6, 1.0 / 120, -1.0 / 5040, 1.0 / 362880, -1.0 / 39916800,
                        1.0 / 6227020800),
                 s / t),
          select(is_small,
                 series(1.0 / 2, -1.0 / 24, 1.0 / 720, -1.0 / 40320, 1.0 / 3628800,
                        -1.0 / 479001600, 1.0 / 87178291200),
                 (S(1.0) - c) / safe),
          select(is_small,
                 series(1.0 / 6, -1.0 / 120, 1.0 / 5040, -1.0 / 362880, 1.0 / 39916800,
                        -1.0 / 6227020800, 1.0 / 1307674368000),
                 (t - s) / (safe * t))};
}

// Exponential map of SO(3): rotation by |r| about r.
template <Scalar S> Quaternion<S> exponential(const Vec3<S>& r) {
  const EvenSines<S> half = even_sines(S(0.25) * dot(r, r));
  const Vec3<S> v = (S(0.5) * half.sinc) * r;
  return {half.cos, v.x, v.y, v.z};
}
template <Scalar S> Mat3<S> exponential_rotation(const Vec3<S>& r) {
  const EvenSines<S> t = even_sines(dot(r, r));
  const Mat3<S> k = skew(r);
  return Mat3<S>::identity() + t.sinc * k + t.one_minus_cos * (k * k);
}
// Logarithm: the shortest rotation vector of q; doubles only, because it branches on the sign of w.
inline Vec3<double> logarithm(const Quaternion<double>& q) {
  const double sign = q.w < 0 ? -1 : 1;
  const Vec3<double> v{sign * q.x, sign * q.y, sign * q.z};
  const double s = norm(v);
  const double angle = 2 * std::atan2(s, sign * q.w);
  // series of angle/s near 0, where it is 2/w
  const double k = s < 1e-6 ? 2 / (sign * q.w) * (1 - s * s / (3 * q.w * q.w)) : angle / s;
  return k * v;
}
// Unit quaternion with w >= 0 of a rotation, by its largest component [Shepperd 1978].
inline Quaternion<double> quaternion(const Mat3<double>& R) {
  const double t = trace(R);
  const double largest = std::max(std::max(t, R.x.x), std::max(R.y.y, R.z.z));
  Quaternion<double> q;
  if (largest == t) {
    q = {1 + t, R.y.z - R.z.y, R.z.x - R.x.z, R.x.y - R.y.x};
  } else if (largest == R.x.x) {
    q = {R.y.z - R.z.y, 1 + 2 * R.x.x - t, R.x.y + R.y.x, R.z.x + R.x.z};
  } else if (largest == R.y.y) {
    q = {R.z.x - R.x.z, R.x.y + R.y.x, 1 + 2 * R.y.y - t, R.y.z + R.z.y};
  } else {
    q = {R.x.y - R.y.x, R.z.x + R.x.z, R.y.z + R.z.y, 1 + 2 * R.z.z - t};
  }
  q = normalized(q);
  return q.w < 0 ? Quaternion<double>{-q.w, -q.x, -q.y, -q.z} : q;
}

// Rotation vector of R for angles below pi, where it is smooth: the axis times the angle t, for
// every Scalar. R - R^T = 2 sin(t) [axis] gives it as (t / sin t) sin(t) axis; near t = 0 the
// factor is the series of asin(s)/s, s = sin t.
template <Scalar S> Vec3<S> rotation_vector(const Mat3<S>& R) {
  using std::atan2;
  const Vec3<S> a = S(0.5) * Vec3<S>{R.y.z - R.z.y, R.z.x - R.x.z, R.x.y - R.y.x};  // sin(t) axis
  const S c = S(0.5) * (trace(R) - S(1.0)), s2 = dot(a, a);  // cos t, sin^2 t
  const auto is_small = S(1.0) - c < S(0.01);                // t < 0.14
  S series = S(1.0);  // to rounding: s2 < 0.02, and its coefficients fall
  for (int n = 9; n > 0; --n)
    series = S(1.0) + (double((2 * n - 1) * (2 * n - 1)) / (2 * n * (2 * n + 1))) * (s2 * series);
  const S s = sqrt(select(is_small, S(1.0), s2));
  return select(is_small, series, atan2(s, c) / s) * a;
}
// J^-T b for the left Jacobian J of the rotation vector r, omega = J r' with omega in the fixed
// axes:
//   J^-1 = 1 - [r]/2 + k [r]^2,  k = (1 - (t/2) cot(t/2))/t^2,  J^-T = J^-1(-r)
template <Scalar S> S inverse_jacobian_factor(const S& t2) {
  // Bernoulli numbers |B_2n|/(2n)!; t^2 < 1, and the terms fall by 1/(2 pi)^2 each
  constexpr double terms[] = {1.0 / 12,
                              1.0 / 720,
                              1.0 / 30240,
                              1.0 / 1209600,
                              1.0 / 47900160,
                              691.0 / 1307674368000,
                              1.0 / 74724249600,
                              3617.0 / 10670622842880000,
                              43867.0 / 5109094217170944000,
                              174611.0 / 802857662698291200000.0};
  const auto is_small = t2 < S(1.0);
  S series = S(terms[9]);
  for (int n = 8; n >= 0; --n) series = S(terms[n]) + t2 * series;
  const S safe = select(is_small, S(1.0), t2);
  const EvenSines<S> t = even_sines(safe);
  return select(is_small, series, (S(1.0) - S(0.5) * (t.sinc / t.one_minus_cos)) / safe);
}
template <Scalar S> Vec3<S> inverse_left_jacobian(const Vec3<S>& r, const Vec3<S>& omega) {
  const Vec3<S> rw = cross(r, omega);
  return omega - S(0.5) * rw + inverse_jacobian_factor(S(dot(r, r))) * cross(r, rw);
}
template <Scalar S> Vec3<S> inverse_left_jacobian_transposed(const Vec3<S>& r, const Vec3<S>& b) {
  return inverse_left_jacobian(-r, b);
}

// Exponential map of SE(3), translation part: displacement after one unit of time at the constant
// twist xi (in the body's axes),
//   V(omega) v  with  V = 1 + one_minus_cos [w] + t_minus_sin [w]^2.
template <Scalar S> Vec3<S> screw_shift(const Motion<S>& xi) {
  const EvenSines<S> t = even_sines(dot(xi.angular, xi.angular));
  const Vec3<S> wv = cross(xi.angular, xi.linear);
  return xi.linear + t.one_minus_cos * wv + t.t_minus_sin * cross(xi.angular, wv);
}
template <Scalar S> Pose<S> exponential(const Motion<S>& xi) {
  return {exponential_rotation(xi.angular), screw_shift(xi)};
}
// Its inverse: the linear part of the twist whose screw_shift is p, for the rotation vector r.
//   V^-1 = 1 - [r]/2 + (1 - (t/2) cot(t/2))/t^2 [r]^2
inline Vec3<double> inverse_screw_shift(const Vec3<double>& r, const Vec3<double>& p) {
  const double t2 = dot(r, r), t = std::sqrt(t2);
  const double k =
      t2 < 1e-4 ? 1.0 / 12 + t2 / 720 + t2 * t2 / 30240 : (1 - 0.5 * t / std::tan(0.5 * t)) / t2;
  const Vec3<double> rp = cross(r, p);
  return p - 0.5 * rp + k * cross(r, rp);
}
inline Motion<double> logarithm(const Pose<double>& X) {
  const Vec3<double> r = logarithm(quaternion(X.R));
  return {r, inverse_screw_shift(r, X.p)};
}

// Rotation matrices about x, y and z by the angle with this sine and cosine, positive by the
// right-hand rule.
template <Scalar S> Mat3<S> turn_about_x(const SinCos<S>& t) {
  const S o(0.0), one(1.0);
  return {{one, o, o}, {o, t.cos, t.sin}, {o, -t.sin, t.cos}};
}
template <Scalar S> Mat3<S> turn_about_y(const SinCos<S>& t) {
  const S o(0.0), one(1.0);
  return {{t.cos, o, -t.sin}, {o, one, o}, {t.sin, o, t.cos}};
}
template <Scalar S> Mat3<S> turn_about_z(const SinCos<S>& t) {
  const S o(0.0), one(1.0);
  return {{t.cos, t.sin, o}, {-t.sin, t.cos, o}, {o, o, one}};
}
// Rotation about a unit axis n (Rodrigues' formula): c 1 + s [n] + (1 - c) n n^T.
template <Scalar S, Scalar P> Mat3<S> turn_about(const Vec3<P>& n, const SinCos<S>& t) {
  const S k = S(1.0) - t.cos;
  const Vec3<S> s{t.sin * n.x, t.sin * n.y, t.sin * n.z}, c{k * n.x, k * n.y, k * n.z};
  return {{t.cos + c.x * n.x, s.z + c.x * n.y, c.x * n.z - s.y},
          {c.y * n.x - s.z, t.cos + c.y * n.y, s.x + c.y * n.z},
          {s.y + c.z * n.x, c.z * n.y - s.x, t.cos + c.z * n.z}};
}
// roll, pitch, yaw: rotations about the fixed x, then y, then z
template <Scalar S>
Mat3<S> rotation_rpy(const SinCos<S>& roll, const SinCos<S>& pitch, const SinCos<S>& yaw) {
  return turn_about_z(yaw) * (turn_about_y(pitch) * turn_about_x(roll));
}
inline Vec3<double> roll_pitch_yaw(const Mat3<double>& R) {
  const double pitch = std::atan2(-R.x.z, std::hypot(R.x.x, R.x.y));
  if (std::hypot(R.x.x, R.x.y) < 1e-12)  // pitch +-90 deg: yaw is undetermined, set to 0
    return {std::atan2(R.y.x * (R.x.z < 0 ? 1 : -1), R.y.y), pitch, 0};
  return {std::atan2(R.y.z, R.z.z), pitch, std::atan2(R.x.y, R.x.x)};
}

}  // namespace trammel
