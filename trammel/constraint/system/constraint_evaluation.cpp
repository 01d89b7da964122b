#include "trammel/constraint/system/constraint_evaluation.hpp"

#include <optional>
#include <utility>

#include "trammel/base/linear_algebra.hpp"
#include "trammel/constraint/assembly/assembly.hpp"
#include "trammel/constraint/rank/basis_by_components.hpp"
#include "trammel/dynamics/kernel/dispatch/table.hpp"
#include "trammel/dynamics/matrices.hpp"
#include "trammel/dynamics/workspace_buffers.hpp"

namespace trammel {

namespace {

// Violation, relative to the characteristic length, below which the state itself decides the rank.
constexpr double closed_tolerance = 1e-11;

ComponentOptions component_options(const ConstraintEvaluation::DecideOptions& options,
                                   const Workspace& workspace) {
  return {.count = options.count,
          .with_singular_values = options.values == Singular::computed,
          .error = options.error,
          .threads = workspace->threads.get()};
}

}  // namespace

void ConstraintEvaluation::evaluate(const Model& model, std::span<const double> q,
                                    std::span<const double> v, Workspace& workspace) {
  evaluate_without_jacobian(model, q, v, workspace);
  rows.write_jacobian(model, workspace->kinematics);
}

void ConstraintEvaluation::evaluate_without_jacobian(const Model& model, std::span<const double> q,
                                                     std::span<const double> v,
                                                     Workspace& workspace) {
  kernel::kernels().kinematics(internal::unloaded_input(model, workspace), q, v, workspace->zero,
                               *workspace, workspace->kinematics);
  rows.evaluate_without_jacobian(model, workspace->kinematics, q, v, workspace->zero, {});
}

void ConstraintEvaluation::evaluate_with_inertia(const Model& model, const State& state,
                                                 Workspace& workspace) {
  evaluate(model, state.q, state.v, workspace);
  evaluate_inertia(model, state.q, workspace);
}

void ConstraintEvaluation::evaluate_inertia(const Model& model, std::span<const double> q,
                                            Workspace& workspace) {
  M.resize(model.nv(), model.nv());
  kernel::kernels().mass_matrix({model, model.numbers()}, q, *workspace, span_of(M));
}

std::vector<Eigen::MatrixXd> ConstraintEvaluation::inertia_blocks(const Model& model,
                                                                  const Workspace& workspace) {
  inertia_.evaluate(model, workspace->kinematics);
  const std::vector<MatrixComponent>& components = rows.sparse_jacobian().components();
  std::vector<Eigen::MatrixXd> blocks(components.size());
  internal::each_of(workspace->threads.get(), blocks.size(), [&](std::size_t c) {
    blocks[c] = std::ssize(components[c].rows) > most_dense_rows
                    ? inertia_.diagonal(model, workspace->kinematics, components[c].columns)
                    : inertia_.block(model, workspace->kinematics, components[c].columns);
  });
  return blocks;
}

RowBasis ConstraintEvaluation::basis(const Model& model, const Workspace& workspace,
                                     const DecideOptions& options) {
  if (options.error != nullptr) *options.error = 0;
  return basis_by_components(rows.sparse_jacobian(), inertia_blocks(model, workspace),
                             rows.scales(), component_options(options, workspace));
}

Status ConstraintEvaluation::decide(const Model& model, const State& state, Workspace& workspace,
                                    const DecideOptions& options, RowBasis& out) {
  evaluate(model, state.q, state.v, workspace);
  if (options.frozen_rank < 0 && rows.error().size() > 0 &&
      max_abs(rows.error()) > closed_tolerance * model.characteristic_length()) {
    State closed = state;
    if (Status status = assemble_position(model, closed, workspace, {.nudges = 0}); !status)
      return status;
    evaluate(model, closed.q, closed.v, workspace);
  }
  if (options.sparse_only) {
    std::optional<RowBasis> certain =
        sparse_basis_by_components(rows.sparse_jacobian(), inertia_blocks(model, workspace),
                                   rows.scales(), component_options(options, workspace));
    if (!certain) return Status::failure("sparse QR is not certain of a large component");
    out = std::move(*certain);
  } else {
    out = basis(model, workspace, options);
  }
  if (options.frozen_rank >= 0 && options.count < 0 && out.rank() > options.frozen_rank)
    out.rows.resize(std::size_t(options.frozen_rank));
  return {};
}

}  // namespace trammel
