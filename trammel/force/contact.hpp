// Contact of a ball with a floor: a force by penalty, and regularized friction.
#pragma once

#include <array>
#include <string>

#include "trammel/base/diagnostics.hpp"
#include "trammel/force/force_element.hpp"
#include "trammel/force/number_label.hpp"
#include "trammel/scalar/expr_evaluate.hpp"

namespace trammel {

// [rad/s] or [m/s] Regularization speed of dry friction: at lower speeds the friction is not fully
// developed, so a joint that should stick creeps with a part of this speed.
inline constexpr double default_friction_speed = 1e-3;

// A ball, or with radius 0 a point, that may touch a floor (as a wheel's). Normal force: stiffness
// d^(3/2) (1 + 3/2 dissipation d') with penetration depth d, never pulling [Hunt, Crossley 1975];
// tangential force: friction times the normal force, against the sliding velocity v, times v /
// sqrt(v^2 + slip_speed^2).
struct ContactDescription {
  static constexpr const char *kind = "contact", *acts = "touches";
  std::string name, body, on = "ground";
  Vec3<Expr> at = {};  // its center, on the body
  Expr radius = {};
  Expr stiffness = {};    // [N/m^1.5]
  Expr dissipation = {};  // [s/m]
  Expr friction = {};
  Expr slip_speed = default_friction_speed;
  ItemPlace place = {};

  // Names of its ends: the floor, a frame or body; the body of the ball.
  std::array<std::string*, 2> ends() { return {&on, &body}; }
  std::array<const std::string*, 2> ends() const { return {&on, &body}; }
};
template <ConstOrNot<ContactDescription> Item, class Visit>
void each_number(Item& contact, const Visit& visit) {
  each_number(contact.at, "at", visit);
  visit(NumberLabel{"radius"}, contact.radius);
  visit(NumberLabel{"stiffness"}, contact.stiffness);
  visit(NumberLabel{"dissipation"}, contact.dissipation);
  visit(NumberLabel{"friction"}, contact.friction);
  visit(NumberLabel{"slip_speed"}, contact.slip_speed);
}
void check_numbers(const ContactDescription& contact, const Values<double>& value,
                   Diagnostics& diagnostics);

// State of a contact of a ball with its floor, and the contact force.
template <Scalar S> struct BasicContactAt {
  S depth = 0.0;                  // [m] penetration; negative: distance to the floor
  Vec3<S> point;                  // of the ball, nearest to the floor, in the world
  Vec3<S> force;                  // of the floor on the ball there, in world axes
  S normal = 0.0, sliding = 0.0;  // [N] normal force; [m/s] tangential speed
};
using ContactAt = BasicContactAt<double>;

// Frame of the floor in its tree body, z normal; center of the ball in its own tree body.
template <Scalar P> struct ContactNumbers {
  Pose<P> X_PF = Pose<P>::identity();
  Vec3<P> center;
  P radius{}, stiffness{}, dissipation{}, friction{}, slow{};

  static ContactNumbers of(const ContactDescription& contact, const Pose<P>& X_PF,
                           const Pose<P>& X_CM, const Values<P>& value) {
    const auto& [x, y, z] = contact.at;
    return {X_PF,
            X_CM * Vec3<P>{value(x), value(y), value(z)},
            value(contact.radius),
            value(contact.stiffness),
            value(contact.dissipation),
            value(contact.friction),
            value(contact.slip_speed)};
  }
  ContactNumbers<float> to_float() const requires std::same_as<P, double> {
    return {{X_PF.R, X_PF.p},   center,          float(radius), float(stiffness),
            float(dissipation), float(friction), float(slow)};
  }

  template <Scalar S> BasicContactAt<S> at(const BodyPair<S>& bodies) const {
    using std::max;
    const auto& [X_WP, X_WC, V_P, V_C] = bodies;
    const Pose<S> X_WF = X_WP * X_PF;
    const Vec3<S> n = X_WF.R.z;
    BasicContactAt<S> at;
    at.point = X_WC * center - radius * n;
    at.depth = dot(n, X_WF.p - at.point);
    if (!(at.depth > S(0.0))) return at;

    const auto [v, rise, across] = motion_at(bodies, at.point, n);
    at.sliding = norm(across);
    at.normal =
        max(S(0.0), stiffness * at.depth * sqrt(at.depth) * (1.0 - 1.5 * dissipation * rise));
    at.force = at.normal * n -
               (friction * at.normal / sqrt(dot(across, across) + S(slow * slow))) * across;
    return at;
  }
  template <Scalar S>
  ElementWrench<S> wrench(const BodyPair<S>& bodies, std::span<const S> /*z*/) const {
    const BasicContactAt<S> now = at(bodies);
    return {{{}, now.force}, now.point, now.depth > S(0.0)};
  }
  template <Scalar S>
  S potential_energy(const BodyPair<S>& bodies, std::span<const S> /*z*/) const {
    const Pose<S> X_WF = bodies.X_WP * X_PF;
    const S depth = dot(X_WF.R.z, X_WF.p - (bodies.X_WC * center - radius * X_WF.R.z));
    const auto touches = depth > S(0.0);
    const S d = select(touches, depth, S(1.0));
    return select(touches, 0.4 * (stiffness * (d * d * sqrt(d))), S(0.0));
  }
  // damping of the normal motion, and friction
  double dissipated_power(const BodyPair<double>& bodies, std::span<const double> /*z*/) const {
    const BasicContactAt<double> now = at(bodies);
    if (!(now.depth > 0)) return 0;
    const Vec3<double> n = (bodies.X_WP.R * X_PF.R).z;
    const auto [v, rise, across] = motion_at(bodies, now.point, n);
    const double elastic = stiffness * now.depth * std::sqrt(now.depth);
    return (elastic - now.normal) * rise - dot(now.force - now.normal * n, across);
  }
  bool is_conservative() const { return dissipation == 0 && friction == 0; }

 private:
  // Velocity of the ball relative to the floor at a point of the world: whole, along and across n.
  template <Scalar S> struct Relative {
    Vec3<S> v;
    S rise;
    Vec3<S> across;
  };
  template <Scalar S>
  static Relative<S> motion_at(const BodyPair<S>& bodies, const Vec3<S>& point, const Vec3<S>& n) {
    const auto& [X_WP, X_WC, V_P, V_C] = bodies;
    const auto point_of = [&](const Pose<S>& X_WB, const Motion<S>& V) {
      return MovingPoint<S>(X_WB, V, inverse(X_WB) * point).v;
    };
    const Vec3<S> v = point_of(X_WC, V_C) - point_of(X_WP, V_P);
    const S rise = dot(n, v);
    return {v, rise, v - rise * n};
  }
};

}  // namespace trammel
