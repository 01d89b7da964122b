// Small serial chain with one degree of freedom per lane of one SIMD register.
//
// In world axes motions and forces need no rotation from body to body: the recursions along the
// chain are sums (of angular velocities, accelerations, forces, inertias) and products of poses,
// computed by recursive doubling (RowSums): eight bodies take three steps in sequence, not seven.
// Inward sums use one reference point, the first body's origin. The cost of a function is little
// more than for a single body.
#pragma once

#include "trammel/dynamics/kernel/simd/chained_poses.hpp"
#include "trammel/dynamics/kernel_input.hpp"
#include "trammel/model/simd/small_chain.hpp"
#include "trammel/spatial/conventions.hpp"
#include "trammel/spatial/tensor.hpp"

namespace trammel::kernel {

// Whether registers are wide enough for this to be faster.
inline constexpr bool has_arms_in_register = native_lanes == SmallChain::most;

// n: numbers per register
template <int n> class SmallChainSimd {
 public:
  using R = Pack<n>;

  // Models with external forces use the recursion over single bodies.
  static bool fits(const KernelInput<double, double>& input) {
    return !input.numbers.small_chain.empty() && input.external_forces.empty();
  }
  // Computes the poses.
  SmallChainSimd(const KernelInput<double, double>& input, In<double> q);

  int dofs() const { return scene_.model.nv(); }
  // Inverse dynamics (RNEA), as newton_euler (inverse_dynamics.hpp).
  R efforts(const R& v, const R& a) const;
  // Mass matrix (CRBA). Row j: entries of dof j with itself and all inboard dofs, undefined
  // outboard. Or with itself and all outboard dofs, undefined inboard.
  enum class Shared { further_in, further_out };
  void masses(Shared with, R (&M)[n]) const;

 private:
  using Sums = RowSums<double>;
  void place(const R& q);
  Inertia<R> inertia() const { return constants_.inertia(SmallChain::inertia); }

  const KernelInput<double, double>& scene_;
  Parts<LaneConstants> constants_;
  Vec3<double> first_;    // position of the first body's origin in the world
  Mat3<R> R_WB_;          // rotation of each body
  Vec3<R> p_;             // its origin relative to the first body's
  Vec3<R> turn_, slide_;  // axis of each dof: one of the two is zero
  Motion<R> column_;      // the same, shifted to the first body's origin
};

template <int n>
SmallChainSimd<n>::SmallChainSimd(const KernelInput<double, double>& input, In<double> q)
    : scene_(input), constants_{{input.numbers.small_chain.data()}} {
  place(R::load_first(dofs(), q.data()));
}

template <int n> void SmallChainSimd<n>::place(const R& q) {
  const R slides = constants_.get(SmallChain::slides), distance = slides * q;
  const auto [sine, cosine] = sin_cos(q - distance);
  const Pose<R> X_PF{constants_.matrix(SmallChain::rotation), constants_.vector(SmallChain::place)};
  const auto [R_PB, p_PF] = X_PF * TurnZ<R>{sine, cosine};
  const Vec3<R> p_PB = p_PF + distance * X_PF.R.z;
  first_ = first_of(p_PB);
  const auto [R_WB, p] = chained_from_first(R_PB, p_PB);
  R_WB_ = R_WB;
  p_ = p;
  slide_ = slides * R_WB.z;
  turn_ = R_WB.z - slide_;
  column_ = shifted_to(-p_, Motion<R>{turn_, slide_});
}

template <int n>
typename SmallChainSimd<n>::R SmallChainSimd<n>::efforts(const R& v, const R& a) const {
  const Motion<double> A_0 = scene_.ground_acceleration();
  const Vec3<double> w_0 = scene_.ground.V.angular, alpha_0 = A_0.angular,
                     a_0 = true_acceleration(A_0, scene_.ground.V).linear;

  // outward: angular velocities and accelerations, then the inertial forces in body axes
  const Vec3<R> U = v * turn_, slip = v * slide_, r = p_ - Sums::before(-first_, p_);
  const Vec3<R> w = Vec3<R>(w_0) + Sums::outward(U), w_P = Sums::before(w_0, w);
  const Vec3<R> alpha = Vec3<R>(alpha_0) + Sums::outward(cross(w_P, U) + a * turn_),
                alpha_P = Sums::before(alpha_0, alpha);
  const Vec3<R> acceleration =
      Vec3<R>(a_0) +
      Sums::outward(cross(alpha_P, r) + cross(w_P, cross(w_P, r) + slip + slip) + a * slide_);
  const Mat3<R> Omega =
      angular_acceleration_tensor(transpose_times(R_WB_, w), transpose_times(R_WB_, alpha));
  const Vec3<R> a_B = transpose_times(R_WB_, acceleration);
  const auto [m, h, J] = inertia();
  const Force<R> F =
      turned(R_WB_, Force<R>{torque(euler_tensor(J), Omega) + cross(h, a_B), m * a_B + Omega * h});

  // inward: sum of the forces of all outboard bodies, tau = S . F
  return dot(column_, Sums::inward(acting_at(p_, F)));
}

template <int n> void SmallChainSimd<n>::masses(Shared with, R (&M)[n]) const {
  // composite inertias, forces I^c S; M_gf = S_g . I_f^c S_f (mass-matrix.md, (1) and (2))
  const Force<R> F = Sums::inward(shifted(p_, turned(R_WB_, inertia()))) * column_;
  const auto& [m, f] = F;
  const auto& [w, u] = column_;
  const R forces[6] = {m.x, m.y, m.z, f.x, f.y, f.z}, columns[6] = {w.x, w.y, w.z, u.x, u.y, u.z};
  const R(&each)[6] = with == Shared::further_in ? forces : columns;
  const R(&all)[6] = with == Shared::further_in ? columns : forces;
  alignas(64) double one[6][n];
  for (int c = 0; c < 6; ++c) each[c].store(one[c]);
  for (int j = 0; j < n; ++j) {
    R sum = one[0][j] * all[0];
    for (int c = 1; c < 6; ++c) sum += one[c][j] * all[c];
    M[j] = sum;
  }
}

}  // namespace trammel::kernel
