#include "trammel/constraint/mobility.hpp"

#include <algorithm>
#include <cmath>

#include "trammel/constraint/assembly.hpp"
#include "trammel/constraint/constrained_dynamics.hpp"
#include "trammel/constraint/near_mobility.hpp"

namespace trammel {

namespace {

// A step far enough that what bends away is seen, near enough that closing it leads nowhere else.
constexpr double step = 0.02;

// Directions to try: each of the basis, both ways, and some between.
std::vector<Eigen::VectorXd> directions(const Eigen::MatrixXd& T) {
  std::vector<Eigen::VectorXd> list;
  const Eigen::Index k = T.cols();
  for (Eigen::Index i = 0; i < k; ++i)
    for (const double sign : {1.0, -1.0}) list.push_back(sign * T.col(i));
  for (Eigen::Index i = 0; i + 1 < k; ++i)
    for (const double part : {0.6, -0.8, 1.7})
      list.push_back((T.col(i) + part * T.col(i + 1)).normalized());
  return list;
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
  RankPlan plan;
  if (Status status = rank_plan(model, still, workspace, plan); !status) return status;
  Eigen::MatrixXd J;
  if (Status status = constraint_jacobian(model, still, workspace, J); !status) return status;

  out = {};
  out.freedoms = model.nv();
  out.rows = plan.count;
  out.rank = plan.rank();
  out.instantaneous = out.finite = model.nv() - plan.rank();
  out.gruebler = model.nv() - plan.count;
  out.least = plan.least();
  const std::vector<std::string> names = row_names(model);
  const Eigen::MatrixXd sets = dependent_sets(J, plan);
  for (Eigen::Index s = 0; s < sets.cols(); ++s) {
    std::string list;
    for (Eigen::Index r = 0; r < sets.rows(); ++r)
      if (sets(r, s) != 0) list += (list.empty() ? "" : "; ") + names[std::size_t(r)];
    out.dependent.push_back(list);
  }
  if (out.instantaneous == 0 || plan.redundant() == 0) return {};

  out.finite = 0;
  for (const Eigen::VectorXd& way : directions(complement(J, plan))) {
    const Eigen::VectorXd v = step * way;
    State there = still;
    integrate(model, still.q, {v.data(), std::size_t(v.size())}, there.q);
    if (!assemble(model, there, workspace).ok()) continue;
    std::vector<double> gone(still.v.size());
    difference(model, still.q, there.q, gone);
    double far = 0;
    for (const double x : gone) far += x * x;
    if (std::sqrt(far) < step / 4) continue;  // closing took it back
    RankPlan plan_there;
    if (!rank_plan(model, there, workspace, plan_there).ok()) continue;
    out.finite = std::max(out.finite, model.nv() - plan_there.rank());
  }
  if (out.finite < out.instantaneous)
    out.verdict = out.finite == 0 ? Mobility::Verdict::shaky : Mobility::Verdict::bifurcation;
  return {};
}

}  // namespace trammel
