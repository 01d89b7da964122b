#include "trammel/simulate/integrate/radau.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "trammel/base/linear_algebra.hpp"
#include "trammel/simulate/integrate/rhs_jacobian.hpp"

namespace trammel {

namespace {

// Allowed error of the stages, relative to the tolerance of the step, and its upper bound in
// radians or lengths.
constexpr double share = 0.01, coarsest = 1e-9;
constexpr int most_rounds = 12;
// In the same measure: corrections that no longer decrease and are below a third of the step
// tolerance are rounding of f, which is larger near singular poses.
constexpr double rounding = 0.3 / share, stagnates = 0.5;

// Weights of Z_i in the polynomial through (0, 0) and (c_i, Z_i), at s.
Eigen::Vector3d shares(const Eigen::Vector3d& c, double s) {
  Eigen::Vector3d out;
  for (int i = 0; i < 3; ++i) {
    out[i] = s / c[i];
    for (int j = 0; j < 3; ++j)
      if (j != i) out[i] *= (s - c[j]) / (c[i] - c[j]);
  }
  return out;
}

Eigen::Map<const Eigen::VectorXd> seen(std::span<const double> y) {
  return {y.data(), Eigen::Index(y.size())};
}
Eigen::Map<Eigen::VectorXd> to(std::span<double> y) { return {y.data(), Eigen::Index(y.size())}; }
std::span<double> span_of(Eigen::VectorXd& x) { return {x.data(), std::size_t(x.size())}; }

}  // namespace

Collocation::Collocation() {
  // roots of the Radau polynomial on (0, 1]
  const double root = std::sqrt(6.0);
  c = {(4 - root) / 10, (4 + root) / 10, 1};
  // A integrates polynomials of degree 2 exactly up to each c_i
  Eigen::Matrix3d powers, integrals;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      powers(i, j) = std::pow(c[i], j);
      integrals(i, j) = std::pow(c[i], j + 1) / (j + 1);
    }
  A = integrals * powers.inverse();
  const GeneralEigen eigen = general_eigen(A.inverse());
  int order[3] = {0, 1, 2};
  std::ranges::sort(order, {}, [&](int k) { return std::abs(eigen.values[k].imag()); });
  for (int k = 0; k < 3; ++k) {
    l[k] = eigen.values[order[k]];
    T.col(k) = eigen.vectors.col(order[k]);
  }
  T_inverse = T.inverse();
  e = Eigen::Vector3d(-13 - 7 * root, -13 + 7 * root, -1) / 3;
}

Radau::Radau(int size)
    : jacobian_(size, size), Z_(size, 3), F_(size, 3), change_(size, 3), stage_(size) {}

void Radau::aim(OdeSystem::Tolerance tolerance, double /*longest*/) { tolerance_ = tolerance; }

void Radau::forget() {
  has_jacobian_ = false;
  tried_.h = taken_.h = 0;
}

void Radau::guess(const Step& step) {
  if (tried_.h != 0 && step.time != tried_.time) taken_ = tried_;
  if (taken_.h == 0) {
    Z_.setZero();
    return;
  }
  const double part = (step.time - taken_.time) / taken_.h;
  const Eigen::VectorXd here = taken_.Z * shares(table_.c, part);
  for (int i = 0; i < 3; ++i)
    Z_.col(i) = taken_.Z * shares(table_.c, part + table_.c[i] * step.h / taken_.h) - here;
}

void Radau::factor(double h) {
  if (h == factored_h_) return;
  const auto identity = Eigen::MatrixXd::Identity(jacobian_.rows(), jacobian_.cols());
  real_.compute(table_.l[0].real() / h * identity - jacobian_);
  complex_.compute(table_.l[1] / h * identity.cast<std::complex<double>>() -
                   jacobian_.cast<std::complex<double>>());
  factored_h_ = h;
}

