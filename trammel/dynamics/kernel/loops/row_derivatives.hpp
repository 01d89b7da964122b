// Derivatives of constraint rows and of their wrenches along directions, one in each SIMD lane: the
// rows of loop joints and of rods (docs/theory/derivatives.md, (13) to (15)). The rows of couplings
// are constant.
#pragma once

#include <vector>

#include "trammel/dynamics/kernel/loops/component_jacobian.hpp"
#include "trammel/dynamics/kernel/loops/motion_derivatives.hpp"

namespace trammel::kernel {

class RowDerivatives {
 public:
  explicit RowDerivatives(const EliminationSchedule& schedule)
      : schedule_(schedule), rows_(schedule.groups.size()), places_(schedule.groups.size()) {}

  // Rows at the state of `motion`; their wrenches with the multipliers lambda (of the rows solved
  // for, group after group) are added to its bodies.
  void load(const KernelInput<double, double>& input, In<double> lambda, const ClosedState& state,
            MotionDerivatives& motion);
  const std::vector<WrenchesOfRows<double>>& rows() const { return rows_; }

  // Change of the velocities J v, and of the accelerations J a - gamma, of the rows of a group that
  // are solved for, along the directions of the last passes of `motion`.
  void velocities(int group, const MotionDerivatives& motion, Lanes* out) const;
  void accelerations(int group, const MotionDerivatives& motion, Lanes* out) const;
  // Adds the changes of the wrenches, at constant multipliers, to the bodies.
  void add_loads(MotionDerivatives& motion) const;

 private:
  using Kind = EliminationSchedule::ConstraintKind;
  // Where a group acts, relative to the origins of its two bodies: a loop joint at one point, a rod
  // at its ends. Motion of the bodies there; the wrench on the child, at its point.
  struct Place {
    Vec3<double> to_child, to_parent;
    Motion<double> V_C, V_Q, A_C, A_Q;
    Force<double> W;
    double inverse_length = 0;  // of a rod
  };
  // Changes of the motion of both bodies at their points.
  struct Ends {
    Motion<Lanes> X_C, X_Q, D_C, D_Q;
  };
  Ends ends(int group, const MotionDerivatives& motion) const {
    const EliminationSchedule::RowGroup& where = schedule_.groups[group];
    const auto& [to_child, to_parent, V_C, V_Q, A_C, A_Q, W, inverse] = places_[group];
    return {
        shifted_to(to_child, motion.X(where.child)), shifted_to(to_parent, motion.X(where.parent)),
        shifted_to(to_child, motion.D(where.child)), shifted_to(to_parent, motion.D(where.parent))};
  }
  void write(int group, const Motion<Lanes>& change, Lanes* out) const {
    for (int row = 0; row < schedule_.groups[group].rows; ++row)
      out[row] = dot_wide(change, rows_[group].F[row]);
  }
  // Of a rod along u: change of u, and of the relative velocity of its ends.
  struct RodChange {
    Lanes along;  // u . w, the change of the length
    Vec3<Lanes> u, v;
  };
  RodChange rod_change(int group, const Ends& at) const {
    const Place& place = places_[group];
    const Vec3<double>& u = rows_[group].F[0].force;
    const Vec3<Lanes> w = at.X_C.linear - at.X_Q.linear;
    const Lanes along = dot(u, w);
    return {along, Lanes(place.inverse_length) * (w - along * u),
            at.D_C.linear + cross(at.X_C.angular, place.V_C.linear) - at.D_Q.linear -
                cross(at.X_Q.angular, place.V_Q.linear)};
  }

