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

  Eigen::MatrixXd J;
  if (Status status = constraint_jacobian(model, still, workspace, J); !status) return status;
  const ConstraintRows rows(model);
  J = J * dof_weights(model, workspace->kinematics).cwiseInverse().asDiagonal();
  for (int k = 0; k < rows.count(); ++k)
    if (!rows.is_turn(k)) J.row(k) /= model.characteristic_length();
  for (std::size_t owner = 0; owner < rows.owner_names().size(); ++owner) {
    std::vector<int> others;
    for (int k = 0; k < rows.count(); ++k)
      if (rows.owner(k) != int(owner)) others.push_back(k);
    const std::string& name = rows.owner_names()[owner];
    const bool is_wheel = name.starts_with("wheel");
    if (others.empty() || ways_left(J(others, Eigen::all), !is_wheel) > 0) out.push_back(name);
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
