// How do the efforts of inverse dynamics change with every position, velocity and acceleration?
//
// In world axes: freedom k moves its body and all beyond it. With S its column and V_P, A_P the
// motion of its body's parent, felt at the body, a unit of q_k changes the velocities of all bodies
// beyond by one and the same motion D, a unit of v_k by S; and the acceleration of one that moves
// with V_i by E + D x V_i and by G + S x V_i:
//
//   D = V_P x S + dS v
//   E = A_P x S + V_P x D + V x dS v + dS a + db
//   G = (V + V_P) x S + db'
//
// where dS, db and db' are how the joint's own columns and bias change. The force a body takes then
// changes by I E + 2 [B d; d x l], d being the angular part of D (or of S), l its linear momentum,
//
//   B = [w] (J - tr(J)/2) + (h . v) 1 - v h^T        (J, h about the origin; [w; v] = V)
//
// because in I (D x V) + D x* I V + V x* I D all else cancels. With I, B, l and the force F summed
// over a body and all beyond it (subscript: whose), a freedom i at or beyond k's joint, and one j
// further in, have
//
//   dtau_i/dq_k = S_i . (I_i E_k + 2 [B_i d_k; d_k x l_i])      (+ dS_i . F at k's own joint)
//   dtau_j/dq_k = S_j . (I_k E_k + 2 [B_k d_k; d_k x l_k] + S_k x* F_k)
//
// and likewise by velocity with G and S for E and D, and without F.
// [Singh, Russell, Wensing, "Efficient analytical derivatives of rigid-body dynamics using spatial
// vector algebra", 2022, for any joint, with what cancels worked out.]
#pragma once

#include "trammel/dynamics/kernel/freedom_groups.hpp"
#include "trammel/dynamics/kernel/joint_slopes.hpp"
#include "trammel/dynamics/kernel/world_axes.hpp"

namespace trammel::kernel {

// What the velocity of a body has to do with how its force changes: 2 [B d; d x l].
template <Scalar S> struct CoriolisInertia {
  Mat3<S> B;
  Vec3<S> l;
};

class EffortSlopes {
 public:
  explicit EffortSlopes(const Model& model);

  // The first sweep, outward. After it, world() and inertias() are known.
  void move(const Scene<double, double>& scene, In<double> q, In<double> v, In<double> a);
  // Between the two, if the accelerations were not known before: the same motion, but with these on
  // top of those it was moved with.
  void accelerate(const Model& model, In<double> a);
  // The second, inward. Each costs O(bodies) and allocates nothing.
  void gather();

  // All slopes of the efforts by q, by v and by a (the mass matrix), all with the same stride.
  // Cost O(sum of depths), and nv^2 for the zeros.
  void write(const Model& model, const MatrixSpan<double>& by_q, const MatrixSpan<double>& by_v,
             const MatrixSpan<double>& by_a);
  // Those by q and by v, row after row.
  void write_rows(const Model& model, double* by_q, double* by_v, std::ptrdiff_t stride);

  const WorldAxes<double>& world() const { return world_; }
  // Between the sweeps: of a body alone, in world axes; and the force it takes.
  Inertia<double> inertia_alone(const Body& body) { return own(body).inertia(Own::inertia); }
  Force<double> force_taken(const Body& body) { return own(body).force(Own::force); }

 private:
  // Of each freedom: how its body and that body's parent move. At the last one of each joint: what
  // it takes to move the body (the others move nothing alone); then, of each, it with all beyond
  // it, told about the point of its group.
  struct Own : RowGroups<double, 61> {
    using RowGroups::RowGroups;
    enum { turn = 0, V_P = 9, A_P = 15, V = 21, A = 27, inertia = 33, B = 43, l = 52, force = 55 };
  };
  // What a freedom does to all beyond it: E, G, its column S, the angular part of D, its place.
  struct Cause : RowGroups<double, 24> {
    using RowGroups::RowGroups;
    enum { E = 0, G = 6, S = 12, D_angular = 18, place = 21 };
  };
  // What those further in feel of it: I S, the changes by its position and velocity that they
  // carry, and h = 2 (B^T s + l x u) of S = [s; u]: times d, what B and l add.
  struct Effect : RowGroups<double, 21> {
    using RowGroups::RowGroups;
    enum { by_a = 0, by_q = 6, by_v = 12, h = 18 };
  };
  // What the joint's own changing columns add to D, E and G.
  struct Extra : RowGroups<double, 18> {
    using RowGroups::RowGroups;
    enum { D = 0, E = 6, G = 12 };
  };
  struct Registers;
  // By q, by v, and if it is asked for by a; column after column, or row after row.
  template <bool by_rows> struct Slopes;
  template <bool by_rows> struct OfPairs;
  template <bool by_rows> void write_all(const Model& model, const Slopes<by_rows>& slopes);
  template <bool by_rows> void write_joint(const Body& body, const Slopes<by_rows>& slopes);
  Parts<Own::OneRow> own(const Body& body) { return own_.row(groups_.row(body.v_end - 1)); }
  Vec3<double> point(int group) {
    return causes_.row(groups_.first_row(group)).vector(Cause::place);
  }

  WorldAxes<double> world_;
  Turns<double> turns_;
  FreedomGroups groups_;
  std::vector<Motion<double>> columns_;  // per freedom: as the joints keep them
  std::vector<Motion<double>> V_, A_;    // per body
  Own own_;
  Cause causes_;
  Effect effects_;
  bool columns_change_;                    // of some joint; only then:
  std::vector<JointSlopes> joint_slopes_;  // per freedom, in world axes
  Extra extra_;
};

}  // namespace trammel::kernel
