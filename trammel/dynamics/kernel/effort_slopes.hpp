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

  // The first sweep, outward. After it, world() and inertias() are known.
  void move(const Scene<double, double>& scene, In<double> q, In<double> v, In<double> a);
  // Between the two, if the accelerations were not known before: the same motion, but with these on
  // top of those it was moved with.
  void accelerate(const Model& model, In<double> a);
  // The second, inward. Each costs O(bodies) and allocates nothing.
  void gather(const Model& model);

  // tell(i, k, PairSlopes) for each freedom i and each k further in. Within one joint, and for i
  // with itself, tell_own(i, k, PairSlopes), once for each order; its inner slopes mean nothing.
  // Cost O(sum of depths).
  template <class Tell, class TellOwn>
  void for_each_pair(const Model& model, const Tell& tell, const TellOwn& tell_own) const;

  const WorldAxes<double>& world() const { return world_; }
  // Between the sweeps: of each body alone, in world axes; and the force it takes.
  const std::vector<Inertia<double>>& inertias() const { return I_; }
  const std::vector<Force<double>>& forces() const { return F_; }

 private:
  using Quad = Pack<4>;
  // Three components, four of a kind side by side.
  struct Quads {
    alignas(32) double x[4] = {}, y[4] = {}, z[4] = {};
    void set(std::size_t lane, const Vec3<double>& a) {
      x[lane] = a.x;
      y[lane] = a.y;
      z[lane] = a.z;
    }
    void set(const Vec3<double>& a, const Vec3<double>& b, const Vec3<double>& c,
             const Vec3<double>& d) {
      set(0, a);
      set(1, b);
      set(2, c);
      set(3, d);
    }
    Vec3<double> operator[](std::size_t lane) const { return {x[lane], y[lane], z[lane]}; }
  };
  struct Cause {            // of freedom k
    Quads angular, linear;  // E, G, S, S
    Quads turn;             // the angular parts of D and S, 0, 0: what meets h
  };
  struct Effect {         // of freedom i
    Quads moment, force;  // I S, I S, and the changes by q and by v that those further in carry
    Vec3<double> h;       // 2 (B^T s + l x u) of S = [s; u]: times d it is what B and l add
  };
  struct Force4;  // an effect in registers
  static PairSlopes meet(const Force4& outer, const Cause& inner, const Vec3<double>& from_inner);

  WorldAxes<double> world_;
  Turns<double> turns_;
  std::vector<Motion<double>> columns_;    // per freedom: as the joints keep them
  std::vector<Motion<double>> V_, A_;      // per body
  std::vector<Inertia<double>> I_;         // of the body, then with all beyond it
  std::vector<CoriolisInertia> coriolis_;  // the same
  std::vector<Force<double>> F_;           // the same
  std::vector<Cause> causes_;              // per freedom
  std::vector<Effect> effects_;
  std::vector<JointSlopes> joint_slopes_;  // per freedom, in world axes; empty if no columns change
};

struct EffortSlopes::Force4 {
  explicit Force4(const Effect& effect)
      : nx(load(effect.moment.x)),
        ny(load(effect.moment.y)),
        nz(load(effect.moment.z)),
        fx(load(effect.force.x)),
        fy(load(effect.force.y)),
        fz(load(effect.force.z)),
        hx(effect.h.x),
        hy(effect.h.y),
        hz(effect.h.z) {}
  static Quad load(const double* x) { return Quad(Quad::Lanes(x, stdx::element_aligned)); }
  Quad nx, ny, nz, fx, fy, fz, hx, hy, hz;
};

inline PairSlopes EffortSlopes::meet(const Force4& outer, const Cause& inner,
                                     const Vec3<double>& from_inner) {
  const auto load = [](const double* x) { return Force4::load(x); };
  const Quad rx = from_inner.x, ry = from_inner.y, rz = from_inner.z;
  const auto& [nx, ny, nz, fx, fy, fz, hx, hy, hz] = outer;
  const Quad mx = nx + ry * fz - rz * fy, my = ny + rz * fx - rx * fz, mz = nz + rx * fy - ry * fx;
  const auto& [w, u, turn] = inner;
  const Quad power = (load(w.x) * mx + load(w.y) * my + load(w.z) * mz) +
                     (load(u.x) * fx + load(u.y) * fy + load(u.z) * fz) +
                     (load(turn.x) * hx + load(turn.y) * hy + load(turn.z) * hz);
  return {power[0], power[1], power[2], power[3],
          w.x[2] * mx[0] + w.y[2] * my[0] + w.z[2] * mz[0] + u.x[2] * fx[0] + u.y[2] * fy[0] +
              u.z[2] * fz[0]};
}

template <class Tell, class TellOwn>
[[gnu::flatten]] void EffortSlopes::for_each_pair(const Model& model, const Tell& tell,
                                                  const TellOwn& tell_own) const {
  const std::span<const Body> bodies = model.bodies();
  for (int b = 1; b < int(bodies.size()); ++b) {
    const int first = bodies[b].v_start, end = bodies[b].v_end;
    for (int i = first; i < end; ++i) {
      const Force4 effect(effects_[i]);
      for (int k = first; k < end; ++k) {
        PairSlopes own = meet(effect, causes_[k], {});
        if (!joint_slopes_.empty()) own.outer_q += dot(joint_slopes_[k].columns[i - first], F_[b]);
        tell_own(i, k, own);
      }
      for (int j = bodies[b].parent; j > 0; j = bodies[j].parent) {
        const Vec3<double> r = world_.p[b] - world_.p[j];
        for (int k = bodies[j].v_start; k < bodies[j].v_end; ++k)
          tell(i, k, meet(effect, causes_[k], r));
      }
    }
  }
}

}  // namespace trammel::kernel
