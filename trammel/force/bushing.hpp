// Bushing: spring and damper in six directions between a frame F on one body and a frame M on
// another.
//
// Displacement x = [p | r], in F's axes: p is the position of M's origin in F, r the rotation
// vector of R_FM (axis times angle). The rotation vector is smooth below half a turn, and for a
// rotation about one axis its component is the angle itself, so that tables are read over angles.
// Potential energy and dissipated power:
//
//   U = 1/2 x^T K x + sum_i U_i(x_i) - preload . x ,   D = x'^T C x'                           (1)
//
// with U_i' = f_i, the table of axis i. Generalized force Q = -dU/dx - C x'. With r' = J^-1 omega
// (J: left Jacobian of the rotation vector, omega: angular velocity of M relative to F in F's axes)
// the wrench on M at M's origin, in F's axes, is the exact gradient:
//
//   force = Q_p ,   moment = J^-T Q_r                                                          (2)
//
// Its opposite acts on F's body at the same point, so momentum is conserved.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "trammel/base/diagnostics.hpp"
#include "trammel/force/bushing_table.hpp"
#include "trammel/force/force_element.hpp"
#include "trammel/force/number_label.hpp"
#include "trammel/scalar/expr_evaluate.hpp"
#include "trammel/spatial/rotation.hpp"

namespace trammel {

// Lists of six have the order x, y, z (along F's axes), then rx, ry, rz (about them).
struct BushingDescription {
  static constexpr const char *kind = "bushing", *acts = "connects";
  static constexpr std::array<const char*, 6> axes = {"x", "y", "z", "rx", "ry", "rz"};
  enum class Interpolation { cubic, linear };
  // Restoring force over displacement: [N] over [m], [N m] over [rad].
  struct Table {
    std::vector<Expr> at = {}, force = {};
    bool is_empty() const { return at.empty() && force.empty(); }
  };
  std::string name, frame, other_frame;
  // Vec6 entries: the diagonal; 36: all rows of a symmetric matrix; none: zero. [N/m], [N m/rad],
  // [N/rad] between force and rotation; damping per second.
  std::vector<Expr> stiffness = {}, damping = {};
  std::vector<Expr> preload = {};    // on other_frame at displacement 0 [N], [N m]; six or none
  std::array<Table, 6> tables = {};  // adds to the stiffness; empty: none
  Interpolation interpolation = Interpolation::cubic;
  ItemPlace place = {};

