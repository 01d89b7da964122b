// Constraint rows propagated inward (Popov-Vereshchagin recursion, see closed_dynamics.hpp): row
// group by row group, the rows of a group side by side in registers. Symbols: z, the wrench of a
// row at a body; g = S^T z, its gain at a degree of freedom; D = S^T I_A S.
#pragma once

#include <concepts>
#include <span>

#include "trammel/dynamics/kernel/loops/closed_dynamics.hpp"
#include "trammel/dynamics/kernel/loops/closed_motion.hpp"
#include "trammel/dynamics/kernel/loops/distance_row.hpp"
#include "trammel/dynamics/kernel/simd/row_register.hpp"
#include "trammel/model/build/parameters.hpp"

namespace trammel::kernel {

// Sum over the rows in a register: of doubles; scalars that are SIMD already hold one row.
template <Scalar S> S sum_of_rows(const typename RowRegister<S>::Type& x) {
  if constexpr (RowRegister<S>::rows > 1)
    return stdx::reduce(x.simd());
  else
    return x;
}

// Right-hand side of the rows: their acceleration at a = 0, their velocity, or their position
// violation.
enum class RowLevel { acceleration, velocity, position };

template <Scalar S> class PropagatedRows {
 public:
  using Register = RowRegister<S>;
  using R = typename Register::Type;
  static constexpr int lanes = Register::rows;
  static int registers_for(int rows) { return (rows + lanes - 1) / lanes; }

  explicit PropagatedRows(const EliminationSchedule& schedule) : schedule_(schedule) {
    int row = 0, z = 0;
    for (const EliminationSchedule::RowGroup& group : schedule.groups) {
      Place place;
      place.registers = registers_for(group.rows);
      place.first_row = row;
      place.kept = in_registers(group.kept);
      place.watched = in_registers(group.watched);
      place.watched_now = place.watched;
      places_.push_back(place);
      row += place.registers * lanes;
    }
    bias_.resize(std::size_t(row));
    multipliers_.resize(std::size_t(row));
    measure_.resize(std::size_t(row));
    begins_here_.resize(schedule.entries.size());
    const auto begins = [&](int entry) {
      if (entry >= 0) begins_here_[std::size_t(entry)] = true;
    };
    for (const EliminationSchedule::RowGroup& group : schedule.groups) {
      begins(group.child_entry);
      begins(group.parent_entry);
      for (const auto& [body, entry] : group.ends) begins(entry);
    }
    for (std::size_t e = 0; e < schedule.entries.size(); ++e)
      if (schedule.entries[e].direct_begin < schedule.entries[e].direct_end) begins(int(e));
    gain_start_.resize(std::size_t(schedule.gains) + 1);
    int numbers = 0;
    for (const EliminationSchedule::Entry& entry : schedule.entries) {
      z_start_.push_back(z);
      z += places_[entry.group].registers;
    }
    z_.resize(std::size_t(z));
    // gains of an entry are consecutive
    for (std::size_t e = 0; e < schedule.entries.size(); ++e) {
      const int registers = places_[schedule.entries[e].group].registers;
      const int end =
          e + 1 < schedule.entries.size() ? schedule.entries[e + 1].gain : schedule.gains;
      for (int g = schedule.entries[e].gain; g < end; ++g) {
        gain_start_[g] = numbers;
        numbers += registers * lanes;
      }
    }
    gains_.resize(std::size_t(numbers));
    scaled_.resize(std::size_t(numbers));
  }

  // Evaluates the rows at the poses and the motion at a = 0, and the position and velocity
  // residuals.
  template <Scalar P>
  void evaluate(const KernelInput<P, S>& input, const ClosedMotion<S>& motion, In<S> q, In<S> v,
                In<S> a_wanted, RowLevel level, BasicConstraintResiduals<S>& residuals) {
    for (std::size_t e = 0; e < schedule_.entries.size(); ++e)
      if (schedule_.entries[e].is_new)
        std::fill_n(z_.data() + z_start_[e], places_[schedule_.entries[e].group].registers,
                    Force<R>{});
    std::fill(measure_.begin(), measure_.end(), S(0.0));
    S error{}, rate{};
    for (std::size_t b = 0; b < places_.size(); ++b) {
      const EliminationSchedule::RowGroup& group = schedule_.groups[b];
      switch (group.kind) {
        case EliminationSchedule::ConstraintKind::closure:
          evaluate_loop_joint(group, places_[b], input.numbers.closures[group.which], motion, level,
                              error, rate);
          break;
        case EliminationSchedule::ConstraintKind::rod:
          evaluate_rod(group, places_[b], input.numbers.rods[group.which], motion, level, error,
                       rate);
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
          set_bias(places_[b], one_of(level, S(0.0), speed, sum));
          break;
        }
        case EliminationSchedule::ConstraintKind::given:
          for (const auto& [body, entry] : group.ends)
            std::fill_n(wrenches(entry), places_[b].registers, Force<R>{});
          set_bias(places_[b], S(0.0));
          break;
        case EliminationSchedule::ConstraintKind::dof:
          if (group.is_locked) rate += v[group.which] * v[group.which];
          set_bias(
              places_[b],
              one_of(level, group.is_locked || a_wanted.empty() ? S(0.0) : -a_wanted[group.which],
                     group.is_locked ? v[group.which] : S(0.0), S(0.0)));
      }
    }
    residuals.error = error;
    residuals.rate = rate;
  }

