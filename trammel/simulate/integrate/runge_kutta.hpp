// Explicit Runge-Kutta methods given by Butcher tableaux.
#pragma once

#include <array>
#include <vector>

#include "trammel/simulate/integrate/integrator.hpp"

namespace trammel {

template <int stages> struct Tableau {
  int order, error_order;
  std::array<double, stages> c;
  std::array<std::array<double, stages>, stages> a;  // row i: weights of the derivatives in stage i
  std::array<double, stages> b, other_b;             // solution, and embedded solution
  // weights of the quartic part^2 (1 - part)^2 that is added to the cubic Hermite interpolant;
  // zero: none
  std::array<double, stages> dense;
  bool is_last_rhs_the_next;  // first same as last (FSAL): the last stage is at y_next
};

template <int stages> class RungeKutta final : public Integrator {
 public:
  RungeKutta(const Tableau<stages>& tableau, int size);

  int order() const override { return tableau_.order; }
  int error_order() const override { return tableau_.error_order; }
  bool has_dense_output() const override { return tableau_.is_last_rhs_the_next; }
  Status take(OdeSystem& ode, const Step& step, bool& has_next_rhs) override;
  void between(double part, std::span<double> y) const override;

 private:
  std::span<double> rhs(int stage) {
    return {stage_rhs_.data() + std::size_t(stage) * size_, size_};
  }
  std::span<const double> rhs(int stage) const {
    return {stage_rhs_.data() + std::size_t(stage) * size_, size_};
  }

  void add_up(std::span<const double> y, double h, std::span<const double> weights,
              std::span<double> out) const;

  const Tableau<stages>& tableau_;
  std::size_t size_;
  std::vector<double> stage_rhs_, stage_;
  std::vector<double> from_, to_;  // y at both ends of the last step
  double h_ = 0;
};

std::unique_ptr<Integrator> make_rk4(int size);
std::unique_ptr<Integrator> make_dormand_prince(int size);

}  // namespace trammel