double Radau::size_of(const OdeSystem& ode, const Step& step, const Stages& change) const {
  double largest = 0;
  for (Eigen::Index k = 0; k < change.rows(); ++k) {
    const double value = std::abs(step.y[std::size_t(k)]);
    const double allowed = std::min(share * ode.allowed(int(k), value, tolerance_),
                                    coarsest * (ode.unit(int(k)) + value));
    // corrections of rounding size count as converged
    const double least = 1e-15 * (ode.unit(int(k)) + value);
    const double miss = max_abs(change.row(k)) / std::max(allowed, least);
    if (!(miss <= largest)) largest = miss;
  }
  return largest;
}

// Simplified Newton iterations with one factorization, in coordinates in which A is diagonal:
//   (l_k / h - J) dW_k = (T^-1 F)_k - l_k / h W_k ,   W = Z T^-T
Status Radau::solve(OdeSystem& ode, const Step& step, Settling& how) {
  const double h = step.h;
  how = Settling::not_settled;
  double last = 0;
  for (int round = 0; round < most_rounds; ++round) {
    for (int i = 0; i < 3; ++i) {
      stage_ = seen(step.y) + Z_.col(i);
      if (Status status = ode.rhs(step.time + table_.c[i] * h, span_of(stage_),
                                  {&F_(0, i), std::size_t(stage_.size())});
          !status)
        return status;
    }
    const auto right = [&](int k) -> Eigen::VectorXcd {
      const Eigen::Vector3cd row = table_.T_inverse.row(k);
      return F_ * row - table_.l[k] / h * (Z_ * row);
    };
    const Eigen::VectorXd first = real_.solve(right(0).real());
    const Eigen::VectorXcd second = complex_.solve(right(1));
    // the third solution is the conjugate of the second
    for (int i = 0; i < 3; ++i)
      change_.col(i) = first * table_.T(i, 0).real() + 2 * (second * table_.T(i, 1)).real();
    Z_ += change_;
    const double now = size_of(ode, step, change_);
    if (!std::isfinite(now)) return {};
    const double rate = round == 0 ? 0.5 : now / last;
    if (round > 1 && rate > stagnates && now < rounding && last < rounding) {
      how = Settling::settled;
      return {};
    }
    if (round > 0 && rate >= 1 && now > 1) return {};
    if (now <= 1 && rate / (1 - std::min(rate, 0.9)) * now <= 1) {
      how = Settling::settled;
      return {};
    }
    last = now;
  }
  return {};
}

Status Radau::take(OdeSystem& ode, const Step& step, bool& has_next_rhs) {
  has_next_rhs = false;
  ode.set_projection_tolerance(1e-13);  // stiff springs amplify violations of loop constraints
  Settling how = Settling::not_settled;
  // the Jacobian of an earlier step is used as long as the stages converge with it
  for (const bool is_new : {false, true}) {
    if (!is_new && !has_jacobian_) continue;
    if (is_new) {
      has_jacobian_ = false;
      if (Status status = rhs_jacobian(ode, step.time, step.y, step.y_dot, jacobian_); !status)
        return status;
      has_jacobian_ = true;
      factored_h_ = 0;
    }
    factor(step.h);
    guess(step);
    if (Status status = solve(ode, step, how); !status && is_new) return status;
    if (how == Settling::settled) break;
  }
  if (how != Settling::settled)
    return Status::failure(
        "the stages of a step do not converge: the solution diverges, the mechanism comes to a "
        "dead point, or an input jumps");

  tried_ = {step.time, step.h, seen(step.y), Z_};
  to(step.y_next) = seen(step.y) + Z_.col(2);
  to(step.other) = to(step.y_next) + real_.solve(seen(step.y_dot) + Z_ * table_.e / step.h);
  return {};
}

void Radau::between(double part, std::span<double> y) const {
  to(y) = tried_.from + tried_.Z * shares(table_.c, part);
}

}  // namespace trammel
