#include "trammel/design/isotropy.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <stdexcept>

#include <fmt/format.h>

#include "trammel/base/linear_algebra.hpp"

namespace trammel {

namespace {

constexpr double pi = std::numbers::pi;

struct Choice {
  std::size_t wheel;
  double WheelPlacing::*what;
  double from, to;
};

class Search {
 public:
  Search(const std::vector<WheelRange>& ranges, double length) : length_(length) {
    for (std::size_t k = 0; k < ranges.size(); ++k) {
      const WheelRange& range = ranges[k];
      first_.push_back({range.roller_angle[0], range.axle[0], range.bearing[0], range.distance[0],
                        range.radius});
      add(k, &WheelPlacing::roller_angle, "roller angle", range.roller_angle);
      add(k, &WheelPlacing::axle, "axle", range.axle);
      add(k, &WheelPlacing::bearing, "bearing", range.bearing);
      add(k, &WheelPlacing::distance, "distance", range.distance);
    }
  }
  Eigen::Index size() const { return Eigen::Index(choices_.size()); }
  WheelLayout layout(const Eigen::VectorXd& x) const {
    WheelLayout out = first_;
    for (Eigen::Index k = 0; k < size(); ++k) {
      const Choice& choice = choices_[std::size_t(k)];
      out[choice.wheel].*choice.what = x[k];
    }
    return out;
  }
  Eigen::VectorXd clamped(Eigen::VectorXd x) const {
    for (Eigen::Index k = 0; k < size(); ++k)
      x[k] = std::clamp(x[k], choices_[std::size_t(k)].from, choices_[std::size_t(k)].to);
    return x;
  }
  // maps [0, 1] to the range of each variable
  Eigen::VectorXd within(const Eigen::VectorXd& part) const {
    Eigen::VectorXd x(size());
    for (Eigen::Index k = 0; k < size(); ++k) {
      const Choice& choice = choices_[std::size_t(k)];
      x[k] = choice.from + part[k] * (choice.to - choice.from);
    }
    return x;
  }
  // The six entries of K^T K / sigma^2 - 1, off-diagonal ones weighted by sqrt(2) (Frobenius norm).
  Eigen::VectorXd residual(const Eigen::VectorXd& x) const {
    const Eigen::MatrixXd K = scaled(hub_jacobian(layout(x)), 1, length_);
    const Eigen::Matrix3d R = K.transpose() * K;
    const double square = R.trace() / 3;
    const double both = std::numbers::sqrt2;
    Eigen::VectorXd out(6);
    out << R(0, 0) - square, R(1, 1) - square, R(2, 2) - square, both * R(0, 1), both * R(0, 2),
        both * R(1, 2);
    return out / square;
  }
  Eigen::VectorXd settled(Eigen::VectorXd x) const {
    if (size() == 0) return x;
    double damping = 1e-3;
    Eigen::VectorXd f = residual(x);
    for (int turn = 0; turn < 300 && f.norm() > 1e-15 && damping < 1e12; ++turn) {
      const Eigen::MatrixXd J = derivatives(x);
      Eigen::MatrixXd H = J.transpose() * J;
      H.diagonal().array() += damping * (1e-9 + max_entry(H.diagonal()));
      const Eigen::VectorXd next = clamped(x - Ldlt(H).solve(J.transpose() * f));
      const Eigen::VectorXd there = residual(next);
      if (there.norm() < f.norm()) {
        const bool is_still = (next - x).norm() < 1e-15;
        x = next, f = there, damping = std::max(damping / 5, 1e-14);
        if (is_still) break;
      } else {
        damping *= 4;
      }
    }
    return x;
  }

 private:
  void add(std::size_t wheel, double WheelPlacing::*what, const char* name,
           const std::array<double, 2>& range) {
    if (!(range[0] <= range[1]))
      throw std::invalid_argument(fmt::format(
          "the {} of wheel {} has the range {} to {}, which is empty; give the smaller first", name,
          wheel + 1, range[0], range[1]));
    if (range[0] < range[1]) choices_.push_back({wheel, what, range[0], range[1]});
  }
  Eigen::MatrixXd derivatives(const Eigen::VectorXd& x) const {
    Eigen::MatrixXd J(6, size());
    const double h = 1e-6;  // error O(h^2): sufficient for the step direction, residuals decide
    for (Eigen::Index k = 0; k < size(); ++k) {
      const Eigen::VectorXd ahead = h * Eigen::VectorXd::Unit(size(), k);
      J.col(k) = (residual(x + ahead) - residual(x - ahead)) / (2 * h);
    }
    return J;
  }

  double length_;
  WheelLayout first_;
  std::vector<Choice> choices_;
};

}  // namespace

WheelLayout isotropic_layout(const IsotropicRing& ring) {
  if (ring.wheels < 3)
    throw std::invalid_argument(
        fmt::format("{} wheels cannot determine three motions; give three or more", ring.wheels));
  const double length = ring.length > 0 ? ring.length : std::numbers::sqrt2 * ring.distance;
  const double sine = length / (std::numbers::sqrt2 * ring.distance);
  if (!(sine <= 1 + 1e-15))
    throw std::invalid_argument(
        fmt::format("with a characteristic length of {:.4g} m wheels at {:.4g} m have too short a "
                    "lever for isotropy; put them {:.4g} m from the center or further, or give a "
                    "shorter length",
                    length, ring.distance, length / std::numbers::sqrt2));
  const double xi = std::asin(std::min(sine, 1.0));
  WheelLayout out;
  for (int k = 0; k < ring.wheels; ++k) {
    const double bearing = ring.first_bearing + 2 * pi * k / ring.wheels;
    out.push_back(
        {ring.roller_angle, xi - ring.roller_angle + bearing, bearing, ring.distance, ring.radius});
  }
  return out;
}

LayoutSearch best_layout(const std::vector<WheelRange>& ranges, double length, int starts,
                         std::uint32_t seed) {
  if (!(length > 0))
    throw std::invalid_argument(
        fmt::format("the characteristic length is {}; give one above zero", length));
  const Search search(ranges, length);
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> part(0, 1);
  LayoutSearch out;
  double best = 0;
  Eigen::VectorXd best_x;
  std::vector<double> ends;
  for (int k = 0; k < std::max(starts, 1); ++k) {
    Eigen::VectorXd parts = Eigen::VectorXd::Zero(search.size());
    if (k > 0)
      for (double& each : parts) each = part(random);
    const Eigen::VectorXd x = search.settled(search.within(parts));
    const double end = search.residual(x).norm();
    ends.push_back(end);
    if (k == 0 || end < best) best = end, best_x = x;
  }
  out.layout = search.layout(best_x);
  out.found = conditioning(scaled(hub_jacobian(out.layout), 1, length));
  out.starts = int(ends.size());
  out.agreeing = int(std::ranges::count_if(ends, [&](double end) { return end < best + 1e-9; }));
  return out;
}

}  // namespace trammel
