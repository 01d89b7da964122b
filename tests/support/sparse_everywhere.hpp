// Components of any size are solved by the sparse methods of large ones, while this object lives.
#pragma once

#include <utility>

#include "trammel/base/sparse_qr.hpp"

namespace trammel {

class SparseEverywhere {
 public:
  SparseEverywhere() : before_(std::exchange(most_dense_rows, 0)) {}
  ~SparseEverywhere() { most_dense_rows = before_; }
  SparseEverywhere(const SparseEverywhere&) = delete;
  SparseEverywhere& operator=(const SparseEverywhere&) = delete;

 private:
  int before_;
};

}  // namespace trammel
