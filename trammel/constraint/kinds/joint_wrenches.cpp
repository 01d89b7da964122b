#include "trammel/constraint/kinds/joint_wrenches.hpp"

#include <Eigen/Core>

#include "trammel/base/linear_algebra.hpp"
#include "trammel/dynamics/kernel/instantiate.hpp"

namespace trammel {

namespace {

using Columns6 = Eigen::Matrix<double, 6, Eigen::Dynamic, 0, 6, 6>;
using Rows6 = Eigen::Matrix<double, Eigen::Dynamic, 6, 0, 6, 6>;

template <Scalar S, class Part>
Columns6 matrix_of(std::span<const Motion<S>> columns, const Part& part) {
  Columns6 matrix(6, Eigen::Index(columns.size()));
  for (std::size_t k = 0; k < columns.size(); ++k) {
    const auto& [w, v] = columns[k];
    matrix.col(Eigen::Index(k)) << part(w.x), part(w.y), part(w.z), part(v.x), part(v.y), part(v.z);
  }
  return matrix;
}
Columns6 values(std::span<const Motion<double>> columns) {
  return matrix_of(columns, [](double x) { return x; });
}
Columns6 values(std::span<const Motion<Duals>> columns) {
  return matrix_of(columns, [](const Duals& x) { return x.value; });
}
Columns6 derivatives(std::span<const Motion<Duals>> columns, int lane) {
  return matrix_of(columns,
                   [&](const Duals& x) { return double(x.derivative[std::size_t(lane)]); });
}

Force<double> force_of(const Rows6& rows, Eigen::Index k) {
  return {{rows(k, 0), rows(k, 1), rows(k, 2)}, {rows(k, 3), rows(k, 4), rows(k, 5)}};
}
std::array<Force<double>, 6> forces_of(const Rows6& rows) {
  std::array<Force<double>, 6> forces = {};
  for (Eigen::Index k = 0; k < rows.rows(); ++k) forces[std::size_t(k)] = force_of(rows, k);
  return forces;
}
// The rows as forces with derivatives: per lane, derivative_of computes the derivative of the rows
// from that of the columns.
template <class DerivativeOf>
std::array<Force<Duals>, 6> forces_of(const Rows6& rows, std::span<const Motion<Duals>> columns,
                                      const DerivativeOf& derivative_of) {
  std::array<Force<Duals>, 6> forces = {};
  for (Eigen::Index k = 0; k < rows.rows(); ++k) {
    const auto& [moment, force] = force_of(rows, k);
    forces[std::size_t(k)] = {moment, force};
  }
  for (int lane = 0; lane < native_lanes; ++lane) {
    const Rows6 derivative = derivative_of(derivatives(columns, lane));
    for (Eigen::Index k = 0; k < rows.rows(); ++k) {
      auto& [moment, force] = forces[std::size_t(k)];
      Duals* const part[] = {&moment.x, &moment.y, &moment.z, &force.x, &force.y, &force.z};
      for (int j = 0; j < 6; ++j) part[j]->derivative[std::size_t(lane)] = derivative(k, j);
    }
  }
  return forces;
}

Rows6 reading(const Columns6& S) {
  if (S.cols() == 0) return Rows6(0, 6);
  if (S.cols() == 1) return S.transpose() / S.squaredNorm();
  const auto factors = OrthogonalDecomposition(S);
  if (factors.rank() < S.cols()) return Rows6::Zero(S.cols(), 6);
  return factors.pseudo_inverse();
}

Rows6 idle(const Columns6& S) {
  if (S.cols() == 0) return Rows6::Identity(6, 6);
  Eigen::MatrixXd Q = full_pivot_q(S);
  for (Eigen::Index k = S.cols(); k < 6; ++k) {
    // sign convention: the largest component is positive
    Eigen::Index largest = 0;
    max_abs(Q.col(k), largest);
    if (Q(largest, k) < 0) Q.col(k) *= -1;
  }
  return Q.rightCols(6 - S.cols()).transpose();
}

}  // namespace

template <Scalar S> std::array<Force<S>, 6> wrenches_reading(std::span<const Motion<S>> columns) {
  const Columns6 C = values(columns);
  const Rows6 D = reading(C);
  if constexpr (std::same_as<S, double>) {
    return forces_of(D);
  } else {
    // D' = -D C' D + D D^T C'^T (1 - C D)
    const Eigen::Matrix<double, 6, 6> across = Eigen::Matrix<double, 6, 6>::Identity() - C * D;
    return forces_of(D, columns, [&](const Columns6& C_dot) -> Rows6 {
      return D * (D.transpose() * (C_dot.transpose() * across)) - D * (C_dot * D);
    });
  }
}

template <Scalar S> std::array<Force<S>, 6> wrenches_idle_on(std::span<const Motion<S>> columns) {
  const Columns6 C = values(columns);
  const Rows6 N = idle(C);
  if constexpr (std::same_as<S, double>) {
    return forces_of(N);
  } else {
    // derivative that satisfies N C = 0: N' = -N C' D
    const Rows6 D = reading(C);
    return forces_of(N, columns, [&](const Columns6& C_dot) -> Rows6 { return -(N * C_dot) * D; });
  }
}

#define INSTANTIATE(S)                                                           \
  template std::array<Force<S>, 6> wrenches_reading(std::span<const Motion<S>>); \
  template std::array<Force<S>, 6> wrenches_idle_on(std::span<const Motion<S>>);
INSTANTIATE(double)
INSTANTIATE(Duals)
#undef INSTANTIATE

}  // namespace trammel
