// Vectors and matrices of dimension three. A parameter times a number is a number (double * Pack =
// Pack), so constants of the model keep their type: cheap for Dual, foldable for Expr.
#pragma once

#include "trammel/scalar/scalar.hpp"

namespace trammel {

template <Scalar S> struct Vec3 {
  S x{}, y{}, z{};
  Vec3() = default;
  Vec3(const S& x_, const S& y_, const S& z_) : x(x_), y(y_), z(z_) {}
  // Written out: otherwise gcc copies larger aggregates of these through memory.
  Vec3(const Vec3& o) : x(o.x), y(o.y), z(o.z) {}
  Vec3& operator=(const Vec3& o) {
    x = o.x;
    y = o.y;
    z = o.z;
    return *this;
  }
  template <Scalar T>
  operator Vec3<T>() const requires(!std::same_as<S, T> && std::convertible_to<S, T>) {
    return {T(x), T(y), T(z)};
  }
};

template <Scalar A, Scalar B> Vec3<Product<A, B>> operator+(const Vec3<A>& a, const Vec3<B>& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <Scalar A, Scalar B> Vec3<Product<A, B>> operator-(const Vec3<A>& a, const Vec3<B>& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <Scalar A> Vec3<A> operator-(const Vec3<A>& a) { return {-a.x, -a.y, -a.z}; }
template <Scalar A, Scalar B> Vec3<Product<A, B>> operator*(const A& k, const Vec3<B>& a) {
  return {k * a.x, k * a.y, k * a.z};
}
template <Scalar A, Scalar B> Product<A, B> dot(const Vec3<A>& a, const Vec3<B>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <Scalar A, Scalar B> Vec3<Product<A, B>> cross(const Vec3<A>& a, const Vec3<B>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <Scalar S> const S& component(const Vec3<S>& a, int k) {
  return k == 0 ? a.x : k == 1 ? a.y : a.z;
}
template <Scalar S> S norm(const Vec3<S>& a) { return sqrt(dot(a, a)); }

// A matrix is stored as its three columns; those of a rotation R_PB are the axes x, y, z of B in
// P's axes.
template <Scalar S> struct Mat3 {
  Vec3<S> x, y, z;
  static Mat3 identity() {
    return {{S(1.0), S(0.0), S(0.0)}, {S(0.0), S(1.0), S(0.0)}, {S(0.0), S(0.0), S(1.0)}};
  }
  template <Scalar T>
  operator Mat3<T>() const requires(!std::same_as<S, T> && std::convertible_to<S, T>) {
    return {x, y, z};
  }
};

// Column k of a matrix, k = 0, 1, 2; transpose, which inverts a rotation; sums and products.
template <Scalar S> const Vec3<S>& column(const Mat3<S>& A, int k) {
  return k == 0 ? A.x : k == 1 ? A.y : A.z;
}
template <Scalar S> Mat3<S> transpose(const Mat3<S>& A) {
  return {{A.x.x, A.y.x, A.z.x}, {A.x.y, A.y.y, A.z.y}, {A.x.z, A.y.z, A.z.z}};
}
template <Scalar A, Scalar B> Mat3<Product<A, B>> operator+(const Mat3<A>& a, const Mat3<B>& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <Scalar A, Scalar B> Mat3<Product<A, B>> operator-(const Mat3<A>& a, const Mat3<B>& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <Scalar A, Scalar B> Mat3<Product<A, B>> operator*(const A& k, const Mat3<B>& a) {
  return {k * a.x, k * a.y, k * a.z};
}
template <Scalar A, Scalar B> Vec3<Product<A, B>> operator*(const Mat3<A>& R, const Vec3<B>& a) {
  return {R.x.x * a.x + R.y.x * a.y + R.z.x * a.z, R.x.y * a.x + R.y.y * a.y + R.z.y * a.z,
          R.x.z * a.x + R.y.z * a.y + R.z.z * a.z};
}
template <Scalar A, Scalar B> Mat3<Product<A, B>> operator*(const Mat3<A>& a, const Mat3<B>& b) {
  return {a * b.x, a * b.y, a * b.z};
}
// R^T a, without forming R^T
template <Scalar A, Scalar B>
Vec3<Product<A, B>> transpose_times(const Mat3<A>& R, const Vec3<B>& a) {
  return {dot(R.x, a), dot(R.y, a), dot(R.z, a)};
}
// a b^T
template <Scalar S> Mat3<S> outer(const Vec3<S>& a, const Vec3<S>& b) {
  return {b.x * a, b.y * a, b.z * a};
}
// skew(a) b = a x b
template <Scalar S> Mat3<S> skew(const Vec3<S>& a) {
  const S o(0.0);
  return {{o, a.z, -a.y}, {-a.z, o, a.x}, {a.y, -a.x, o}};
}
template <Scalar S> S trace(const Mat3<S>& A) { return A.x.x + A.y.y + A.z.z; }

// Symmetric matrix, as an inertia: the six entries of its upper triangle.
template <Scalar S> struct SymMat3 {
  S xx{}, xy{}, xz{}, yy{}, yz{}, zz{};
  SymMat3() = default;
  SymMat3(const S& a, const S& b, const S& c, const S& d, const S& e, const S& f)
      : xx(a), xy(b), xz(c), yy(d), yz(e), zz(f) {}
  SymMat3(const SymMat3& o) : xx(o.xx), xy(o.xy), xz(o.xz), yy(o.yy), yz(o.yz), zz(o.zz) {}
  SymMat3& operator=(const SymMat3& o) {
    xx = o.xx;
    xy = o.xy;
    xz = o.xz;
    yy = o.yy;
    yz = o.yz;
    zz = o.zz;
    return *this;
  }
  template <Scalar T>
  operator SymMat3<T>() const requires(!std::same_as<S, T> && std::convertible_to<S, T>) {
    return {T(xx), T(xy), T(xz), T(yy), T(yz), T(zz)};
  }
};

template <Scalar S> SymMat3<S> operator+(const SymMat3<S>& A, const SymMat3<S>& B) {
  return {A.xx + B.xx, A.xy + B.xy, A.xz + B.xz, A.yy + B.yy, A.yz + B.yz, A.zz + B.zz};
}
template <Scalar S> SymMat3<S> operator-(const SymMat3<S>& A, const SymMat3<S>& B) {
  return {A.xx - B.xx, A.xy - B.xy, A.xz - B.xz, A.yy - B.yy, A.yz - B.yz, A.zz - B.zz};
}
template <Scalar A, Scalar B> Vec3<Product<A, B>> operator*(const SymMat3<A>& Q, const Vec3<B>& a) {
  return {Q.xx * a.x + Q.xy * a.y + Q.xz * a.z, Q.xy * a.x + Q.yy * a.y + Q.yz * a.z,
          Q.xz * a.x + Q.yz * a.y + Q.zz * a.z};
}
template <Scalar S> Mat3<S> full(const SymMat3<S>& Q) {
  return {{Q.xx, Q.xy, Q.xz}, {Q.xy, Q.yy, Q.yz}, {Q.xz, Q.yz, Q.zz}};
}
template <Scalar S> S trace(const SymMat3<S>& Q) { return Q.xx + Q.yy + Q.zz; }
// a b^T where it is known to be symmetric, alone or as part of a sum
template <Scalar S> SymMat3<S> symmetric_outer(const Vec3<S>& a, const Vec3<S>& b) {
  return {a.x * b.x, a.x * b.y, a.x * b.z, a.y * b.y, a.y * b.z, a.z * b.z};
}
// R Q R^T
template <Scalar A, Scalar B> SymMat3<Product<A, B>> rotate(const Mat3<A>& R, const SymMat3<B>& Q) {
  using S = Product<A, B>;
  const Vec3<S> x = R * Vec3<B>{Q.xx, Q.xy, Q.xz}, y = R * Vec3<B>{Q.xy, Q.yy, Q.yz},
                z = R * Vec3<B>{Q.xz, Q.yz, Q.zz};
  return {x.x * R.x.x + y.x * R.y.x + z.x * R.z.x, x.x * R.x.y + y.x * R.y.y + z.x * R.z.y,
          x.x * R.x.z + y.x * R.y.z + z.x * R.z.z, x.y * R.x.y + y.y * R.y.y + z.y * R.z.y,
          x.y * R.x.z + y.y * R.y.z + z.y * R.z.z, x.z * R.x.z + y.z * R.y.z + z.z * R.z.z};
}

}  // namespace trammel
