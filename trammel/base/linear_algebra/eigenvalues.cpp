// Eigenvalues of symmetric and of general matrices [Golub, Van Loan, chapters 7 and 8].
#include <Eigen/Eigenvalues>

#include "trammel/base/linear_algebra/factors.hpp"

namespace trammel {

using Eigen::MatrixXcd;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using internal::zero;

SymmetricEigen symmetric_eigen(const ConstMatrix& A) {
  if (A.size() == 0) return {{}, zero(0, 0)};
  const Eigen::SelfAdjointEigenSolver<MatrixXd> found(A);
  return {found.eigenvalues(), found.eigenvectors()};
}
VectorXd symmetric_eigenvalues(const ConstMatrix& A) {
  if (A.size() == 0) return {};
  return Eigen::SelfAdjointEigenSolver<MatrixXd>(A, Eigen::EigenvaluesOnly).eigenvalues();
}

GeneralEigen general_eigen(const ConstMatrix& A) {
  if (A.size() == 0) return {{}, MatrixXcd::Zero(0, 0)};
  const Eigen::EigenSolver<MatrixXd> found(A);
  return {found.eigenvalues(), found.eigenvectors()};
}

}  // namespace trammel
