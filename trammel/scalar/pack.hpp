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

  using Mask = typename Lanes::mask_type;
  friend Mask operator<(const Pack& a, const Pack& b) { return a.lanes < b.lanes; }
  friend Mask operator>(const Pack& a, const Pack& b) { return a.lanes > b.lanes; }
  friend Mask operator<=(const Pack& a, const Pack& b) { return a.lanes <= b.lanes; }
  friend Mask operator>=(const Pack& a, const Pack& b) { return a.lanes >= b.lanes; }
  friend Pack select(const Mask& condition, const Pack& yes, const Pack& no) {
    Pack result = no;
    stdx::where(condition, result.lanes) = yes.lanes;
    return result;
  }
  friend Pack sqrt(const Pack& a) { return Lanes(stdx::sqrt(a.lanes)); }
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
