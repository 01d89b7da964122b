// First derivatives of forward and inverse dynamics by evaluating the kernels on Dual numbers, one
// direction at a time: the slow and simple reference for the analytic derivatives.
#pragma once

#include <Eigen/Core>

#include "trammel/dynamics/derivatives.hpp"
#include "trammel/dynamics/kernel/instantiate.hpp"
#include "trammel/dynamics/kernel/tree/forward_dynamics.hpp"
#include "trammel/dynamics/kernel/tree/inverse_dynamics.hpp"
#include "trammel/dynamics/workspace_buffers.hpp"
#include "trammel/model/build/parameters.hpp"

namespace trammel {

class DualDerivatives {
 public:
  DualDerivatives(const Model& model, const State& state, const std::vector<double>& third,
                  std::span<const Wrench> in_body_axes = {})
      : model_(model),
        q_(state.q.begin(), state.q.end()),
        v_(state.v.begin(), state.v.end()),
        third_(third.begin(), third.end()),
        workspace_(model) {
    for (const Wrench& wrench : in_body_axes) {
      const Force<double> F = to_parent(placed(model, wrench.at), wrench.F);
      loads_.push_back({model[wrench.at.body].tree_body, {F.moment, F.force}});
    }
  }

  Derivatives inverse() {
    return by_everything([&](std::vector<Duals>& out) {
      kernel::inverse_dynamics<double, Duals>(input(), q_, v_, third_, workspace_, out);
    });
  }
  Derivatives forward() {
    return by_everything([&](std::vector<Duals>& out) {
      kernel::forward_dynamics<double, Duals>(input(), q_, v_, third_, workspace_, out);
    });
  }

 private:
  KernelInput<double, Duals> input() const { return {model_, model_.numbers(), {}, loads_}; }
  template <class Ask> Derivatives by_everything(const Ask& ask) {
    const int nv = model_.nv();
    Derivatives slopes;
    for (Eigen::MatrixXd* block : {&slopes.dq, &slopes.dv, &slopes.dx}) block->setZero(nv, nv);
    for (int k = 0; k < nv; ++k) {
      slopes.dq.col(k) = along(ask, q_, position_rate(k));
      slopes.dv.col(k) = along(ask, v_, unit(k));
      slopes.dx.col(k) = along(ask, third_, unit(k));
    }
    return slopes;
  }
  template <class Ask>
  Eigen::VectorXd along(const Ask& ask, std::vector<Duals>& argument,
                        const std::vector<double>& direction) {
    for (std::size_t k = 0; k < argument.size(); ++k) argument[k].derivative[0] = direction[k];
    std::vector<Duals> out(v_.size());
    ask(out);
    for (Duals& x : argument) x.derivative = 0.0;
    Eigen::VectorXd slope(std::ptrdiff_t(out.size()));
    for (std::size_t k = 0; k < out.size(); ++k) slope[std::ptrdiff_t(k)] = out[k].derivative[0];
    return slope;
  }
  std::vector<double> unit(int k) const {
    std::vector<double> direction(v_.size());
    direction[std::size_t(k)] = 1;
    return direction;
  }
  // rate of q for a unit velocity of degree of freedom k
  std::vector<double> position_rate(int k) const {
    std::vector<double> q, rate(q_.size());
    for (const Duals& x : q_) q.push_back(x.value);
    for (const Body& body : model_.bodies().subspan(1))
      if (k >= body.v_start && k < body.v_end)
        std::visit(
            [&](const auto& joint) {
              joint.rate(&q[std::size_t(body.q_start)], &unit(k)[std::size_t(body.v_start)],
                         &rate[std::size_t(body.q_start)]);
            },
            body.joint);
    return rate;
  }

  const Model& model_;
  std::vector<Duals> q_, v_, third_;
  BasicWorkspace<Duals> workspace_;
  std::vector<ExternalForce<Duals>> loads_;
};

}  // namespace trammel
