#include "trammel/constraint/roads.hpp"

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <Eigen/QR>
#include <array>
#include <utility>

namespace trammel {

namespace {

constexpr std::array<std::pair<Road, std::string_view>, 6> names{{{Road::automatic, "automatic"},
                                                                  {Road::schur, "schur"},
                                                                  {Road::star, "star"},
                                                                  {Road::cluster, "cluster"},
                                                                  {Road::complement, "complement"},
                                                                  {Road::kkt, "kkt"}}};

Status singular(Road road) {
  return Status::failure("give a body that moves there a mass, or hold it: the road '" +
                         to_string(road) +
                         "' meets a motion that has no inertia and that nothing holds");
}

Eigen::VectorXd spread(const Eigen::VectorXd& lambda, const RankPlan& plan) {
  Eigen::VectorXd all = Eigen::VectorXd::Zero(plan.count);
  for (int k = 0; k < plan.rank(); ++k) all[plan.rows[std::size_t(k)]] = lambda[k];
  return all;
}

// Rounding can leave a freedom without inertia a pivot of 1e-33: that is none.
bool is_regular(const Eigen::LLT<Eigen::MatrixXd>& factors) {
  return factors.info() == Eigen::Success && factors.rcond() > 1e-14;
}

struct Problem {
  const Eigen::MatrixXd& M;
  Eigen::MatrixXd J;  // independent rows only
  const Eigen::VectorXd& f;
  Eigen::VectorXd gamma;
};

Status schur(const Problem& problem, Eigen::VectorXd& a, Eigen::VectorXd& lambda) {
  const Eigen::LLT<Eigen::MatrixXd> M(problem.M);
  if (!is_regular(M)) return singular(Road::schur);
  // lambda by least squares on K = L^-1 J^T: K^T K is never formed
  const Eigen::MatrixXd K = M.matrixL().solve(problem.J.transpose());
  const Eigen::VectorXd free = M.matrixL().solve(problem.f);
  const Eigen::HouseholderQR<Eigen::MatrixXd> qr(K);
  const auto R = qr.matrixQR().topRows(K.cols()).template triangularView<Eigen::Upper>();
  const Eigen::VectorXd rhs = problem.gamma - K.transpose() * free;
  lambda = R.solve(R.transpose().solve(rhs));
  a = M.matrixU().solve(free + K * lambda);
  return {};
}

Status by_complement(const Problem& problem, const Eigen::MatrixXd& T, Eigen::VectorXd& a,
                     Eigen::VectorXd& lambda) {
  const Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> J(problem.J);
  const Eigen::VectorXd particular = J.solve(problem.gamma);
  if (T.cols() > 0) {
    const Eigen::LLT<Eigen::MatrixXd> reduced(T.transpose() * problem.M * T);
    if (!is_regular(reduced)) return singular(Road::complement);
    a = particular + T * reduced.solve(T.transpose() * (problem.f - problem.M * particular));
  } else {
    a = particular;
  }
  lambda = Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd>(problem.J.transpose())
               .solve(problem.M * a - problem.f);
  return {};
}

Status kkt(const Problem& problem, Eigen::VectorXd& a, Eigen::VectorXd& lambda) {
  const Eigen::Index n = problem.M.rows(), m = problem.J.rows();
  // rows and columns of like size, or pivots would be chosen by units
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(n + m, n + m);
  matrix.topLeftCorner(n, n) = problem.M;
  matrix.topRightCorner(n, m) = problem.J.transpose();
  matrix.bottomLeftCorner(m, n) = problem.J;
  Eigen::VectorXd rhs(n + m);
  rhs << problem.f, problem.gamma;
  const Eigen::FullPivLU<Eigen::MatrixXd> lu(matrix);
  if (!lu.isInvertible()) return singular(Road::kkt);
  Eigen::VectorXd x = lu.solve(rhs);
  x += lu.solve(rhs - matrix * x);
  a = x.head(n);
  lambda = -x.tail(m);
  return {};
}

}  // namespace

std::string to_string(Road road) {
  for (const auto& [which, name] : names)
    if (which == road) return std::string(name);
  return {};
}
std::optional<Road> road_named(std::string_view name) {
  for (const auto& [which, its_name] : names)
    if (its_name == name) return which;
  return std::nullopt;
}

Eigen::MatrixXd complement(const Eigen::MatrixXd& J, const RankPlan& plan) {
  const Eigen::Index n = J.cols(), r = plan.rank();
  if (r == 0) return Eigen::MatrixXd::Identity(n, n);
  const Eigen::HouseholderQR<Eigen::MatrixXd> qr(independent_rows(J, plan).transpose());
  const Eigen::MatrixXd Q = qr.householderQ() * Eigen::MatrixXd::Identity(n, n);
  return Q.rightCols(n - r);
}

Status travel(Road road, const Eigen::MatrixXd& M, const Eigen::MatrixXd& J,
              const Eigen::VectorXd& f, const Eigen::VectorXd& gamma, const RankPlan& plan,
              RoadAnswer& out) {
  if (plan.rank() == 0) {  // nothing to hold: a tree
    const Eigen::LLT<Eigen::MatrixXd> inertia(M);
    if (!is_regular(inertia)) return singular(road);
    out = {inertia.solve(f), Eigen::VectorXd::Zero(plan.count), road};
    return {};
  }
  Problem problem{M, independent_rows(J, plan), f, Eigen::VectorXd(plan.rank())};
  for (int k = 0; k < plan.rank(); ++k) problem.gamma[k] = gamma[plan.rows[std::size_t(k)]];
  Eigen::VectorXd lambda;
  Status status;
  out.taken = road == Road::automatic ? Road::schur : road;
  switch (out.taken) {
    case Road::complement:
      status = by_complement(problem, complement(J, plan), out.a, lambda);
      break;
    case Road::kkt: status = kkt(problem, out.a, lambda); break;
    default: status = schur(problem, out.a, lambda);
  }
  if (!status.ok() && road == Road::automatic) {
    out.taken = Road::kkt;
    status = kkt(problem, out.a, lambda);
  }
  if (!status.ok()) return status;
  out.lambda = spread(lambda, plan);
  return {};
}

}  // namespace trammel
