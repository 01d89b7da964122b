// Many states side by side in vector registers: a thin skin over std::experimental::simd. How many
// is up to the instruction set a file is compiled for, so a Pack appears in no public signature.
#pragma once

#include <bit>
#include <experimental/simd>
#include <utility>

#include "trammel/scalar/sin_cos.hpp"

namespace trammel {

namespace stdx = std::experimental;

// As many doubles as one register holds. Wider packs would be split and spill: five times slower.
inline constexpr int native_lanes = int(stdx::native_simd<double>::size());

template <int N> struct Pack {
  using Lanes = stdx::simd<double, stdx::simd_abi::deduce_t<double, N>>;
  Lanes lanes;

  Pack() : lanes(0.0) {}
  Pack(double everywhere) : lanes(everywhere) {}
  Pack(const Lanes& l) : lanes(l) {}
  // Written out so that vectors of packs are copied register by register: as plain bytes, gcc
  // copies half registers and the next load of the whole one waits for both stores to retire.
  Pack(const Pack& other) : lanes(other.lanes) {}
  Pack& operator=(const Pack& other) {
    lanes = other.lanes;
    return *this;
  }

  friend Pack operator+(const Pack& a, const Pack& b) { return Lanes(a.lanes + b.lanes); }
  friend Pack operator-(const Pack& a, const Pack& b) { return Lanes(a.lanes - b.lanes); }
  friend Pack operator-(const Pack& a) { return Lanes(-a.lanes); }
  friend Pack operator*(const Pack& a, const Pack& b) { return Lanes(a.lanes * b.lanes); }
  friend Pack operator/(const Pack& a, const Pack& b) { return Lanes(a.lanes / b.lanes); }
  Pack& operator+=(const Pack& b) { return *this = *this + b; }
  Pack& operator-=(const Pack& b) { return *this = *this - b; }
  double operator[](int i) const { return lanes[std::size_t(i)]; }

  static Pack load(const double* x) { return Lanes(x, stdx::element_aligned); }
  void store(double* x) const { lanes.copy_to(x, stdx::element_aligned); }
  // Only the first so many: beyond them nothing is read (they are 0) or written.
  static Pack load_first(int count, const double* x) {
    if (count >= N) return load(x);
    Pack few;
    stdx::where(is_before(count), few.lanes).copy_from(x, stdx::element_aligned);
    return few;
  }
  void store_first(int count, double* x) const {
    if (count >= N)
      store(x);
    else
      stdx::where(is_before(count), lanes).copy_to(x, stdx::element_aligned);
  }

  using Mask = typename Lanes::mask_type;
  void store_where(const Mask& which, double* x) const {
    stdx::where(which, lanes).copy_to(x, stdx::element_aligned);
  }
  static Mask is_before(int count) { return numbered() < double(count); }
  static Mask is_lane(int lane) { return numbered() == double(lane); }
  friend Mask operator<(const Pack& a, const Pack& b) { return a.lanes < b.lanes; }
  friend Mask operator>(const Pack& a, const Pack& b) { return a.lanes > b.lanes; }
  friend Mask operator<=(const Pack& a, const Pack& b) { return a.lanes <= b.lanes; }
  friend Mask operator>=(const Pack& a, const Pack& b) { return a.lanes >= b.lanes; }
  friend Pack select(const Mask& condition, const Pack& yes, const Pack& no) {
#ifdef __clang__  // there, at AVX-512, libstdc++ 12 assigns nothing where it should
    return Lanes([&](auto lane) { return condition[lane] ? yes.lanes[lane] : no.lanes[lane]; });
#else
    Pack result = no;
    stdx::where(condition, result.lanes) = yes.lanes;
    return result;
#endif
  }
  friend Pack sqrt(const Pack& a) { return Lanes(stdx::sqrt(a.lanes)); }

 private:
  static Lanes numbered() {
    return Lanes([](auto lane) { return double(int(lane)); });
  }
};

namespace lanes {
// Lane `lane` of the first (or, `second`, of the second) of two registers whose odd blocks of
// `width` lanes change places with the other's even ones; counted through both registers.
template <int N> constexpr int from_exchange(int lane, int width, bool second) {
  const bool is_odd_block = (lane & width) != 0;
  if (second) return is_odd_block ? lane + N : lane + width;
  return is_odd_block ? lane - width + N : lane;
}
template <int N, int width, int... lane>
void exchange(Pack<N>& a, Pack<N>& b, std::integer_sequence<int, lane...>) {
  typedef double Vector [[gnu::vector_size(N * sizeof(double))]];
  const Vector x = std::bit_cast<Vector>(a.lanes), y = std::bit_cast<Vector>(b.lanes);
  using Lanes = typename Pack<N>::Lanes;
  a.lanes = std::bit_cast<Lanes>(
      Vector(__builtin_shufflevector(x, y, from_exchange<N>(lane, width, false)...)));
  b.lanes = std::bit_cast<Lanes>(
      Vector(__builtin_shufflevector(x, y, from_exchange<N>(lane, width, true)...)));
}
// Lane j gets lane j + distance of the two registers, `a` and then `b`.
template <int distance, int N, int... lane>
Pack<N> from(const Pack<N>& a, const Pack<N>& b, std::integer_sequence<int, lane...>) {
  typedef double Vector [[gnu::vector_size(N * sizeof(double))]];
  using Lanes = typename Pack<N>::Lanes;
  return Lanes(std::bit_cast<Lanes>(Vector(__builtin_shufflevector(
      std::bit_cast<Vector>(a.lanes), std::bit_cast<Vector>(b.lanes), lane + distance...))));
}
template <int which, int N, int... lane>
Pack<N> repeated(const Pack<N>& a, std::integer_sequence<int, lane...>) {
  typedef double Vector [[gnu::vector_size(N * sizeof(double))]];
  using Lanes = typename Pack<N>::Lanes;
  const Vector x = std::bit_cast<Vector>(a.lanes);
  return Lanes(std::bit_cast<Lanes>(Vector(__builtin_shufflevector(x, x, lane * 0 + which...))));
}
}  // namespace lanes

// The square of N packs turned over: lane j of pack i goes to lane i of pack j.
template <int N, int width = 1> void transpose(Pack<N> (&square)[N]) {
  if constexpr (width < N) {
    for (int i = 0; i < N; ++i)
      if ((i & width) == 0)
        lanes::exchange<N, width>(square[i], square[i + width],
                                  std::make_integer_sequence<int, N>{});
    transpose<N, 2 * width>(square);
  }
}

// One lane in all of them.
template <int lane, int N> Pack<N> everywhere(const Pack<N>& a) {
  return lanes::repeated<lane>(a, std::make_integer_sequence<int, N>{});
}
// Lane j gets lane j + distance, or j - distance; where there is none, that of `beyond`, `before`.
template <int distance, int N> Pack<N> shifted_down(const Pack<N>& a, const Pack<N>& beyond) {
  return lanes::from<distance>(a, beyond, std::make_integer_sequence<int, N>{});
}
template <int distance, int N> Pack<N> shifted_up(const Pack<N>& before, const Pack<N>& a) {
  return lanes::from<N - distance>(before, a, std::make_integer_sequence<int, N>{});
}

namespace sine {
template <int N> [[gnu::noinline, gnu::cold]] SinCos<Pack<N>> of_large(const Pack<N>& angle) {
  SinCos<Pack<N>> result;
  for (int lane = 0; lane < N; ++lane) {
    result.sin.lanes[std::size_t(lane)] = std::sin(angle[lane]);
    result.cos.lanes[std::size_t(lane)] = std::cos(angle[lane]);
  }
  return result;
}
}  // namespace sine

template <int N> SinCos<Pack<N>> sin_cos(const Pack<N>& angle) {
  using Lanes = typename Pack<N>::Lanes;
  if (stdx::any_of(!(stdx::abs(angle.lanes) < sine::limit))) [[unlikely]]
    return sine::of_large(angle);
  const auto [s, c] = sine::of_bounded<stdx::rebind_simd_t<std::uint64_t, Lanes>>(angle.lanes);
  return {s, c};
}

}  // namespace trammel
