#include "trammel/constraint/mobility/mobility.hpp"

#include <algorithm>

#include "trammel/constraint/mobility/finite_mobility.hpp"
#include "trammel/constraint/mobility/near_mobility.hpp"
#include "trammel/constraint/rank/row_condition.hpp"
#include "trammel/constraint/solver/constrained_dynamics.hpp"

namespace trammel {

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
  Eigen::MatrixXd J;
  if (Status status = constraint_jacobian(model, still, workspace, J); !status) return status;

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
  const Eigen::MatrixXd sets = dependent_sets(J, basis);
  for (Eigen::Index s = 0; s < sets.cols(); ++s) {
    std::string list;
    for (Eigen::Index r = 0; r < sets.rows(); ++r)
      if (sets(r, s) != 0) list += (list.empty() ? "" : "; ") + names[std::size_t(r)];
    out.dependent.push_back(list);
  }
  if (out.instantaneous == 0 || basis.redundant() == 0) return {};

  const FiniteMobility found = finite_mobility(model, still.q, out.instantaneous, workspace);
  out.finite = found.ways;
  if (out.finite < out.instantaneous)
    out.verdict = found.branches_meet ? Mobility::Verdict::bifurcation : Mobility::Verdict::shaky;
  return {};
}

}  // namespace trammel
