// Cholesky decompositions, LL^T and LDL^T [Golub, Van Loan, sections 4.2 and 4.4].
#include <Eigen/Cholesky>

#include "trammel/base/linear_algebra/factors.hpp"

namespace trammel::internal {

struct LltImpl : Eigen::LLT<Eigen::MatrixXd> {};
struct LdltImpl : Eigen::LDLT<Eigen::MatrixXd> {};

}  // namespace trammel::internal

TRAMMEL_FACTORS(LltImpl)
TRAMMEL_FACTORS(LdltImpl)

namespace trammel {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using internal::zero;

Llt::Llt() : impl_(new internal::LltImpl) {}
Llt::Llt(const ConstMatrix& A) : Llt() { compute(A); }
Llt& Llt::compute(const ConstMatrix& A) {
  impl_->compute(A);
  return *this;
}
bool Llt::is_positive_definite() const { return impl_->info() == Eigen::Success; }
double Llt::reciprocal_condition() const { return impl_->rows() > 0 ? impl_->rcond() : 1; }
MatrixXd Llt::solve_matrix(const ConstMatrix& B) const { return impl_->solve(B); }
MatrixXd Llt::solve_lower_matrix(const ConstMatrix& B) const { return impl_->matrixL().solve(B); }
MatrixXd Llt::solve_upper_matrix(const ConstMatrix& B) const { return impl_->matrixU().solve(B); }
VectorXd Llt::diagonal() const { return impl_->matrixLLT().diagonal(); }

Ldlt::Ldlt(const ConstMatrix& A) : impl_(new internal::LdltImpl) {
  if (A.size() > 0) impl_->compute(A);
}
MatrixXd Ldlt::solve_matrix(const ConstMatrix& B) const {
  if (B.rows() == 0) return zero(0, B.cols());
  return impl_->solve(B);
}
VectorXd Ldlt::diagonal() const { return impl_->vectorD(); }

}  // namespace trammel
