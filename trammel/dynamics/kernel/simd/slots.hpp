// Buffer slots for what a body passes on to its neighbors in a recursion: velocities,
// accelerations, inertias.
//
// In SIMD lanes the bodies of a branch share one slot (Body::slot), which stays in the first-level
// cache. A single state fits there as a whole, and every body has its own slot.
#pragma once

#include <concepts>

#include "trammel/model/model.hpp"

namespace trammel::kernel {

template <Scalar S> int slot(int i, const Body& body) {
  return std::same_as<S, double> ? i : body.slot;
}
template <Scalar S> int parent_slot(const Body& body) {
  return std::same_as<S, double> ? body.parent : body.parent_slot;
}
template <Scalar S> int ground_slot(const Model& model) { return slot<S>(0, model.bodies()[0]); }

}  // namespace trammel::kernel
