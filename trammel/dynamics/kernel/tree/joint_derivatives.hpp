// Derivatives of one joint's axes and bias by its own position and velocity, by Dual numbers: the
// only part of the derivatives that depends on the joint type. Most joints have constant axes and
// need none.
#pragma once

#include <algorithm>

#include "trammel/dynamics/kernel/instantiate.hpp"
#include "trammel/dynamics/kernel_input.hpp"

namespace trammel::kernel {

// Per degree of freedom l of a joint, in the moving frame.
struct JointDerivatives {
  Motion<double> columns[6];      // of every axis S_k, by position l
  Motion<double> bias_q, bias_v;  // of the bias dS/dt v, by position and by velocity l
};

inline Motion<double> derivative_of(const Motion<Duals>& V, int lane) {
  const auto of = [&](const Vec3<Duals>& a) {
    return Vec3<double>{a.x.derivative[lane], a.y.derivative[lane], a.z.derivative[lane]};
  };
  return {of(V.angular), of(V.linear)};
}
inline Motion<double> derivative_of(Still, int) { return {}; }

// q and v of this joint alone; writes nv() entries of `derivatives`.
template <JointType J>
void differentiate_joint(const J& joint, const double* q, const double* v, const double* constants,
                         JointDerivatives* derivatives) {
  Duals q_dual[J::max_nq], v_dual[J::max_nv];
  Motion<Duals> columns[J::max_nv];
  const Coordinates<Duals, double> at{q_dual, constants};
  const int nv = joint.nv();
  for (int first = 0; first < nv; first += native_lanes) {
    const int count = std::min(native_lanes, nv - first);

    // by position: direction l is the motion of degree of freedom l alone
    double q_dot[native_lanes][J::max_nq] = {};
    for (int lane = 0; lane < count; ++lane) {
      double unit[J::max_nv] = {};
      unit[first + lane] = 1;
      joint.rate(q, unit, q_dot[lane]);
    }
    for (int k = 0; k < joint.nq(); ++k)
      q_dual[k] = {q[k], Duals::Derivative([&](auto lane) { return q_dot[int(lane)][k]; })};
    std::copy_n(v, nv, v_dual);
    axes(joint, at, columns);
    const auto bias_q = bias(joint, at, v_dual);
    for (int lane = 0; lane < count; ++lane) {
      JointDerivatives& out = derivatives[first + lane];
      for (int k = 0; k < nv; ++k) out.columns[k] = derivative_of(columns[k], lane);
      out.bias_q = derivative_of(bias_q, lane);
    }

    // by velocity
    std::copy_n(q, joint.nq(), q_dual);
    for (int lane = 0; lane < count; ++lane)
      v_dual[first + lane] = Duals::variable(v[first + lane], lane);
    const auto bias_v = bias(joint, at, v_dual);
    for (int lane = 0; lane < count; ++lane)
      derivatives[first + lane].bias_v = derivative_of(bias_v, lane);
  }
}

// Rotates the derivatives of a joint's axes to world axes.
inline void rotate_joint_derivatives(const Mat3<double>& R_WB, int n,
                                     JointDerivatives* derivatives) {
  for (int l = 0; l < n; ++l) {
    for (int k = 0; k < n; ++k) derivatives[l].columns[k] = turned(R_WB, derivatives[l].columns[k]);
    derivatives[l].bias_q = turned(R_WB, derivatives[l].bias_q);
    derivatives[l].bias_v = turned(R_WB, derivatives[l].bias_v);
  }
}
// Sum of the derivatives of the axes, with these weights.
inline Motion<double> weighted(const JointDerivatives& derivatives, const double* weights, int n) {
  Motion<double> sum{};
  for (int k = 0; k < n; ++k) sum = sum + weights[k] * derivatives.columns[k];
  return sum;
}

}  // namespace trammel::kernel
