// Force over displacement along one axis, by points: a piecewise polynomial and its integral.
//
// Between the points either straight lines, or cubic Hermite polynomials with the derivatives of
// [Fritsch, Butland 1984]: weighted harmonic means of the neighboring secants, so that the force
// increases wherever its points do and has a continuous derivative. Outside the points it is
// extrapolated linearly, with the secant of the outermost interval. The energy is the exact
// integral, 0 at displacement 0.
#pragma once

#include <algorithm>
#include <vector>

#include "trammel/scalar/scalar.hpp"

namespace trammel {

template <Scalar P> class BushingTable {
 public:
  BushingTable() = default;
  // At least two points; displacements increase, forces do not fall.
  BushingTable(const std::vector<P>& at, const std::vector<P>& force, bool is_cubic) {
    const std::size_t n = at.size();
    std::vector<P> secant;
    for (std::size_t k = 0; k + 1 < n; ++k)
      secant.push_back((force[k + 1] - force[k]) / (at[k + 1] - at[k]));
    const auto derivative = [&](std::size_t k) -> P {  // of the cubic, at point k
      if (k == 0) return secant.front();
      if (k + 1 == n) return secant.back();
      const P before = at[k] - at[k - 1], after = at[k + 1] - at[k];
      const P w1 = 2.0 * after + before, w2 = after + 2.0 * before;
      const P below = w1 * secant[k] + w2 * secant[k - 1];
      const auto rises = below > P(0.0);
      const P safe = select(rises, below, P(1.0));
      return select(rises, (w1 + w2) * (secant[k - 1] * secant[k]) / safe, P(0.0));
    };
    pieces_.push_back({at[0], force[0], secant.front(), P(0.0), P(0.0), P(0.0)});
    P energy = P(0.0);
    for (std::size_t k = 0; k + 1 < n; ++k) {
      Piece piece{at[k], force[k], secant[k], P(0.0), P(0.0), energy};
      const P h = at[k + 1] - at[k];
      if (is_cubic) {
        const P from = derivative(k), to = derivative(k + 1);
        piece.c1 = from;
        piece.c2 = (3.0 * secant[k] - 2.0 * from - to) / h;
        piece.c3 = (from + to - 2.0 * secant[k]) / (h * h);
      }
      pieces_.push_back(piece);
      energy = piece.energy_at(h);
    }
    pieces_.push_back({at.back(), force.back(), secant.back(), P(0.0), P(0.0), energy});
    zero_ = raw_energy(P(0.0));
  }
  bool is_empty() const { return pieces_.empty(); }
  BushingTable<float> to_float() const {
    BushingTable<float> out;
    for (const auto& [at, c0, c1, c2, c3, energy] : pieces_)
      out.pieces_.push_back({float(at), float(c0), float(c1), float(c2), float(c3), float(energy)});
    out.zero_ = float(zero_);
    return out;
  }

  template <Scalar S> S force(const S& x) const {
    return on_piece(x, [](const Piece& piece, const S& u) { return piece.force_at(u); });
  }
  template <Scalar S> S energy(const S& x) const { return raw_energy(x) - S(zero_); }

 private:
  template <Scalar> friend class BushingTable;
  // c0 + c1 u + c2 u^2 + c3 u^3 with u = x - at; energy: the integral at u = 0
  struct Piece {
    P at, c0, c1, c2, c3, energy;
    template <Scalar S> S force_at(const S& u) const {
      return S(c0) + u * (S(c1) + u * (S(c2) + c3 * u));
    }
    template <Scalar S> S energy_at(const S& u) const {
      return S(energy) + u * (S(c0) + u * (S(0.5 * c1) + u * (S(c2 / 3.0) + (0.25 * c3) * u)));
    }
  };

  template <Scalar S> S raw_energy(const S& x) const {
    return on_piece(x, [](const Piece& piece, const S& u) { return piece.energy_at(u); });
  }
  // The piece of x: the first one before the first point, the last one behind the last.
  template <Scalar S, class Evaluate> S on_piece(const S& x, const Evaluate& evaluate) const {
    if constexpr (std::same_as<decltype(x < x), bool>) {
      const auto end = std::find_if(pieces_.begin() + 1, pieces_.end(),
                                    [&](const Piece& piece) { return x < S(piece.at); });
      const Piece& piece = *(end - 1);
      return evaluate(piece, x - S(piece.at));
    } else {
      S found = evaluate(pieces_[0], x - S(pieces_[0].at));
      for (std::size_t k = 1; k < pieces_.size(); ++k)
        found = select(x < S(pieces_[k].at), found, evaluate(pieces_[k], x - S(pieces_[k].at)));
      return found;
    }
  }

  std::vector<Piece> pieces_;
  P zero_{};
};

}  // namespace trammel
