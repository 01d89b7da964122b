#include "trammel/simulate/integrate/runge_kutta.hpp"

#include <Eigen/Core>
#include <algorithm>

namespace trammel {

template <int stages>
RungeKutta<stages>::RungeKutta(const Tableau<stages>& tableau, int size)
    : tableau_(tableau),
      size_(std::size_t(size)),
      stage_rhs_(size_ * stages),
      stage_(size_),
      from_(size_),
      to_(size_) {}

// y + h times the sum of weights times derivatives.
template <int stages>
void RungeKutta<stages>::add_up(std::span<const double> y, double h,
                                std::span<const double> weights, std::span<double> out) const {
  const auto n = Eigen::Index(size_);
  Eigen::Map<Eigen::VectorXd> sum(out.data(), n);
  sum.setZero();
  for (std::size_t j = 0; j < weights.size(); ++j)
    if (weights[j] != 0)
      sum += weights[j] * Eigen::Map<const Eigen::VectorXd>(stage_rhs_.data() + j * size_, n);
  sum = Eigen::Map<const Eigen::VectorXd>(y.data(), n) + h * sum;
}

template <int stages>
Status RungeKutta<stages>::take(OdeSystem& ode, const Step& step, bool& has_next_rhs) {
  const double h = step.h;
  std::ranges::copy(step.y_dot, rhs(0).begin());
  for (int i = 1; i < stages; ++i) {
    add_up(step.y, h, std::span(tableau_.a[std::size_t(i)]).first(std::size_t(i)), stage_);
    if (Status status = ode.rhs(step.time + tableau_.c[std::size_t(i)] * h, stage_, rhs(i));
        !status)
      return status;
  }
  add_up(step.y, h, tableau_.b, step.y_next);
  if (tableau_.error_order > 0) add_up(step.y, h, tableau_.other_b, step.other);
  has_next_rhs = tableau_.is_last_rhs_the_next;
  if (has_next_rhs) {
    std::ranges::copy(rhs(stages - 1), step.y_dot_next.begin());
    std::ranges::copy(step.y, from_.begin());
    std::ranges::copy(step.y_next, to_.begin());
  }
  h_ = h;
  return {};
}

// Dense output: cubic Hermite interpolant through both ends, plus a quartic that vanishes there
// with its derivative [Hairer, Norsett, Wanner, II.6].
template <int stages> void RungeKutta<stages>::between(double part, std::span<double> y) const {
  const double rest = 1 - part;
  const std::span<const double> first = rhs(0), last = rhs(stages - 1);
  for (std::size_t k = 0; k < size_; ++k) {
    const double gone = to_[k] - from_[k];
    const double bend = h_ * first[k] - gone;
    double bow = 0;
    for (std::size_t j = 0; j < stages; ++j) bow += tableau_.dense[j] * stage_rhs_[j * size_ + k];
    y[k] = from_[k] +
           part * (gone + rest * (bend + part * (gone - h_ * last[k] - bend + rest * h_ * bow)));
  }
}

namespace {

constexpr Tableau<4> rk4{.order = 4,
                         .error_order = 0,
                         .c = {0, 0.5, 0.5, 1},
                         .a = {{{}, {0.5}, {0, 0.5}, {0, 0, 1}}},
                         .b = {1 / 6.0, 1 / 3.0, 1 / 3.0, 1 / 6.0},
                         .other_b = {},
                         .dense = {},
                         .is_last_rhs_the_next = false};

constexpr Tableau<7> dormand_prince{
    .order = 5,
    .error_order = 4,
    .c = {0, 1 / 5.0, 3 / 10.0, 4 / 5.0, 8 / 9.0, 1, 1},
    .a = {{{},
           {1 / 5.0},
           {3 / 40.0, 9 / 40.0},
           {44 / 45.0, -56 / 15.0, 32 / 9.0},
           {19372 / 6561.0, -25360 / 2187.0, 64448 / 6561.0, -212 / 729.0},
           {9017 / 3168.0, -355 / 33.0, 46732 / 5247.0, 49 / 176.0, -5103 / 18656.0},
           {35 / 384.0, 0, 500 / 1113.0, 125 / 192.0, -2187 / 6784.0, 11 / 84.0}}},
    .b = {35 / 384.0, 0, 500 / 1113.0, 125 / 192.0, -2187 / 6784.0, 11 / 84.0, 0},
    .other_b = {5179 / 57600.0, 0, 7571 / 16695.0, 393 / 640.0, -92097 / 339200.0, 187 / 2100.0,
                1 / 40.0},
    .dense = {-12715105075 / 11282082432.0, 0, 87487479700 / 32700410799.0,
              -10690763975 / 1880347072.0, 701980252875 / 199316789632.0, -1453857185 / 822651844.0,
              69997945 / 29380423.0},
    .is_last_rhs_the_next = true};

}  // namespace

std::unique_ptr<Integrator> make_rk4(int size) {
  return std::make_unique<RungeKutta<4>>(rk4, size);
}
std::unique_ptr<Integrator> make_dormand_prince(int size) {
  return std::make_unique<RungeKutta<7>>(dormand_prince, size);
}

}  // namespace trammel
