// Which freedoms are on the way to ground of which, in pieces that fill registers.
//
// A matrix with one number for each pair of freedoms on a path (mass matrix, derivatives) is made a
// register at a time: freedom i meets several rows at once, all inboard of it. Where as many
// freedoms as a register has lanes hang one from the other, they meet the same rows as one square
// tile, which can be turned over in registers and written to both sides of the diagonal.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "trammel/dynamics/scene.hpp"
#include "trammel/scalar/pack.hpp"

namespace trammel::kernel {

// How many rows a register takes: several doubles; of what is wide already, one.
template <Scalar S> struct RowRegister {
  using Type = S;
  static constexpr int rows = 1;
  static const S& load(const S* x) { return *x; }
  static void store(const S& value, S* x) { *x = value; }
  static void turn_over(S (&)[1]) {}
};
template <> struct RowRegister<double> {
  using Type = Pack<native_lanes>;
  static constexpr int rows = native_lanes;
  static Type load(const double* x) { return Type(Type::Lanes(x, stdx::element_aligned)); }
  static void store(const Type& value, double* x) { value.lanes.copy_to(x, stdx::element_aligned); }
  static void turn_over(Type (&tile)[rows]) { transpose(tile); }
};

// Rows begin to end of group g: `rows` of them or, where a path has only some, fewer.
struct RowPiece {
  int g, begin, end;
};

class PathTiles {
 public:
  explicit PathTiles(const Model& model);

  // Whether each freedom has all before it on its way to ground: no pair is left out.
  bool is_one_path() const { return inboard_.empty() || run_start_.back() == 0; }

  // For each freedom i and all inboard of its joint, once:
  //   at.meet(i, at.take(i), RowPiece)    it meets these rows
  //   at.meet_tile(i, RowPiece)           it and the rows - 1 that follow all meet them
  template <int rows, class At> void visit(const At& at) const;

 private:
  template <int rows, class Meet> void walk_in(int joint, const Meet& meet) const;

