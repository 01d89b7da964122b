#include "trammel/constraint/assembly/recursive_projection.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace trammel {

std::unique_ptr<RecursiveProjection> RecursiveProjection::make(const Model& model,
                                                               const RowBasis& basis,
                                                               const SparseRows& J) {
  std::optional<Elimination> elimination =
      eliminate_rows(model, basis, J, ConstraintSolver::automatic);
  if (!elimination || !elimination->given.empty()) return nullptr;
  return std::unique_ptr<RecursiveProjection>(
      new RecursiveProjection(model, std::move(*elimination)));
}

RecursiveProjection::RecursiveProjection(const Model& model, Elimination elimination)
    : elimination_(std::move(elimination)),
      zero_(std::size_t(model.nv())),
      with_(zero_),
      without_(zero_),
      sweep_(kernel::kernels().make_closed_workspace(model, elimination_.schedule)) {}

bool RecursiveProjection::step_position(const Model& model, std::span<const double> q,
                                        std::span<const double> f, std::span<double> d) {
  const KernelInput<double, double> input{model, model.numbers()};
  const kernel::ConstraintResiduals residuals = kernel::kernels().closed_correction(
      input, q, zero_, kernel::Missed::position, {}, -1, sweep_.get(), d);
  if (residuals.is_weak) return false;
  // the solution is linear in f: at zero velocity, accelerations with f less those without
  if (std::ranges::any_of(f, [](double x) { return x != 0; })) {
    const auto accelerations = [&](std::span<const double> tau, std::span<double> a) {
      return !kernel::kernels()
                  .closed_dynamics(input, q, zero_, tau, zero_, {}, sweep_.get(), a, lambda_)
                  .is_weak;
    };
    if (!accelerations(f, with_) || !accelerations(zero_, without_)) return false;
    for (std::size_t k = 0; k < d.size(); ++k) d[k] += with_[k] - without_[k];
  }
  return std::ranges::all_of(d, [](double x) { return std::isfinite(x); });
}

bool RecursiveProjection::step_velocity(const Model& model, std::span<const double> q,
                                        std::span<const double> v, std::span<double> d) {
  const KernelInput<double, double> input{model, model.numbers()};
  const kernel::ConstraintResiduals residuals = kernel::kernels().closed_correction(
      input, q, v, kernel::Missed::velocity, {}, -1, sweep_.get(), d);
  return !residuals.is_weak && std::ranges::all_of(d, [](double x) { return std::isfinite(x); });
}

}  // namespace trammel
