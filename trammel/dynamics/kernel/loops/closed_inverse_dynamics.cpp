#include "trammel/dynamics/kernel/loops/closed_inverse_dynamics.hpp"

#include <algorithm>

#include "trammel/dynamics/kernel/loops/component_jacobian.hpp"
#include "trammel/dynamics/kernel/loops/row_evaluation.hpp"
#include "trammel/dynamics/kernel/simd/lane_groups.hpp"

namespace trammel::kernel {

namespace {

// Part of the effort that no drive can supply, relative to the effort: smaller is rounding.
constexpr double undriven_rounding = 1e-9;
// Least diagonal entry of R' (its columns have at most length 1) for drives that surely move all
// that the rows allow.
constexpr double surely_driven = 1e-6;

// Sharing of efforts among the drives of one component.
template <Scalar S> class ComponentDrives {
 public:
  ComponentDrives(const Model& model, const EliminationSchedule& schedule,
                  const RowComponents::Component& component, std::span<const char> is_driven)
      : jacobian(model, schedule, component),
        dofs_(component.dofs),
        mobility_(jacobian.dofs() - jacobian.kept()),
        driven_(positions(component.dofs, is_driven)),
        drives_(int(driven_.size()), are_all_driven() ? 0 : mobility_),
        x_(std::size_t(TallQr<S>::padded(jacobian.dofs()))),
        u_(std::size_t(TallQr<S>::padded(int(driven_.size())))) {}

  ComponentJacobian<S> jacobian;  // factored before share()

  // Efforts of the component's degrees of freedom in `effort`: those of the motion, then those of
  // the drives. Lanes of the result: whether the drives surely suffice.
  LaneMask<S> share(std::vector<S>& effort) {
    const TallQr<S>& qr = jacobian.qr();
    const int n = jacobian.dofs(), rank = jacobian.kept();
    for (int k = 0; k < n; ++k) x_[k] = effort[dofs_[k]];
    qr.apply_transpose(x_.data());
    if (are_all_driven()) {  // u = T T^T f
      std::fill_n(x_.begin(), rank, S(0.0));
      qr.apply(x_.data());
      for (int k = 0; k < n; ++k) effort[dofs_[k]] = x_[k];
      return LaneMask<S>(true);
    }
    std::fill(u_.begin(), u_.end(), S(0.0));
    std::copy_n(x_.begin() + rank, mobility_, u_.begin());
    for (int k = 0; k < mobility_; ++k) {
      std::fill(x_.begin(), x_.end(), S(0.0));
      x_[rank + k] = S(1.0);
      qr.apply(x_.data());
      for (std::size_t d = 0; d < driven_.size(); ++d) drives_.column(k)[d] = x_[driven_[d]];
    }
    drives_.factor();
    LaneMask<S> is_sure(true);
    for (int k = 0; k < mobility_; ++k)
      is_sure =
          is_sure && drives_.diagonal(k) * drives_.diagonal(k) > S(surely_driven * surely_driven);
    drives_.solve_upper_transpose(u_.data());
    drives_.apply(u_.data());
    for (int k = 0; k < n; ++k) effort[dofs_[k]] = S(0.0);
    for (std::size_t d = 0; d < driven_.size(); ++d) effort[dofs_[driven_[d]]] = u_[d];
    return is_sure;
  }

 private:
  static std::vector<int> positions(const std::vector<int>& dofs, std::span<const char> is_driven) {
    std::vector<int> found;
    for (std::size_t k = 0; k < dofs.size(); ++k)
      if (is_driven[std::size_t(dofs[k])] != 0) found.push_back(int(k));
    return found;
  }
  bool are_all_driven() const { return driven_.size() == dofs_.size(); }

  const std::vector<int>& dofs_;
  int mobility_;
  std::vector<int> driven_;  // positions in dofs_
  TallQr<S> drives_;         // E^T T
  AlignedVector<S> x_, u_;   // padded
};

template <Scalar S> class DriveSweep {
 public:
  DriveSweep(const Model& model, const EliminationSchedule& schedule,
             const RowComponents& components, std::span<const char> is_driven)
      : q(std::size_t(model.nq())),
        v(std::size_t(model.nv())),
        a(v),
        effort(v),
        schedule_(schedule),
        motion_(model),
        evaluation_(schedule),
        rows_(schedule),
        wrenches_(schedule.groups.size()) {
    std::vector<char> is_in_component(std::size_t(model.nv()), 0);
    for (const RowComponents::Component& component : components.components) {
      components_.emplace_back(model, schedule, component, is_driven);
      for (const int dof : component.dofs) is_in_component[std::size_t(dof)] = 1;
      has_rows_ |= component.kept > 0;
    }
    for (int f = 0; f < model.nv(); ++f)
      if (is_in_component[std::size_t(f)] == 0 && is_driven[std::size_t(f)] == 0)
        undriven_.push_back(f);
  }

  // Replaces the efforts of the tree in `effort` by those of the drives.
  LaneMask<S> share(const KernelInput<double, S>& input, BasicConstraintResiduals<S>& residuals) {
    motion_.move(input, q, v);
    evaluation_.evaluate(input, motion_, q, v, {}, RowLevel::velocity, rows_, residuals);
    for (std::size_t b = 0; b < wrenches_.size(); ++b)
      evaluate_rows(input, schedule_.groups[b], motion_, wrenches_[b]);
    S size(1.0), lacking{};
    for (const S& x : effort) size += x * x;
    if (has_rows_)  // else the coordinates are those of a tree
      for (const int f : undriven_) {
        lacking += effort[f] * effort[f];
        effort[f] = S(0.0);
      }
    LaneMask<S> is_sure = lacking <= undriven_rounding * undriven_rounding * size;
    residuals.left = S(0.0);
    for (ComponentDrives<S>& component : components_) {
      component.jacobian.evaluate(input, motion_, wrenches_);
      residuals.left += component.jacobian.residual(a);
      is_sure = is_sure && component.jacobian.factor();
      if (has_rows_) is_sure = is_sure && component.share(effort);
    }
    return is_sure;
  }

  std::vector<S> q, v, a, effort;

 private:
  const EliminationSchedule& schedule_;
  ClosedMotion<S> motion_;
  RowEvaluation<S> evaluation_;  // of the residuals
  PropagatedRows<S> rows_;
  std::vector<WrenchesOfRows<S>> wrenches_;  // per row group
  std::vector<ComponentDrives<S>> components_;
  std::vector<int> undriven_;  // in no component and without drive
  bool has_rows_ = false;      // some row is independent
};

template <Scalar S>
SealedWorkspace make_sweep(const Model& model, const EliminationSchedule& schedule,
                           const RowComponents& components, std::span<const char> is_driven) {
  return {new DriveSweep<S>(model, schedule, components, is_driven),
          [](void* sweep) { delete static_cast<DriveSweep<S>*>(sweep); }};
}

}  // namespace

SealedWorkspace make_drive_workspace(const Model& model, const EliminationSchedule& schedule,
                                     const RowComponents& components,
                                     std::span<const char> is_driven) {
  return make_sweep<double>(model, schedule, components, is_driven);
}
SealedWorkspace make_drive_batch_workspace(const Model& model, const EliminationSchedule& schedule,
                                           const RowComponents& components,
                                           std::span<const char> is_driven) {
  return make_sweep<Lanes>(model, schedule, components, is_driven);
}

MotionResiduals closed_inverse_dynamics(const KernelInput<double, double>& input, In<double> q,
                                        In<double> v, In<double> a, void* workspace,
                                        Out<double> tau) {
  DriveSweep<double>& sweep = *static_cast<DriveSweep<double>*>(workspace);
  std::ranges::copy(q, sweep.q.begin());
  std::ranges::copy(v, sweep.v.begin());
  std::ranges::copy(a, sweep.a.begin());
  std::ranges::copy(tau, sweep.effort.begin());
  BasicConstraintResiduals<double> found;
  const bool is_sure = sweep.share(input, found);
  std::ranges::copy(sweep.effort, tau.begin());
  return {found.error, found.rate, found.left, is_sure};
}

void closed_inverse_dynamics_batch(const Batch& batch, const double* a, void* workspace,
                                   double* tau, MotionResiduals* residuals) {
  DriveSweep<Lanes>& sweep = *static_cast<DriveSweep<Lanes>*>(workspace);
  const KernelInput<double, Lanes> input{batch.model, batch.numbers};
  for (int first = 0; first < batch.states; first += native_lanes) {
    gather(batch.q, batch.states, first, sweep.q);
    gather(batch.v, batch.states, first, sweep.v);
    gather(a, batch.states, first, sweep.a);
    gather(tau, batch.states, first, sweep.effort);
    BasicConstraintResiduals<Lanes> found;
    const Lanes::Mask is_sure = sweep.share(input, found);
    scatter(sweep.effort, batch.states, first, tau);
    for (int lane = 0; lane < native_lanes && first + lane < batch.states; ++lane)
      residuals[first + lane] = {found.error[lane], found.rate[lane], found.left[lane],
                                 bool(is_sure[std::size_t(lane)])};
  }
}

}  // namespace trammel::kernel
