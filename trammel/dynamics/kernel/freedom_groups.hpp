// The freedoms in groups that fill registers, the members of a group hanging one from the other.
//
// A matrix with one number for each pair of freedoms on a path (mass matrix, derivatives) is made a
// square tile of registers at a time: each of one group meets all of a group further in. A tile can
// be turned over in registers and written to both sides of the diagonal.
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
  // Whether each freedom has all before it on its way to ground: no pair is left out.
  bool is_one_path() const { return is_one_path_; }

  // at.meet_itself(g) for each group, and at.meet(outer, inner, how many of it) for each further
  // in.
  template <class At> void visit(const At& at) const;
  // visit(g), all that is called in it inlined
  template <class Visit> [[gnu::flatten]] void each(const Visit& visit) const {
    for (int g = 0; g < size(); ++g) visit(g);
  }

 private:
  int width_;
  bool is_one_path_ = true;
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
    for (int m = 0; m < n; ++m) {
      S* const column = data[m] + outer.first * stride + inner.first;
      for (int j = 0; j < outer.count; ++j)
        Register::store_first(inner_count, tile.along[m][j], column + j * stride);
      Register::turn_over(tile.across[m]);
      S* const row = data[m] + inner.first * stride + outer.first;
      for (int j = 0; j < inner_count; ++j)
        Register::store_first(outer.count, tile.across[m][j], row + j * stride);
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
    is_one_path_ = is_one_path_ && (k == 0 || goes_on);
    if (!goes_on || groups_.back().count == width_)
      groups_.push_back(
          {k, 0, next < 0 ? -1 : group_of(next), next < 0 ? 0 : row(next) % width_ + 1});
    rows_[std::size_t(k)] = (size() - 1) * width_ + groups_.back().count++;
  }
}

template <class At> [[gnu::flatten]] void FreedomGroups::visit(const At& at) const {
  for (int outer = 0; outer < size(); ++outer) {
    at.meet_itself(outer);
    const FreedomGroup* group = &groups_[std::size_t(outer)];
    while (group->inboard >= 0) {
      at.meet(outer, group->inboard, group->inboard_count);
      group = &groups_[std::size_t(group->inboard)];
    }
  }
}

}  // namespace trammel::kernel
