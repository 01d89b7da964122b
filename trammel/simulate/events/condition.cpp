#include "trammel/simulate/events/condition.hpp"

#include <Eigen/Core>
#include <limits>

#include "trammel/base/linear_algebra.hpp"
#include "trammel/constraint/mobility/orthogonal_complement.hpp"
#include "trammel/dynamics/kinematics.hpp"
#include "trammel/dynamics/mass_matrix.hpp"

namespace trammel {

namespace {

// Per dof: 1 rad, or the characteristic length.
Eigen::VectorXd units_of(const Model& model, const Positions& positions) {
  Eigen::VectorXd units = Eigen::VectorXd::Ones(model.nv());
  for (int f = 0; f < model.nv(); ++f) {
    const Vec3<double>& w = positions.axes[std::size_t(f)].angular;
    if (dot(w, w) < 0.25) units[f] = model.characteristic_length();
  }
  return units;
}

}  // namespace

Status condition(const Model& model, const State& state, Workspace& workspace,
                 ConditionNumbers& out) {
  out = {};
  OrthogonalComplement left;
  if (Status status =
          orthogonal_complement(model, state, {}, workspace, left, {.orthonormal = true});
      !status)
    return status;
  if (left.basis.rank() > 0) out.rows = 1 / left.basis.least();
  if (left.T.cols() < 2) return {};
  Positions seen(model);
  if (Status status = positions(model, state, workspace, seen); !status) return status;
  Eigen::MatrixXd M(model.nv(), model.nv());
  if (Status status = mass_matrix(model, state, workspace, M); !status) return status;
  const Eigen::VectorXd units = units_of(model, seen);
  const Eigen::MatrixXd T = units.cwiseInverse().asDiagonal() * left.T;
  const Eigen::MatrixXd N = Qr(T).thin_q();
  const Eigen::MatrixXd DN = units.asDiagonal() * N;
  const Eigen::VectorXd eigenvalues = symmetric_eigenvalues(DN.transpose() * M * DN);
  const double least = min_entry(eigenvalues), most = max_entry(eigenvalues);
  out.inertia = least > 0 ? most / least : std::numeric_limits<double>::infinity();
  return {};
}

}  // namespace trammel
