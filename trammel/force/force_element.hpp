// A force element acts between two bodies: a wrench on the child and the opposite wrench on the
// parent, as a function of the motion of both and of own continuous states z. It says its potential
// energy and its dissipated power, so that
//
//   power of the wrench along the motion = -d(potential energy)/dt - dissipated power
//
// holds for every motion (the energy balance that simulate audits). Functions are templates over
// the scalar: double, and Dual for derivatives (linearize, equilibrium, energy rates).
#pragma once

#include <concepts>
#include <span>

#include "trammel/scalar/dual.hpp"
#include "trammel/spatial/pose.hpp"

namespace trammel {

// Motion of the two bodies of an element: poses in the world, and velocities of their origins in
// their own axes.
template <Scalar S> struct BodyPair {
  const Pose<S>&X_WP, &X_WC;  // parent, child
  const Motion<S>&V_P, &V_C;
};

// Wrench on the child at the point p, in world axes; its opposite acts on the parent at p.
template <Scalar S> struct ElementWrench {
  Force<S> F = {};
  Vec3<S> p = {};
  bool is_acting = true;          // false: no force, as of a contact in the air
  const char* failure = nullptr;  // why the force is not defined here; {} is the element's name
};

// Interface of a force element: wrench, energy, dissipated power. Elements with states have in
// addition nz(), initial_z(z) and z_rates(bodies, z, z_dot), see StatefulForceElement. `wrench` is
// evaluated for double and Dual, `potential_energy` also for symbols.
template <class E>
concept ForceElement = requires(const E element, const BodyPair<double>& bodies,
                                const BodyPair<Dual<1>>& dual_bodies, std::span<const double> z,
                                std::span<const Dual<1>> dual_z) {
  { element.wrench(bodies, z) } -> std::same_as<ElementWrench<double>>;
  { element.wrench(dual_bodies, dual_z) } -> std::same_as<ElementWrench<Dual<1>>>;
  { element.potential_energy(bodies, z) } -> std::convertible_to<double>;
  { element.potential_energy(dual_bodies, dual_z) } -> std::convertible_to<Dual<1>>;
  { element.dissipated_power(bodies, z) } -> std::convertible_to<double>;  // [W], never negative
  // It never dissipates: energy is conserved, and the audit of a run requires it.
  { element.is_conservative() } -> std::same_as<bool>;
};

// Own continuous states: their number, their initial values, their rates at a state. simulate
// integrates them with q and v, in State::z before the states of controllers.
template <class E>
concept StatefulForceElement = ForceElement<E> &&
    requires(const E element, const BodyPair<double>& bodies, const BodyPair<Dual<1>>& dual_bodies,
             std::span<const double> z, std::span<const Dual<1>> dual_z, std::span<double> out,
             std::span<Dual<1>> dual_out) {
  { element.nz() } -> std::convertible_to<int>;
  {element.initial_z(out)};
  {element.z_rates(bodies, z, out)};
  {element.z_rates(dual_bodies, dual_z, dual_out)};
};

// Number of continuous states of an element; 0 if its type has none.
template <ForceElement E> int nz_of(const E& element) {
  if constexpr (StatefulForceElement<E>)
    return element.nz();
  else
    return 0;
}

// Position and velocity of a point fixed at r in a body, in world axes.
template <Scalar S> struct MovingPoint {
  template <Scalar P> MovingPoint(const Pose<S>& X, const Motion<S>& V, const Vec3<P>& r) {
    p = X * r;
    v = X.R * (V.linear + cross(V.angular, r));
  }
  Vec3<S> p, v;
};

}  // namespace trammel
