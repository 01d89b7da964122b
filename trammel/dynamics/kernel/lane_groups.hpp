// A few states of a batch, side by side in lanes, and back.
#pragma once

#include <algorithm>
#include <vector>

#include "trammel/dynamics/kernel/instantiate.hpp"
#include "trammel/dynamics/kernel/tile.hpp"

namespace trammel::kernel {

// visit(first row): squares of a matrix with so many rows, the last of which may lie over the one
// before it. So all are whole but that of a matrix with fewer rows than lanes.
template <class Visit> void each_square(int rows, const Visit& visit) {
  for (int k = 0; k < rows; k += native_lanes) visit(std::max(0, std::min(k, rows - native_lanes)));
}

// States `first` and on, into lanes; where the batch ends, its last state fills the rest. A square
// at a time, turned over in registers.
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
