// Transposition of states of a batch into SIMD lanes and back.
#pragma once

#include <algorithm>
#include <vector>

#include "trammel/dynamics/kernel/instantiate.hpp"
#include "trammel/dynamics/kernel/simd/tile.hpp"

namespace trammel::kernel {

// visit(first row) for square blocks of a matrix with that many rows; the last block may overlap
// the one before it, so that all blocks are complete unless the matrix has fewer rows than lanes.
template <class Visit> void each_square(int rows, const Visit& visit) {
  for (int k = 0; k < rows; k += native_lanes) visit(std::max(0, std::min(k, rows - native_lanes)));
}

// Loads states `first` and following into lanes, one square block at a time, transposed in
// registers; at the end of the batch its last state fills the remaining lanes.
[[gnu::flatten]] inline void gather(const double* matrix, int states, int first,
                                    std::vector<Lanes>& lanes) {
  const int rows = int(lanes.size());
  Lanes* const out = lanes.data();
  each_square(rows, [&](int k) {
    const Tile<double> by_state([&](int lane) {
      const std::ptrdiff_t state = std::min(first + lane, states - 1);
      return Lanes::load_first(rows, matrix + state * rows + k);
    });
    const Tile<double> by_row = by_state.turned_over();
    Tile<double>::each([&](auto row) {
      if (row < rows) out[k + row] = by_row[row];
    });
  });
}
[[gnu::flatten]] inline void scatter(const std::vector<Lanes>& lanes, int states, int first,
                                     double* matrix) {
  const int rows = int(lanes.size());
  const Lanes* const in = lanes.data();
  each_square(rows, [&](int k) {
    const Tile<double> by_row([&](int row) { return row < rows ? in[k + row] : Lanes(0.0); });
    const Tile<double> by_state = by_row.turned_over();
    Tile<double>::each([&](auto lane) {
      if (lane < states - first)
        by_state[lane].store_first(rows, matrix + std::ptrdiff_t(first + lane) * rows + k);
    });
  });
}

}  // namespace trammel::kernel
