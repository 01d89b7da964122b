// LU decompositions with partial or full pivoting, and the inverse [Golub, Van Loan, chapter 3].
#include <Eigen/LU>

#include "trammel/base/linear_algebra/factors.hpp"

namespace trammel::internal {

struct FullPivotLuImpl : Eigen::FullPivLU<Eigen::MatrixXd> {};
struct LuImpl : Eigen::PartialPivLU<Eigen::MatrixXd> {};

}  // namespace trammel::internal

TRAMMEL_FACTORS(FullPivotLuImpl)
TRAMMEL_FACTORS(LuImpl)

namespace trammel {

using Eigen::Index;
using Eigen::MatrixXd;
using internal::identity;
using internal::set_threshold;
using internal::zero;

FullPivotLu::FullPivotLu(const ConstMatrix& A, double threshold)
    : impl_(new internal::FullPivotLuImpl), rows_(A.rows()), columns_(A.cols()) {
  if (A.size() == 0) return;
  set_threshold(*impl_, threshold);
  impl_->compute(A);
}
Index FullPivotLu::rank() const { return rows_ * columns_ > 0 ? impl_->rank() : 0; }
bool FullPivotLu::is_invertible() const { return rows_ == columns_ && rank() == rows_; }
double FullPivotLu::max_pivot() const {
  return rows_ * columns_ > 0 ? std::abs(impl_->maxPivot()) : 0;
}
MatrixXd FullPivotLu::solve_matrix(const ConstMatrix& B) const {
  if (rank() == 0) return zero(columns_, B.cols());
  return impl_->solve(B);
}
MatrixXd FullPivotLu::kernel() const {
  if (rank() == 0) return identity(columns_, columns_);
  if (rank() == columns_) return zero(columns_, 0);
  return impl_->kernel();
}

Lu::Lu() : impl_(new internal::LuImpl) {}
Lu& Lu::compute(const ConstMatrix& A) {
  impl_->compute(A);
  return *this;
}
MatrixXd Lu::solve_matrix(const ConstMatrix& B) const {
  if (B.rows() == 0) return zero(0, B.cols());
  return impl_->solve(B);
}

MatrixXd inverse(const ConstMatrix& A) {
  if (A.size() == 0) return zero(A.cols(), A.rows());
  return A.inverse();
}

}  // namespace trammel
