// Factors of the derivatives of inverse dynamics: per degree of freedom the motions and forces of
// which every entry of dtau/dq, dtau/dv and M is a product (effort_derivatives.hpp,
// docs/theory/derivatives.md, (6) and (7)). For degrees of freedom of different joints on one path,
// i outboard of k,
//
//   dtau_i/dq_k = E_k . (I S)_i + d_k . h_i ,    dtau_k/dq_i = S_k . F_i
//
// with all quantities shifted to one point, and by v and by a the same with (G, s, F_v) and
// (S, 0, I S). Sums over all k inboard or all i outboard accumulate along the tree, so that a
// product with a vector costs O(bodies): class EffortProducts.
#pragma once

#include <vector>

#include "trammel/dynamics/kernel_input.hpp"
#include "trammel/spatial/motion.hpp"

namespace trammel::kernel {

struct EffortFactors {
  // In world axes, about the origin of the degree of freedom's body.
  struct Dof {
    Motion<double> S, E, G;          // motion that a unit of a, q and v causes outboard
    Vec3<double> d;                  // angular part of D
    Force<double> by_a, by_q, by_v;  // I S, F_q and F_v: force on inboard joints per unit
    Vec3<double> h;                  // 2 (B^T s + l x u) of S = [s; u]
  };
  // Derivatives of an effort by a coordinate of the same joint, with those of passive elements.
  struct Pair {
    double by_q = 0, by_v = 0, by_a = 0;
  };

  Pair& own_pair(int dof) { return pairs[std::size_t(diagonal[std::size_t(dof)])]; }

  std::vector<Dof> dofs;
  std::vector<Vec3<double>> offset;  // per body: its origin relative to its parent's, world axes
  std::vector<Pair> pairs;    // joint after joint, row-major: effort i, coordinate k of the joint
  std::vector<int> diagonal;  // per dof: index of its own pair
};

// Factors of the derivatives of inverse dynamics at a state, as inverse_dynamics_derivatives, with
// those of passive elements. Cost O(bodies). For single evaluations: allocates its workspace.
EffortFactors inverse_dynamics_factors(const KernelInput<double, double>& input, In<double> q,
                                       In<double> v, In<double> a);

}  // namespace trammel::kernel
