// Which efforts do joint springs, dampers and viscous friction put on the freedoms?
//
//   passive_k = -stiffness (q - rest) - damping v
//
// Only the freedoms that have one are touched. Cost O(such freedoms); allocates nothing.
#pragma once

#include "trammel/dynamics/scene.hpp"

namespace trammel::kernel {

template <Scalar P, Scalar S> S passive_force(const PassiveNumbers<P>& element, In<S> q, In<S> v) {
  const S stretch = q[std::size_t(element.q)] - S(element.rest);
  return -(element.stiffness * stretch) - element.damping * v[std::size_t(element.v)];
}

template <Scalar P, Scalar S>
void add_passive_forces(const Numbers<P>& numbers, In<S> q, In<S> v, std::span<S> effort) {
  for (const PassiveNumbers<P>& element : numbers.passive)
    effort[std::size_t(element.v)] += passive_force<P, S>(element, q, v);
}
template <Scalar P, Scalar S>
void subtract_passive_forces(const Numbers<P>& numbers, In<S> q, In<S> v, std::span<S> effort) {
  for (const PassiveNumbers<P>& element : numbers.passive)
    effort[std::size_t(element.v)] -= passive_force<P, S>(element, q, v);
}

}  // namespace trammel::kernel
