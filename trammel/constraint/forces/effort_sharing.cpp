#include "trammel/constraint/forces/effort_sharing.hpp"

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "trammel/base/linear_algebra.hpp"
#include "trammel/constraint/equations/dense_rows.hpp"
#include "trammel/constraint/equations/loop_forces.hpp"

namespace trammel {

namespace {

// Dofs of joints with a drive, including locked ones; of all joints if no joint has a drive.
std::vector<int> driven_dofs(const Model& model) {
  std::vector<int> driven, all;
  bool has_drive = driven_loop_dof(model) >= 0;
  for (const NamedJoint& joint : model.joints())
    for (int f = joint.v_start; f < joint.v_start + joint.nv; ++f) {
      all.push_back(f);
      if (joint.drive != Drive::none) driven.push_back(f);
      has_drive |= joint.drive != Drive::none && joint.drive != Drive::locked;
    }
  return has_drive ? driven : all;
}
std::vector<int> driven_loop_dofs(const Model& model) {
  std::vector<int> driven;
  for (int f = 0; f < model.loop_nv(); ++f)
    if (model.closure_drive(f) != Drive::none) driven.push_back(f);
  return driven;
}
Status cannot_drive(const EvalContext& context, const Eigen::VectorXd& motion) {
  Eigen::Index most = 0;
  max_abs(motion, most);
  return Status::failure(fmt::format(
      "{}: the drives cannot produce this motion: none of them acts on the one in which joint "
      "'{}' moves most; drive another joint, or call forward_dynamics for the motion "
      "without drives",
      context.name(), context.model().dof_name(int(most))));
}

}  // namespace

int driven_loop_dof(const Model& model) {
  const std::vector<int> driven = driven_loop_dofs(model);
  return driven.empty() ? -1 : driven.front();
}

void demand_on_drives(const Model& model, const Kinematics& kinematics, const ConstraintRows& rows,
                      const RowBasis& basis, std::span<const double> effort, DriveDemand& out) {
  out.T = null_space_basis(rows.jacobian().topRows(rows.prescribed_start()), basis);
  out.dofs = driven_dofs(model);
  out.loop_dofs = driven_loop_dofs(model);
  const auto n = Eigen::Index(out.dofs.size());
  out.A.resize(out.T.cols(), n + Eigen::Index(out.loop_dofs.size()));
  for (Eigen::Index k = 0; k < n; ++k)
    out.A.col(k) = out.T.row(out.dofs[std::size_t(k)]).transpose();
  for (std::size_t k = 0; k < out.loop_dofs.size(); ++k)
    out.A.col(n + Eigen::Index(k)) =
        out.T.transpose() * effort_of_loop(model, kinematics, out.loop_dofs[k]);
  out.needed = out.T.transpose() * as_vector(effort);
}

Status share_among_drives(const EvalContext& context, const Kinematics& kinematics,
                          const ConstraintRows& rows, const RowBasis& basis,
                          std::span<const double> effort, DriveEfforts& out) {
  const Model& model = context.model();
  DriveDemand demand;
  demand_on_drives(model, kinematics, rows, basis, effort, demand);
  const OrthogonalDecomposition solver(demand.A);
  const Eigen::VectorXd u = demand.A.size() > 0 ? Eigen::VectorXd(solver.solve(demand.needed))
                                                : Eigen::VectorXd::Zero(demand.A.cols());
  const Eigen::VectorXd lacking = demand.needed - demand.A * u;
  if (lacking.norm() > 1e-9 * (1 + as_vector(effort).norm()))
    return cannot_drive(context, demand.T * lacking);
  out = efforts_of(model, demand, u);
  if (demand.A.size() == 0) return {};
  // an effort is unique if the null space of A does not reach it: (A^+ A)_kk = 1
  const Eigen::MatrixXd determined = solver.solve(demand.A);
  const std::size_t n = demand.dofs.size();
  for (std::size_t k = 0; k < n + demand.loop_dofs.size(); ++k) {
    const auto at = Eigen::Index(k);
    const bool is_unique = std::abs(determined(at, at) - 1) < 1e-9;
    if (k < n)
      out.is_unique[std::size_t(demand.dofs[k])] = is_unique;
    else
      out.loop_is_unique[std::size_t(demand.loop_dofs[k - n])] = is_unique;
  }
  return {};
}

void efforts_of_prescribed(const EvalContext& context, const ConstraintRows& rows,
                           const ConstrainedAnswer& answer, DriveEfforts& out) {
  const int first = rows.prescribed_start(), count = rows.count() - first;
  Eigen::VectorXd efforts = answer.lambda.tail(count);
  const Eigen::MatrixXd N = dependent_sets(rows.jacobian(), answer.basis).bottomRows(count);
  // only self-stresses that involve a prescribed or locked joint
  std::vector<Eigen::Index> shared;
  for (Eigen::Index k = 0; k < N.cols(); ++k)
    if (max_abs(N.col(k)) > 0) shared.push_back(k);
  Eigen::MatrixXd N_shared(count, Eigen::Index(shared.size()));
  for (std::size_t k = 0; k < shared.size(); ++k) N_shared.col(Eigen::Index(k)) = N.col(shared[k]);
  if (!shared.empty()) efforts -= N_shared * OrthogonalDecomposition(N_shared, 1e-9).solve(efforts);

  const Model& model = context.model();
  out.tau = as_vector(context.tau());
  out.loop_tau = Eigen::VectorXd::Zero(model.loop_nv());
  std::ranges::copy(context.inputs().loop_tau, out.loop_tau.begin());
  out.is_unique.assign(std::size_t(model.nv()), true);
  out.loop_is_unique.assign(std::size_t(model.loop_nv()), true);
  for (int k = 0; k < count; ++k) {
    const bool is_unique = max_abs(N_shared.row(k)) == 0;
    if (const int dof = rows.prescribed_dof(first + k); dof >= 0) {
      out.tau[dof] += efforts[k];
      out.is_unique[std::size_t(dof)] = is_unique;
    } else {
      const int loop_dof = rows.prescribed_loop_dof(first + k);
      out.loop_tau[loop_dof] += efforts[k];
      out.loop_is_unique[std::size_t(loop_dof)] = is_unique;
    }
  }
}

DriveEfforts efforts_of(const Model& model, const DriveDemand& demand, const Eigen::VectorXd& u) {
  DriveEfforts out{.tau = Eigen::VectorXd::Zero(model.nv()),
                   .loop_tau = Eigen::VectorXd::Zero(model.loop_nv()),
                   .is_unique = std::vector<bool>(std::size_t(model.nv()), true),
                   .loop_is_unique = std::vector<bool>(std::size_t(model.loop_nv()), true)};
  const std::size_t n = demand.dofs.size();
  for (std::size_t k = 0; k < n; ++k) out.tau[demand.dofs[k]] = u[Eigen::Index(k)];
  for (std::size_t k = 0; k < demand.loop_dofs.size(); ++k)
    out.loop_tau[demand.loop_dofs[k]] = u[Eigen::Index(n + k)];
  return out;
}

}  // namespace trammel
