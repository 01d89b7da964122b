#include "trammel/constraint/forces/effort_sharing.hpp"

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <optional>

#include "trammel/base/linear_algebra.hpp"
#include "trammel/constraint/equations/dense_rows.hpp"
#include "trammel/constraint/equations/loop_forces.hpp"
#include "trammel/constraint/rank/null_space.hpp"

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

std::vector<char> driven_dof_flags(const Model& model) {
  std::vector<char> is_driven(std::size_t(model.nv()), 0);
  for (const int dof : driven_dofs(model)) is_driven[std::size_t(dof)] = 1;
  return is_driven;
}

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

namespace {

// The constraint rows (without those of prescribed joints), and below them the efforts of the
// driven loop joints on the tree. Efforts of one component cannot replace those of another.
SparseRows rows_and_loop_drives(const Model& model, const Kinematics& kinematics,
                                const ConstraintRows& rows, const std::vector<int>& loop_dofs) {
  const SparseRows& J = rows.sparse_jacobian();
  const int count = rows.prescribed_start();
  std::vector<std::vector<int>> pattern;
  for (int row = 0; row < count; ++row)
    pattern.emplace_back(J.columns(row).begin(), J.columns(row).end());
  std::vector<std::vector<EffortEntry>> efforts;
  for (const int dof : loop_dofs) {
    efforts.push_back(effort_entries_of_loop(model, kinematics, dof));
    std::vector<int>& columns = pattern.emplace_back();
    for (const EffortEntry& entry : efforts.back()) columns.push_back(entry.dof);
  }
  SparseRows out(model.nv(), pattern);
  for (int row = 0; row < count; ++row) std::ranges::copy(J.values(row), out.values(row).begin());
  for (std::size_t k = 0; k < efforts.size(); ++k)
    std::ranges::transform(efforts[k], out.values(count + int(k)).begin(), &EffortEntry::effort);
  return out;
}

// Minimum-norm efforts of the drives of one component, A u = needed with A and needed as in
// demand_on_drives, for its block of the rows.
struct ComponentEfforts {
  Eigen::VectorXd u;
  Eigen::VectorXd lacking;      // per dof: the part of the motion that the drives cannot produce
  std::vector<bool> is_unique;  // the null space of A does not reach an effort: (A^+ A)_kk = 1
};
ComponentEfforts share_in_component(const Eigen::MatrixXd& T, const Eigen::MatrixXd& A,
                                    const Eigen::VectorXd& effort) {
  const Eigen::VectorXd needed = T.transpose() * effort;
  if (A.size() == 0)  // no drives, or no motion: constraints balance any effort
    return {Eigen::VectorXd::Zero(A.cols()), T * needed,
            std::vector<bool>(std::size_t(A.cols()), false)};
  const OrthogonalDecomposition solver(A);
  ComponentEfforts out{solver.solve(needed), {}, {}};
  out.lacking = T * (needed - A * out.u);
  Eigen::VectorXd determined;  // diagonal of A^+ A
  if (A.cols() > most_dense_rows)
    determined = solver.pseudo_inverse().cwiseProduct(A.transpose()).rowwise().sum();
  else
    determined = solver.solve(A).diagonal();
  for (const double share : determined) out.is_unique.push_back(std::abs(share - 1) < 1e-9);
  return out;
}

}  // namespace

