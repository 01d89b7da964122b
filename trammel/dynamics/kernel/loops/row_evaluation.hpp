// Constraint rows at a state: constraint wrenches z and right-hand sides b of the row groups, in
// world axes, for the propagation (propagated_rows.hpp), and the residuals of all rows.
//
// A row is F^T A, F its wrench and A the relative acceleration of the two bodies at a common point:
// z = F shifted to the origin of the child, and -F to that of the parent; b = F^T A at a = 0. Its
// position and velocity residuals have the relative displacement and velocity in place of A.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <numeric>
#include <span>
#include <vector>

#include "trammel/dynamics/kernel/loops/closed_motion.hpp"
#include "trammel/dynamics/kernel/loops/distance_row.hpp"
#include "trammel/dynamics/kernel/loops/propagated_rows.hpp"

namespace trammel::kernel {

// Right-hand side of the rows: their acceleration at a = 0, their velocity, or their position
// violation.
enum class RowLevel { acceleration, velocity, position };

template <Scalar S> class RowEvaluation {
 public:
  using Register = RowRegister<S>;
  using R = typename Register::Type;
  static constexpr int lanes = Register::rows;

  explicit RowEvaluation(const EliminationSchedule& schedule) : schedule_(schedule) {
    for (const EliminationSchedule::RowGroup& group : schedule.groups) {
      LoopJointRows place;
      place.kept = in_registers(group.kept);
      place.watched = in_registers(group.watched);
      place.watched_now = place.watched;
      places_.push_back(place);
    }
    const std::size_t groups = schedule.groups.size();
    for (std::vector<S>* of_groups : {&error_, &rate_, &left_, &largest_})
      of_groups->resize(groups);
    all_groups_.resize(groups);
    std::iota(all_groups_.begin(), all_groups_.end(), 0);
  }

  // Evaluates the rows at the poses and the motion at a = 0, and the position and velocity
  // residuals.
  template <Scalar P>
  void evaluate(const KernelInput<P, S>& input, const ClosedMotion<S>& motion, In<S> q, In<S> v,
                In<S> a_wanted, RowLevel level, PropagatedRows<S>& rows,
                BasicConstraintResiduals<S>& residuals) {
    rows.clear();
    evaluate(all_groups_, input, motion, q, v, a_wanted, level, rows);
    sum_violations(residuals);
  }
  // The same of some groups, after rows.clear(); then the sums over all groups.
  template <Scalar P>
  void evaluate(std::span<const int> groups, const KernelInput<P, S>& input,
                const ClosedMotion<S>& motion, In<S> q, In<S> v, In<S> a_wanted, RowLevel level,
                PropagatedRows<S>& rows) {
    for (const int b : groups) {
      const EliminationSchedule::RowGroup& group = schedule_.groups[b];
      S error{}, rate{};
      switch (group.kind) {
        case EliminationSchedule::ConstraintKind::closure:
          evaluate_loop_joint(b, input.numbers.closures[group.which], motion, level, rows, error,
                              rate);
          break;
        case EliminationSchedule::ConstraintKind::rod:
          evaluate_rod(b, input.numbers.rods[group.which], motion, level, rows, error, rate);
          break;
        case EliminationSchedule::ConstraintKind::coupling: {
          const Coupling& coupling = input.model.couplings()[group.which];
          S sum = -S(input.numbers.coupling_offsets[group.which]), speed{};
          for (std::size_t t = 0; t < coupling.terms.size(); ++t) {
            const P& factor = input.numbers.coupling_factors[coupling.factor_start + int(t)];
            sum += factor * q[coupling.terms[t].q];
            speed += factor * v[coupling.terms[t].v];
          }
          error += sum * sum;
          rate += speed * speed;
          rows.set_bias(b, one_of(level, S(0.0), speed, sum));
          break;
        }
        case EliminationSchedule::ConstraintKind::given:
          for (const auto& [body, entry] : group.ends)
            std::fill_n(rows.wrenches(entry), rows.registers(b), Force<R>{});
          rows.set_bias(b, S(0.0));
          break;
        case EliminationSchedule::ConstraintKind::dof:
          if (group.is_locked) rate += v[group.which] * v[group.which];
          rows.set_bias(
              b,
              one_of(level, group.is_locked || a_wanted.empty() ? S(0.0) : -a_wanted[group.which],
                     group.is_locked ? v[group.which] : S(0.0), S(0.0)));
      }
      error_[b] = error;
      rate_[b] = rate;
    }
  }
  void sum_violations(BasicConstraintResiduals<S>& residuals) const {
    residuals.error = std::accumulate(error_.begin(), error_.end(), S{});
    residuals.rate = std::accumulate(rate_.begin(), rate_.end(), S{});
  }

  // After evaluation: takes over the rows that the caller evaluated.
  void load_given(const GivenRows& given, const ClosedMotion<S>& motion,
                  PropagatedRows<S>& rows) const {
    for (const GivenRow& row : given.rows)
      if (row.row < schedule_.groups[row.group].rows)
        rows.bias(row.group)[row.row] = S(row.acceleration);
    for (const GivenWrench& push : given.pushes) {
      const EliminationSchedule::RowGroup& group = schedule_.groups[push.group];
      if (push.row >= group.rows) continue;
      for (const auto& [body, entry] : group.ends)
        if (body == push.body)
          add_in_lane(push.row % lanes, at(push, motion), rows.wrenches(entry)[push.row / lanes]);
    }
  }
  // Adds the acceleration residuals of the redundant ones among them.
  void monitor(const GivenRows& given, const ClosedMotion<S>& motion,
               const std::vector<Motion<S>>& accelerations,
               BasicConstraintResiduals<S>& residuals) const {
    for (const GivenRow& row : given.rows) {
      if (row.row < schedule_.groups[row.group].rows) continue;
      S miss(row.acceleration);
      for (const GivenWrench& push : given.pushes) {
        if (push.group != row.group || push.row != row.row) continue;
        miss += dot(accelerations[push.body], at(push, motion));
        const auto& [alpha, a] = accelerations[push.body];
        residuals.largest += dot(alpha, alpha) + dot(a, a);
      }
      residuals.left += miss * miss;
      residuals.largest += S(row.acceleration * row.acceleration);
    }
  }

  // Acceleration residuals of the redundant rows of some groups, which were not solved for; then
  // the sums over all groups.
  void monitor(std::span<const int> groups, const std::vector<Motion<S>>& accelerations) {
    for (const int b : groups) {
      const LoopJointRows& place = places_[b];
      if (place.watched.empty()) continue;
      S left{}, largest{};
      const EliminationSchedule::RowGroup& group = schedule_.groups[b];
      const Motion<S> A = place.A + shifted_to(place.to_child, accelerations[group.child]) -
                          shifted_to(place.to_parent, accelerations[group.parent]);
      for (const Force<R>& F : place.watched_now) {
        const R miss = dot(Motion<R>{A.angular, A.linear}, F);
        left += sum_of_rows<S>(miss * miss);
      }
      for (const Motion<S>& A_i :
           {accelerations[group.child], accelerations[group.parent], place.A})
        largest += dot(A_i.angular, A_i.angular) + dot(A_i.linear, A_i.linear);
      left_[b] = left;
      largest_[b] = largest;
    }
  }
  void sum_monitored(BasicConstraintResiduals<S>& residuals) const {
    residuals.left = std::accumulate(left_.begin(), left_.end(), S{});
    residuals.largest = std::accumulate(largest_.begin(), largest_.end(), S{});
  }

 private:
  // Wrenches of a loop joint in M's axes: rows that are solved for, redundant rows.
  struct LoopJointRows {
    std::vector<Force<R>> kept, watched;
    // at the present state, in world axes at M: redundant rows, relative acceleration, position of
    // M
    std::vector<Force<R>> watched_now;
    Motion<S> A;
    Vec3<S> to_child, to_parent;
  };
  static std::vector<Force<R>> in_registers(const std::vector<Force<double>>& rows) {
    std::vector<Force<R>> packed;
    for (std::size_t first = 0; first < rows.size(); first += lanes) {
      S numbers[6][lanes] = {};
      for (std::size_t k = first; k < std::min(rows.size(), first + lanes); ++k) {
        const auto& [n, f] = rows[k];
        const double row[6] = {n.x, n.y, n.z, f.x, f.y, f.z};
        for (std::size_t c = 0; c < 6; ++c) numbers[c][k - first] = S(row[c]);
      }
      const auto load = [&](int c) { return Register::load(numbers[c]); };
      packed.push_back({{load(0), load(1), load(2)}, {load(3), load(4), load(5)}});
    }
    return packed;
  }
  // Wrench of a given row at the origin of its body.
  static Force<S> at(const GivenWrench& push, const ClosedMotion<S>& motion) {
    return acting_at(Vec3<S>(push.p) - motion.origins[push.body],
                     Force<S>{push.F.moment, push.F.force});
  }
  static Force<R> in_lane(int lane, const Force<S>& F) {
    const auto alone = [&](const S& x) {
      S numbers[lanes] = {};
      numbers[lane] = x;
      return Register::load(numbers);
    };
    const auto& [n, f] = F;
    return {{alone(n.x), alone(n.y), alone(n.z)}, {alone(f.x), alone(f.y), alone(f.z)}};
  }
  // Lane by lane: loading a register from memory just written number by number would stall.
  static void add_in_lane(int lane, const Force<S>& F, Force<R>& sum) {
    if constexpr (std::same_as<R, S>) {
      sum += F;
    } else {
      const auto add = [&](R& to, const S& x) { to.lanes[lane] = to.lanes[lane] + x; };
      add(sum.moment.x, F.moment.x), add(sum.moment.y, F.moment.y), add(sum.moment.z, F.moment.z);
      add(sum.force.x, F.force.x), add(sum.force.y, F.force.y), add(sum.force.z, F.force.z);
    }
  }
  static R squared(const R& x) { return x * x; }
  template <class T>
  static const T& one_of(RowLevel level, const T& acceleration, const T& velocity,
                         const T& position) {
    if (level == RowLevel::acceleration) return acceleration;
    return level == RowLevel::velocity ? velocity : position;
  }

  // Loop joint: F constant in M's axes, A and V relative to the turning parent, the displacement as
  // rotation vector to first order and translation.
  template <Scalar P>
  [[gnu::flatten]] void evaluate_loop_joint(int b, const ClosureNumbers<P>& where,
                                            const ClosedMotion<S>& motion, RowLevel level,
                                            PropagatedRows<S>& rows, S& error, S& rate) {
    const EliminationSchedule::RowGroup& group = schedule_.groups[b];
    LoopJointRows& place = places_[b];
    const int C = group.child, Q = group.parent;
    const Mat3<S>&R_C = motion.world.R_WB[C], &R_Q = motion.world.R_WB[Q];
    const Mat3<S> R_M = R_C * where.X_CM.R;
    const Vec3<S> to_child = R_C * where.X_CM.p;
    const Vec3<S> p_M = motion.origins[C] + to_child;
    const Vec3<S> to_parent = p_M - motion.origins[Q];
    const Motion<S> V_Q = shifted_to(to_parent, motion.V[Q]);
    const Motion<S> V = shifted_to(to_child, motion.V[C]) - V_Q;
    const Motion<S> A =
        shifted_to(to_child, motion.A[C]) - shifted_to(to_parent, motion.A[Q]) - cross(V_Q, V);
    Motion<S> open{{}, to_parent - R_Q * where.X_PF.p};
    if (group.alignment != EliminationSchedule::Alignment::none) {
      const Mat3<S> R_F = R_Q * where.X_PF.R;
      if (group.alignment == EliminationSchedule::Alignment::z) {
        open.angular = cross(R_F.z, R_M.z);
        turned_over(dot(R_F.z, R_M.z), error);
      } else {
        const S half(0.5);
        open.angular = half * (cross(R_F.x, R_M.x) + cross(R_F.y, R_M.y) + cross(R_F.z, R_M.z));
        turned_over(dot(R_F.x, R_M.x) + dot(R_F.y, R_M.y) + dot(R_F.z, R_M.z) - S(1.0), error);
      }
      // the translation is measured in F's axes: in M's axes it would contain tilt times slide,
      // which the rows do not, and Newton's method would need one step more
      open.linear = open.linear + cross(open.angular, open.linear);
    }
    const Mat3<R> R_wide = R_M;
    const Motion<R> V_wide{V.angular, V.linear}, open_wide{open.angular, open.linear};
    const auto& [angular, linear] = one_of(level, A, V, open);
    const Motion<R> rhs_wide{angular, linear};
    R errors{}, rates{};
    S* const bias = rows.bias(b);
    const int registers = rows.registers(b);
    for (int r = 0; r < registers; ++r) {
      const Force<R> F = turned(R_wide, place.kept[r]);
      errors += squared(dot(open_wide, F));
      rates += squared(dot(V_wide, F));
      Register::store(dot(rhs_wide, F), bias + r * lanes);
      if (group.child_entry >= 0) rows.wrenches(group.child_entry)[r] = acting_at(to_child, F);
      if (group.parent_entry >= 0) {
        Force<R>& z = rows.wrenches(group.parent_entry)[r];
        const Force<R> opposite = -acting_at(to_parent, F);
        z = group.parent_entry == group.child_entry ? z + opposite : opposite;
      }
    }
    for (std::size_t r = 0; r < place.watched.size(); ++r) {
      const Force<R> F = turned(R_wide, place.watched[r]);
      errors += squared(dot(open_wide, F));
      rates += squared(dot(V_wide, F));
      place.watched_now[r] = F;
    }
    error += sum_of_rows<S>(errors);
    rate += sum_of_rows<S>(rates);
    place.A = A;
    place.to_child = to_child;
    place.to_parent = to_parent;
  }
  // opposite axes have a zero cross product, too: counts as a violation of 1
  static void turned_over(const S& cosine, S& error) {
    if constexpr (std::same_as<S, double>)
      error += cosine > 0 ? 0.0 : 1.0;
    else
      error += select(cosine > S(0.0), S(0.0), S(1.0));
  }

  // Rod: one row, a unit force along it (distance_row.hpp).
  template <Scalar P>
  void evaluate_rod(int b, const RodNumbers<P>& where, const ClosedMotion<S>& motion,
                    RowLevel level, PropagatedRows<S>& rows, S& error, S& rate) const {
    const EliminationSchedule::RowGroup& group = schedule_.groups[b];
    const auto end = [&](int body, const Vec3<P>& at) {
      const Vec3<S> from_origin = motion.world.R_WB[body] * at;
      const auto& [w, v] = motion.V[body];
      const auto& [alpha, a] = motion.A[body];
      // acceleration of the material point: a + alpha x r + w x v, with a spatial, v its velocity
      const Vec3<S> speed = v + cross(w, from_origin);
      return std::array<Vec3<S>, 4>{from_origin, motion.origins[body] + from_origin, speed,
                                    a + cross(alpha, from_origin) + cross(w, speed)};
    };
    const auto [to_parent, p_from, v_from, a_from] = end(group.parent, where.on_parent);
    const auto [to_child, p_to, v_to, a_to] = end(group.child, where.on_child);
    const DistanceRow<S> row =
        distance_row<S>(p_to - p_from, v_to - v_from, a_to - a_from, S(where.length));
    error += row.error * row.error;
    rate += row.rate * row.rate;
    rows.set_bias(b, one_of(level, row.acceleration, row.rate, row.error));
    const Force<R> F = in_lane(0, Force<S>{{}, row.direction});
    if (group.child_entry >= 0) *rows.wrenches(group.child_entry) = acting_at(to_child, F);
    if (group.parent_entry >= 0) {
      Force<R>& z = *rows.wrenches(group.parent_entry);
      const Force<R> opposite = -acting_at(p_to - motion.origins[group.parent], F);
      z = group.parent_entry == group.child_entry ? z + opposite : opposite;
    }
  }

  const EliminationSchedule& schedule_;
  std::vector<LoopJointRows> places_;  // per row group; empty unless it is a loop joint
  std::vector<int> all_groups_;
  // per row group: violations of its rows, and acceleration residuals with their scale
  std::vector<S> error_, rate_, left_, largest_;
};

}  // namespace trammel::kernel
