// Singular value decompositions: one-sided Jacobi, divide and conquer [Golub, Van Loan,
// section 8.6].
#include <Eigen/SVD>

#include "trammel/base/linear_algebra/factors.hpp"

namespace trammel {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using internal::identity;
using internal::zero;

namespace {

unsigned option(Basis basis, unsigned thin, unsigned full) {
  return basis == Basis::none ? 0 : basis == Basis::thin ? thin : full;
}

MatrixXd basis_of_nothing(Basis basis, Index size) {
  return basis == Basis::full ? identity(size, size) : zero(basis == Basis::thin ? size : 0, 0);
}

template <class Decomposition> Svd decomposed(const ConstMatrix& A, Basis U, Basis V) {
  if (A.size() == 0) return {{}, basis_of_nothing(U, A.rows()), basis_of_nothing(V, A.cols())};
  const Decomposition found(A, option(U, Eigen::ComputeThinU, Eigen::ComputeFullU) |
                                   option(V, Eigen::ComputeThinV, Eigen::ComputeFullV));
  Svd out;
  out.values = found.singularValues();
  if (U != Basis::none) out.U = found.matrixU();
  if (V != Basis::none) out.V = found.matrixV();
  return out;
}

}  // namespace

Svd svd(const ConstMatrix& A, Basis U, Basis V) {
  return decomposed<Eigen::JacobiSVD<MatrixXd>>(A, U, V);
}
Svd svd_divide(const ConstMatrix& A, Basis V) {
  return decomposed<Eigen::BDCSVD<MatrixXd>>(A, Basis::none, V);
}
VectorXd singular_values(const ConstMatrix& A) { return svd_divide(A).values; }

}  // namespace trammel
