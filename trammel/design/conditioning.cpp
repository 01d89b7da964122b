#include "trammel/design/conditioning.hpp"

#include <Eigen/Core>
#include <cmath>
#include <limits>
#include <numbers>

#include "trammel/base/linear_algebra.hpp"

namespace trammel {

namespace {

// Angles are accurate to 1e-16; a column that is zero by design has about that size.
constexpr double rank_tolerance = 1e-12;

}  // namespace

Conditioning conditioning(const Eigen::MatrixXd& K) {
  Conditioning out;
  const Eigen::Index n = K.cols();
  out.singular = Eigen::VectorXd::Zero(n);
  if (n == 0) return out;
  const Svd parts = svd(K, Basis::none, Basis::full);
  out.singular.head(parts.values.size()) = parts.values;
  for (Eigen::Index k = 0; k < n; ++k)
    out.rank += out.singular[k] > rank_tolerance * out.singular[0] ? 1 : 0;
  out.condition = out.is_singular() ? std::numeric_limits<double>::infinity()
                                    : out.singular[0] / out.singular[n - 1];
  const double square = out.singular.squaredNorm() / double(n);
  if (square > 0)
    out.anisotropy = (K.transpose() * K / square - Eigen::MatrixXd::Identity(n, n)).norm();
  else
    out.anisotropy = std::numeric_limits<double>::infinity();
  out.weakest = parts.V.col(n - 1);
  return out;
}

Eigen::MatrixXd scaled(const Eigen::MatrixXd& K, int turns, double length) {
  Eigen::MatrixXd out = K;
  out.leftCols(turns) /= length;
  return out;
}

double best_length(const Eigen::MatrixXd& K, int turns, double shortest, double longest) {
  // golden section search over the logarithm; the condition number has one minimum
  const auto cost = [&](double logarithm) {
    return conditioning(scaled(K, turns, std::exp(logarithm))).condition;
  };
  const double ratio = 1 / std::numbers::phi;
  double low = std::log(shortest), high = std::log(longest);
  double a = high - ratio * (high - low), b = low + ratio * (high - low);
  double at_a = cost(a), at_b = cost(b);
  while (high - low > 1e-12) {
    if (at_a < at_b) {
      high = b, b = a, at_b = at_a;
      a = high - ratio * (high - low);
      at_a = cost(a);
    } else {
      low = a, a = b, at_a = at_b;
      b = low + ratio * (high - low);
      at_b = cost(b);
    }
    if (!(a > low) || !(b < high) || !(a < b)) break;
  }
  return std::exp((low + high) / 2);
}

}  // namespace trammel