  // per freedom: the next on the way in; the first of those that hang one from the other up to it;
  // the first of its joint
  std::vector<int> inboard_, run_start_, joint_start_;
};

// Numbers of each freedom, arranged so that a register takes the same one of several freedoms.
template <Scalar S, int components> class RowGroups {
 public:
  explicit RowGroups(int freedoms) : numbers_((std::size_t(freedoms) + widest) * components) {}

  template <class... Numbers> void set(int k, int first_component, const Numbers&... numbers) {
    S* x = &at(k, first_component);
    ((*x = numbers, x += rows), ...);
  }
  void set(int k, int first_component, const Vec3<S>& a) { set(k, first_component, a.x, a.y, a.z); }
  S& at(int k, int component) {
    return numbers_[std::size_t((k / rows * components + component) * rows + k % rows)];
  }
  Vec3<S> vector_of(int k, int component) const {
    const S* x = numbers_.data() + (k / rows * components + component) * rows + k % rows;
    return {x[0], x[rows], x[2 * rows]};
  }
  // one component of group g
  typename RowRegister<S>::Type operator()(int g, int component) const {
    return RowRegister<S>::load(numbers_.data() + (g * components + component) * rows);
  }
  Vec3<typename RowRegister<S>::Type> vector(int g, int component) const {
    return {(*this)(g, component), (*this)(g, component + 1), (*this)(g, component + 2)};
  }

 private:
  static constexpr int rows = RowRegister<S>::rows;
  static constexpr std::size_t widest = 8;  // rows of any instruction set
  std::vector<S> numbers_;
};

// The columns of the freedoms and where they are: angular, linear, place.
template <Scalar S> using FreedomRows = RowGroups<S, 9>;
// A force and where it acts.
template <Scalar S> struct Push {
  Force<S> F;
  Vec3<S> p;
};

// Matrices with the same stride that are written at the same places. Of freedom i, `along` goes
// down column i, `across` along row i; a register holds what it has with the rows of a piece.
template <Scalar S, int n> struct TiledMatrices {
  using Register = RowRegister<S>;
  using R = typename Register::Type;
  static constexpr int rows = Register::rows;

  S* data[n];
  std::ptrdiff_t stride;  // from column to column

  void write(int i, const RowPiece& piece, const R (&along)[n], const R (&across)[n]) const {
    const bool is_full = piece.end - piece.begin == rows;
    S lanes_along[n][rows], lanes_across[n][rows];
    for (int m = 0; m < n; ++m) {
      Register::store(along[m], is_full ? data[m] + i * stride + piece.begin : lanes_along[m]);
      Register::store(across[m], lanes_across[m]);
    }
    for (int k = piece.begin; k < piece.end; ++k)
      for (int m = 0; m < n; ++m) {
        const int lane = k - piece.g * rows;
        if (!is_full) data[m][i * stride + k] = lanes_along[m][lane];
        data[m][k * stride + i] = lanes_across[m][lane];
      }
  }
  // Of freedom i and those that follow: along[matrix][which freedom].
  void write_tile(int i, const RowPiece& piece, const R (&along)[n][rows],
                  R (&across)[n][rows]) const {
    for (int m = 0; m < n; ++m) Register::turn_over(across[m]);
    if (piece.end - piece.begin == rows) {
      for (int m = 0; m < n; ++m)
        for (int j = 0; j < rows; ++j) {
          Register::store(along[m][j], data[m] + (i + j) * stride + piece.begin);
          Register::store(across[m][j], data[m] + (piece.begin + j) * stride + i);
        }
      return;
    }
    S lanes_along[n][rows][rows], lanes_across[n][rows][rows];
    for (int m = 0; m < n; ++m)
      for (int j = 0; j < rows; ++j) {
        Register::store(along[m][j], lanes_along[m][j]);
        Register::store(across[m][j], lanes_across[m][j]);
      }
    for (int k = piece.begin; k < piece.end; ++k)
      for (int m = 0; m < n; ++m) {
        const int lane = k - piece.g * rows;
        std::copy_n(lanes_across[m][lane], rows, data[m] + k * stride + i);
        for (int j = 0; j < rows; ++j) data[m][(i + j) * stride + k] = lanes_along[m][j][lane];
      }
  }
};

inline PathTiles::PathTiles(const Model& model)
    : inboard_(model.inboard_freedoms().begin(), model.inboard_freedoms().end()),
      run_start_(inboard_.size()),
      joint_start_(inboard_.size()) {
  for (std::size_t k = 0; k < inboard_.size(); ++k)
    run_start_[k] = k > 0 && inboard_[k] == int(k) - 1 ? run_start_[k - 1] : int(k);
  for (const Body& body : model.bodies())
    for (int k = body.v_start; k < body.v_end; ++k) joint_start_[std::size_t(k)] = body.v_start;
}

// The rows inboard of a joint that begins with this freedom.
template <int rows, class Meet> void PathTiles::walk_in(int joint, const Meet& meet) const {
  for (int last = inboard_[std::size_t(joint)]; last >= 0;) {
    const int first = run_start_[std::size_t(last)];
    for (int g = first / rows; g <= last / rows; ++g)
      meet(RowPiece{g, std::max(first, g * rows), std::min(last + 1, (g + 1) * rows)});
    last = inboard_[std::size_t(first)];
  }
}

template <int rows, class At> [[gnu::flatten]] void PathTiles::visit(const At& at) const {
  const auto each_piece = [](int begin, int end, const auto& meet) {
    for (int g = begin / rows; g * rows < end; ++g)
      meet(RowPiece{g, std::max(begin, g * rows), std::min(end, (g + 1) * rows)});
  };
  const int n = int(inboard_.size());
  for (int i = 0; i < n;) {
    const int end = i + rows;
    const bool is_tile = rows > 1 && end <= n && run_start_[std::size_t(end) - 1] <= i &&
                         joint_start_[std::size_t(i)] == i;
    if (is_tile) {
      walk_in<rows>(i, [&](const RowPiece& piece) { at.meet_tile(i, piece); });
      for (int j = i + 1; j < end; ++j)
        each_piece(i, joint_start_[std::size_t(j)],
                   [&](const RowPiece& piece) { at.meet(j, at.take(j), piece); });
      i = end;
    } else {
      const auto taken = at.take(i);
      walk_in<rows>(joint_start_[std::size_t(i)],
                    [&](const RowPiece& piece) { at.meet(i, taken, piece); });
      ++i;
    }
  }
}

}  // namespace trammel::kernel