  // Names of the frames or bodies at its ends: parent, child.
  std::array<std::string*, 2> ends() { return {&frame, &other_frame}; }
  std::array<const std::string*, 2> ends() const { return {&frame, &other_frame}; }
};
template <ConstOrNot<BushingDescription> Item, class Visit>
void each_number(Item& bushing, const Visit& visit) {
  each_number(bushing.stiffness, "stiffness", visit);
  each_number(bushing.damping, "damping", visit);
  each_number(bushing.preload, "preload", visit);
  for (std::size_t axis = 0; axis < 6; ++axis) {
    auto& [at, force] = bushing.tables[axis];
    for (std::size_t k = 0; k < at.size(); ++k)
      visit(NumberLabel{"table.at", int(k), BushingDescription::axes[axis]}, at[k]);
    for (std::size_t k = 0; k < force.size(); ++k)
      visit(NumberLabel{"table.force", int(k), BushingDescription::axes[axis]}, force[k]);
  }
}
// Matrices are symmetric without a negative eigenvalue, tables increase, something acts.
void check_numbers(const BushingDescription& bushing, const Values<double>& value,
                   Diagnostics& diagnostics);

// Translation and rotation: displacement, velocity or generalized force of a bushing.
template <Scalar S> struct Vec6 {
  Vec3<S> p, r;
  S& operator[](int k) {
    Vec3<S>& part = k < 3 ? p : r;
    return k % 3 == 0 ? part.x : k % 3 == 1 ? part.y : part.z;
  }
  const S& operator[](int k) const { return const_cast<Vec6&>(*this)[k]; }
};
template <Scalar A, Scalar B> Product<A, B> dot(const Vec6<A>& a, const Vec6<B>& b) {
  return dot(a.p, b.p) + dot(a.r, b.r);
}
// Symmetric matrix [pp, pr; pr^T, rr].
template <Scalar P> struct SymMat6 {
  SymMat3<P> pp, rr;
  Mat3<P> pr;
  template <Scalar S> Vec6<S> operator*(const Vec6<S>& x) const {
    return {pp * x.p + pr * x.r, transpose_times(pr, x.p) + rr * x.r};
  }
};

// Bushing of a model at given parameter values, a ForceElement: frames F in the tree body P of the
// parent and M in the tree body C of the child, matrices and tables with numbers.
template <Scalar P> struct BushingNumbers {
  Pose<P> X_PF = Pose<P>::identity(), X_CM = Pose<P>::identity();  // in the tree bodies
  SymMat6<P> stiffness, damping;
  Vec6<P> preload;
  std::array<BushingTable<P>, 6> tables;
  bool is_damped = false;

  static BushingNumbers of(const BushingDescription& bushing, const Pose<P>& X_PF,
                           const Pose<P>& X_CM, const Values<P>& value) {
    BushingNumbers out{X_PF, X_CM, matrix(bushing.stiffness, value), matrix(bushing.damping, value),
                       {},   {},   !bushing.damping.empty()};
    for (std::size_t k = 0; k < bushing.preload.size(); ++k)
      out.preload[int(k)] = value(bushing.preload[k]);
    for (std::size_t axis = 0; axis < 6; ++axis) {
      if (bushing.tables[axis].is_empty()) continue;
      std::vector<P> at, force;
      for (const Expr& x : bushing.tables[axis].at) at.push_back(value(x));
      for (const Expr& f : bushing.tables[axis].force) force.push_back(value(f));
      out.tables[axis] = {at, force,
                          bushing.interpolation == BushingDescription::Interpolation::cubic};
    }
    return out;
  }
  BushingNumbers<float> to_float() const requires std::same_as<P, double> {
    BushingNumbers<float> out{{X_PF.R, X_PF.p},
                              {X_CM.R, X_CM.p},
                              {stiffness.pp, stiffness.rr, stiffness.pr},
                              {damping.pp, damping.rr, damping.pr},
                              {preload.p, preload.r},
                              {},
                              is_damped};
    for (std::size_t axis = 0; axis < 6; ++axis) out.tables[axis] = tables[axis].to_float();
    return out;
  }
  std::array<Vec3<P>, 2> drawn_ends() const { return {X_PF.p, X_CM.p}; }

  // Displacement, and the frame F in the world.
  template <Scalar S> struct Displaced {
    Pose<S> X_WF;
    Vec3<S> origin;  // of M, in the world
    Vec6<S> x;
    S half;  // (1 - cos angle)/2
  };
  template <Scalar S> Displaced<S> displaced(const BodyPair<S>& bodies) const {
    const Pose<S> X_WF = bodies.X_WP * X_PF, X_WM = bodies.X_WC * X_CM;
    const Mat3<S> R = transpose(X_WF.R) * X_WM.R;
    return {X_WF,
            X_WM.p,
            {transpose_times(X_WF.R, X_WM.p - X_WF.p), rotation_vector(R)},
            S(0.25) * (S(3.0) - trace(R))};
  }
  // x': M's motion relative to F, in F's axes; the rotation as the rate of the rotation vector.
  template <Scalar S> Vec6<S> rate(const BodyPair<S>& bodies, const Displaced<S>& at) const {
    const auto velocity = [&](const Pose<S>& X, const Motion<S>& V) {
      return X.R * (V.linear + cross(V.angular, transpose_times(X.R, at.origin - X.p)));
    };
    const Vec3<S> v = velocity(bodies.X_WC, bodies.V_C) - velocity(bodies.X_WP, bodies.V_P);
    const Vec3<S> omega = bodies.X_WC.R * bodies.V_C.angular - bodies.X_WP.R * bodies.V_P.angular;
    return {transpose_times(at.X_WF.R, v),
            inverse_left_jacobian(at.x.r, transpose_times(at.X_WF.R, omega))};
  }

  // The rotation vector jumps at half a turn; beyond 3 rad the force is refused, so that a motion
  // does not cross that jump unnoticed.
  static constexpr double largest_half = 0.99499624830022271;  // (1 - cos 3)/2
  template <Scalar S>
  ElementWrench<S> wrench(const BodyPair<S>& bodies, std::span<const S> /*z*/) const {
    const Displaced<S> at = displaced(bodies);
    if (at.half > S(largest_half))
      return {.failure =
                  "{} is turned by more than 3 rad (172 deg), where its rotation vector "
                  "soon jumps: a bushing is for smaller angles, take a joint with a spring "
                  "for larger ones"};
    Vec6<S> Q = stiffness * at.x;
    for (int axis = 0; axis < 6; ++axis)
      if (const BushingTable<P>& table = tables[std::size_t(axis)]; !table.is_empty())
        Q[axis] += table.force(at.x[axis]);
    if (is_damped) {
      const Vec6<S> resistance = damping * rate(bodies, at);
      Q = {Q.p + resistance.p, Q.r + resistance.r};
    }
    Q = {Vec3<S>(preload.p) - Q.p, Vec3<S>(preload.r) - Q.r};
    return {{at.X_WF.R * inverse_left_jacobian_transposed(at.x.r, Q.r), at.X_WF.R * Q.p},
            at.origin};  // (2)
  }
  template <Scalar S>
  S potential_energy(const BodyPair<S>& bodies, std::span<const S> /*z*/) const {
    const Vec6<S> x = displaced(bodies).x;
    S U = S(0.5) * dot(x, stiffness * x) - dot(preload, x);  // (1)
    for (int axis = 0; axis < 6; ++axis)
      if (const BushingTable<P>& table = tables[std::size_t(axis)]; !table.is_empty())
        U += table.energy(x[axis]);
    return U;
  }
  double dissipated_power(const BodyPair<double>& bodies, std::span<const double> /*z*/) const {
    if (!is_damped) return 0;
    const Vec6<double> x_dot = rate(bodies, displaced(bodies));
    return dot(x_dot, damping * x_dot);
  }
  bool is_conservative() const { return !is_damped; }

 private:
  static SymMat6<P> matrix(const std::vector<Expr>& given, const Values<P>& value) {
    // of a matrix the upper triangle, so that it is symmetric to the last digit
    const auto at = [&](int i, int j) -> P {
      if (given.size() == 36) return value(given[std::size_t(6 * i + j)]);
      return given.size() == 6 && i == j ? value(given[std::size_t(i)]) : P(0.0);
    };
    const auto block = [&](int i) -> SymMat3<P> {
      return {at(i, i),         at(i, i + 1),     at(i, i + 2),
              at(i + 1, i + 1), at(i + 1, i + 2), at(i + 2, i + 2)};
    };
    const auto column = [&](int j) -> Vec3<P> { return {at(0, j), at(1, j), at(2, j)}; };
    return {block(0), block(3), {column(3), column(4), column(5)}};
  }
};

}  // namespace trammel
