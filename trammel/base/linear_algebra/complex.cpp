// Decompositions of complex matrices: LU with partial pivoting, singular values.
#include <Eigen/LU>
#include <Eigen/SVD>

#include "trammel/base/linear_algebra/factors.hpp"

namespace trammel::internal {

struct ComplexLuImpl : Eigen::PartialPivLU<Eigen::MatrixXcd> {};

}  // namespace trammel::internal

TRAMMEL_FACTORS(ComplexLuImpl)

namespace trammel {

using Eigen::MatrixXcd;

ComplexLu::ComplexLu() : impl_(new internal::ComplexLuImpl) {}
ComplexLu& ComplexLu::compute(const ConstComplexMatrix& A) {
  impl_->compute(A);
  return *this;
}
MatrixXcd ComplexLu::solve(const ConstComplexMatrix& B) const {
  if (B.rows() == 0) return MatrixXcd::Zero(0, B.cols());
  return impl_->solve(B);
}

ComplexSvd svd(const ConstComplexMatrix& A) {
  if (A.size() == 0) return {{}, MatrixXcd::Identity(A.rows(), A.rows())};
  const Eigen::JacobiSVD<MatrixXcd> found(A, Eigen::ComputeFullU);
  return {found.singularValues(), found.matrixU()};
}

}  // namespace trammel
