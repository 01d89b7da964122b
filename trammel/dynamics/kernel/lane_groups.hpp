// A few states of a batch, side by side in lanes, and back.
#pragma once

#include <algorithm>
#include <vector>

#include "trammel/dynamics/kernel/instantiate.hpp"

namespace trammel::kernel {

// States `first` and on, into lanes; where the batch ends, its last state fills the rest.
inline void gather(const double* matrix, int states, int first, std::vector<Lanes>& lanes) {
  const std::ptrdiff_t rows = std::ptrdiff_t(lanes.size());
  for (std::ptrdiff_t k = 0; k < rows; ++k)
    lanes[k].lanes = Lanes::Lanes([&](auto lane) {
      const int state = std::min(first + int(lane), states - 1);
      return matrix[state * rows + k];
    });
}
inline void scatter(const std::vector<Lanes>& lanes, int states, int first, double* matrix) {
  const std::ptrdiff_t rows = std::ptrdiff_t(lanes.size());
  for (std::ptrdiff_t k = 0; k < rows; ++k)
    for (int lane = 0; lane < native_lanes && first + lane < states; ++lane)
      matrix[(first + lane) * rows + k] = lanes[k][lane];
}

}  // namespace trammel::kernel
