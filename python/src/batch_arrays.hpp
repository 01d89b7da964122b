// Arrays with one row per state as the columns of a matrix, without copies: numpy's row-major
// arrays are Eigen's column-major transposes.
#pragma once

#include <stdexcept>
#include <string>

#include "arrays.hpp"
#include "trammel/dynamics/batch.hpp"

namespace trammel::python {

using BatchColumns = Eigen::Map<const Eigen::MatrixXd>;

// `row` is what a row stands for, in the message about a wrong number of dimensions.
inline BatchColumns columns_of(const char* function, const char* what, const char* row,
                               const Array& array) {
  if (array.ndim() != 2)
    throw std::invalid_argument(std::string(function) + ": " + what + " has " +
                                std::to_string(array.ndim()) +
                                " dimensions; give it two, a row a " + row);
  return {array.data(), array.shape(1), array.shape(0)};
}
inline States states_of(const char* function, const char* row, const Array& q, const Array& v) {
  return {columns_of(function, "q", row, q), columns_of(function, "v", row, v)};
}
inline std::span<const double> span_of(const Array& array) {
  return {array.data(), std::size_t(array.size())};
}

}  // namespace trammel::python
