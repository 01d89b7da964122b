// Constraint rows propagated inward with the articulated-body algorithm: the Popov-Vereshchagin
// recursion [Vereshchagin 1974; RBDA, chapter 7]; closed_dynamics.hpp has the equations.
//
// Symbols: Z, the wrenches of the rows at a body (their columns z); S, a joint axis; D = S^T I_A S;
// U = I_A S; u, the effort of the joint less the bias force along it. A degree of freedom that is
// eliminated leaves of a row with gain g = S^T z
//
//   z - U g / D   as wrench, shifted to the parent,   and   b + g u / D   as right-hand side,
//
// and adds g g^T / D to the coupling L of the rows, which the stages sum up (row_stage.hpp). Once
// the multipliers are known, the degree of freedom accelerates by g lambda / D more.
//
// row_layout.hpp: where the numbers lie; row_evaluation.hpp: z and b at a state.
#pragma once

#include <algorithm>
#include <span>

#include "trammel/dynamics/kernel/loops/closed_dynamics.hpp"
#include "trammel/dynamics/kernel/loops/row_layout.hpp"
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

template <Scalar S> class PropagatedRows {
 public:
  using Register = RowRegister<S>;
  using R = typename Register::Type;
  static constexpr int lanes = Register::rows;

  explicit PropagatedRows(const EliminationSchedule& schedule)
      : schedule_(schedule),
        layout_(schedule),
        z_(std::size_t(layout_.wrenches)),
        gains_(std::size_t(layout_.gains)),
        scaled_(std::size_t(layout_.gains)),
        bias_(std::size_t(layout_.rows)),
        multipliers_(std::size_t(layout_.rows)),
        measure_(std::size_t(layout_.rows)) {}

  // Before an evaluation: no wrenches where none arrive from outboard, no bounds of pivots.
  void clear() {
    for (std::size_t e = 0; e < schedule_.entries.size(); ++e)
      if (schedule_.entries[e].is_new)
        std::fill_n(z_.data() + layout_.z_start[e], registers(schedule_.entries[e].group),
                    Force<R>{});
    std::fill(measure_.begin(), measure_.end(), S(0.0));
  }
  // Right-hand side of a group of one row.
  void set_bias(int group, const S& first) {
    const auto& [registers, first_row] = layout_.groups[group];
    if (registers == 0) return;  // all its rows are redundant
    for (int k = 0; k < registers * lanes; ++k) bias_[first_row + k] = S(0.0);
    bias_[first_row] = first;
  }

  // View of the wrenches of an entry.
  struct EntryView {
    Force<R>* z;
    int registers, gain, bias;
    bool has_directs;
  };
  EntryView entry(int e) {
    const EliminationSchedule::Entry& entry = schedule_.entries[e];
    const auto& [registers, first_row] = layout_.groups[entry.group];
    return {z_.data() + layout_.z_start[e], registers, layout_.gain_start[entry.gain], first_row,
            entry.direct_begin < entry.direct_end};
  }
  // Part of the gain that is no wrench: the factor of a coordinate in the row, 1 for the row of a
  // degree of freedom.
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
  bool begins_here(int e) const { return layout_.begins_here[std::size_t(e)]; }
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
  // Adds the wrenches of an entry to those at the parent, shifted to its origin by r_i.
  void propagate(int e, const Vec3<S>& r_i) {
    const EliminationSchedule::Entry& entry = schedule_.entries[e];
    Force<R>* const from = wrenches(e);
    Force<R>* const to = wrenches(entry.inboard);
    for (int r = 0; r < registers(entry.group); ++r) {
      const Force<R> z = acting_at(r_i, from[r]);
      to[r] = entry.inboard_is_new ? z : to[r] + z;
    }
  }
  // Acceleration of degree of freedom k by the multipliers: sum of g lambda / D.
  S acceleration_by_multipliers(int e, int k) const {
    const EliminationSchedule::Entry& entry = schedule_.entries[e];
    const auto& [registers, first_row] = layout_.groups[entry.group];
    R sum{};
    for (int r = 0; r < registers; ++r)
      sum += Register::load(scaled_.data() + layout_.gain_start[entry.gain + k] + r * lanes) *
             Register::load(multipliers_.data() + first_row + r * lanes);
    return sum_of_rows<S>(sum);
  }

  // For refinement: all multipliers, padded, out and in again as a sum.
  std::size_t size() const { return multipliers_.size(); }
  void store_multipliers(std::vector<S>& out) const { out = multipliers_; }
  void add_multipliers(const std::vector<S>& found) {
    for (std::size_t k = 0; k < found.size(); ++k) multipliers_[k] = multipliers_[k] + found[k];
  }
  // Of an entry that was not propagated yet: the force Z lambda; adds Z^T A to the right-hand side.
  Force<S> act(int e, const Motion<S>& A, const std::vector<S>& lambda) {
    const auto& [registers, first_row] = layout_.groups[schedule_.entries[e].group];
    const Motion<R> A_wide{A.angular, A.linear};
    Force<S> sum{};
    for (int r = 0; r < registers; ++r) {
      const Force<R>& z = wrenches(e)[r];
      const int row = first_row + r * lanes;
      const R multiplier = Register::load(lambda.data() + row);
      Register::store(Register::load(bias_.data() + row) + dot(A_wide, z), bias_.data() + row);
      const auto total = [&](const R& x) { return sum_of_rows<S>(x * multiplier); };
      sum += Force<S>{{total(z.moment.x), total(z.moment.y), total(z.moment.z)},
                      {total(z.force.x), total(z.force.y), total(z.force.z)}};
    }
    return sum;
  }
  // The same of the coordinates on which an entry acts without a wrench, for a dof of its body and
  // its acceleration: the effort.
  template <Scalar P>
  S act_directly(const ModelParameters<P>& numbers, int e, int k, const S& a,
                 const std::vector<S>& lambda) {
    const EliminationSchedule::Entry& entry = schedule_.entries[e];
    if (entry.direct_begin == entry.direct_end) return S(0.0);
    const int row = layout_.groups[entry.group].first_row;
    const R factor = direct(numbers, e, k, 0);
    Register::store(Register::load(bias_.data() + row) + factor * R(a), bias_.data() + row);
    return sum_of_rows<S>(factor * Register::load(lambda.data() + row));
  }

  // Access for the stages.
  int registers(int group) const { return layout_.groups[group].registers; }
  const S* gains(int gain) const { return gains_.data() + layout_.gain_start[gain]; }
  const S* scaled(int gain) const { return scaled_.data() + layout_.gain_start[gain]; }
  Force<R>* wrenches(int e) { return z_.data() + layout_.z_start[e]; }
  S* bias(int group) { return bias_.data() + layout_.groups[group].first_row; }
  const S* measures(int group) const { return measure_.data() + layout_.groups[group].first_row; }
  S* multipliers(int group) { return multipliers_.data() + layout_.groups[group].first_row; }

  // Multipliers of the rows solved for, group after group.
  void write_multipliers(Out<S> lambda) const {
    std::size_t k = 0;
    for (std::size_t b = 0; b < layout_.groups.size(); ++b)
      for (int row = 0; row < schedule_.groups[b].rows; ++row)
        lambda[k++] = multipliers_[std::size_t(layout_.groups[b].first_row + row)];
  }

 private:
  const EliminationSchedule& schedule_;
  const RowLayout<S> layout_;
  std::vector<Force<R>> z_;
  std::vector<S> gains_, scaled_, bias_, multipliers_, measure_;
};

}  // namespace trammel::kernel
