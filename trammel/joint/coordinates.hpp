// Coordinates of a joint with the sine and cosine of each, and its constants (the pitch of a screw,
// oblique axes). For doubles and SIMD lanes the sines of all joints are computed before a
// recursion, one register at a time: registers are full, and no body waits for its own sine. Other
// scalars compute them on demand.
#pragma once

#include <span>
#include <vector>

#include "trammel/base/aligned.hpp"
#include "trammel/scalar/pack.hpp"

namespace trammel {

template <Scalar S, Scalar P> struct Coordinates {
  const S* q;
  const P* constants;
  const S& operator[](int k) const { return q[k]; }
  SinCos<S> turn(int k) const { return sin_cos(q[k]); }
};
// With precomputed sines and cosines.
template <Scalar S, Scalar P> struct PreparedCoordinates {
  const S *q, *sin, *cos;
  const P* constants;
  const S& operator[](int k) const { return q[k]; }
  SinCos<S> turn(int k) const { return {sin[k], cos[k]}; }
};
template <Scalar P> struct Coordinates<double, P> : PreparedCoordinates<double, P> {};
template <int N, Scalar P> struct Coordinates<Pack<N>, P> : PreparedCoordinates<Pack<N>, P> {};

// Cache of sines and cosines of all coordinates; empty for scalars that compute them on demand.
template <Scalar S> class SinCosCache {
 public:
  explicit SinCosCache(int /*nq*/) {}
  void prepare(std::span<const S> q) { q_ = q.data(); }
  template <Scalar P> Coordinates<S, P> at(int q_start, const P* constants) const {
    return {q_ + q_start, constants};
  }

 private:
  const S* q_ = nullptr;
};

template <> class SinCosCache<double> {
 public:
  // padded: whole registers of any instruction set are stored
  explicit SinCosCache(int nq) : sin_(std::size_t(nq) + widest), cos_(std::size_t(nq) + widest) {}

  [[gnu::flatten]] void prepare(std::span<const double> q) {
    constexpr std::size_t lanes = native_lanes;
    q_ = q.data();
    std::size_t k = 0;
    for (; k + lanes <= q.size(); k += lanes) turn(k, Angles::load(&q[k]));
    if (k == q.size()) return;
    // an incomplete last register overlaps the one before it, or is loaded partially if it is the
    // only one
    if (k > 0)
      turn(q.size() - lanes, Angles::load(&q[q.size() - lanes]));
    else
      turn(0, Angles::load_first(int(q.size()), q.data()));
  }
  const double* sines() const { return sin_.data(); }
  const double* cosines() const { return cos_.data(); }
  template <Scalar P> Coordinates<double, P> at(int q_start, const P* constants) const {
    return {{q_ + q_start, sin_.data() + q_start, cos_.data() + q_start, constants}};
  }

 private:
  using Angles = Pack<native_lanes>;
  static constexpr std::size_t widest = 8;
  void turn(std::size_t k, const Angles& angles) {
    const auto [s, c] = sin_cos(angles);
    s.store(&sin_[k]);
    c.store(&cos_[k]);
  }
  const double* q_ = nullptr;
  AlignedVector<double> sin_, cos_;
};

// Cache for SIMD lanes: a register of sines and one of cosines per coordinate.
template <int N> class SinCosCache<Pack<N>> {
 public:
  explicit SinCosCache(int nq) : sin_(std::size_t(nq)), cos_(std::size_t(nq)) {}

  [[gnu::flatten]] void prepare(std::span<const Pack<N>> q) {
    q_ = q.data();
    Pack<N>*const sines = sin_.data(), *const cosines = cos_.data();
    for (std::size_t k = 0; k < q.size(); ++k) {
      const auto [s, c] = sin_cos(q[k]);
      sines[k] = s;
      cosines[k] = c;
    }
  }
  template <Scalar P> Coordinates<Pack<N>, P> at(int q_start, const P* constants) const {
    return {{q_ + q_start, sin_.data() + q_start, cos_.data() + q_start, constants}};
  }

 private:
  const Pack<N>* q_ = nullptr;
  std::vector<Pack<N>> sin_, cos_;
};

}  // namespace trammel
