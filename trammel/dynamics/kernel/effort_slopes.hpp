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

#include "trammel/dynamics/kernel/joint_slopes.hpp"
#include "trammel/dynamics/kernel/path_tiles.hpp"
#include "trammel/dynamics/kernel/world_axes.hpp"

namespace trammel::kernel {

// What the velocity of a body has to do with how its force changes: 2 [B d; d x l].
struct CoriolisInertia {
  Mat3<double> B;
  Vec3<double> l;
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
  void gather(const Model& model);

  // All slopes of the efforts by q, by v and by a (the mass matrix), all with the same stride.
  // Pairs that are not on a path are not written: they are zero. Cost O(sum of depths).
  void write(const Model& model, const MatrixSpan<double>& by_q, const MatrixSpan<double>& by_v,
             const MatrixSpan<double>& by_a) const;
  // Those by q and by v, row after row.
  void write_rows(const Model& model, double* by_q, double* by_v, std::ptrdiff_t stride) const;
  // Whether no pair is left out.
  bool writes_all() const { return tiles_.is_one_path(); }

  const WorldAxes<double>& world() const { return world_; }
  // Between the sweeps: of each body alone, in world axes; and the force it takes.
  const std::vector<Inertia<double>>& inertias() const { return I_; }
  const std::vector<Force<double>>& forces() const { return F_; }

 private:
  // What a freedom does to all beyond it, as rows: E, G, S, the angular part of D, and the place.
  enum Cause {
    E_angular = 0,
    E_linear = 3,
    G_angular = 6,
    G_linear = 9,
    S_angular = 12,
    S_linear = 15,
    D_angular = 18,
    place = 21,
    causes = 24
  };
  struct Effect {                    // of freedom i
    Force<double> by_a, by_q, by_v;  // I S, and the changes that those further in carry
    Vec3<double> h;                  // 2 (B^T s + l x u) of S = [s; u]: times d, what B and l add
    Vec3<double> p;
  };
  struct Registers;
  template <bool by_rows, int n> struct OfPairs;
  template <bool by_rows, int n>
  void write_all(const Model& model, const TiledMatrices<double, n>& slopes) const;
  Vec3<double> cause(int k, int which) const { return causes_.vector_of(k, which); }

  WorldAxes<double> world_;
  Turns<double> turns_;
  std::vector<Motion<double>> columns_;    // per freedom: as the joints keep them
  std::vector<Motion<double>> V_, A_;      // per body
  std::vector<Inertia<double>> I_;         // of the body, then with all beyond it
  std::vector<CoriolisInertia> coriolis_;  // the same
  std::vector<Force<double>> F_;           // the same
  RowGroups<double, causes> causes_;       // per freedom
  std::vector<Effect> effects_;
  PathTiles tiles_;
  std::vector<JointSlopes> joint_slopes_;  // per freedom, in world axes; empty if no columns change
};

}  // namespace trammel::kernel
