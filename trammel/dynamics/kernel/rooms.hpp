// Where a body has what it hands on to the next in a sweep: velocities, accelerations, inertias.
//
// In lanes a branch shares one room (Body::slot), which stays in the nearest cache. One state by
// itself fits there whole, and every body has its own.
#pragma once

#include <concepts>

#include "trammel/model/model.hpp"

namespace trammel::kernel {

template <Scalar S> int room(int i, const Body& body) {
  return std::same_as<S, double> ? i : body.slot;
}
template <Scalar S> int parent_room(const Body& body) {
  return std::same_as<S, double> ? body.parent : body.parent_slot;
}
template <Scalar S> int ground_room(const Model& model) { return room<S>(0, model.bodies()[0]); }

}  // namespace trammel::kernel
