// Constant-velocity joint (homokinetic joint, as of a half-shaft): two shafts along z of F and of M
// that bend against each other in any direction, while rotation is transmitted 1:1. A plunging one
// also slides along z of F, the shaft of the parent.
//
// Homokinetic condition [Hunt 1973]: the joint is symmetric about the plane that bisects the angle
// of the shafts. So M comes from F by a rotation about an axis perpendicular to both shafts,
//   R_FM = exp([theta]x),  theta = (a, b, 0),  |theta| the bend,
// and the relative angular velocity has no component along the bisector n of z_F and z_M: for
// shafts that spin about them, 0 = n . (w_M z_M - w_F z_F) = cos(bend/2) (w_M - w_F). q: a and b
// [rad], the bend about x and about y, then the slide [m]; v is their rate.
//
// With x = a^2 + b^2 and the Stumpff functions c_k(x) = 1/k! - x/(k+2)! + x^2/(k+4)! - ...,
//   c_0 = cos(bend), c_1 = sin(bend)/bend, c_k = 1/k! - x c_{k+2}, 2 dc_k/dx = k c_{k+2} - c_{k+1},
// R = 1 + c_1 [theta]x + c_2 [theta]x^2 and S = 1 - c_2 [theta]x + c_3 [theta]x^2 (its x and y
// columns): no square root and no division, so the formulas and all their derivatives hold at no
// bend, too. Derivation of the bias: docs/theory/joints.md.
#pragma once

#include "trammel/joint/flat.hpp"

namespace trammel {

// c_0 to c_5 of x, 0 <= x <= pi^2: two power series without cancellation, the others by recursion.
template <Scalar S> struct Stumpff {
  explicit Stumpff(const S& x)
      : c4(series(4, x)),
        c5(series(5, x)),
        c2(S(0.5) - x * c4),
        c3(S(1.0 / 6) - x * c5),
        c0(S(1.0) - x * c2),
        c1(S(1.0) - x * c3) {}
  S c4, c5, c2, c3, c0, c1;

 private:
  // Horner's rule; at x = pi^2 the first term left out is 1e-19 of the sum
  static S series(int k, const S& x) {
    constexpr int terms = 13;
    double factor[terms] = {1};
    for (int n = 2; n <= k; ++n) factor[0] /= n;
    for (int j = 1; j < terms; ++j)
      factor[j] = -factor[j - 1] / double((k + 2 * j - 1) * (k + 2 * j));
    S sum = S(factor[terms - 1]);
    for (int j = terms - 1; j-- > 0;) sum = S(factor[j]) + x * sum;
    return sum;
  }
};

// Constant-velocity joint: two degrees of freedom, or three if it plunges. `reversed`: the tree
// traverses it from child to parent (see is_reversed).
struct ConstantVelocity {
  static constexpr int max_nq = 3, max_nv = 3;
  bool plunges = false;
  bool reversed = false;

  int nq() const { return nv(); }
  int nv() const { return plunges ? 3 : 2; }

