#include "trammel/constraint/mobility/orthogonal_complement.hpp"

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>

#include "trammel/base/linear_algebra.hpp"
#include "trammel/constraint/equations/dense_rows.hpp"
#include "trammel/constraint/solver/constrained_dynamics.hpp"
#include "trammel/constraint/solver/dense_solvers.hpp"
#include "trammel/dynamics/jacobian.hpp"
#include "trammel/dynamics/kinematics.hpp"
#include "trammel/dynamics/matrices.hpp"
#include "trammel/dynamics/workspace_buffers.hpp"

namespace trammel {

namespace {

// Smallest ratio of singular values of a choice of independent joints: below it rounding dominates.
constexpr double worst_choice = 1e-9;

std::string quoted(const Model& model, const std::vector<int>& dofs) {
  std::string list;
  for (const int f : dofs)
    list += fmt::format("{}'{}'", list.empty() ? "" : ", ", model.dof_name(f));
  return list;
}

std::vector<int> dofs_of(const Model& model, const std::vector<JointId>& joints) {
  std::vector<int> dofs;
  for (const JointId id : joints) {
    const NamedJoint& joint = model[id];
    if (joint.role != NamedJoint::Role::tree)
      throw std::invalid_argument(fmt::format(
          "orthogonal_complement: joint '{}' {}, so it is no degree of freedom of the tree: name "
          "another, or cut the loop elsewhere",
          joint.name, joint.role == NamedJoint::Role::fixed ? "is fixed" : "closes a loop"));
    for (int k = 0; k < joint.nv; ++k) dofs.push_back(joint.v_start + k);
  }
  return dofs;
}

Eigen::MatrixXd rows_of(const Eigen::MatrixXd& matrix, const std::vector<int>& rows) {
  Eigen::MatrixXd out(Eigen::Index(rows.size()), matrix.cols());
  for (std::size_t k = 0; k < rows.size(); ++k) out.row(Eigen::Index(k)) = matrix.row(rows[k]);
  return out;
}

class Chooser {
 public:
  Chooser(const Model& model, const Eigen::MatrixXd& T, const Eigen::VectorXd& weights)
      : model_(model), weighted_(weights.asDiagonal() * T) {
    // orthonormal after scaling: entries are the shares of a dof in the motions
    if (T.cols() > 0) weighted_ = Qr(weighted_).thin_q();
  }

  // best-conditioned choice of dofs: column-pivoted QR of T^T
  std::vector<int> best() const {
    std::vector<int> dofs;
    const Eigen::MatrixXd columns = weighted_.transpose();
    if (columns.rows() == 0) return dofs;
    const PivotedQr qr(columns);
    for (Eigen::Index k = 0; k < columns.rows(); ++k) dofs.push_back(qr.order()[k]);
    std::ranges::sort(dofs);
    return dofs;
  }
  double least(const std::vector<int>& dofs) const {
    if (dofs.empty()) return 1;
    const Eigen::VectorXd singular = svd(rows_of(weighted_, dofs)).values;
    return singular[singular.size() - 1] / singular[0];
  }
  Status check(const std::vector<int>& dofs) const {
    const auto ways = std::size_t(weighted_.cols());
    if (dofs.size() == ways && least(dofs) > worst_choice) return {};
    if (dofs.size() != ways)
      return Status::failure(fmt::format(
          "orthogonal_complement: {} joint velocities are named ({}), but the mechanism has "
          "{} here: name {}, or none to have them chosen",
          dofs.size(), quoted(model_, dofs), counted_ways(ways), ways));
    return Status::failure(
        fmt::format("orthogonal_complement: the velocities of {} do not determine the motion here: "
                    "'{}' depends on the others. Name other joints, or none to have them chosen",
                    quoted(model_, dofs), model_.dof_name(dependent_one(dofs))));
  }

 private:
  static std::string counted_ways(std::size_t ways) {
    return ways == 1 ? "1 degree of freedom" : fmt::format("{} degrees of freedom", ways);
  }
  int dependent_one(const std::vector<int>& dofs) const {
    const PivotedQr qr(rows_of(weighted_, dofs).transpose());
    return dofs[std::size_t(qr.order()[Eigen::Index(dofs.size()) - 1])];
  }

