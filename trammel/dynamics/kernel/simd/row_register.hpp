// SIMD registers with one number for each of several degrees of freedom, for steps of a recursion
// that do not depend on neighboring bodies.
#pragma once

#include "trammel/base/aligned.hpp"
#include "trammel/model/traversal.hpp"
#include "trammel/scalar/pack.hpp"
#include "trammel/spatial/inertia.hpp"

namespace trammel::kernel {

// Rows per register: several for double, one for scalars that are SIMD already.
template <Scalar S> struct RowRegister {
  using Type = S;
  static constexpr int rows = 1;
  static const S& load(const S* x) { return *x; }
  static void store(const S& value, S* x) { *x = value; }
  static bool first(int count) { return count > 0; }
  static void store(bool which, const S& value, S* x) {
    if (which) *x = value;
  }
  static const S& chosen(bool which, const S& first, const S& other) {
    return which ? first : other;
  }
  static void turn_over(S (&)[1]) {}
};
template <> struct RowRegister<double> {
  using Type = Pack<native_lanes>;
  static constexpr int rows = native_lanes;
  static Type load(const double* x) { return Type::load(x); }
  static void store(const Type& value, double* x) { value.store(x); }
  // Masks: the first `count` rows; store only the masked rows; blend.
  static Type::Mask first(int count) { return Type::is_before(count); }
  static void store(const Type::Mask& which, const Type& value, double* x) {
    value.store_where(which, x);
  }
  static Type chosen(const Type::Mask& which, const Type& first, const Type& other) {
    return select(which, first, other);
  }
  static void turn_over(Type (&tile)[rows]) { transpose(tile); }
};

// Applies one function to all numbers of a vector, matrix, force or inertia.
template <class R, class Each> Vec3<R> each_of(const Vec3<R>& a, const Each& each) {
  return {each(a.x), each(a.y), each(a.z)};
}
template <class R, class Each> Mat3<R> each_of(const Mat3<R>& A, const Each& each) {
  return {each_of(A.x, each), each_of(A.y, each), each_of(A.z, each)};
}
template <class R, class Each> Force<R> each_of(const Force<R>& F, const Each& each) {
  return {each_of(F.moment, each), each_of(F.force, each)};
}
template <class R, class Each> Inertia<R> each_of(const Inertia<R>& I, const Each& each) {
  const SymMat3<R>& J = I.rotational;
  return {each(I.mass),
          each_of(I.first_moment, each),
          {each(J.xx), each(J.xy), each(J.xz), each(J.yy), each(J.yz), each(J.zz)}};
}

// Prefix and suffix sums over the rows of a serial chain by recursive doubling: eight rows take
// three sums in sequence, not seven.
template <Scalar S> struct RowSums {
  using R = typename RowRegister<S>::Type;

  // Inward (suffix) sum of quantities about one common point.
  template <int reach = 1, class X> static X inward(const X& x) {
    if constexpr (reach < RowRegister<S>::rows)
      return inward<2 * reach>(
          x + each_of(x, [](const R& a) { return shifted_down<reach>(a, R(0.0)); }));
    else
      return x;
  }
  template <int reach = 1> static Vec3<R> outward(const Vec3<R>& a) {
    if constexpr (reach < RowRegister<S>::rows)
      return outward<2 * reach>(
          a + each_of(a, [](const R& x) { return shifted_up<reach>(R(0.0), x); }));
    else
      return a;
  }
  // Value of the preceding row; for the first row that of the chain's parent.
  static Vec3<R> before(const Vec3<S>& first, const Vec3<R>& a) {
    if constexpr (RowRegister<S>::rows == 1)
      return first;
    else
      return {shifted_up<1>(R(first.x), a.x), shifted_up<1>(R(first.y), a.y),
              shifted_up<1>(R(first.z), a.z)};
  }
};

// Reads and writes consecutive numbers as vectors, matrices, motions, forces and inertias; `At` is
// the memory layout.
template <class FrameRef> struct Parts : FrameRef {
  using N = typename FrameRef::Number;

  Vec3<N> vector(int c) const {
    return {FrameRef::get(c), FrameRef::get(c + 1), FrameRef::get(c + 2)};
  }
  Mat3<N> matrix(int c) const { return {vector(c), vector(c + 3), vector(c + 6)}; }
  Motion<N> motion(int c) const { return {vector(c), vector(c + 3)}; }
  Force<N> force(int c) const { return {vector(c), vector(c + 3)}; }
  Inertia<N> inertia(int c) const {
    const Vec3<N> a = vector(c + 4), b = vector(c + 7);
    return {FrameRef::get(c), vector(c + 1), {a.x, a.y, a.z, b.x, b.y, b.z}};
  }

  void set(int c, const Vec3<N>& a) const {
    FrameRef::put(c, a.x);
    FrameRef::put(c + 1, a.y);
    FrameRef::put(c + 2, a.z);
  }
  void set(int c, const Mat3<N>& A) const {
    set(c, A.x);
    set(c + 3, A.y);
    set(c + 6, A.z);
  }
  void set(int c, const Motion<N>& V) const {
    set(c, V.angular);
    set(c + 3, V.linear);
  }
  void set(int c, const Force<N>& F) const {
    set(c, F.moment);
    set(c + 3, F.force);
  }
  void set(int c, const Inertia<N>& I) const {
    const SymMat3<N>& J = I.rotational;
    FrameRef::put(c, I.mass);
    set(c + 1, I.first_moment);
    set(c + 4, Vec3<N>{J.xx, J.xy, J.xz});
    set(c + 7, Vec3<N>{J.yy, J.yz, J.zz});
  }
};

// Components of each row, laid out so that a register holds the same component of several rows:
// group after group, within a group component after component.
template <Scalar S, int components> class RowGroups {
 public:
  using Register = RowRegister<S>;

  // `rows`: a multiple of the group size.
  explicit RowGroups(int rows) : numbers_(std::size_t(rows) * components) {}

  struct OneRow {
    using Number = S;
    S* x;
    const S& get(int component) const { return x[component * step]; }
    void put(int component, const S& value) const { x[component * step] = value; }
  };
  struct OneGroup {
    using Number = typename Register::Type;
    S* x;
    Number get(int component) const { return Register::load(x + component * step); }
    void put(int component, const Number& value) const {
      Register::store(value, x + component * step);
    }
  };
  Parts<OneRow> row(int k) {
    const unsigned group = unsigned(k) / step, lane = unsigned(k) % step;
    return {{numbers_.data() + std::size_t(group) * (components * step) + lane}};
  }
  Parts<OneGroup> group(int g) { return {{numbers_.data() + g * (components * step)}}; }

 private:
  static constexpr int step = Register::rows;
  AlignedVector<S> numbers_;
};

}  // namespace trammel::kernel
