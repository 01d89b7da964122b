#include "trammel/constraint/mobility/mobility.hpp"

#include <algorithm>

#include "trammel/constraint/equations/constraint_rows.hpp"
#include "trammel/constraint/mobility/finite_mobility.hpp"
#include "trammel/constraint/mobility/near_mobility.hpp"
#include "trammel/constraint/rank/row_condition.hpp"
#include "trammel/constraint/solver/constrained_dynamics.hpp"
#include "trammel/dynamics/kernel/dispatch/table.hpp"
#include "trammel/dynamics/workspace_buffers.hpp"

namespace trammel {

namespace {

// Names of the rows of each set of linearly dependent rows, in the order of the redundant rows.
// Rows of different components are independent.
std::vector<std::string> dependent_rows(const Model& model, const State& state,
                                        Workspace& workspace, const RowBasis& basis,
                                        const std::vector<std::string>& names) {
  ConstraintRows rows(model);
  kernel::kernels().kinematics({model, model.numbers()}, state.q, workspace->zero, workspace->zero,
                               *workspace, workspace->kinematics);
  rows.evaluate(model, workspace->kinematics, state.q, workspace->zero, workspace->zero, {});
  const SparseRows& J = rows.sparse_jacobian();
  std::vector<std::string> found;
  for (const DependentSet& set : dependent_sets(J, basis)) {
    std::string& list = found.emplace_back();
    for (const int row : set.rows) list += (list.empty() ? "" : "; ") + names[std::size_t(row)];
  }
  return found;
}

}  // namespace

std::string to_string(Mobility::Verdict verdict) {
  switch (verdict) {
    case Mobility::Verdict::bifurcation: return "bifurcation";
    case Mobility::Verdict::shaky: return "shaky";
    case Mobility::Verdict::nearly_overconstrained: return "nearly overconstrained";
    default: return "regular";
  }
}

Status mobility(const Model& model, const State& state, Workspace& workspace, Mobility& out) {
  if (Status status = mobility_as_it_is(model, state, workspace, out); !status) return status;
  if (out.verdict == Mobility::Verdict::regular) judge_lengths(model, state, out);
  return {};
}

Status mobility_as_it_is(const Model& model, const State& state, Workspace& workspace,
                         Mobility& out) {
  State still = state;
  std::fill(still.v.begin(), still.v.end(), 0.0);
  RowBasis basis;
  if (Status status = row_basis(model, still, workspace, basis); !status) return status;

  out = {};
  out.dofs = model.nv();
  out.rows = basis.count;
  out.rank = basis.rank();
  out.instantaneous = out.finite = model.nv() - basis.rank();
  out.gruebler = model.nv() - basis.count;
  out.least = basis.least();
  out.tolerance = basis.tolerance;
  if (Status status = remaining_digits(model, still, workspace, out.digits); !status) return status;
  if (basis.rows.size() < basis.singular.size() && basis.singular[0] > 0)
    out.dropped = basis.singular[basis.rows.size()] / basis.singular[0];
  const std::vector<std::string> names = row_names(model);
  for (const RowBasis::Undecided& row : basis.undecided)
    out.undecided.push_back({names[std::size_t(row.row)], row.length, row.bound});
  if (basis.redundant() > 0) out.dependent = dependent_rows(model, still, workspace, basis, names);
  if (out.instantaneous == 0 || basis.redundant() == 0) return {};

  const FiniteMobility found = finite_mobility(model, still.q, basis, workspace);
  out.finite = found.ways;
  if (out.finite < out.instantaneous)
    out.verdict = found.branches_meet ? Mobility::Verdict::bifurcation : Mobility::Verdict::shaky;
  return {};
}

}  // namespace trammel
