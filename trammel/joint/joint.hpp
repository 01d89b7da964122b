// Joint types. A joint is defined by its pose X_FM(q), its motion subspace S(q) and its
// coordinates; the rest of the engine does not depend on the type of a joint.
#pragma once

#include <variant>

#include "trammel/joint/compound.hpp"
#include "trammel/joint/constant_velocity.hpp"
#include "trammel/joint/cylindrical.hpp"
#include "trammel/joint/free.hpp"
#include "trammel/joint/joint_factor.hpp"
#include "trammel/joint/planar.hpp"
#include "trammel/joint/prismatic.hpp"
#include "trammel/joint/revolute.hpp"
#include "trammel/joint/screw.hpp"
#include "trammel/joint/spherical.hpp"
#include "trammel/joint/universal.hpp"

namespace trammel {

template <class J>
concept JointType = requires(const J joint, const Pose<double> X_PF,
                             const Coordinates<double, double> x, const double* q, const double* v,
                             double* out, Motion<double>* columns) {
  { J::max_nq } -> std::convertible_to<int>;   // coordinates, at most
  { J::max_nv } -> std::convertible_to<int>;   // degrees of freedom, at most
  { joint.nq() } -> std::convertible_to<int>;  // coordinates of this one
  { joint.nv() } -> std::convertible_to<int>;  // degrees of freedom of this one
  {to_child(X_PF * joint.pose(x), *columns)};  // X_FM(q), or a cheaper type
  {joint.neutral(out)};                        // the position where F and M coincide
  {joint.rate(q, v, out)};                     // q_dot(q, v)
  {joint.integrate(q, v, out)};                // q after one unit of time at constant v
  {joint.difference(q, q, out)};               // its inverse: the v from one q to another
  { joint.is_periodic(0) } -> std::convertible_to<bool>;  // coordinate k is the same a turn later
}
&&(
    requires { J::fixed_axes; } ||  // S: rotation about z, translation along z, or the identity
    requires(const J joint, const Coordinates<double, double> x, Motion<double>* out) {
      joint.columns(x, out);  // S(q), in M's axes
    });

// Loop joints. A joint type may also have, each with a general method in its place otherwise:
//   wrenches(q, out)      constraint wrenches in M's axes, 6 - nv of them; returns their number
//   row_names[]           a name for each
//   row_alignment         given: the wrenches are constant in M
//   fit(X, constants, q)  the coordinates whose pose is nearest to X, from a guess
// position_fault(q): why q is not a position that the joint can have, or null.
template <JointType J> const char* position_fault(const J& joint, const double* q) {
  if constexpr (requires { joint.position_fault(q); })
    return joint.position_fault(q);
  else
    return nullptr;
}
// constant_count(): numbers of each joint of this type that do not change (pitch, oblique axes).
template <JointType J> int constant_count(const J& joint) {
  if constexpr (requires { joint.constant_count(); })
    return joint.constant_count();
  else
    return 0;
}

// At most eleven alternatives: up to there libstdc++ compiles std::visit to a switch.
using Joint = std::variant<Revolute, Prismatic, Screw, Cylindrical, Universal, Spherical, Planar,
                           Free, Compound, FreeFromAfar, ConstantVelocity>;
static_assert(JointType<Revolute> && JointType<Prismatic> && JointType<Screw> &&
              JointType<Cylindrical> && JointType<Universal> && JointType<Spherical> &&
              JointType<Planar> && JointType<Free> && JointType<Compound> &&
              JointType<FreeFromAfar> && JointType<ConstantVelocity>);
static_assert(std::variant_size_v<Joint> <= 11);

// The user names parent and child; the spanning tree may run the other way. A joint with parent and
// child exchanged has, with X = X_FM(q) and v unchanged,
//   pose X^-1,  axes -X S,  bias -X bias      (the motion of F relative to M, in F's axes).
// Joints about or along z are reversed by the builder instead, which flips their axis.
template <JointType J> bool is_reversed(const J& joint) {
  if constexpr (requires { joint.reversed; })
    return joint.reversed;
  else
    return false;
}

// Pose of the outboard joint frame in the inboard one: X_FM(q), or its inverse for a reversed
// joint. A Pose, or the cheaper type that the joint type returns.
template <JointType J, Scalar S, Scalar P> auto pose(const J& joint, const Coordinates<S, P>& q) {
  if constexpr (requires { joint.reversed; }) {
    const Pose<S> X = joint.pose(q);
    return joint.reversed ? inverse(X) : X;
  } else {
    return joint.pose(q);
  }
}
// S(q): joints whose axes are not about or along z store their columns in `keep`, one per degree of
// freedom.
template <JointType J, Scalar S, Scalar P>
auto axes(const J& joint, const Coordinates<S, P>& q, Motion<S>* keep) {
  if constexpr (requires { J::fixed_axes; }) {
    return J::fixed_axes;
  } else {
    joint.columns(q, keep);
    if (is_reversed(joint)) {
      const auto X = joint.pose(q);
      for (int k = 0; k < joint.nv(); ++k) keep[k] = -to_parent(X, keep[k]);
    }
    return Columns<S, J::max_nv>{keep, joint.nv()};
  }
}
// The same from stored columns, in a later pass.
template <JointType J, Scalar S> auto axes(const J& joint, const Motion<S>* kept) {
  if constexpr (requires { J::fixed_axes; })
    return J::fixed_axes;
  else
    return Columns<S, J::max_nv>{kept, joint.nv()};
}
// Bias dS/dt v: acceleration by the change of the joint's axes
template <JointType J, Scalar S, Scalar P>
auto bias(const J& joint, const Coordinates<S, P>& q, const S* v) {
  if constexpr (requires { joint.bias(q, v); }) {
    const Motion<S> b = joint.bias(q, v);
    return is_reversed(joint) ? -to_parent(joint.pose(q), b) : b;
  } else {
    return Still{};
  }
}
// S depends on q.
template <JointType J> bool has_changing_columns(const J& joint) {
  if constexpr (requires { J::fixed_axes; })
    return false;
  else if constexpr (requires(const Coordinates<double, double>& q, const double* v) {
                       joint.bias(q, v);
                     })
    return true;
  else
    return is_reversed(joint);
}

}  // namespace trammel
