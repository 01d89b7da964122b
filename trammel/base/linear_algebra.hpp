// Dense matrix decompositions: Cholesky (LL^T, LDL^T), QR, complete orthogonal decomposition, LU,
// singular values, eigenvalues; and reductions (largest, smallest entry) that are defined for empty
// matrices.
//
// The decompositions are Eigen's, instantiated once in linear_algebra/: a file that includes
// only this header compiles in a few seconds, one that instantiates Eigen's own classes in 15 to
// 50. Every decomposition accepts a matrix without rows or without columns: its rank is 0, a least
// squares solution is 0, and a full basis is the identity (Eigen reads outside of memory there).
#pragma once

#include <Eigen/Core>
#include <complex>
#include <memory>

namespace trammel {

using ConstMatrix = Eigen::Ref<const Eigen::MatrixXd>;
using ConstComplexMatrix = Eigen::Ref<const Eigen::MatrixXcd>;

// Largest absolute value of the entries; 0 if there are none.
template <class Derived> double max_abs(const Eigen::DenseBase<Derived>& x) {
  return x.size() > 0 ? double(x.derived().cwiseAbs().maxCoeff()) : 0.0;
}

// The same with its index in a vector: 0 if there are no entries.
template <class Derived> double max_abs(const Eigen::DenseBase<Derived>& x, Eigen::Index& where) {
  where = 0;
  return x.size() > 0 ? double(x.derived().cwiseAbs().maxCoeff(&where)) : 0.0;
}

// Largest and smallest entry; `of_none` if there are none.
template <class Derived> double max_entry(const Eigen::DenseBase<Derived>& x, double of_none = 0) {
  return x.size() > 0 ? double(x.derived().maxCoeff()) : of_none;
}
template <class Derived> double min_entry(const Eigen::DenseBase<Derived>& x, double of_none = 0) {
  return x.size() > 0 ? double(x.derived().minCoeff()) : of_none;
}
template <class Derived> double min_entry(const Eigen::DenseBase<Derived>& x, Eigen::Index& where) {
  where = 0;
  return x.size() > 0 ? double(x.derived().minCoeff(&where)) : 0.0;
}

// Type of the solution for the columns of B: a vector if B is one.
template <class B>
using Solution =
    Eigen::Matrix<double, Eigen::Dynamic, B::ColsAtCompileTime == 1 ? 1 : Eigen::Dynamic>;

namespace internal {
// Owns a decomposition whose type is complete in one source of linear_algebra/ only.
template <class Factors> struct FactorsDeleter { void operator()(Factors* factors) const; };
template <class Factors> using FactorsPointer = std::unique_ptr<Factors, FactorsDeleter<Factors>>;
struct LltImpl;
struct LdltImpl;
struct QrImpl;
struct PivotedQrImpl;
struct OrthogonalImpl;
struct FullPivotLuImpl;
struct LuImpl;
struct ComplexLuImpl;
}  // namespace internal

// Cholesky decomposition A = L L^T of a symmetric positive definite matrix.
class Llt {
 public:
  Llt();
  explicit Llt(const ConstMatrix& A);
  Llt& compute(const ConstMatrix& A);
  bool is_positive_definite() const;
  double reciprocal_condition() const;  // an estimate in the 1-norm; 1 if A is empty
  // Positive definite, and solutions keep some digits.
  bool is_regular() const { return is_positive_definite() && reciprocal_condition() > 1e-14; }
  template <class B> Solution<B> solve(const Eigen::MatrixBase<B>& b) const {  // A^-1 B
    return solve_matrix(b.derived());
  }
  template <class B> Solution<B> solve_lower(const Eigen::MatrixBase<B>& b) const {  // L^-1 B
    return solve_lower_matrix(b.derived());
  }
  template <class B> Solution<B> solve_upper(const Eigen::MatrixBase<B>& b) const {  // L^-T B
    return solve_upper_matrix(b.derived());
  }
  Eigen::VectorXd diagonal() const;  // of L

 private:
  Eigen::MatrixXd solve_matrix(const ConstMatrix& B) const;
  Eigen::MatrixXd solve_lower_matrix(const ConstMatrix& B) const;
  Eigen::MatrixXd solve_upper_matrix(const ConstMatrix& B) const;
  internal::FactorsPointer<internal::LltImpl> impl_;
};

// Pivoted Cholesky decomposition A = P^T L D L^T P of a symmetric semidefinite matrix.
class Ldlt {
 public:
  explicit Ldlt(const ConstMatrix& A);
  template <class B> Solution<B> solve(const Eigen::MatrixBase<B>& b) const {
    return solve_matrix(b.derived());
  }
  Eigen::VectorXd diagonal() const;  // D

 private:
  Eigen::MatrixXd solve_matrix(const ConstMatrix& B) const;
  internal::FactorsPointer<internal::LdltImpl> impl_;
};

// A = Q R by Householder reflections, without pivoting.
class Qr {
 public:
  explicit Qr(const ConstMatrix& A);
  Eigen::MatrixXd q() const;       // square
  Eigen::MatrixXd thin_q() const;  // as many columns as A
  Eigen::MatrixXd r() const;       // upper triangle, min(rows, columns) rows
  template <class B>
  Solution<B> solve(const Eigen::MatrixBase<B>& b) const {  // least squares; A has full column rank
    return solve_matrix(b.derived());
  }
  template <class B>
  Solution<B> solve_normal(const Eigen::MatrixBase<B>& b) const {  // (A^T A)^-1 B, from R alone
    return solve_normal_matrix(b.derived());
  }

