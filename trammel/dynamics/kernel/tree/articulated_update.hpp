// Helpers of the articulated-body passes in world axes: rank-one update of an articulated inertia,
// and broadcast of one body's quantities to all lanes of a register.
#pragma once

#include "trammel/dynamics/kernel/simd/world_axes.hpp"

namespace trammel::kernel {

// I - U W^T, symmetric because W = U / D
template <Scalar S>
ArticulatedInertia<S> without(const ArticulatedInertia<S>& I, const Force<S>& U,
                              const Force<S>& W) {
  return {I.rotational - symmetric_outer(U.moment, W.moment),
          {I.coupling.x - W.force.x * U.moment, I.coupling.y - W.force.y * U.moment,
           I.coupling.z - W.force.z * U.moment},
          I.linear - symmetric_outer(U.force, W.force)};
}

template <Scalar R, Scalar S> Motion<R> wide(const Motion<S>& V) { return {V.angular, V.linear}; }
template <Scalar R, Scalar S> TurnAbout<R> wide(const TurnAbout<S>& turn) { return {turn.axis}; }
template <Scalar R, Scalar S> SlideAlong<R> wide(const SlideAlong<S>& slide) {
  return {slide.axis};
}
template <Scalar R, Scalar S> Force<R> wide(const Force<S>& F) { return {F.moment, F.force}; }

}  // namespace trammel::kernel
