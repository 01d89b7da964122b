// Spatial vectors: motions and forces, six numbers each, as different types: adding one to the
// other does not compile. Angular part first; quantities of body B are at B's origin in B's axes.
#pragma once

#include "trammel/spatial/vec3.hpp"

namespace trammel {

// Twist (spatial velocity) [omega; v of the origin], or a spatial acceleration: the derivative of
// the components in the moving frame plus V x V, which is zero [RBDA, section 2.11].
template <Scalar S> struct Motion { Vec3<S> angular, linear; };
template <Scalar S> struct Force { Vec3<S> moment, force; };

template <Scalar S> Motion<S> operator+(const Motion<S>& a, const Motion<S>& b) {
  return {a.angular + b.angular, a.linear + b.linear};
}
template <Scalar S> Motion<S> operator-(const Motion<S>& a, const Motion<S>& b) {
  return {a.angular - b.angular, a.linear - b.linear};
}
template <Scalar S> Motion<S> operator-(const Motion<S>& a) { return {-a.angular, -a.linear}; }
template <Scalar A, Scalar S> Motion<Product<A, S>> operator*(const A& k, const Motion<S>& V) {
  return {k * V.angular, k * V.linear};
}

template <Scalar S> Force<S> operator+(const Force<S>& a, const Force<S>& b) {
  return {a.moment + b.moment, a.force + b.force};
}
template <Scalar S> Force<S> operator-(const Force<S>& a, const Force<S>& b) {
  return {a.moment - b.moment, a.force - b.force};
}
template <Scalar S> Force<S> operator-(const Force<S>& a) { return {-a.moment, -a.force}; }
template <Scalar S> Force<S>& operator+=(Force<S>& a, const Force<S>& b) { return a = a + b; }
template <Scalar A, Scalar S> Force<Product<A, S>> operator*(const A& k, const Force<S>& F) {
  return {k * F.moment, k * F.force};
}

// Power: the only product of a motion and a force.
template <Scalar S> S dot(const Motion<S>& V, const Force<S>& F) {
  return dot(V.angular, F.moment) + dot(V.linear, F.force);
}

// Spatial cross products: rate of a motion (V x U), or of a force (V x* F), that moves along with
// V.
template <Scalar S> Motion<S> cross(const Motion<S>& V, const Motion<S>& U) {
  return {cross(V.angular, U.angular), cross(V.angular, U.linear) + cross(V.linear, U.angular)};
}
template <Scalar S> Force<S> cross(const Motion<S>& V, const Force<S>& F) {
  return {cross(V.angular, F.moment) + cross(V.linear, F.force), cross(V.angular, F.force)};
}

}  // namespace trammel
