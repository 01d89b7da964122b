// Spring and damper between two points.
#pragma once

#include <array>
#include <string>

#include "trammel/base/diagnostics.hpp"
#include "trammel/force/force_element.hpp"
#include "trammel/force/number_label.hpp"
#include "trammel/scalar/expr_evaluate.hpp"

namespace trammel {

// Spring and damper between two points at distance x: tension stiffness (x - length) + damping x'.
struct SpringDescription {
  static constexpr const char *kind = "spring", *acts = "pulls";
  std::string name, frame, other_frame;
  Expr stiffness = {}, length = {}, damping = {};
  ItemPlace place = {};

  // Names of the frames or bodies at its ends: parent, child.
  std::array<std::string*, 2> ends() { return {&frame, &other_frame}; }
  std::array<const std::string*, 2> ends() const { return {&frame, &other_frame}; }
};
template <ConstOrNot<SpringDescription> Item, class Visit>
void each_number(Item& spring, const Visit& visit) {
  visit(NumberLabel{"stiffness"}, spring.stiffness);
  visit(NumberLabel{"length"}, spring.length);
  visit(NumberLabel{"damping"}, spring.damping);
}
void check_numbers(const SpringDescription& spring, const Values<double>& value,
                   Diagnostics& diagnostics);

// End points of a spring in their tree bodies. Tension, positive if it pulls the ends together:
// stiffness (distance - length) + damping * (rate of the distance).
template <Scalar P> struct SpringNumbers {
  Vec3<P> on_parent, on_child;
  P stiffness{}, length{}, damping{};

  static SpringNumbers of(const SpringDescription& spring, const Pose<P>& X_PF, const Pose<P>& X_CM,
                          const Values<P>& value) {
    return {X_PF.p, X_CM.p, value(spring.stiffness), value(spring.length), value(spring.damping)};
  }
  SpringNumbers<float> to_float() const requires std::same_as<P, double> {
    return {on_parent, on_child, float(stiffness), float(length), float(damping)};
  }
  // Points drawn, in the two tree bodies.
  std::array<Vec3<P>, 2> drawn_ends() const { return {on_parent, on_child}; }

  template <Scalar S>
  ElementWrench<S> wrench(const BodyPair<S>& bodies, std::span<const S> /*z*/) const {
    const MovingPoint<S> from(bodies.X_WP, bodies.V_P, on_parent);
    const MovingPoint<S> to(bodies.X_WC, bodies.V_C, on_child);
    const Vec3<S> d = to.p - from.p;
    const S distance = norm(d);
    if (distance > S(0.0)) {
      const Vec3<S> along = (1.0 / distance) * d;
      const S pull = stiffness * (distance - length) + damping * dot(along, to.v - from.v);
      return {{{}, -pull * along}, to.p};
    }
    if (stiffness * length != 0 || damping != 0)
      return {.failure =
                  "the two ends of {} meet, and the direction of its force is lost: move "
                  "them apart"};
    return {.is_acting = false};
  }
  template <Scalar S>
  S potential_energy(const BodyPair<S>& bodies, std::span<const S> /*z*/) const {
    const S stretch = norm(bodies.X_WC * on_child - bodies.X_WP * on_parent) - S(length);
    return S(0.5) * (stiffness * (stretch * stretch));
  }
  double dissipated_power(const BodyPair<double>& bodies, std::span<const double> /*z*/) const {
    const MovingPoint<double> from(bodies.X_WP, bodies.V_P, on_parent);
    const MovingPoint<double> to(bodies.X_WC, bodies.V_C, on_child);
    const Vec3<double> d = to.p - from.p;
    const double distance = norm(d);
    const double rate = distance > 0 ? dot(d, to.v - from.v) / distance : 0;
    return damping * rate * rate;
  }
  bool is_conservative() const { return damping == 0; }
};

}  // namespace trammel