Status share_among_drives(const EvalContext& context, const Kinematics& kinematics,
                          const ConstraintRows& rows, const RowBasis& basis,
                          std::span<const double> effort, DriveEfforts& out) {
  const Model& model = context.model();
  const std::vector<int> loop_dofs = driven_loop_dofs(model);
  const SparseRows all = rows_and_loop_drives(model, kinematics, rows, loop_dofs);
  const std::vector<char> is_driven = driven_dof_flags(model);
  std::vector<std::vector<int>> basis_rows(all.components().size());
  for (const int row : basis.rows)
    if (const int c = all.component_of_row(row); c >= 0) basis_rows[std::size_t(c)].push_back(row);

  out = {.tau = Eigen::VectorXd::Zero(model.nv()),
         .loop_tau = Eigen::VectorXd::Zero(model.loop_nv()),
         .is_unique = std::vector<bool>(std::size_t(model.nv()), true),
         .loop_is_unique = std::vector<bool>(std::size_t(model.loop_nv()), true)};
  Eigen::VectorXd lacking = Eigen::VectorXd::Zero(model.nv());
  for (int f = 0; f < model.nv(); ++f)  // dofs that no row constrains
    if (all.component_of_column(f) < 0)
      (is_driven[std::size_t(f)] != 0 ? out.tau : lacking)[f] = effort[std::size_t(f)];
  for (std::size_t k = 0; k < loop_dofs.size(); ++k)  // between parts of one body
    if (all.component_of_row(rows.prescribed_start() + int(k)) < 0)
      out.loop_is_unique[std::size_t(loop_dofs[k])] = false;
  for (std::size_t c = 0; c < all.components().size(); ++c) {
    const auto& [its_rows, columns] = all.components()[c];
    const Eigen::Index n = std::ssize(columns);
    const Eigen::MatrixXd T = null_space(all, basis_rows[c], columns, Eigen::VectorXd::Ones(n));
    std::vector<Eigen::Index> driven;
    for (Eigen::Index k = 0; k < n; ++k)
      if (is_driven[std::size_t(columns[std::size_t(k)])] != 0) driven.push_back(k);
    std::vector<int> loop_rows;
    for (const int row : its_rows)
      if (row >= rows.prescribed_start()) loop_rows.push_back(row);
    // columns of A: the effort of a unit of each drive along the motions of the component
    Eigen::MatrixXd A(T.cols(), std::ssize(driven) + std::ssize(loop_rows));
    A.leftCols(std::ssize(driven)) = T(driven, Eigen::all).transpose();
    A.rightCols(std::ssize(loop_rows)) = T.transpose() * all.block(loop_rows, columns).transpose();

    const ComponentEfforts its = share_in_component(T, A, as_vector(effort)(columns));
    lacking(columns) = its.lacking;
    for (std::size_t k = 0; k < driven.size(); ++k) {
      const int dof = columns[std::size_t(driven[k])];
      out.tau[dof] = its.u[Eigen::Index(k)];
      out.is_unique[std::size_t(dof)] = its.is_unique[k];
    }
    for (std::size_t k = 0; k < loop_rows.size(); ++k) {
      const int dof = loop_dofs[std::size_t(loop_rows[k] - rows.prescribed_start())];
      out.loop_tau[dof] = its.u[Eigen::Index(driven.size() + k)];
      out.loop_is_unique[std::size_t(dof)] = its.is_unique[driven.size() + k];
    }
  }
  if (lacking.norm() > 1e-9 * (1 + as_vector(effort).norm())) return cannot_drive(context, lacking);
  return {};
}

bool share_among_all_joints(const Model& model, const ConstraintRows& rows, const RowBasis& basis,
                            std::span<const double> effort, std::span<double> tau) {
  const std::vector<char> is_driven = driven_dof_flags(model);
  if (driven_loop_dof(model) >= 0 || std::ranges::find(is_driven, 0) != is_driven.end())
    return false;
  const SparseRows& J = rows.sparse_jacobian();
  std::vector<std::vector<int>> basis_rows(J.components().size());
  for (const int row : basis.rows) basis_rows[std::size_t(J.component_of_row(row))].push_back(row);
  Eigen::VectorXd found = as_vector(effort);
  for (std::size_t c = 0; c < basis_rows.size(); ++c) {
    if (basis_rows[c].empty()) continue;
    const std::vector<int>& dofs = J.components()[c].columns;
    const std::optional<Eigen::VectorXd> its =
        part_in_null_space(J, basis_rows[c], dofs, found(dofs));
    if (!its) return false;
    found(dofs) = *its;
  }
  std::ranges::copy(found, tau.begin());
  return true;
}

void efforts_of_prescribed(const EvalContext& context, const ConstraintRows& rows,
                           const ConstrainedAnswer& answer, DriveEfforts& out) {
  const int first = rows.prescribed_start(), count = rows.count() - first;
  Eigen::VectorXd efforts = answer.lambda.tail(count);
  // self-stresses that involve a prescribed or locked joint: their entries in the rows of these
  std::vector<std::vector<int>> pattern;
  std::vector<std::vector<double>> values;
  for (const DependentSet& set : dependent_sets(rows.sparse_jacobian(), answer.basis)) {
    if (set.rows.back() < first) continue;
    pattern.emplace_back();
    values.emplace_back();
    for (std::size_t k = 0; k < set.rows.size(); ++k)
      if (set.rows[k] >= first) {
        pattern.back().push_back(set.rows[k] - first);
        values.back().push_back(set.weights[k]);
      }
  }
  SparseRows N(count, pattern);
  for (int set = 0; set < N.rows(); ++set)
    std::ranges::copy(values[std::size_t(set)], N.values(set).begin());
  for (const auto& [sets, columns] : N.components()) {
    const Eigen::MatrixXd N_shared = N.block(sets, columns).transpose();
    const Eigen::VectorXd shared = efforts(columns);
    efforts(columns) -= N_shared * OrthogonalDecomposition(N_shared, 1e-9).solve(shared);
  }

  const Model& model = context.model();
  out.tau = as_vector(context.tau());
  out.loop_tau = Eigen::VectorXd::Zero(model.loop_nv());
  std::ranges::copy(context.inputs().loop_tau, out.loop_tau.begin());
  out.is_unique.assign(std::size_t(model.nv()), true);
  out.loop_is_unique.assign(std::size_t(model.loop_nv()), true);
  for (int k = 0; k < count; ++k) {
    const bool is_unique = N.component_of_column(k) < 0;
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
