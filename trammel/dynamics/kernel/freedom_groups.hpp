// The freedoms in groups that fill registers, the members of a group hanging one from the other.
//
// A matrix with one number for each pair of freedoms on a path (mass matrix, derivatives) is made a
// square tile of registers at a time: each of one group meets all of a group further in. A tile can
// be turned over in registers and written to both sides of the diagonal. Every number is written
// once, zeros too.
#pragma once

#include <algorithm>
#include <vector>

#include "trammel/dynamics/kernel/row_register.hpp"
#include "trammel/dynamics/scene.hpp"

namespace trammel::kernel {

struct FreedomGroup {
  int first = 0, count = 0;             // its freedoms: first, first + 1, ...
  int inboard = -1, inboard_count = 0;  // the next group on the way in; how many of it are on it
};

class FreedomGroups {
 public:
  // With up to `rows` freedoms each.
  FreedomGroups(const Model& model, int rows);

  int size() const { return int(groups_.size()); }
  const FreedomGroup& operator[](int g) const { return groups_[std::size_t(g)]; }
  // Where the numbers of a freedom are in RowGroups; those of one joint follow each other.
  int row(int freedom) const { return rows_[std::size_t(freedom)]; }
  int rows() const { return size() * width_; }
  int first_row(int g) const { return g * width_; }
  // Of the freedom that group g hangs from.
  int next_row(int g) const { return (*this)[g].inboard * width_ + (*this)[g].inboard_count - 1; }

  // Each pair of groups once: at.meet_itself(g), at.meet(outer, inner, how many of it are on the
  // way in), or, where none is, at.pass_by(outer, inner).
  template <class At> void visit(const At& at) const;
  // visit(g), all that is called in it inlined
  template <class Visit> [[gnu::flatten]] void each(const Visit& visit) const {
    for (int g = 0; g < size(); ++g) visit(g);
  }
  template <class Visit> [[gnu::flatten]] void each_inward(const Visit& visit) const {
    for (int g = size() - 1; g >= 0; --g) visit(g);
  }

 private:
  int width_;
  std::vector<FreedomGroup> groups_;
  std::vector<int> rows_;
};

// Matrices with the same stride that are written at the same places. Of outer freedom i, `along`
// goes down column i, `across` along row i; a register holds what it has with those of a group.
template <Scalar S, int n> struct TiledMatrices {
  using Register = RowRegister<S>;
  using R = typename Register::Type;
  static constexpr int rows = Register::rows;
  struct Tile {
    R along[n][rows], across[n][rows];  // [matrix][which of the outer group]
  };

  S* data[n];
  std::ptrdiff_t stride;  // from column to column

  void write(const FreedomGroup& outer, const FreedomGroup& inner, int inner_count,
             Tile& tile) const {
    const R zero(0.0);
    for (int m = 0; m < n; ++m) {
      S* const column = data[m] + outer.first * stride + inner.first;
      for (int j = 0; j < outer.count; ++j)
        Register::store_first(inner.count, Register::first_of(inner_count, tile.along[m][j], zero),
                              column + j * stride);
      Register::turn_over(tile.across[m]);
      S* const row = data[m] + inner.first * stride + outer.first;
      for (int j = 0; j < inner.count; ++j)
        Register::store_first(outer.count, j < inner_count ? tile.across[m][j] : zero,
                              row + j * stride);
    }
  }
  void write_zeros(const FreedomGroup& outer, const FreedomGroup& inner) const {
    const R zero(0.0);
    for (int m = 0; m < n; ++m) {
      S* const column = data[m] + outer.first * stride + inner.first;
      for (int j = 0; j < outer.count; ++j)
        Register::store_first(inner.count, zero, column + j * stride);
      S* const row = data[m] + inner.first * stride + outer.first;
      for (int j = 0; j < inner.count; ++j)
        Register::store_first(outer.count, zero, row + j * stride);
    }
  }
  // A group with itself: of each pair the outer one's numbers count.
  enum class Diagonal { along, across };
  void write_diagonal(const FreedomGroup& group, Tile& tile, Diagonal diagonal) const {
    const int own = diagonal == Diagonal::along ? 1 : 0;
    for (int m = 0; m < n; ++m) {
      Register::turn_over(tile.across[m]);
      S* const column = data[m] + group.first * stride + group.first;
      for (int j = 0; j < group.count; ++j)
        Register::store_first(group.count,
                              Register::first_of(j + own, tile.along[m][j], tile.across[m][j]),
                              column + j * stride);
    }
  }
};

inline FreedomGroups::FreedomGroups(const Model& model, int rows)
    : width_(rows), rows_(std::size_t(model.nv())) {
  const std::span<const int> inboard = model.inboard_freedoms();
  const auto group_of = [&](int freedom) { return row(freedom) / width_; };
  for (int k = 0; k < int(inboard.size()); ++k) {
    const int next = inboard[std::size_t(k)];
    const bool goes_on = k > 0 && next == k - 1;
    if (!goes_on || groups_.back().count == width_)
      groups_.push_back(
          {k, 0, next < 0 ? -1 : group_of(next), next < 0 ? 0 : row(next) % width_ + 1});
    rows_[std::size_t(k)] = (size() - 1) * width_ + groups_.back().count++;
  }
}

template <class At> [[gnu::flatten]] void FreedomGroups::visit(const At& at) const {
  for (int outer = 0; outer < size(); ++outer) {
    at.meet_itself(outer);
    const FreedomGroup* way_in = &groups_[std::size_t(outer)];
    for (int inner = outer - 1; inner >= 0; --inner) {
      if (inner != way_in->inboard) {
        at.pass_by(outer, inner);
        continue;
      }
      at.meet(outer, inner, way_in->inboard_count);
      way_in = &groups_[std::size_t(inner)];
    }
  }
}

}  // namespace trammel::kernel
