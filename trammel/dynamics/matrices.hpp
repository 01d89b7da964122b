// Eigen matrices of spatial quantities, views of Eigen matrices as the plain spans of the kernels,
// and their size checks. For this module only.
#pragma once

#include <fmt/format.h>

#include <Eigen/Core>
#include <stdexcept>

#include "trammel/dynamics/kernel_input.hpp"

namespace trammel {

inline Eigen::Vector3d eigen(const Vec3<double>& a) { return {a.x, a.y, a.z}; }
inline Eigen::Matrix3d eigen(const Mat3<double>& R) {
  Eigen::Matrix3d out;
  out << eigen(R.x), eigen(R.y), eigen(R.z);
  return out;
}

inline MatrixSpan<double> span_of(Eigen::Ref<Eigen::MatrixXd> matrix) {
  return {matrix.data(), int(matrix.rows()), int(matrix.cols()), matrix.outerStride()};
}

inline void expects_matrix(const char* context, const char* what,
                           const Eigen::Ref<const Eigen::MatrixXd>& matrix, int rows, int columns) {
  if (matrix.rows() != rows || matrix.cols() != columns)
    throw std::invalid_argument(fmt::format("{}: {} is {} x {}, it must be {} x {}", context, what,
                                            matrix.rows(), matrix.cols(), rows, columns));
}
inline void expects_square(const char* context, const char* what,
                           const Eigen::Ref<const Eigen::MatrixXd>& matrix, int size) {
  expects_matrix(context, what, matrix, size, size);
}

}  // namespace trammel