  const EliminationSchedule& schedule_;
  std::vector<WrenchesOfRows<double>> rows_;
  std::vector<Place> places_;
};

inline void RowDerivatives::load(const KernelInput<double, double>& input, In<double> lambda,
                                 const ClosedState& state, MotionDerivatives& motion) {
  std::size_t first = 0;
  for (std::size_t b = 0; b < rows_.size(); ++b) {
    const EliminationSchedule::RowGroup& group = schedule_.groups[b];
    const In<double> multipliers = lambda.subspan(first, std::size_t(group.rows));
    first += multipliers.size();
    if (group.kind == Kind::coupling) continue;
    evaluate_rows(input, group, state.motion, rows_[b]);
    Place& place = places_[b];
    const int C = group.child, Q = group.parent;
    place.to_child = rows_[b].p - state.motion.origins[C];
    Vec3<double> on_parent = rows_[b].p;
    if (group.kind == Kind::rod) {
      const RodNumbers<double>& rod = input.numbers.rods[group.which];
      on_parent = state.motion.origins[Q] + state.motion.world.R_WB[Q] * rod.on_parent;
      place.inverse_length = 1 / norm(rows_[b].p - on_parent);
    }
    place.to_parent = on_parent - state.motion.origins[Q];
    place.V_C = shifted_to(place.to_child, motion.V(C));
    place.A_C = shifted_to(place.to_child, motion.A(C));
    place.V_Q = shifted_to(place.to_parent, motion.V(Q));
    place.A_Q = shifted_to(place.to_parent, motion.A(Q));
    place.W = {};
    for (int row = 0; row < group.rows; ++row) place.W += multipliers[row] * rows_[b].F[row];
    motion.add_force(C, acting_at(place.to_child, place.W));
    motion.add_force(Q, -acting_at(place.to_parent, place.W));
  }
}

inline void RowDerivatives::velocities(int group, const MotionDerivatives& motion,
                                       Lanes* out) const {
  const Kind kind = schedule_.groups[group].kind;
  if (kind == Kind::coupling) {
    *out = Lanes(0.0);
    return;
  }
  const Ends at = ends(group, motion);
  const Place& place = places_[group];
  if (kind == Kind::closure)
    return write(group, at.D_C - at.D_Q - cross_wide(at.X_Q - at.X_C, place.V_Q), out);
  const RodChange change = rod_change(group, at);
  *out =
      dot(change.u, place.V_C.linear - place.V_Q.linear) + dot(rows_[group].F[0].force, change.v);
}

inline void RowDerivatives::accelerations(int group, const MotionDerivatives& motion,
                                          Lanes* out) const {
  const EliminationSchedule::RowGroup& where = schedule_.groups[group];
  if (where.kind == Kind::coupling) {
    *out = Lanes(0.0);
    return;
  }
  const Ends at = ends(group, motion);
  const Place& place = places_[group];
  const Motion<Lanes> E_C = shifted_to(place.to_child, motion.E(where.child)),
                      E_Q = shifted_to(place.to_parent, motion.E(where.parent));
  if (where.kind == Kind::closure) {  // (13)
    const Motion<Lanes> Y = at.X_Q - at.X_C;
    write(group,
          E_C - E_Q - cross_wide(Y, place.A_Q) +
              cross_wide(at.D_C - at.D_Q, place.V_C + place.V_Q) -
              cross_wide(cross_wide(Y, place.V_Q), place.V_C),
          out);
    return;
  }
  // (14)
  const RodChange change = rod_change(group, at);
  const auto relative = [](const Motion<double>& A_C, const Motion<double>& V_C) {
    return A_C.linear + cross(V_C.angular, V_C.linear);  // of a material point
  };
  const Vec3<double> a_C = relative(place.A_C, place.V_C), a_Q = relative(place.A_Q, place.V_Q);
  const auto changed = [](const Motion<Lanes>& X, const Motion<Lanes>& D, const Motion<Lanes>& E,
                          const Vec3<double>& v, const Vec3<double>& a) {
    return E.linear + cross(X.angular, a) + Lanes(2.0) * cross(D.angular, v);
  };
  const Vec3<Lanes> a_change = changed(at.X_C, at.D_C, E_C, place.V_C.linear, a_C) -
                               changed(at.X_Q, at.D_Q, E_Q, place.V_Q.linear, a_Q);
  const Vec3<double>& u = rows_[group].F[0].force;
  const Vec3<double> v = place.V_C.linear - place.V_Q.linear, a = a_C - a_Q;
  const double speed = dot(u, v), swing = dot(v, v) - speed * speed;
  const Lanes swing_change =
      Lanes(2.0) * (dot(v, change.v) - Lanes(speed) * (dot(change.u, v) + dot(u, change.v)));
  *out = dot(change.u, a) + dot(u, a_change) +
         Lanes(place.inverse_length) *
             (swing_change - Lanes(swing * place.inverse_length) * change.along);
}

// (15)
inline void RowDerivatives::add_loads(MotionDerivatives& motion) const {
  for (std::size_t b = 0; b < rows_.size(); ++b) {
    const EliminationSchedule::RowGroup& group = schedule_.groups[b];
    if (group.kind == Kind::coupling) continue;
    const Place& place = places_[b];
    const Motion<Lanes> X_C = shifted_to(place.to_child, motion.X(group.child)),
                        X_Q = shifted_to(place.to_parent, motion.X(group.parent));
    if (group.kind == Kind::closure) {
      motion.add_load(group.parent, acting_at(place.to_parent, cross_wide(X_Q - X_C, place.W)));
      continue;
    }
    const Vec3<double>& u = rows_[b].F[0].force;
    const double lambda = dot(place.W.force, u);
    const Vec3<Lanes> w = X_C.linear - X_Q.linear,
                      u_change = Lanes(place.inverse_length) * (w - dot(u, w) * u);
    const auto relative_to = [&](const Motion<Lanes>& X) {
      return Force<Lanes>{{}, Lanes(lambda) * (u_change - cross(X.angular, u))};
    };
    motion.add_load(group.child, acting_at(place.to_child, relative_to(X_C)));
    motion.add_load(group.parent, acting_at(place.to_parent, -relative_to(X_Q)));
  }
}

}  // namespace trammel::kernel
