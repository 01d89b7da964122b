// Constraint Jacobian of one connected component of rows in SIMD lanes: J^T, right-hand sides, and
// the decision whether the rows are as independent and as dependent as generically.
//
// A row is a wrench F at a point p, on the child and with the opposite sign on the parent. Its
// entry at a degree of freedom with axis S between the child and the lowest common ancestor of the
// two bodies is S . F, between the parent and that ancestor -S . F, with S at p; a coupling has its
// factors as entries.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "trammel/dynamics/kernel/instantiate.hpp"
#include "trammel/dynamics/kernel/loops/closed_motion.hpp"
#include "trammel/dynamics/kernel/loops/distance_row.hpp"
#include "trammel/dynamics/kernel/loops/elimination_schedule.hpp"
#include "trammel/dynamics/kernel/loops/row_components.hpp"
#include "trammel/dynamics/kernel/loops/tall_qr.hpp"
#include "trammel/dynamics/kernel/simd/row_register.hpp"
#include "trammel/dynamics/kernel/tree/articulated_update.hpp"
#include "trammel/model/dofs_between.hpp"

namespace trammel::kernel {

// Wrenches of the rows of a constraint at the present state, in world axes at p: those solved for,
// then the redundant ones. Acceleration of each row at a = 0.
template <Scalar S> struct WrenchesOfRows {
  static constexpr int most = 6;
  Vec3<S> p;
  Force<S> F[most];
  S acceleration[most];
  Mat3<S> R_WM;  // axes of a loop joint
};

// Of a loop joint or a rod; other groups have no wrenches.
template <Scalar S>
void evaluate_rows(const KernelInput<double, S>& input, const EliminationSchedule::RowGroup& group,
                   const ClosedMotion<S>& motion, WrenchesOfRows<S>& out) {
  if (group.kind == EliminationSchedule::ConstraintKind::coupling) return;
  const int C = group.child, Q = group.parent;
  const auto motion_at = [&](int body, const Vec3<S>& r) {
    return std::pair(shifted_to(r, motion.V[body]), shifted_to(r, motion.A[body]));
  };
  if (group.kind == EliminationSchedule::ConstraintKind::closure) {
    const ClosureNumbers<double>& where = input.numbers.closures[group.which];
    out.R_WM = motion.world.R_WB[C] * where.X_CM.R;
    const Vec3<S> to_child = motion.world.R_WB[C] * where.X_CM.p;
    out.p = motion.origins[C] + to_child;
    const auto [V_C, A_C] = motion_at(C, to_child);
    const auto [V_Q, A_Q] = motion_at(Q, out.p - motion.origins[Q]);
    const Motion<S> A = A_C - A_Q - cross(V_Q, V_C - V_Q);
    int row = 0;
    for (const auto* rows : {&group.kept, &group.watched})
      for (const Force<double>& F : *rows) {
        out.F[row] = turned(out.R_WM, Force<S>{F.moment, F.force});
        out.acceleration[row] = dot(A, out.F[row]);
        ++row;
      }
    return;
  }
  // rod
  const RodNumbers<double>& where = input.numbers.rods[group.which];
  const auto end = [&](int body, const Vec3<double>& point) {
    const Vec3<S> r = motion.world.R_WB[body] * point;
    const auto [V, A] = motion_at(body, r);
    // acceleration of the point as an observer measures it
    return std::array<Vec3<S>, 3>{motion.origins[body] + r, V.linear,
                                  A.linear + cross(V.angular, V.linear)};
  };
  const auto [p_from, v_from, a_from] = end(Q, where.on_parent);
  const auto [p_to, v_to, a_to] = end(C, where.on_child);
  const DistanceRow<S> row =
      distance_row<S>(p_to - p_from, v_to - v_from, a_to - a_from, S(where.length));
  out.p = p_to;
  out.F[0] = {{}, row.direction};
  out.acceleration[0] = row.acceleration;
}

template <Scalar S> class ComponentJacobian {
 public:
  ComponentJacobian(const Model& model, const EliminationSchedule& schedule,
                    const RowComponents::Component& component)
      : schedule_(schedule),
        component_(component),
        kept_(int(component.dofs.size()), component.kept),
        watched_(std::size_t(TallQr<S>::padded(dofs()) * component.watched)),
        scales_(std::size_t(component.kept + component.watched)),
        accelerations_(scales_.size()),
        turning_(component.dofs.size()),
        sliding_(turning_) {
    for (const int b : component.groups) {
      const EliminationSchedule::RowGroup& group = schedule.groups[b];
      std::vector<Passage>& path = paths_.emplace_back();
      if (group.kind == EliminationSchedule::ConstraintKind::coupling) continue;
      const int ancestor = common_ancestor(model, group.child, group.parent);
      const auto pass = [&](int i, bool is_child) {
        path.push_back({i, column(model.bodies()[i].v_start), is_child});
      };
      for (int i = group.child; i != ancestor; i = model.bodies()[i].parent) pass(i, true);
      for (int i = group.parent; i != ancestor; i = model.bodies()[i].parent) pass(i, false);
    }
  }

  int dofs() const { return int(component_.dofs.size()); }
  int kept() const { return component_.kept; }
  int watched() const { return component_.watched; }

  // `rows`: of all groups of the schedule.
  void evaluate(const KernelInput<double, S>& input, const ClosedMotion<S>& motion,
                const std::vector<WrenchesOfRows<S>>& rows) {
    for (int k = 0; k < kept(); ++k) std::fill_n(kept_.column(k), dofs(), S(0.0));
    std::fill(watched_.begin(), watched_.end(), S(0.0));
    std::fill(scales_.begin(), scales_.end(), S(0.0));
    for (std::size_t k = 0; k < component_.dofs.size(); ++k) {
      const auto& [angular, linear] = motion.world.axes[component_.dofs[k]];
      turning_[k] = S(2.0) * dot(angular, angular);
      sliding_[k] = S(2.0) * dot(linear, linear);
    }
    int next_kept = 0, next_watched = 0;
    for (std::size_t g = 0; g < paths_.size(); ++g) {
      const EliminationSchedule::RowGroup& group = schedule_.groups[component_.groups[g]];
      if (group.kind == EliminationSchedule::ConstraintKind::coupling) {
        write_coupling(input, group.which, next_kept++);
        continue;
      }
      const WrenchesOfRows<S>& wrenches = rows[component_.groups[g]];
      const int solved_for = group.rows, all = solved_for + int(group.watched.size());
      S* entries[WrenchesOfRows<S>::most];
      int places[WrenchesOfRows<S>::most];
      for (int row = 0; row < all; ++row) {
        const bool is_kept = row < solved_for;
        places[row] = is_kept ? next_kept++ : kept() + next_watched;
        entries[row] = is_kept ? kept_.column(places[row]) : watched(next_watched++);
        accelerations_[places[row]] = wrenches.acceleration[row];
      }
      for (int first = 0; first < all; first += lanes)
        write(input.model, motion, paths_[g], wrenches, first, std::min(lanes, all - first),
              entries + first, places + first);
    }
  }
  // Sum of the squares of J a - gamma over all rows; before factor().
  S residual(const std::vector<S>& a) {
    S sum{};
    for (int k = 0; k < kept() + watched(); ++k) {
      const S* const entries = k < kept() ? kept_.column(k) : watched(k - kept());
      S missed = accelerations_[k];
      for (int f = 0; f < dofs(); ++f) missed += entries[f] * a[component_.dofs[f]];
      sum += missed * missed;
    }
    return sum;
  }
  // Factors J^T = Q R of the rows solved for, and multiplies the redundant rows by Q^T. False, lane
  // by lane, where one of the rows is not surely independent, or a redundant one not surely
  // dependent on them.
  LaneMask<S> factor() {
    LaneMask<S> is_sure(true);
    kept_.factor();
    for (int k = 0; k < kept(); ++k)
      is_sure = is_sure &&
                kept_.diagonal(k) * kept_.diagonal(k) > square(surely_independent) * scales_[k];
    for (int k = 0; k < watched(); ++k) {
      S* const y = watched(k);
      kept_.apply_transpose(y);
      S left{};
      for (int f = kept(); f < dofs(); ++f) left += y[f] * y[f];
      is_sure = is_sure && left <= square(surely_dependent) * scales_[kept() + k];
    }
    return is_sure;
  }
  const TallQr<S>& qr() const { return kept_; }
  // Column of a redundant row, padded; after factor() Q^T times it.
  S* watched(int k) { return watched_.data() + std::ptrdiff_t(k) * TallQr<S>::padded(dofs()); }

 private:
  // Relative to the length that the row would have if no terms cancelled. Rows in between are left
  // to the decision with error bounds (docs/theory/rank.md).
  static constexpr double surely_independent = 1e-6, surely_dependent = 1e-12;
  static constexpr double square(double x) { return x * x; }

  using Register = RowRegister<S>;
  using R = typename Register::Type;
  static constexpr int lanes = Register::rows;

  struct Passage {
    int body;
    int column;  // of its first degree of freedom; the others of its joint follow
    bool is_child;
  };
  // Position of a degree of freedom in the component, or of the first one after it. A table of all
  // degrees of freedom in each component would need memory quadratic in the number of loops.
  int column(int dof) const {
    return int(std::ranges::lower_bound(component_.dofs, dof) - component_.dofs.begin());
  }
  // Entries and scales of as many rows as a register holds.
  [[gnu::flatten]] void write(const Model& model, const ClosedMotion<S>& motion,
                              const std::vector<Passage>& path, const WrenchesOfRows<S>& wrenches,
                              int first, int count, S* const* entries, const int* places) {
    S numbers[6][lanes] = {};
    for (int k = 0; k < count; ++k) {
      const auto& [n, f] = wrenches.F[first + k];
      numbers[0][k] = n.x, numbers[1][k] = n.y, numbers[2][k] = n.z;
      numbers[3][k] = f.x, numbers[4][k] = f.y, numbers[5][k] = f.z;
    }
    const auto load = [&](int c) { return Register::load(numbers[c]); };
    const Force<R> F{{load(0), load(1), load(2)}, {load(3), load(4), load(5)}};
    const R force = dot(F.force, F.force);
    R scale{};
    for (const auto& [body, first_column, is_child] : path) {
      const Vec3<R> to_p = wrenches.p - motion.origins[body];
      const Force<R> z = acting_at(to_p, F);
      const R moment = dot(z.moment, z.moment);
      int column = first_column;
      for (int f = model.bodies()[body].v_start; f < model.bodies()[body].v_end; ++f, ++column) {
        const Motion<R> axis = wide<R>(motion.world.axes[f]);
        const R entry = dot(axis, z);
        scale += R(turning_[column]) * moment + R(sliding_[column]) * force;
        S found[lanes];
        Register::store(is_child ? entry : -entry, found);
        for (int k = 0; k < count; ++k) entries[k][column] += found[k];
      }
    }
    S scales[lanes];
    Register::store(scale, scales);
    for (int k = 0; k < count; ++k) scales_[places[k]] += scales[k];
  }
  void write_coupling(const KernelInput<double, S>& input, int which, int row) {
    const Coupling& coupling = input.model.couplings()[which];
    accelerations_[row] = S(0.0);
    for (std::size_t t = 0; t < coupling.terms.size(); ++t) {
      const double factor = input.numbers.coupling_factors[coupling.factor_start + int(t)];
      kept_.column(row)[column(coupling.terms[t].v)] += S(factor);
      scales_[row] += S(factor * factor);
    }
  }

  const EliminationSchedule& schedule_;
  const RowComponents::Component& component_;
  std::vector<std::vector<Passage>> paths_;  // per group: the bodies whose joints it acts on
  TallQr<S> kept_;
  AlignedVector<S> watched_;
  std::vector<S> scales_, accelerations_;  // scales: squares of lengths
  std::vector<S> turning_, sliding_;       // per dof: twice the squares of its axis
};

}  // namespace trammel::kernel
