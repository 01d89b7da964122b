// Pack: SIMD lanes of a register, one state each. The number of lanes depends on the instruction
// set a file is compiled for, so a Pack appears in no public signature.
//
// A Pack holds the compiler's own vector type, not the class of std::experimental around it: gcc 12
// keeps unused copies of such classes in memory (forward dynamics in lanes took a quarter more
// time). Operations with masks use that library.
#pragma once

#include <bit>
#include <cstring>
#include <experimental/simd>
#include <utility>

#include "trammel/scalar/sin_cos.hpp"

namespace trammel {

namespace stdx = std::experimental;

// As many doubles as one register holds. Wider packs would be split and spill: five times slower.
inline constexpr int native_lanes = int(stdx::native_simd<double>::size());

// N doubles in one register, with arithmetic lane by lane. Comparisons give a mask, which select()
// takes. Loads and stores need no alignment.
template <int N> struct Pack {
  typedef double Register [[gnu::vector_size(N * sizeof(double))]];
  using Simd = stdx::simd<double, stdx::simd_abi::deduce_t<double, N>>;
  using Mask = typename Simd::mask_type;
  Register lanes;

  Pack() : lanes{} {}
  Pack(double everywhere) : lanes(everywhere - Register{}) {}
  Pack(const Register& l) : lanes(l) {}
  Pack(const Simd& s) : lanes(std::bit_cast<Register>(s)) {}
  // Written out so that vectors of packs are copied register by register: as plain bytes, gcc
  // copies half registers and the next load of the whole one waits for both stores to retire.
  Pack(const Pack& other) : lanes(other.lanes) {}
  Pack& operator=(const Pack& other) {
    lanes = other.lanes;
    return *this;
  }
  Simd simd() const { return std::bit_cast<Simd>(lanes); }

  friend Pack operator+(const Pack& a, const Pack& b) { return Register(a.lanes + b.lanes); }
  friend Pack operator-(const Pack& a, const Pack& b) { return Register(a.lanes - b.lanes); }
  friend Pack operator-(const Pack& a) { return Register(-a.lanes); }
  friend Pack operator*(const Pack& a, const Pack& b) { return Register(a.lanes * b.lanes); }
  friend Pack operator/(const Pack& a, const Pack& b) { return Register(a.lanes / b.lanes); }
  Pack& operator+=(const Pack& b) { return *this = *this + b; }
  Pack& operator-=(const Pack& b) { return *this = *this - b; }
  double operator[](int i) const { return simd()[std::size_t(i)]; }

  static Pack load(const double* x) {
    Register l;
    std::memcpy(&l, x, sizeof l);
    return l;
  }
  void store(double* x) const { std::memcpy(x, &lanes, sizeof lanes); }
  // Partial access: lanes after the first `count` are not read (they are 0) or written.
  static Pack load_first(int count, const double* x) {
    if (count >= N) return load(x);
    Simd few = 0.0;
    stdx::where(is_before(count), few).copy_from(x, stdx::element_aligned);
    return few;
  }
  void store_first(int count, double* x) const {
    if (count >= N)
      store(x);
    else
      store_where(is_before(count), x);
  }
  void store_where(const Mask& which, double* x) const {
    const Simd all = simd();
    stdx::where(which, all).copy_to(x, stdx::element_aligned);
  }

  static Mask is_before(int count) { return numbered() < double(count); }
  static Mask is_lane(int lane) { return numbered() == double(lane); }
  friend Mask operator<(const Pack& a, const Pack& b) { return a.simd() < b.simd(); }
  friend Mask operator>(const Pack& a, const Pack& b) { return a.simd() > b.simd(); }
  friend Mask operator<=(const Pack& a, const Pack& b) { return a.simd() <= b.simd(); }
  friend Mask operator>=(const Pack& a, const Pack& b) { return a.simd() >= b.simd(); }
  friend Pack select(const Mask& condition, const Pack& yes, const Pack& no) {
#ifdef __clang__  // at AVX-512 libstdc++ 12 does not assign masked lanes
    return Simd([&](auto lane) { return condition[lane] ? yes[int(lane)] : no[int(lane)]; });
#else
    Simd result = no.simd();
    stdx::where(condition, result) = yes.simd();
    return result;
#endif
  }
  friend Pack sqrt(const Pack& a) { return Simd(stdx::sqrt(a.simd())); }

 private:
  static Simd numbered() {
    return Simd([](auto lane) { return double(int(lane)); });
  }
};

namespace lanes {
// Source of lane `lane` of the first (or, `second`, of the second) of two registers when the odd
// blocks of `width` lanes of one are exchanged with the even ones of the other; numbered through
// both registers.
template <int N> constexpr int from_exchange(int lane, int width, bool second) {
  const bool is_odd_block = (lane & width) != 0;
  if (second) return is_odd_block ? lane + N : lane + width;
  return is_odd_block ? lane - width + N : lane;
}
template <int N, int width, int... lane>
void exchange(Pack<N>& a, Pack<N>& b, std::integer_sequence<int, lane...>) {
  const typename Pack<N>::Register x = a.lanes, y = b.lanes;
  a.lanes = __builtin_shufflevector(x, y, from_exchange<N>(lane, width, false)...);
  b.lanes = __builtin_shufflevector(x, y, from_exchange<N>(lane, width, true)...);
}
// Lane j gets lane j + distance of the two registers, `a` and then `b`.
template <int distance, int N, int... lane>
Pack<N> from(const Pack<N>& a, const Pack<N>& b, std::integer_sequence<int, lane...>) {
  using Register = typename Pack<N>::Register;
  return Register(__builtin_shufflevector(a.lanes, b.lanes, lane + distance...));
}
template <int which, int N, int... lane>
Pack<N> repeated(const Pack<N>& a, std::integer_sequence<int, lane...>) {
  using Register = typename Pack<N>::Register;
  return Register(__builtin_shufflevector(a.lanes, a.lanes, lane * 0 + which...));
}
}  // namespace lanes

// Transpose of a square of N packs: lane j of pack i goes to lane i of pack j.
template <int N, int width = 1> void transpose(Pack<N> (&square)[N]) {
  if constexpr (width < N) {
    for (int i = 0; i < N; ++i)
      if ((i & width) == 0)
        lanes::exchange<N, width>(square[i], square[i + width],
                                  std::make_integer_sequence<int, N>{});
    transpose<N, 2 * width>(square);
  }
}

// Broadcast of one lane to all lanes.
template <int lane, int N> Pack<N> everywhere(const Pack<N>& a) {
  return lanes::repeated<lane>(a, std::make_integer_sequence<int, N>{});
}
// Lane shift: lane j gets lane j + distance, or j - distance; outside the register that of
// `beyond`, `before`.
template <int distance, int N> Pack<N> shifted_down(const Pack<N>& a, const Pack<N>& beyond) {
  return lanes::from<distance>(a, beyond, std::make_integer_sequence<int, N>{});
}
template <int distance, int N> Pack<N> shifted_up(const Pack<N>& before, const Pack<N>& a) {
  return lanes::from<N - distance>(before, a, std::make_integer_sequence<int, N>{});
}

namespace sine {
// Sine and cosine by the C library, lane by lane: if a lane is not below `limit`, or not finite.
template <int N> [[gnu::noinline, gnu::cold]] SinCos<Pack<N>> of_large(const Pack<N>& angle) {
  SinCos<Pack<N>> result;
  for (int lane = 0; lane < N; ++lane) {
    result.sin.lanes[lane] = std::sin(angle[lane]);
    result.cos.lanes[lane] = std::cos(angle[lane]);
  }
  return result;
}
}  // namespace sine

// Sine and cosine of the angles of all lanes [rad].
template <int N> SinCos<Pack<N>> sin_cos(const Pack<N>& angle) {
  using Simd = typename Pack<N>::Simd;
  const Simd angles = angle.simd();
  if (stdx::any_of(!(stdx::abs(angles) < sine::limit))) [[unlikely]]
    return sine::of_large(angle);
  const auto [s, c] = sine::of_bounded<stdx::rebind_simd_t<std::uint64_t, Simd>>(angles);
  return {s, c};
}

}  // namespace trammel
