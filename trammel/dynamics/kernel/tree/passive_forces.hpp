// Passive generalized forces of springs, dampers and friction in joints:
//
//   passive_k = -stiffness (q - rest) - damping v - friction v / sqrt(v^2 + slow^2)
//
// Other degrees of freedom are left unchanged. Cost O(number of elements); allocates nothing.
#pragma once

#include "trammel/dynamics/kernel_input.hpp"
#include "trammel/model/build/parameters.hpp"

namespace trammel::kernel {

// Whether friction is known to be zero: in all lanes, and for all values of the symbols.
inline bool is_none(double friction) { return friction == 0; }
inline bool is_none(float friction) { return friction == 0; }
inline bool is_none(const Expr& friction) { return is_same(friction, 0.0); }
template <int N> bool is_none(const Dual<N>&) { return false; }
template <int N> bool is_none(const Pack<N>&) { return false; }

template <Scalar P, Scalar S> S passive_force(const PassiveNumbers<P>& element, In<S> q, In<S> v) {
  const S stretch = q[std::size_t(element.q)] - S(element.rest), rate = v[std::size_t(element.v)];
  const S smooth = -(element.stiffness * stretch) - element.damping * rate;
  if (is_none(element.friction)) return smooth;
  const S slow = S(element.slow);
  return smooth - element.friction * (rate / sqrt(rate * rate + slow * slow));
}

template <Scalar P, Scalar S>
void add_passive_forces(const ModelParameters<P>& numbers, In<S> q, In<S> v, std::span<S> effort) {
  for (const PassiveNumbers<P>& element : numbers.passive)
    effort[std::size_t(element.v)] += passive_force<P, S>(element, q, v);
}
template <Scalar P, Scalar S>
void subtract_passive_forces(const ModelParameters<P>& numbers, In<S> q, In<S> v,
                             std::span<S> effort) {
  for (const PassiveNumbers<P>& element : numbers.passive)
    effort[std::size_t(element.v)] -= passive_force<P, S>(element, q, v);
}

// Derivatives of passive elements, on the diagonal: by_q(dof, stiffness) and by_v(dof, damping) of
// tau = Newton-Euler - passive.
template <class ByPosition, class ByVelocity>
void each_passive_derivative(const ModelParameters<double>& numbers, In<double> v,
                             const ByPosition& by_q, const ByVelocity& by_v) {
  for (const PassiveNumbers<double>& element : numbers.passive) {
    by_q(element.v, element.stiffness);
    by_v(element.v, element.damping);
    if (element.friction == 0) continue;
    const double rate = v[std::size_t(element.v)], slow = element.slow * element.slow;
    const double square = rate * rate + slow;
    by_v(element.v, element.friction * slow / (square * std::sqrt(square)));
  }
}

}  // namespace trammel::kernel
