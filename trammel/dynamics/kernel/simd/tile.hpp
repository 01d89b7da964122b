// Tiles of a matrix over pairs of degrees of freedom: the entries of one group with another, a
// square of registers, computed, transposed and written without leaving them.
//
// A matrix with one number for each pair of degrees of freedom on a path (mass matrix, derivatives)
// is written in such tiles, over zeros if some pairs are on different branches.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "trammel/dynamics/kernel/simd/dof_groups.hpp"

namespace trammel::kernel {

template <Scalar S> class Tile {
 public:
  using Register = RowRegister<S>;
  using R = typename Register::Type;
  static constexpr int rows = Register::rows;

  // of(i): entries of the i-th dof of the inner group with each of the outer group
  template <class Of> explicit Tile(const Of& of) : Tile(of, each_row) {}

  // Transpose.
  Tile turned_over() const {
    Tile turned = *this;
    Register::turn_over(turned.row_);
    return turned;
  }
  const R& operator[](int i) const { return row_[i]; }
  void set(int i, const R& row) { row_[i] = row; }

  // visit(i) for every row, i a constant
  template <class Visit> static void each(const Visit& visit) { each(visit, each_row); }

 private:
  static constexpr std::make_integer_sequence<int, rows> each_row{};
  template <class Of, int... i>
  Tile(const Of& of, std::integer_sequence<int, i...>) : row_{of(i)...} {}
  template <class Visit, int... i>
  static void each(const Visit& visit, std::integer_sequence<int, i...>) {
    (visit(std::integral_constant<int, i>{}), ...);
  }

  R row_[rows];
};

// Column-major matrix with a row and a column for each degree of freedom.
template <Scalar S> struct TiledMatrix {
  using Register = RowRegister<S>;
  using R = typename Register::Type;

  S* data;
  std::ptrdiff_t stride;  // from column to column

  // Writes the columns of the inner group, rows of the outer.
  void write_inner(const DofGroup& outer, const DofGroup& inner, const Tile<S>& tile) const {
    write(inner, outer, tile);
  }
  // Writes the columns of the outer group, rows of the inner.
  void write_outer(const DofGroup& outer, const DofGroup& inner, const Tile<S>& tile) const {
    write(outer, inner, tile.turned_over());
  }
  // Zeroes n columns of n numbers: complete registers in sequence take less time than the single
  // tiles that stay zero.
  [[gnu::flatten]] void clear(int n) const {
    const auto fill = [](S* x, std::ptrdiff_t count) {
      // first to the alignment of a register: one that spans two cache lines takes two stores
      constexpr std::size_t size = Register::rows * sizeof(S);
      const std::size_t beyond = reinterpret_cast<std::uintptr_t>(x) % size;
      const auto before = std::min(count, std::ptrdiff_t((size - beyond) % size / sizeof(S)));
      Register::store(Register::first(int(before)), R(0.0), x);
      x += before;
      count -= before;
      for (; count >= Register::rows; count -= Register::rows, x += Register::rows)
        Register::store(R(0.0), x);
      Register::store(Register::first(int(count)), R(0.0), x);
    };
    if (stride == n) return fill(data, std::ptrdiff_t(n) * n);
    for (int j = 0; j < n; ++j) fill(data + j * stride, n);
  }
  // Writes the diagonal block of a group: above the diagonal the entries of `of_outer` (columns of
  // the outer dof of a pair), below it those of `of_inner`; on the diagonal those that `diagonal`
  // selects.
  enum class Diagonal { outer, inner };
  void write_itself(const DofGroup& group, const Tile<S>& of_outer, const Tile<S>& of_inner,
                    Diagonal diagonal) const {
    const Tile<S> turned = of_outer.turned_over();
    S* const first = data + group.first * (stride + 1);
    const auto which = Register::first(group.count);
    const int count = group.count;  // not read again after each store
    const std::ptrdiff_t step = stride;
    Tile<S>::each([&](auto j) {
      const auto above = Register::first(diagonal == Diagonal::outer ? j + 1 : j);
      if (j < count)
        Register::store(which, Register::chosen(above, turned[j], of_inner[j]), first + j * step);
    });
  }

 private:
  void write(const DofGroup& columns, const DofGroup& along, const Tile<S>& tile) const {
    S* const first = data + columns.first * stride + along.first;
    const auto which = Register::first(along.count);
    const int count = columns.count;  // not read again after each store
    const std::ptrdiff_t step = stride;
    Tile<S>::each([&](auto i) {
      if (i < count) Register::store(which, tile[i], first + i * step);
    });
  }
};

}  // namespace trammel::kernel