  const Model& model_;
  Eigen::MatrixXd weighted_;
};

}  // namespace

Status orthogonal_complement(const Model& model, const State& state, const Inputs& inputs,
                             Workspace& workspace, OrthogonalComplement& out,
                             const OrthogonalComplementOptions& options) {
  const EvalContext context("orthogonal_complement", model, state, inputs, workspace,
                            Constraints::honored, Forces::apart);
  if (!context.ok()) return context.status();
  if (options.orthonormal && !options.independent.empty())
    throw std::invalid_argument(
        "orthogonal_complement: orthonormal and independent joints exclude each other: request one "
        "of them");
  const std::vector<int> named = dofs_of(model, options.independent);

  out = {};
  if (Status status = row_basis(model, state, workspace, out.basis); !status) return status;
  ConstraintRows rows(model);
  evaluate_rows(context, workspace, rows);
  out.T = null_space_basis(rows.jacobian(), out.basis);
  // particular solution of J a = gamma; its part along T is removed below
  Eigen::VectorXd gamma(out.basis.rank());
  for (int k = 0; k < out.basis.rank(); ++k)
    gamma[k] = -rows.acceleration()[out.basis.rows[std::size_t(k)]];
  out.T_dot_u = Eigen::VectorXd::Zero(model.nv());
  if (out.basis.rank() > 0)
    out.T_dot_u = least_squares(independent_rows(rows.jacobian(), out.basis), gamma);
  const Eigen::VectorXd v = as_vector(state.v);
  if (options.orthonormal) {
    out.T_dot_u -= out.T * (out.T.transpose() * out.T_dot_u);
    out.u = out.T.transpose() * v;
    out.prescribed = v - out.T * out.u;
    return {};
  }

  const Chooser chooser(model, out.T, dof_weights(model, workspace->kinematics));
  out.independent = named.empty() ? chooser.best() : named;
  if (Status status = chooser.check(out.independent); !status) return status;
  out.least = chooser.least(out.independent);
  const auto ways = Eigen::Index(out.independent.size());
  if (ways > 0) {
    const Eigen::MatrixXd chosen = rows_of(out.T, out.independent);
    out.T = FullPivotLu(chosen.transpose()).solve(out.T.transpose()).transpose();
  }
  out.u.resize(ways);
  for (Eigen::Index k = 0; k < ways; ++k) {
    const int f = out.independent[std::size_t(k)];
    out.T.row(f).setZero();
    out.T(f, k) = 1;
    out.u[k] = v[f];
  }
  Eigen::VectorXd at_chosen(ways);
  for (Eigen::Index k = 0; k < ways; ++k)
    at_chosen[k] = out.T_dot_u[out.independent[std::size_t(k)]];
  out.T_dot_u -= out.T * at_chosen;
  for (const int f : out.independent) out.T_dot_u[f] = 0;
  out.prescribed = v - out.T * out.u;
  return {};
}

Status minimal_equations(const Model& model, const State& state, const Inputs& inputs,
                         const OrthogonalComplement& complement, Workspace& workspace,
                         MinimalEquations& out) {
  const EvalContext context("minimal_equations", model, state, inputs, workspace,
                            Constraints::honored, Forces::acting);
  if (!context.ok()) return context.status();
  expects_matrix("minimal_equations", "the complement's T", complement.T, model.nv(),
                 int(complement.u.size()));
  const Eigen::MatrixXd& T = complement.T;
  Eigen::MatrixXd M(model.nv(), model.nv());
  kernel::kernels().mass_matrix(context.input(), context.q(), *workspace, span_of(M));
  Eigen::VectorXd effort(model.nv());
  kernel::kernels().inverse_dynamics(context.input(), context.q(), context.v(),
                                     as_span(complement.T_dot_u), *workspace,
                                     {effort.data(), std::size_t(effort.size())});
  out.inertia = T.transpose() * M * T;
  out.bias = T.transpose() * effort;
  out.effort = T.transpose() * as_vector(context.tau());
  return {};
}

Status restricted_jacobian(const Model& model, const State& state, const FrameRef& place, Axes axes,
                           const OrthogonalComplement& complement, Workspace& workspace,
                           RestrictedJacobian& out) {
  expects_matrix("restricted_jacobian", "the complement's T", complement.T, model.nv(),
                 int(complement.u.size()));
  Kinematics moving(model);
  if (Status status =
          kinematics(model, state, {.a = as_span(complement.T_dot_u)}, workspace, moving);
      !status)
    return status;
  Eigen::MatrixXd J(6, model.nv());
  if (Status status = jacobian(model, moving, place, axes, J); !status) return status;
  out.J = J * complement.T;
  out.rate = acceleration(model, moving, place, axes);
  return {};
}

}  // namespace trammel
