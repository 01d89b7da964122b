// QR decompositions: without pivoting, with column pivoting, complete orthogonal [Golub, Van Loan,
// chapter 5].
#include <Eigen/QR>

#include "trammel/base/linear_algebra/factors.hpp"

namespace trammel::internal {

struct QrImpl : Eigen::HouseholderQR<Eigen::MatrixXd> {};
struct PivotedQrImpl : Eigen::ColPivHouseholderQR<Eigen::MatrixXd> {};
struct OrthogonalImpl : Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> {};

}  // namespace trammel::internal

TRAMMEL_FACTORS(QrImpl)
TRAMMEL_FACTORS(PivotedQrImpl)
TRAMMEL_FACTORS(OrthogonalImpl)

namespace trammel {

using Eigen::Index;
using Eigen::MatrixXd;
using internal::identity;
using internal::set_threshold;
using internal::zero;

Qr::Qr(const ConstMatrix& A) : impl_(new internal::QrImpl), rows_(A.rows()), columns_(A.cols()) {
  if (A.size() > 0) impl_->compute(A);
}
MatrixXd Qr::q() const {
  if (rows_ * columns_ == 0) return identity(rows_, rows_);
  return impl_->householderQ() * identity(rows_, rows_);
}
MatrixXd Qr::thin_q() const {
  if (rows_ * columns_ == 0) return zero(rows_, columns_);
  return impl_->householderQ() * identity(rows_, columns_);
}
MatrixXd Qr::r() const {
  const Index n = std::min(rows_, columns_);
  if (n == 0) return zero(0, columns_);
  return impl_->matrixQR().topRows(n).triangularView<Eigen::Upper>();
}
MatrixXd Qr::solve_matrix(const ConstMatrix& B) const {
  if (rows_ * columns_ == 0) return zero(columns_, B.cols());
  return impl_->solve(B);
}
MatrixXd Qr::solve_normal_matrix(const ConstMatrix& B) const {
  if (rows_ * columns_ == 0) return zero(columns_, B.cols());
  const auto R = impl_->matrixQR().topRows(columns_).triangularView<Eigen::Upper>();
  return R.solve(R.transpose().solve(B));
}

PivotedQr::PivotedQr() : impl_(new internal::PivotedQrImpl) {}
PivotedQr::PivotedQr(const ConstMatrix& A, double threshold) : PivotedQr() {
  compute(A, threshold);
}
PivotedQr& PivotedQr::compute(const ConstMatrix& A, double threshold) {
  rows_ = A.rows();
  columns_ = A.cols();
  if (A.size() == 0) {
    order_.setLinSpaced(columns_, 0, int(columns_) - 1);
    pivots_.resize(0);
    return *this;
  }
  set_threshold(*impl_, threshold);
  impl_->compute(A);
  order_ = impl_->colsPermutation().indices();
  pivots_ = impl_->matrixQR().diagonal().cwiseAbs();
  return *this;
}
Index PivotedQr::rank() const { return pivots_.size() > 0 ? impl_->rank() : 0; }
MatrixXd PivotedQr::q() const {
  if (pivots_.size() == 0) return identity(rows_, rows_);
  return impl_->householderQ();
}

MatrixXd PivotedQr::r() const {
  const Index n = std::min(rows_, columns_);
  if (n == 0) return zero(0, columns_);
  return impl_->matrixQR().topRows(n).triangularView<Eigen::Upper>();
}

MatrixXd solve_upper_triangular(const ConstMatrix& R, const ConstMatrix& B) {
  if (R.size() == 0) return zero(R.cols(), B.cols());
  return R.triangularView<Eigen::Upper>().solve(B);
}

MatrixXd full_pivot_q(const ConstMatrix& A) {
  if (A.size() == 0) return identity(A.rows(), A.rows());
  return Eigen::FullPivHouseholderQR<MatrixXd>(A).matrixQ();
}

OrthogonalDecomposition::OrthogonalDecomposition() : impl_(new internal::OrthogonalImpl) {}
OrthogonalDecomposition::OrthogonalDecomposition(const ConstMatrix& A, double threshold)
    : OrthogonalDecomposition() {
  compute(A, threshold);
}
OrthogonalDecomposition& OrthogonalDecomposition::compute(const ConstMatrix& A, double threshold) {
  rows_ = A.rows();
  columns_ = A.cols();
  if (A.size() == 0) return *this;
  set_threshold(*impl_, threshold);
  impl_->compute(A);
  return *this;
}
Index OrthogonalDecomposition::rank() const { return rows_ * columns_ > 0 ? impl_->rank() : 0; }
MatrixXd OrthogonalDecomposition::solve_matrix(const ConstMatrix& B) const {
  if (rank() == 0) return zero(columns_, B.cols());
  return impl_->solve(B);
}
MatrixXd OrthogonalDecomposition::pseudo_inverse() const {
  if (rank() == 0) return zero(columns_, rows_);
  return impl_->pseudoInverse();
}

MatrixXd least_squares(const ConstMatrix& A, const ConstMatrix& B, double threshold) {
  return OrthogonalDecomposition(A, threshold).solve(B);
}

}  // namespace trammel