 private:
  Eigen::MatrixXd solve_matrix(const ConstMatrix& B) const;
  Eigen::MatrixXd solve_normal_matrix(const ConstMatrix& B) const;
  internal::FactorsPointer<internal::QrImpl> impl_;
  Eigen::Index rows_ = 0, columns_ = 0;
};

// A P = Q R with column pivoting [Businger, Golub 1965]: reveals the rank.
class PivotedQr {
 public:
  PivotedQr();
  // Pivots below `threshold` times the largest are zero; Eigen's default if it is negative.
  explicit PivotedQr(const ConstMatrix& A, double threshold = -1);
  PivotedQr& compute(const ConstMatrix& A, double threshold = -1);
  Eigen::Index rank() const;
  const Eigen::VectorXi& order() const { return order_; }    // of A's columns, by pivot
  const Eigen::VectorXd& pivots() const { return pivots_; }  // |R_kk|, not increasing
  Eigen::MatrixXd q() const;                                 // square
  Eigen::MatrixXd r() const;  // upper triangle, min(rows, columns) rows, columns in order()

 private:
  internal::FactorsPointer<internal::PivotedQrImpl> impl_;
  Eigen::Index rows_ = 0, columns_ = 0;
  Eigen::VectorXi order_;
  Eigen::VectorXd pivots_;
};

// R^-1 B for an upper triangular R.
Eigen::MatrixXd solve_upper_triangular(const ConstMatrix& R, const ConstMatrix& B);

// Square Q of a QR decomposition with row and column pivoting: its first columns span the range of
// A, the others the orthogonal complement.
Eigen::MatrixXd full_pivot_q(const ConstMatrix& A);

// Complete orthogonal decomposition: minimum-norm least-squares solutions, at any rank.
class OrthogonalDecomposition {
 public:
  OrthogonalDecomposition();
  explicit OrthogonalDecomposition(const ConstMatrix& A, double threshold = -1);
  OrthogonalDecomposition& compute(const ConstMatrix& A, double threshold = -1);
  Eigen::Index rank() const;
  template <class B> Solution<B> solve(const Eigen::MatrixBase<B>& b) const {
    return solve_matrix(b.derived());
  }
  Eigen::MatrixXd pseudo_inverse() const;

 private:
  Eigen::MatrixXd solve_matrix(const ConstMatrix& B) const;
  internal::FactorsPointer<internal::OrthogonalImpl> impl_;
  Eigen::Index rows_ = 0, columns_ = 0;
};

// Minimum-norm least-squares solution.
Eigen::MatrixXd least_squares(const ConstMatrix& A, const ConstMatrix& B, double threshold = -1);

// LU with row and column pivoting (full pivoting): reveals the rank of a square or oblong matrix.
class FullPivotLu {
 public:
  explicit FullPivotLu(const ConstMatrix& A, double threshold = -1);
  Eigen::Index rank() const;
  bool is_invertible() const;
  double max_pivot() const;
  template <class B> Solution<B> solve(const Eigen::MatrixBase<B>& b) const {
    return solve_matrix(b.derived());
  }
  Eigen::MatrixXd kernel() const;  // basis of the null space, one column per dimension

 private:
  Eigen::MatrixXd solve_matrix(const ConstMatrix& B) const;
  internal::FactorsPointer<internal::FullPivotLuImpl> impl_;
  Eigen::Index rows_ = 0, columns_ = 0;
};

// LU with row pivoting (partial pivoting), of an invertible matrix.
class Lu {
 public:
  Lu();
  Lu& compute(const ConstMatrix& A);
  template <class B> Solution<B> solve(const Eigen::MatrixBase<B>& b) const {
    return solve_matrix(b.derived());
  }

 private:
  Eigen::MatrixXd solve_matrix(const ConstMatrix& B) const;
  internal::FactorsPointer<internal::LuImpl> impl_;
};
class ComplexLu {
 public:
  ComplexLu();
  ComplexLu& compute(const ConstComplexMatrix& A);
  Eigen::MatrixXcd solve(const ConstComplexMatrix& B) const;

 private:
  internal::FactorsPointer<internal::ComplexLuImpl> impl_;
};

Eigen::MatrixXd inverse(const ConstMatrix& A);

// A = U diag(values) V^T; values largest first. Bases that were not requested are empty.
enum class Basis { none, thin, full };
struct Svd {
  Eigen::VectorXd values;
  Eigen::MatrixXd U, V;
};
// One-sided Jacobi: small singular values keep their digits.
Svd svd(const ConstMatrix& A, Basis U = Basis::none, Basis V = Basis::none);
// Divide and conquer: faster for large matrices.
Svd svd_divide(const ConstMatrix& A, Basis V = Basis::none);
Eigen::VectorXd singular_values(const ConstMatrix& A);

struct ComplexSvd {
  Eigen::VectorXd values;
  Eigen::MatrixXcd U;  // square
};
ComplexSvd svd(const ConstComplexMatrix& A);

// Eigenvalues, in increasing order, and eigenvectors of a symmetric matrix.
struct SymmetricEigen {
  Eigen::VectorXd values;
  Eigen::MatrixXd vectors;
};
SymmetricEigen symmetric_eigen(const ConstMatrix& A);
Eigen::VectorXd symmetric_eigenvalues(const ConstMatrix& A);

// Eigenvalues and eigenvectors of any square matrix.
struct GeneralEigen {
  Eigen::VectorXcd values;
  Eigen::MatrixXcd vectors;
};
GeneralEigen general_eigen(const ConstMatrix& A);

}  // namespace trammel
