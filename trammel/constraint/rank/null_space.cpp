#include "trammel/constraint/rank/null_space.hpp"

#include <cmath>
#include <random>
#include <utility>

#include "trammel/base/linear_algebra.hpp"
#include "trammel/constraint/rank/sparse_row_basis.hpp"

namespace trammel {

namespace {

// Products with columns of norm 1 that count as zero.
constexpr double orthogonal = 1e-12;

}  // namespace

std::optional<Eigen::MatrixXd> orthogonal_complement_of(const SparseColumns& A, double zero) {
  SparseQr qr;
  qr.compute(A, SparseQr::limits_of(A, zero), [&](int, double left) { return left > zero; });
  const Eigen::Index d = A.rows - std::ssize(qr.basis());
  std::mt19937 engine(3);
  Eigen::MatrixXd T =
      Eigen::MatrixXd::NullaryExpr(A.rows, d, [&] { return double(engine()) / 2147483648.0 - 1; });
  for (int twice = 0; twice < 2 && d > 0; ++twice) {
    for (Eigen::Index k = 0; k < d; ++k) T.col(k) = qr.orthogonal_part(A, T.col(k));
    T = Qr(T).thin_q();
  }
  for (Eigen::Index k = 0; k < d; ++k) {
    const Eigen::VectorXd motion = T.col(k);
    for (const int column : qr.basis())
      if (!(std::abs(A.dot(column, motion)) <= orthogonal * A.norm(column))) return std::nullopt;
  }
  return T;
}

Eigen::MatrixXd null_space(const SparseRows& J, std::span<const int> rows,
                           std::span<const int> dofs, const Eigen::VectorXd& unit, int most_dense) {
  if (std::ssize(rows) > most_dense) {
    SparseColumns A = unit_columns(J, rows, dofs);
    for (SparseColumns::Column& column : A.columns)
      for (auto& [dof, value] : column) value *= unit[dof];
    if (const auto T = orthogonal_complement_of(A)) return *T;
  }
  const Eigen::MatrixXd block = J.block(rows, dofs) * unit.asDiagonal();
  const Eigen::Index n = block.cols(), r = block.rows();
  if (r == 0) return Eigen::MatrixXd::Identity(n, n);
  return Qr(block.transpose()).q().rightCols(n - r);
}

std::optional<Eigen::VectorXd> part_in_null_space(const SparseRows& J, std::span<const int> rows,
                                                  std::span<const int> dofs,
                                                  const Eigen::VectorXd& x, int most_dense) {
  const SparseColumns A = unit_columns(J, rows, dofs);
  Eigen::VectorXd part = x;
  if (std::ssize(rows) > most_dense) {
    SparseQr qr;
    qr.compute(A, SparseQr::limits_of(A, 0), [&](int, double left) { return left > 0; });
    part = qr.orthogonal_part(A, std::move(part));
  } else if (!rows.empty()) {
    const Eigen::MatrixXd Q = Qr(J.block(rows, dofs).transpose()).thin_q();
    for (int twice = 0; twice < 2; ++twice) part -= Q * (Q.transpose() * part);
  }
  for (int k = 0; k < int(rows.size()); ++k)
    if (!(std::abs(A.dot(k, part)) <= orthogonal * x.norm())) return std::nullopt;
  return part;
}

}  // namespace trammel
