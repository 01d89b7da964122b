#include "trammel/constraint/rank_plan.hpp"

#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <Eigen/SVD>

#include "trammel/constraint/choose_rows.hpp"

namespace trammel {

namespace {

// A state closed to 1e-12 has dependent rows with singular values near 1e-12; poses where rows
// nearly depend on each other are told from those down to here.
constexpr double rank_tolerance = 1e-9;

// The rows as inertia sees them, each as long as it is of what it could be.
Eigen::MatrixXd seen_by_inertia(const Eigen::MatrixXd& J, const Eigen::MatrixXd& M,
                                const Eigen::VectorXd& natural) {
  Eigen::MatrixXd K = J.transpose();
  const Eigen::LLT<Eigen::MatrixXd> cholesky(M);
  if (cholesky.info() == Eigen::Success && cholesky.rcond() > 1e-14)
    K = cholesky.matrixL().solve(K);
  for (Eigen::Index k = 0; k < K.cols(); ++k)
    if (const double length = K.col(k).norm(); length > 0 && natural[k] > 0)
      K.col(k) *= J.row(k).norm() / natural[k] / length;
  return K;
}

RankPlan plan_of(const Eigen::MatrixXd& K) {
  RankPlan plan;
  plan.count = int(K.cols());
  plan.tolerance = rank_tolerance;
  if (K.cols() == 0) return plan;
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(K);
  qr.setThreshold(rank_tolerance);
  for (Eigen::Index k = 0; k < qr.rank(); ++k)
    plan.rows.push_back(qr.colsPermutation().indices()[k]);
  return plan;
}

}  // namespace

RankPlan choose_rows(const Eigen::MatrixXd& J, const Eigen::MatrixXd& M,
                     const Eigen::VectorXd& natural) {
  return plan_of(seen_by_inertia(J, M, natural));
}

RankPlan decide_rank(const Eigen::MatrixXd& J, const Eigen::MatrixXd& M,
                     const Eigen::VectorXd& natural) {
  const Eigen::MatrixXd K = seen_by_inertia(J, M, natural);
  RankPlan plan = plan_of(K);
  if (K.cols() == 0) return plan;
  const Eigen::VectorXd singular = K.bdcSvd().singularValues();
  plan.singular.assign(singular.data(), singular.data() + singular.size());
  return plan;
}

Eigen::MatrixXd independent_rows(const Eigen::MatrixXd& J, const RankPlan& plan) {
  Eigen::MatrixXd rows(plan.rank(), J.cols());
  for (int k = 0; k < plan.rank(); ++k) rows.row(k) = J.row(plan.rows[std::size_t(k)]);
  return rows;
}

// Each row that is not in the plan is a sum of those that are: one set each.
Eigen::MatrixXd dependent_sets(const Eigen::MatrixXd& J, const RankPlan& plan) {
  Eigen::MatrixXd sets = Eigen::MatrixXd::Zero(plan.count, plan.redundant());
  if (plan.redundant() == 0) return sets;
  std::vector<bool> is_taken(std::size_t(plan.count), false);
  for (const int row : plan.rows) is_taken[std::size_t(row)] = true;
  const Eigen::MatrixXd J_independent = independent_rows(J, plan);
  const Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> solver(J_independent.transpose());
  int set = 0;
  for (int row = 0; row < plan.count; ++row) {
    if (is_taken[std::size_t(row)]) continue;
    const Eigen::VectorXd parts = solver.solve(J.row(row).transpose());
    sets(row, set) = -1;
    for (int k = 0; k < plan.rank(); ++k)
      if (std::abs(parts[k]) > 1e-9) sets(plan.rows[std::size_t(k)], set) = parts[k];
    sets.col(set) /= sets.col(set).cwiseAbs().maxCoeff();
    ++set;
  }
  return sets;
}

}  // namespace trammel
