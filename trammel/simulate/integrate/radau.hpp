// Implicit Runge-Kutta method Radau IIA with three stages: order 5, embedded estimate of order 3,
// L-stable and stiffly accurate, so that oscillations of stiff springs are damped instead of
// resolved. The stages are solved simultaneously: if a stiff spring is part of a loop, its
// direction changes within a step, and linearly implicit methods (Rosenbrock) need a hundred times
// as many steps. [Hairer, Wanner 1996, IV.8]
#pragma once

#include <Eigen/Core>
#include <array>

#include "trammel/base/linear_algebra.hpp"
#include "trammel/simulate/integrate/integrator.hpp"

namespace trammel {

// Collocation at the stages time + c_i h: Z_i = h sum_j A_ij f(Y_j), Y_i = y + Z_i.
struct Collocation {
  Collocation();
  Eigen::Vector3d c;
  Eigen::Matrix3d A;
  // A^-1 = T diag(l) T^-1; the first entry of l is real, the others are conjugate
  Eigen::Vector3cd l;
  Eigen::Matrix3cd T, T_inverse;
  // y_next + (l_0 / h - J)^-1 (f(y) + sum e_i Z_i / h) is the embedded solution of order 3
  Eigen::Vector3d e;
};

class Radau final : public Integrator {
 public:
  explicit Radau(int size);

  int order() const override { return 5; }
  int error_order() const override { return 3; }
  bool has_dense_output() const override { return true; }
  void aim(OdeSystem::Tolerance tolerance, double longest) override;
  void forget() override;
  int memory() const override { return 50; }
  Status take(OdeSystem& ode, const Step& step, bool& has_next_rhs) override;
  void between(double part, std::span<double> y) const override;

 private:
  using Stages = Eigen::Matrix<double, Eigen::Dynamic, 3>;
  enum class Settling { settled, not_settled };
  // Initial guess of the stages: extrapolates the polynomial of the last step.
  void guess(const Step& step);
  void factor(double h);
  Status solve(OdeSystem& ode, const Step& step, Settling& how);
  double size_of(const OdeSystem& ode, const Step& step, const Stages& change) const;

  const Collocation table_;
  OdeSystem::Tolerance tolerance_{1e-8, 1e-10};
  Eigen::MatrixXd jacobian_;
  bool has_jacobian_ = false;
  Lu real_;
  ComplexLu complex_;
  double factored_h_ = 0;
  Stages Z_, F_, change_;
  Eigen::VectorXd stage_;
  // last trial step and last accepted step
  struct Past {
    double time = 0, h = 0;
    Eigen::VectorXd from;
    Stages Z;
  };
  Past tried_, taken_;
};

}  // namespace trammel