  // After evaluation: takes over the rows that the caller evaluated.
  void load_given(const GivenRows& given, const ClosedMotion<S>& motion) {
    for (const GivenRow& row : given.rows)
      if (row.row < schedule_.groups[row.group].rows)
        bias(row.group)[row.row] = S(row.acceleration);
    for (const GivenWrench& push : given.pushes) {
      const EliminationSchedule::RowGroup& group = schedule_.groups[push.group];
      if (push.row >= group.rows) continue;
      for (const auto& [body, entry] : group.ends)
        if (body == push.body)
          add_in_lane(push.row % lanes, at(push, motion), wrenches(entry)[push.row / lanes]);
    }
  }
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

  // View of the wrenches of an entry.
  struct EntryView {
    Force<R>* z;
    int registers, gain, bias;
    bool has_directs;
  };
  EntryView entry(int e) {
    const EliminationSchedule::Entry& entry = schedule_.entries[e];
    const Place& place = places_[entry.group];
    return {z_.data() + z_start_[e], place.registers, gain_start_[entry.gain], place.first_row,
            entry.direct_begin < entry.direct_end};
  }
  template <Scalar P> R direct(const ModelParameters<P>& numbers, int e, int k, int r) const {
    const EliminationSchedule::Entry& entry = schedule_.entries[e];
    S first[lanes] = {};
    for (int d = entry.direct_begin; d < entry.direct_end; ++d) {
      const EliminationSchedule::Direct& direct = schedule_.directs[d];
      if (r == 0 && direct.gain == entry.gain + k)
        first[0] += direct.factor < 0 ? S(1.0) : S(numbers.coupling_factors[direct.factor]);
    }
    return Register::load(first);
  }
  // Stores gain g of degree of freedom k and g / D (scaled), and adds g D^-1 u to the right-hand
  // side (the row's acceleration if the joint alone yields to its effort).
  void set_gain(const EntryView& at, int k, int r, const R& g, const R& scaled, const R& added) {
    const int place = at.gain + (k * at.registers + r) * lanes;
    Register::store(g, gains_.data() + place);
    Register::store(scaled, scaled_.data() + place);
    S* bias = bias_.data() + at.bias + r * lanes;
    Register::store(Register::load(bias) + added, bias);
  }
  // Upper bound of the pivot of this row, from the first degree of freedom it acts on. A computed
  // pivot far below the bound is mostly rounding: no joint moves along the constraint.
  bool begins_here(int e) const { return begins_here_[std::size_t(e)]; }
  void set_measure(const EntryView& at, int r, double length, const Motion<S>& axis, const R& gain,
                   const S& D_inverse) {
    const auto& [m, f] = at.z[r];
    const R force = dot(f, f), moment = dot(m, m) + R(S(length * length)) * force;
    const auto& [s, t] = axis;
    S* const measure = measure_.data() + at.bias + r * lanes;
    Register::store(Register::load(measure) +
                        R(D_inverse) * (R(dot(s, s)) * moment + R(dot(t, t)) * force + gain * gain),
                    measure);
  }
  void propagate(int e, const Vec3<S>& r_i) {
    const EliminationSchedule::Entry& entry = schedule_.entries[e];
    Force<R>*from = z_.data() + z_start_[e], *to = z_.data() + z_start_[entry.inboard];
    for (int r = 0; r < places_[entry.group].registers; ++r) {
      const Force<R> z = acting_at(r_i, from[r]);
      to[r] = entry.inboard_is_new ? z : to[r] + z;
    }
  }
  // Acceleration of degree of freedom k by the multipliers: sum of g lambda / D.
  S acceleration_by_multipliers(int e, int k) const {
    const EliminationSchedule::Entry& entry = schedule_.entries[e];
    const Place& place = places_[entry.group];
    R sum{};
    for (int r = 0; r < place.registers; ++r)
      sum += Register::load(scaled_.data() + gain_start_[entry.gain + k] + r * lanes) *
             Register::load(multipliers_.data() + place.first_row + r * lanes);
    return sum_of_rows<S>(sum);
  }

