// Shared by the sources of linear_algebra.hpp: ownership of a decomposition behind a pointer, and
// the results for a matrix without entries. Internal.
#pragma once

#include "trammel/base/linear_algebra.hpp"

namespace trammel::internal {

inline Eigen::MatrixXd zero(Eigen::Index rows, Eigen::Index columns) {
  return Eigen::MatrixXd::Zero(rows, columns);
}
inline Eigen::MatrixXd identity(Eigen::Index rows, Eigen::Index columns) {
  return Eigen::MatrixXd::Identity(rows, columns);
}

// Sets the relative size below which a pivot is zero; Eigen's default if it is negative.
template <class Solver> void set_threshold(Solver& solver, double threshold) {
  if (threshold >= 0)
    solver.setThreshold(threshold);
  else
    solver.setThreshold(Eigen::Default);
}

}  // namespace trammel::internal

// Defines the deleter of a decomposition where its type is complete.
#define TRAMMEL_FACTORS(Factors)                                                  \
  template <>                                                                     \
  void trammel::internal::FactorsDeleter<trammel::internal::Factors>::operator()( \
      trammel::internal::Factors* factors) const {                                \
    delete factors;                                                               \
  }