  template <Scalar S, Scalar P> Pose<S> pose(const Coordinates<S, P>& q) const {
    const S &a = q[0], &b = q[1];
    const Stumpff<S> of(a * a + b * b);
    const S ab = of.c2 * a * b, sa = of.c1 * a, sb = of.c1 * b, one(1.0);
    return {{{one - of.c2 * b * b, ab, -sb}, {ab, one - of.c2 * a * a, sa}, {sb, -sa, of.c0}},
            {S(0.0), S(0.0), plunges ? q[2] : S(0.0)}};
  }
  template <Scalar S, Scalar P> void columns(const Coordinates<S, P>& q, Motion<S>* out) const {
    const S &a = q[0], &b = q[1];
    const Stumpff<S> of(a * a + b * b);
    const S ab = of.c3 * a * b;
    out[0] = {{of.c1 + of.c3 * a * a, ab, of.c2 * b}, {}};
    out[1] = {{ab, of.c1 + of.c3 * b * b, -(of.c2 * a)}, {}};
    if (plunges) out[2] = {{}, parent_shaft(of, a, b)};
  }
  template <Scalar S, Scalar P> Motion<S> bias(const Coordinates<S, P>& q, const S* v) const {
    const S &a = q[0], &b = q[1];
    const Stumpff<S> of(a * a + b * b);
    const S along = a * v[0] + b * v[1], across = a * v[1] - b * v[0];
    const S of_v = (S(2.0) * of.c3 - of.c2) * along;
    const S of_q = (S(3.0) * of.c5 - of.c4) * along * along + of.c3 * (v[0] * v[0] + v[1] * v[1]);
    Motion<S> out{
        {of_v * v[0] + of_q * a, of_v * v[1] + of_q * b, (of.c3 - S(2.0) * of.c4) * along * across},
        {}};
    if (plunges) {
      const Vec3<S> w{of.c1 * v[0] + of.c3 * along * a, of.c1 * v[1] + of.c3 * along * b,
                      -(of.c2 * across)};
      out.linear = v[2] * cross(parent_shaft(of, a, b), w);
    }
    return out;
  }

  void neutral(double* q) const {
    for (int k = 0; k < nv(); ++k) q[k] = 0;
  }
  template <Scalar S> void rate(const S*, const S* v, S* q_dot) const {
    for (int k = 0; k < nv(); ++k) q_dot[k] = v[k];
  }
  template <Scalar S> void integrate(const S* q, const S* v, S* out) const {
    for (int k = 0; k < nv(); ++k) out[k] = q[k] + v[k];
  }
  void difference(const double* from, const double* to, double* v) const {
    for (int k = 0; k < nv(); ++k) v[k] = to[k] - from[k];
  }
  static bool is_periodic(int) { return false; }

  // The bend must be below a right angle.
  static const char* position_fault(const double* q) {
    constexpr double right_angle = std::numbers::pi / 2;
    if (q[0] * q[0] + q[1] * q[1] < right_angle * right_angle) return nullptr;
    return "is bent by 90 deg or more; a constant-velocity joint bends by less";
  }

  const char* row_name(int row) const {
    constexpr const char* names[] = {"force x", "force y", "force z", "moment along the bisector"};
    constexpr const char* of_plunging[] = {
        "force across the slide (1)", "force across the slide (2)", "moment along the bisector"};
    return plunges ? of_plunging[row] : names[row];
  }
  template <Scalar S, Scalar P> int wrenches(const Coordinates<S, P>& q, Force<S>* out) const {
    const S &a = q[0], &b = q[1];
    int count = 0;
    if (plunges) {  // x and y of F, in M
      const Mat3<S> R = pose(q).R;
      out[count++] = {{}, {R.x.x, R.y.x, R.z.x}};
      out[count++] = {{}, {R.x.y, R.y.y, R.z.y}};
    } else {
      count = put_units<S>({3, 4, 5}, out);
    }
    const S half(0.5);
    const Stumpff<S> of_half(S(0.25) * (a * a + b * b));
    out[count++] = {{-(half * of_half.c1 * b), half * of_half.c1 * a, of_half.c0}, {}};
    return count;
  }
  // The unit quaternion without a z component that is nearest to that of X.
  void fit(const Pose<double>& X, const double*, double* q) const {
    const Quaternion<double> near = quaternion(X.R);
    if (near.w * near.w + near.x * near.x + near.y * near.y > 0) {
      const Vec3<double> theta =
          logarithm(normalized(Quaternion<double>{near.w, near.x, near.y, 0}));
      q[0] = theta.x;
      q[1] = theta.y;
    }
    if (plunges) q[2] = X.p.z;
  }

 private:
  // z of F in M's axes
  template <Scalar S> static Vec3<S> parent_shaft(const Stumpff<S>& of, const S& a, const S& b) {
    return {-(of.c1 * b), of.c1 * a, of.c0};
  }
};

}  // namespace trammel