  // Access for the stages.
  int registers(int group) const { return places_[group].registers; }
  const S* gains(int gain) const { return gains_.data() + gain_start_[gain]; }
  const S* scaled(int gain) const { return scaled_.data() + gain_start_[gain]; }
  Force<R>* wrenches(int e) { return z_.data() + z_start_[e]; }
  S* bias(int group) { return bias_.data() + places_[group].first_row; }
  const S* measures(int group) const { return measure_.data() + places_[group].first_row; }
  S* multipliers(int group) { return multipliers_.data() + places_[group].first_row; }

  // Acceleration residuals of the redundant rows, which were not solved for.
  void monitor(const std::vector<Motion<S>>& accelerations,
               BasicConstraintResiduals<S>& residuals) const {
    S left{}, largest{};
    for (std::size_t b = 0; b < places_.size(); ++b) {
      const Place& place = places_[b];
      if (place.watched.empty()) continue;
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
    }
    residuals.left = left;
    residuals.largest = largest;
  }
  void write_multipliers(Out<S> lambda) const {
    std::size_t k = 0;
    for (std::size_t b = 0; b < places_.size(); ++b)
      for (int row = 0; row < schedule_.groups[b].rows; ++row)
        lambda[k++] = multipliers_[std::size_t(places_[b].first_row + row)];
  }

 private:
  // Location of a row group among all rows, and its wrenches in M's axes.
  struct Place {
    int registers = 0, first_row = 0;
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
  void set_bias(const Place& place, const S& first) {
    if (place.registers == 0) return;  // all its rows are redundant
    for (int k = 0; k < place.registers * lanes; ++k) bias_[place.first_row + k] = S(0.0);
    bias_[place.first_row] = first;
  }
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

  template <Scalar P>
  [[gnu::flatten]] void evaluate_loop_joint(const EliminationSchedule::RowGroup& group,
                                            Place& place, const ClosureNumbers<P>& where,
                                            const ClosedMotion<S>& motion, RowLevel level, S& error,
                                            S& rate) {
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
    for (int r = 0; r < place.registers; ++r) {
      const Force<R> F = turned(R_wide, place.kept[r]);
      errors += squared(dot(open_wide, F));
      rates += squared(dot(V_wide, F));
      Register::store(dot(rhs_wide, F), bias_.data() + place.first_row + r * lanes);
      if (group.child_entry >= 0) wrenches(group.child_entry)[r] = acting_at(to_child, F);
      if (group.parent_entry >= 0) {
        Force<R>& z = wrenches(group.parent_entry)[r];
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

  template <Scalar P>
  void evaluate_rod(const EliminationSchedule::RowGroup& group, const Place& place,
                    const RodNumbers<P>& where, const ClosedMotion<S>& motion, RowLevel level,
                    S& error, S& rate) {
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
    set_bias(place, one_of(level, row.acceleration, row.rate, row.error));
    const Force<R> F = in_lane(0, Force<S>{{}, row.direction});
    if (group.child_entry >= 0) *wrenches(group.child_entry) = acting_at(to_child, F);
    if (group.parent_entry >= 0) {
      Force<R>& z = *wrenches(group.parent_entry);
      const Force<R> opposite = -acting_at(p_to - motion.origins[group.parent], F);
      z = group.parent_entry == group.child_entry ? z + opposite : opposite;
    }
  }

  const EliminationSchedule& schedule_;
  std::vector<Place> places_;
  std::vector<int> z_start_, gain_start_;
  std::vector<Force<R>> z_;
  std::vector<S> gains_, scaled_, bias_, multipliers_, measure_;
  std::vector<char> begins_here_;  // per entry: some row acts here first
};

}  // namespace trammel::kernel
