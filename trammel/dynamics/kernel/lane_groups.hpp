// A few states of a batch, side by side in lanes, and back.
#pragma once

#include <algorithm>
#include <vector>

#include "trammel/dynamics/kernel/instantiate.hpp"

namespace trammel::kernel {

// States `first` and on, into lanes; where the batch ends, its last state fills the rest. A square
// at a time, turned over in registers.
inline void gather(const double* matrix, int states, int first, std::vector<Lanes>& lanes) {
  const int rows = int(lanes.size());
  for (int k = 0; k < rows; k += native_lanes) {
    Lanes square[native_lanes];
    for (int lane = 0; lane < native_lanes; ++lane) {
      const std::ptrdiff_t state = std::min(first + lane, states - 1);
      square[lane] = Lanes::load_first(rows - k, matrix + state * rows + k);
    }
    transpose(square);
    for (int row = 0; row < std::min(native_lanes, rows - k); ++row) lanes[k + row] = square[row];
  }
}
inline void scatter(const std::vector<Lanes>& lanes, int states, int first, double* matrix) {
  const int rows = int(lanes.size());
  for (int k = 0; k < rows; k += native_lanes) {
    Lanes square[native_lanes];
    for (int row = 0; row < std::min(native_lanes, rows - k); ++row) square[row] = lanes[k + row];
    transpose(square);
    for (int lane = 0; lane < std::min(native_lanes, states - first); ++lane)
      square[lane].store_first(rows - k, matrix + std::ptrdiff_t(first + lane) * rows + k);
  }
}

}  // namespace trammel::kernel
