#include <algorithm>
#include <cmath>
#include <limits>

#include "trammel/constraint/solver/recursive_solver.hpp"
#include "trammel/model/state.hpp"

namespace trammel {

namespace {

bool are_finite(const double* x, std::size_t count) {
  return std::all_of(x, x + count, [](double number) { return std::isfinite(number); });
}

}  // namespace

void RecursiveSolver::make_batch_workspace(const Model& model) {
  if (!batch_.dynamics)
    batch_.dynamics = kernel::kernels().make_closed_batch_workspace(model, elimination_.schedule);
}

void RecursiveSolver::solve_batch(const kernel::Batch& batch, const double* tau, double* a,
                                  double* lambda, std::span<char> is_sure, SkipChecks skip) {
  make_batch_workspace(batch.model);
  batch_.residuals.resize(is_sure.size());
  kernel::kernels().closed_dynamics_batch(batch, tau, batch_.dynamics.get(), a, lambda,
                                          batch_.residuals.data());
  const std::size_t nv = std::size_t(batch.model.nv());
  for (std::size_t s = 0; s < is_sure.size(); ++s)
    is_sure[s] = this->is_sure(batch.model, batch_.residuals[s], {batch.v + s * nv, nv}, skip);
}

void RecursiveSolver::answer_batch(const kernel::Batch& batch, const double* tau, double* a,
                                   std::span<char> is_sure, SkipChecks skip) {
  if (has_given())
    std::ranges::fill(is_sure, false);
  else
    solve_batch(batch, tau, a, nullptr, is_sure, skip);
}

void RecursiveSolver::load_columns(const std::vector<int>& states, const double* q, const double* v,
                                   std::size_t nq, std::size_t nv) {
  batch_.q.resize(states.size() * nq);
  batch_.v.resize(states.size() * nv);
  batch_.d.resize(states.size() * nv);
  batch_.residuals.resize(states.size());
  for (std::size_t k = 0; k < states.size(); ++k) {
    const std::size_t s = std::size_t(states[k]);
    std::copy_n(q + s * nq, nq, batch_.q.begin() + std::ptrdiff_t(k * nq));
    std::copy_n(v + s * nv, nv, batch_.v.begin() + std::ptrdiff_t(k * nv));
  }
}

// States leave the batch of Newton steps as they converge, so that no lane evaluates a state in
// vain; which states share a register depends on the states of the batch alone.
void RecursiveSolver::project_batch(const Model& model, int states, double* q, double* v,
                                    double violation, std::span<char> is_sure) {
  std::ranges::fill(is_sure, false);
  if (has_given()) return;
  make_batch_workspace(model);
  using Next = ProjectionSteps::Next;
  const ProjectionSteps steps = projection_steps(model, violation);
  const std::size_t nq = std::size_t(model.nq()), nv = std::size_t(model.nv());
  const kernel::Table& kernels = kernel::kernels();
  std::vector<int>&open = batch_.states, &closed = batch_.closed;
  open.clear();
  closed.clear();
  for (int s = 0; s < states; ++s)
    if (are_finite(q + std::size_t(s) * nq, nq) && are_finite(v + std::size_t(s) * nv, nv))
      open.push_back(s);
  closed.reserve(open.size());
  batch_.projected_q.assign(q, q + std::size_t(states) * nq);
  batch_.before.assign(std::size_t(states), std::numeric_limits<double>::infinity());
  for (int step = 0; !open.empty(); ++step) {
    load_columns(open, batch_.projected_q.data(), v, nq, nv);
    const kernel::Batch batch{model, model.numbers(), int(open.size()), batch_.q.data(),
                              batch_.v.data()};
    kernels.closed_correction_batch(batch, kernel::Missed::position, steps.enough(),
                                    batch_.dynamics.get(), batch_.d.data(),
                                    batch_.residuals.data());
    std::size_t left = 0;
    for (std::size_t k = 0; k < open.size(); ++k) {
      const int s = open[k];
      const std::span<const double> d{batch_.d.data() + k * nv, nv};
      const kernel::ConstraintResiduals& residuals = batch_.residuals[k];
      const Next next = residuals.is_weak && !(residuals.error <= steps.enough())
                            ? Next::fail
                            : steps.next(residuals, d, step, batch_.before[std::size_t(s)]);
      if (next == Next::fail) continue;
      if (next != Next::closed)
        integrate(model, {batch_.q.data() + k * nq, nq}, d,
                  {batch_.projected_q.data() + std::size_t(s) * nq, nq});
      batch_.before[std::size_t(s)] = residuals.error;
      if (next == Next::step)
        open[left++] = s;
      else
        closed.push_back(s);
    }
    open.resize(left);
  }
  if (closed.empty()) return;
  std::ranges::sort(closed);
  load_columns(closed, batch_.projected_q.data(), v, nq, nv);
  kernels.closed_correction_batch(
      {model, model.numbers(), int(closed.size()), batch_.q.data(), batch_.v.data()},
      kernel::Missed::velocity, -1, batch_.dynamics.get(), batch_.d.data(),
      batch_.residuals.data());
  for (std::size_t k = 0; k < closed.size(); ++k) {
    const double* const d = batch_.d.data() + k * nv;
    if (batch_.residuals[k].is_weak || !are_finite(d, nv)) continue;
    const std::size_t s = std::size_t(closed[k]);
    std::copy_n(batch_.q.begin() + std::ptrdiff_t(k * nq), nq, q + s * nq);
    for (std::size_t f = 0; f < nv; ++f) v[s * nv + f] += d[f];
    is_sure[s] = true;
  }
}

void RecursiveSolver::inverse_dynamics_batch(const kernel::Batch& batch,
                                             std::span<const char> is_driven, const double* a,
                                             double* tau, std::span<char> is_sure) {
  std::ranges::fill(is_sure, false);
  if (!has_enough_drives(is_driven)) return;
  if (!batch_.drives)
    batch_.drives = kernel::kernels().make_drive_batch_workspace(batch.model, elimination_.schedule,
                                                                 *components_, is_driven);
  batch_.motion_residuals.resize(is_sure.size());
  kernel::kernels().closed_inverse_dynamics_batch(batch, a, batch_.drives.get(), tau,
                                                  batch_.motion_residuals.data());
  const std::size_t nv = std::size_t(batch.model.nv());
  for (std::size_t s = 0; s < is_sure.size(); ++s)
    is_sure[s] = this->is_sure(batch.model, batch_.motion_residuals[s], {batch.v + s * nv, nv},
                               {a + s * nv, nv}, {tau + s * nv, nv});
}

void RecursiveSolver::reactions_batch(const kernel::Batch& batch, double length, const double* tau,
                                      double* forces, std::span<char> is_sure) {
  std::ranges::fill(is_sure, false);
  if (!components_) return;
  if (!batch_.reactions)
    batch_.reactions = kernel::kernels().make_reaction_batch_workspace(
        batch.model, elimination_.schedule, *components_, length);
  batch_.a.resize(is_sure.size() * std::size_t(batch.model.nv()));
  batch_.lambda.resize(is_sure.size() * elimination_.rows.size());
  solve_batch(batch, tau, batch_.a.data(), batch_.lambda.data(), is_sure);
  const std::size_t numbers = 6 * batch.model.joints().size();
  batch_.sure.resize(is_sure.size());
  kernel::kernels().closed_reactions_batch(batch, batch_.a.data(), batch_.lambda.data(),
                                           batch_.reactions.get(), forces, batch_.sure);
  for (std::size_t s = 0; s < is_sure.size(); ++s)
    is_sure[s] =
        is_sure[s] != 0 && batch_.sure[s] != 0 && are_finite(forces + s * numbers, numbers);
}

}  // namespace trammel
