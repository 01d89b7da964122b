#include "trammel/analyze/uncontrollable_modes.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "trammel/base/linear_algebra.hpp"

namespace trammel {

namespace {

using Complex = std::complex<double>;

// Eigenvalues closer than this, relative to the characteristic rate, are one: in a Jordan block of
// size two or three rounding grows to its square or cube root.
constexpr double same = 1e-5;
// Relative size that counts as zero: A and B are exact to ten digits.
constexpr double zero = 1e-7;

// Characteristic rate of the system [1/s]: oscillations, and rates within positions and velocities.
double usual_rate(const Eigen::MatrixXd& A, int positions) {
  const Eigen::Index n = A.rows(), nw = n - positions;
  const auto largest = [](const auto& block) { return max_abs(block); };
  const double swings = std::sqrt(largest(A.topRightCorner(positions, nw)) *
                                  largest(A.bottomLeftCorner(nw, positions)));
  // rates below one in a thousand seconds cannot be distinguished from rest: A has rounding
  return std::max({1e-3, swings, largest(A.topLeftCorner(positions, positions)),
                   largest(A.bottomRightCorner(nw, nw))});
}

// One eigenvalue per cluster: the mean of a cluster is exact even if its members are not.
std::vector<Complex> distinct(const Eigen::VectorXcd& eigenvalues, double size) {
  std::vector<Complex> means = {0.0};  // always tested: its Jordan blocks may be large
  std::vector<bool> is_taken(std::size_t(eigenvalues.size()), false);
  for (Eigen::Index k = 0; k < eigenvalues.size(); ++k) {
    if (is_taken[std::size_t(k)]) continue;
    Complex sum = 0;
    int members = 0;
    for (Eigen::Index j = k; j < eigenvalues.size(); ++j) {
      if (is_taken[std::size_t(j)] || std::abs(eigenvalues[j] - eigenvalues[k]) > same * size)
        continue;
      is_taken[std::size_t(j)] = true;
      sum += eigenvalues[j];
      ++members;
    }
    const Complex mean = sum / double(members);
    // a cluster around the real axis is real
    if (mean.imag() > same * size)
      means.push_back(mean);
    else if (mean.imag() >= -same * size && std::abs(mean) > same * size)
      means.push_back(mean.real());
  }
  return means;
}

// Lower bound of the ratio of the smallest to the largest singular value of a matrix with no more
// rows than columns: 1 / (||R|| ||R^-1||) of its QR decomposition, in the Frobenius norm.
double least_conditioned(const Eigen::MatrixXd& A) {
  if (A.rows() == 0) return 1;
  const Eigen::MatrixXd R = Qr(A.transpose()).r();
  if (min_entry(R.diagonal().cwiseAbs()) == 0) return 0;
  const double bound =
      1 /
      (R.norm() * solve_upper_triangular(R, Eigen::MatrixXd::Identity(R.rows(), R.cols())).norm());
  return std::isfinite(bound) ? bound : 0;
}
// The most frequent case of the test below, without singular values: every velocity is driven, so
// that the range of B is that of all velocities, and velocities change every position.
bool are_surely_controllable(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B,
                             Eigen::Index positions) {
  const Eigen::Index velocities = A.rows() - positions;
  return B.cols() >= velocities && velocities >= positions && B.topRows(positions).isZero(0) &&
         least_conditioned(B.bottomRows(velocities)) > 10 * zero &&
         least_conditioned(A.topRightCorner(positions, velocities)) > 10 * zero;
}

// Whether no mode is uncontrollable, by the first step of the staircase form [Rosenbrock 1970]. A
// left eigenvector w of an uncontrollable mode is orthogonal to the range R of B, w = N y, and
// y^T N^T (A - s I) R = y^T N^T A R = 0 whatever s is: none exists if N^T A R has full row rank. So
// it is for every fully actuated mechanism. O(n^3); the test of each eigenvalue costs as much.
bool are_all_controllable(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B) {
  if (B.size() == 0) return false;
  const auto rank_of = [](const Eigen::VectorXd& sizes) {
    Eigen::Index rank = 0;
    while (rank < sizes.size() && sizes[rank] > 10 * zero * sizes[0]) ++rank;
    return rank;
  };
  const Svd parts = svd_divide(B.transpose(), Basis::full);  // V: left singular vectors of B
  const Eigen::Index rank = rank_of(parts.values), left = B.rows() - rank;
  if (left > rank) return false;
  const Eigen::MatrixXd steered = parts.V.rightCols(left).transpose() * A * parts.V.leftCols(rank);
  return rank_of(svd_divide(steered).values) == left;
}

// Reduced echelon form: every column has a 1 where the others have a 0.
Eigen::MatrixXcd reduced(Eigen::MatrixXcd W) {
  std::vector<bool> is_done(std::size_t(W.cols()), false);
  for (Eigen::Index step = 0; step < W.cols(); ++step) {
    Eigen::Index row = 0, column = -1;
    double largest = 0;
    for (Eigen::Index c = 0; c < W.cols(); ++c) {
      Eigen::Index r = 0;
      const double entry = max_abs(W.col(c), r);
      if (!is_done[std::size_t(c)] && entry > largest) largest = entry, row = r, column = c;
    }
    is_done[std::size_t(column)] = true;
    W.col(column) /= Complex(W(row, column));
    for (Eigen::Index c = 0; c < W.cols(); ++c)
      if (c != column) W.col(c) -= Complex(W(row, c)) * W.col(column);
  }
  for (Eigen::Index c = 0; c < W.cols(); ++c) {
    Eigen::Index largest = 0;
    max_abs(W.col(c), largest);
    W.col(c) /= Complex(W(largest, c));
    for (Complex& entry : W.col(c))
      if (std::abs(entry) < zero) entry = 0;
  }
  return W;
}

std::string name_of(const Eigen::VectorXcd& w, const std::vector<std::string>& states) {
  std::vector<Eigen::Index> order;
  for (Eigen::Index k = 0; k < w.size(); ++k)
    if (std::abs(w[k]) > 1e-3) order.push_back(k);  // smaller terms are omitted
  std::ranges::stable_sort(order, [&](Eigen::Index a, Eigen::Index b) {
    return std::abs(w[a]) > (1 + 1e-9) * std::abs(w[b]);
  });
  std::string out;
  for (const Eigen::Index k : order) {
    const bool is_real = std::abs(w[k].imag()) < 1e-6;
    const double part = w[k].real();
    const std::string size = !is_real ? fmt::format("({:.4g}{:+.4g}i) ", part, w[k].imag())
                             : std::abs(std::abs(part) - 1) < 1e-6
                                 ? ""
                                 : fmt::format("{:.4g} ", std::abs(part));
    const bool is_less = is_real && part < 0;
    out += out.empty() ? (is_less ? "-" : "") : (is_less ? " - " : " + ");
    out += size + states[std::size_t(k)];
  }
  return out;
}

}  // namespace

std::string to_string(UncontrollableMode::Verdict verdict) {
  switch (verdict) {
    case UncontrollableMode::Verdict::decays: return "decays by itself";
    case UncontrollableMode::Verdict::grows: return "grows: cannot be stabilized by any feedback";
    case UncontrollableMode::Verdict::forbidden:
      return "cannot be stabilized by smooth feedback: wheels or knife edges exclude it at rest";
    default: return "stays constant or oscillates, to first order";
  }
}

std::vector<UncontrollableMode> uncontrollable_modes(const Eigen::MatrixXd& A,
                                                     const Eigen::MatrixXd& B,
                                                     const Eigen::VectorXcd& eigenvalues,
                                                     int positions, bool is_at_rest,
                                                     const std::vector<std::string>& states) {
  std::vector<UncontrollableMode> list;
  const Eigen::Index n = A.rows();
  if (n == 0) return list;
  // time scaled by the characteristic rate, so that positions and velocities are comparable
  const double rate = usual_rate(A, positions);
  Eigen::VectorXd scale = Eigen::VectorXd::Ones(n);
  scale.tail(n - positions).setConstant(1 / rate);
  const Eigen::MatrixXd A_scaled =
      scale.asDiagonal() * A * scale.cwiseInverse().asDiagonal() / rate;
  Eigen::MatrixXd B_scaled = scale.asDiagonal() * B;
  for (Eigen::Index k = 0; k < B.cols(); ++k)
    if (const double length = B_scaled.col(k).norm(); length > 0) B_scaled.col(k) /= length;

  if (are_surely_controllable(A_scaled, B_scaled, positions) ||
      are_all_controllable(A_scaled, B_scaled))
    return list;
  for (const Complex& eigenvalue : distinct(eigenvalues, rate)) {
    Eigen::MatrixXcd test(n, n + B.cols());
    test << A_scaled.cast<Complex>() - eigenvalue / rate * Eigen::MatrixXcd::Identity(n, n),
        B_scaled.cast<Complex>();
    const ComplexSvd parts = svd(test);
    const Eigen::VectorXd& sizes = parts.values;
    Eigen::Index rank = 0;
    while (rank < sizes.size() && sizes[rank] > zero * sizes[0]) ++rank;
    if (rank == n) continue;
    // w^T test = 0, scaled back to the units of the states
    const Eigen::MatrixXcd W =
        reduced(scale.asDiagonal() * parts.U.rightCols(n - rank).conjugate());
    for (Eigen::Index k = 0; k < W.cols(); ++k) {
      UncontrollableMode& mode = list.emplace_back();
      mode.eigenvalue = eigenvalue;
      mode.of = W.col(k);
      mode.name = name_of(mode.of, states);
      using Verdict = UncontrollableMode::Verdict;
      const bool is_of_positions = mode.of.tail(n - positions).isZero(zero);
      if (eigenvalue.real() < -same * rate)
        mode.verdict = Verdict::decays;
      else if (eigenvalue.real() > same * rate)
        mode.verdict = Verdict::grows;
      else if (is_at_rest && eigenvalue == 0.0 && is_of_positions)
        mode.verdict = Verdict::forbidden;
    }
  }
  return list;
}

}  // namespace trammel
