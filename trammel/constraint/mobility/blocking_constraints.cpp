#include "trammel/constraint/mobility/blocking_constraints.hpp"

#include <Eigen/Core>
#include <algorithm>

#include "trammel/base/linear_algebra.hpp"
#include "trammel/constraint/equations/dense_rows.hpp"
#include "trammel/constraint/solver/constrained_dynamics.hpp"
#include "trammel/dynamics/matrices.hpp"
#include "trammel/dynamics/workspace_buffers.hpp"

namespace trammel {

namespace {

// Relative to the largest pivot: dependent rows at a consistent state differ by less.
constexpr double rank_tolerance = 1e-9;

// mobility that these rows leave, without dof that occur in none of them
Eigen::Index ways_left(const Eigen::MatrixXd& J, bool counts_absent) {
  const PivotedQr qr(J, rank_tolerance);
  Eigen::Index absent = 0;
  if (!counts_absent)
    for (Eigen::Index f = 0; f < J.cols(); ++f)
      absent += J.col(f).norm() <= rank_tolerance * J.norm() ? 1 : 0;
  return J.cols() - qr.rank() - absent;
}

bool has_prescribed_motion(const Model& model) {
  for (int f = 0; f < model.nv(); ++f)
    if (model.prescription(f) == Drive::motion) return true;
  for (int f = 0; f < model.loop_nv(); ++f)
    if (model.closure_drive(f) == Drive::motion) return true;
  return false;
}

}  // namespace

Status blocking_constraints(const Model& model, const State& state, Workspace& workspace,
                            std::vector<std::string>& out) {
  out.clear();
  if (!model.has_constraints() || model.nv() == 0 || has_prescribed_motion(model)) return {};
  State still = state;
  std::fill(still.v.begin(), still.v.end(), 0.0);
  RowBasis basis;
  if (Status status = row_basis(model, still, workspace, basis); !status) return status;
  if (basis.rank() < model.nv()) return {};

  ConstraintRows rows(model);
  kernel::kernels().kinematics({model, model.numbers()}, still.q, workspace->zero, workspace->zero,
                               *workspace, workspace->kinematics);
  rows.evaluate(model, workspace->kinematics, still.q, workspace->zero, workspace->zero, {});
  const SparseRows& J = rows.sparse_jacobian();
  const Eigen::VectorXd units = dof_weights(model, workspace->kinematics).cwiseInverse();
  // rows of a constraint lie in one component, and its removal moves no other
  std::vector<int> component(rows.owner_names().size(), -1), count(component.size(), 0);
  for (int k = 0; k < rows.count(); ++k) {
    const auto owner = std::size_t(rows.owner(k));
    ++count[owner];
    if (J.component_of_row(k) >= 0) component[owner] = J.component_of_row(k);
  }
  for (std::size_t owner = 0; owner < rows.owner_names().size(); ++owner) {
    const std::string& name = rows.owner_names()[owner];
    const bool is_alone = count[owner] == rows.count();
    if (is_alone) out.push_back(name);
    if (is_alone || component[owner] < 0) continue;
    const auto& [own, dofs] = J.components()[std::size_t(component[owner])];
    std::vector<int> others;
    for (const int k : own)
      if (rows.owner(k) != int(owner)) others.push_back(k);
    Eigen::MatrixXd left = J.block(others, dofs) * units(dofs).asDiagonal();
    for (std::size_t k = 0; k < others.size(); ++k)
      if (!rows.is_turn(others[k])) left.row(Eigen::Index(k)) /= model.characteristic_length();
    if (ways_left(left, !name.starts_with("wheel")) > 0) out.push_back(name);
  }
  if (out.empty()) out = rows.owner_names();
  return {};
}

int dof_without_inertia(const Model& model, const State& state, Workspace& workspace) {
  if (!model.has_constraints() || model.nv() == 0) return -1;
  State still = state;
  std::fill(still.v.begin(), still.v.end(), 0.0);
  RowBasis basis;
  Eigen::MatrixXd J, M(model.nv(), model.nv());
  if (!row_basis(model, still, workspace, basis).ok() ||
      !constraint_jacobian(model, still, workspace, J).ok())
    return -1;
  kernel::kernels().mass_matrix({model, model.numbers()}, still.q, *workspace, span_of(M));
  const Eigen::MatrixXd T = null_space_basis(J, basis), reduced = T.transpose() * M * T;
  if (T.cols() == 0 || Llt(reduced).is_regular()) return -1;
  Eigen::Index most = 0;
  max_abs(Eigen::VectorXd(T * symmetric_eigen(reduced).vectors.col(0)), most);
  return int(most);
}

int flat_wheel(const Model& model, const State& state, Workspace& workspace) {
  if (model.wheels().empty()) return -1;
  kernel::kernels().kinematics({model, model.numbers()}, state.q, workspace->zero, workspace->zero,
                               *workspace, workspace->kinematics);
  ConstraintRowsAt<double> rows(model);
  rows.evaluate(model, workspace->kinematics, state.q, workspace->zero, workspace->zero, {});
  return rows.evaluated().flat_wheel;
}

}  // namespace trammel
