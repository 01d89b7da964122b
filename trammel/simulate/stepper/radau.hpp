// The implicit Runge-Kutta method Radau IIA of three stages: order 5, with an estimate of order 3
// beside it, L-stable and stiffly accurate, so that a stiff spring's oscillation is damped instead
// of followed. Its stages are solved together: where a stiff spring sits in a loop, the direction
// it acts in turns within a step, and methods that look at it once (Rosenbrock's) take a hundred
// times the steps. [Hairer, Wanner: Solving Ordinary Differential Equations II, 1996, IV.8]
#pragma once

#include <Eigen/Core>
#include <array>

#include "trammel/base/linear_algebra.hpp"
#include "trammel/simulate/stepper.hpp"

namespace trammel {

// Stage i is at time + c_i h: Z_i = h sum_j A_ij f(Y_j), Y_i = y + Z_i.
struct Collocation {
  Collocation();
  Eigen::Vector3d c;
  Eigen::Matrix3d A;
  // A^-1 = T diag(l) T^-1; the first of l is real, the others are conjugates
  Eigen::Vector3cd l;
  Eigen::Matrix3cd T, T_inverse;
  // y_next + (l_0 / h - J)^-1 (f(y) + sum e_i Z_i / h) is of order 3
  Eigen::Vector3d e;
};

class Radau final : public Stepper {
 public:
  explicit Radau(int size);

  int order() const override { return 5; }
  int error_order() const override { return 3; }
  bool has_dense_output() const override { return true; }
  void aim(Flow::Tolerance tolerance, double longest) override;
  void forget() override;
  int memory() const override { return 50; }
  Status take(Flow& flow, const Step& step, bool& has_next_slope) override;
  void between(double part, std::span<double> y) const override;

 private:
  using Stages = Eigen::Matrix<double, Eigen::Dynamic, 3>;
  enum class Settling { settled, not_settled };
  // Where the last step was going, as a first guess.
  void guess(const Step& step);
  void factor(double h);
  Status solve(Flow& flow, const Step& step, Settling& how);
  double size_of(const Flow& flow, const Step& step, const Stages& change) const;

  const Collocation table_;
  Flow::Tolerance tolerance_{1e-8, 1e-10};
  Eigen::MatrixXd slopes_;
  bool has_slopes_ = false;
  Lu real_;
  ComplexLu complex_;
  double factored_h_ = 0;
  Stages Z_, F_, change_;
  Eigen::VectorXd stage_;
  // the steps that were tried last and taken last
  struct Past {
    double time = 0, h = 0;
    Eigen::VectorXd from;
    Stages Z;
  };
  Past tried_, taken_;
};

}  // namespace trammel
