// Derivatives of inverse dynamics by position, velocity and acceleration, in closed form
// (docs/theory/derivatives.md).
//
// In world axes: degree of freedom k moves its body and all bodies outboard. With S its axis and
// V_P, A_P the motion of its body's parent, shifted to the body, a unit of q_k changes the
// velocities of all outboard bodies by one and the same motion D, a unit of v_k by S; and the
// acceleration of a body that moves with V_i by E + D x V_i and by G + S x V_i:
//
//   D = V_P x S + dS v
//   E = A_P x S + V_P x D + V x dS v + dS a + db
//   G = (V + V_P) x S + db'
//
// where dS, db and db' are the derivatives of the joint's own axes and bias. The force on a body
// then changes by I E + 2 [B d; d x l], d being the angular part of D (or of S), l its linear
// momentum,
//
//   B = [w] (J - tr(J)/2) + (h . v) 1 - v h^T        (J, h about the origin; [w; v] = V)
//
// because in I (D x V) + D x* I V + V x* I D all other terms cancel. With I, B, l and the force F
// summed over a body and all bodies outboard of it (subscript: which body's sum), a degree of
// freedom i at or outboard of k's joint, and one j inboard of it, have
//
//   dtau_i/dq_k = S_i . (I_i E_k + 2 [B_i d_k; d_k x l_i])      (+ dS_i . F at k's own joint)
//   dtau_j/dq_k = S_j . (I_k E_k + 2 [B_k d_k; d_k x l_k] + S_k x* F_k)
//
// and by velocity the same with G and S for E and D, and without F. After [Singh, Russell, Wensing
// 2022], for any joint, with the cancelling terms removed.
#pragma once

#include "trammel/dynamics/kernel/simd/dof_groups.hpp"
#include "trammel/dynamics/kernel/simd/world_axes.hpp"
#include "trammel/dynamics/kernel/tree/coriolis_inertia.hpp"
#include "trammel/dynamics/kernel/tree/effort_factors.hpp"
#include "trammel/dynamics/kernel/tree/joint_derivatives.hpp"

namespace trammel::kernel {

class EffortDerivatives {
 public:
  explicit EffortDerivatives(const Model& model);

  // First pass, outward. After it, world() and inertia_alone() are valid.
  void outward_motions(const KernelInput<double, double>& input, In<double> q, In<double> v,
                       In<double> a);
  // Optional, between the two passes: adds accelerations that were not known in the first.
  void add_accelerations(const Model& model, In<double> a);
  // Second pass, inward. Each pass costs O(bodies) and allocates nothing.
  void gather();

  // All derivatives of the efforts by q, by v and by a (the mass matrix), all with the same stride.
  // Cost O(sum of depths), and nv^2 for the zeros.
  void write(const Model& model, const MatrixSpan<double>& by_q, const MatrixSpan<double>& by_v,
             const MatrixSpan<double>& by_a);
  // Derivatives by q and by v only, row-major.
  void write_rows(const Model& model, double* by_q, double* by_v, std::ptrdiff_t stride);
  // Their factors, without passive elements. Cost O(bodies).
  void write_factors(const Model& model, EffortFactors& out);

  const WorldAxes<double>& world() const { return world_; }
  // Valid between the passes: inertia of a single body in world axes, and the force on it.
  Inertia<double> inertia_alone(const Body& body) { return own(body).inertia(Own::inertia); }
  Force<double> force_taken(const Body& body) { return own(body).force(Own::force); }

 private:
  // Per degree of freedom: motion of its body and of the parent. At the last degree of freedom of
  // each joint: inertia, B, l and force of the body (zero inertia at the others); after the
  // second pass, of all bodies outboard, about the reference point of the group.
  struct Own : RowGroups<double, 61> {
    using RowGroups::RowGroups;
    enum { turn = 0, V_P = 9, A_P = 15, V = 21, A = 27, inertia = 33, B = 43, l = 52, force = 55 };
  };
  // Motion that a degree of freedom causes outboard: E, G, its axis S, the angular part of D, its
  // position.
  struct Cause : RowGroups<double, 24> {
    using RowGroups::RowGroups;
    enum { E = 0, G = 6, S = 12, D_angular = 18, place = 21 };
  };
  // Force that inboard degrees of freedom carry: I S, the changes by its position and velocity, and
  // h = 2 (B^T s + l x u) of S = [s; u]; d . h is the contribution of B and l.
  struct Effect : RowGroups<double, 21> {
    using RowGroups::RowGroups;
    enum { by_a = 0, by_q = 6, by_v = 12, h = 18 };
  };
  // Contributions of a joint's changing axes to D, E and G.
  struct Extra : RowGroups<double, 18> {
    using RowGroups::RowGroups;
    enum { D = 0, E = 6, G = 12 };
  };
  struct Registers;
  // Derivatives by q, by v, and optionally by a; column-major or row-major.
  template <bool by_rows> struct Duals;
  template <bool by_rows> struct OfPairs;
  template <bool by_rows> void write_all(const Model& model, const Duals<by_rows>& derivatives);
  template <bool by_rows> void write_joint(const Body& body, const Duals<by_rows>& derivatives);
  Parts<Own::OneRow> own(const Body& body) { return own_.row(groups_.row(body.v_end - 1)); }
  Vec3<double> point(int group) {
    return causes_.row(groups_.first_row(group)).vector(Cause::place);
  }

  WorldAxes<double> world_;
  SinCosCache<double> sin_cos_cache_;
  DofGroups groups_;
  std::vector<Motion<double>> columns_;  // per dof: axes as the joint functions store them
  std::vector<Motion<double>> V_, A_;    // per body
  Own own_;
  Cause causes_;
  Effect effects_;
  bool columns_change_;                              // some joint has changing axes; only then:
  std::vector<JointDerivatives> joint_derivatives_;  // per dof, in world axes
  Extra extra_;
};

}  // namespace trammel::kernel
