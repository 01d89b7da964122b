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
#include "trammel/dynamics/kernel/world_axes.hpp"

namespace trammel::kernel {

// What the velocity of a body has to do with how its force changes: 2 [B d; d x l].
struct CoriolisInertia {
  Mat3<double> B;
  Vec3<double> l;
};

// The answer for one pair of freedoms on a path: how the effort of the outer one depends on the
// inner one, and the inner one's on the outer. The third argument's block is the mass matrix, which
// is symmetric.
struct PairSlopes {
  double outer_q, outer_v, inner_q, inner_v, mass;
};

class EffortSlopes {
 public:
  explicit EffortSlopes(const Model& model);

  // Two sweeps. Cost O(bodies); allocates nothing.
  void prepare(const Scene<double, double>& scene, In<double> q, In<double> v, In<double> a);

  // tell(i, k, PairSlopes) for each freedom i and each k further in. Within one joint, and for i
  // with itself, tell_own(i, k, PairSlopes), once for each order; its inner slopes mean nothing.
  // Cost O(sum of depths).
  template <class Tell, class TellOwn>
  void for_each_pair(const Model& model, const Tell& tell, const TellOwn& tell_own) const;

  const WorldAxes<double>& world() const { return world_; }
  // Of each body alone, in world axes.
  const std::vector<Inertia<double>>& inertias() const { return inertia_; }

 private:
  using Quad = Pack<4>;
  struct Cause {  // of freedom k: E, G, S, S side by side
    Quad angular[3], linear[3];
    Vec3<double> d;
  };
  struct Effect {  // of freedom i: I S, I S, and the two changes that those further in carry
    Quad moment[3], force[3];
    Vec3<double> h;  // 2 (B^T s + l x u) of S = [s; u]: its product with d is what B and l add
  };
  PairSlopes meet(const Effect& outer, const Cause& inner, const Vec3<double>& from_inner) const;
  void move_outward(const Scene<double, double>& scene, In<double> v, In<double> a);
  void carry_inward(const Scene<double, double>& scene);

  WorldAxes<double> world_;
  Turns<double> turns_;
  std::vector<Motion<double>> columns_;       // per freedom: as the joints keep them
  std::vector<Motion<double>> V_, A_;         // per body
  std::vector<Inertia<double>> inertia_, I_;  // of the body alone, and with all beyond it
  std::vector<CoriolisInertia> coriolis_;     // with all beyond it
  std::vector<Force<double>> F_;              // with all beyond it
  std::vector<Motion<double>> D_, E_, G_;     // per freedom
  std::vector<Cause> causes_;
  std::vector<Effect> effects_;
  std::vector<JointSlopes> joint_slopes_;  // per freedom, in world axes; empty if no columns change
};

inline PairSlopes EffortSlopes::meet(const Effect& outer, const Cause& inner,
                                     const Vec3<double>& from_inner) const {
  const Quad rx = from_inner.x, ry = from_inner.y, rz = from_inner.z;
  const auto& [fx, fy, fz] = outer.force;
  const Quad nx = outer.moment[0] + ry * fz - rz * fy, ny = outer.moment[1] + rz * fx - rx * fz,
             nz = outer.moment[2] + rx * fy - ry * fx;
  const Quad power = inner.angular[0] * nx + inner.angular[1] * ny + inner.angular[2] * nz +
                     inner.linear[0] * fx + inner.linear[1] * fy + inner.linear[2] * fz;
  const auto S = [&](int c) { return c < 3 ? inner.angular[c][2] : inner.linear[c - 3][2]; };
  const Vec3<double>& h = outer.h;
  return {power[0] + dot(h, inner.d), power[1] + (h.x * S(0) + h.y * S(1) + h.z * S(2)), power[2],
          power[3],
          S(0) * nx[0] + S(1) * ny[0] + S(2) * nz[0] + S(3) * fx[0] + S(4) * fy[0] + S(5) * fz[0]};
}

template <class Tell, class TellOwn>
[[gnu::flatten]] void EffortSlopes::for_each_pair(const Model& model, const Tell& tell,
                                                  const TellOwn& tell_own) const {
  const std::span<const Body> bodies = model.bodies();
  for (int b = 1; b < int(bodies.size()); ++b) {
    const auto [first, end] = std::pair{bodies[b].v_start, bodies[b].v_end};
    for (int i = first; i < end; ++i) {
      for (int k = first; k < end; ++k) {
        PairSlopes own = meet(effects_[i], causes_[k], {});
        if (!joint_slopes_.empty()) own.outer_q += dot(joint_slopes_[k].columns[i - first], F_[b]);
        tell_own(i, k, own);
      }
      for (int j = bodies[b].parent; j > 0; j = bodies[j].parent) {
        const Vec3<double> r = world_.p[b] - world_.p[j];
        for (int k = bodies[j].v_start; k < bodies[j].v_end; ++k)
          tell(i, k, meet(effects_[i], causes_[k], r));
      }
    }
  }
}

}  // namespace trammel::kernel
