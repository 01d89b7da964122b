#include "trammel/analyze/dual_linearization.hpp"

#include <fmt/format.h>

#include "trammel/analyze/local_coordinates.hpp"
#include "trammel/analyze/tangent_operators.hpp"
#include "trammel/analyze/turned_axes.hpp"
#include "trammel/constraint/solver/acceleration_derivatives.hpp"
#include "trammel/constraint/solver/constrained_dynamics.hpp"
#include "trammel/dynamics/kinematics.hpp"

namespace trammel {

Status linearize_with_duals(const char* name, const Model& model, const State& state,
                            const Inputs& inputs, Workspace& workspace, Linearization& out) {
  const auto fail = [&](const Status& status) {
    return Status::failure(fmt::format("{}: {}", name, status.message()));
  };
  std::optional<LocalCoordinates> local_coordinates;
  if (Status status = LocalCoordinates::of(model, state, workspace, local_coordinates); !status)
    return fail(status);
  RowBasis basis;
  if (Status status = row_basis(model, state, workspace, basis); !status) return fail(status);
  const Eigen::MatrixXd by_w = local_coordinates->velocity_directions();
  if (by_w.cols() != model.nv() - basis.rank()) return nearly_dependent(name);
  const EvalContext context(name, model, state, inputs, workspace, Constraints::honored,
                            Forces::acting);
  if (!context.ok()) return context.status();
  const AccelerationDerivatives derivatives(context, workspace, basis, by_w);
  if (!derivatives.status().ok()) return derivatives.status();
  Kinematics where(model);
  if (Status status = kinematics(model, state, {}, workspace, where); !status) return fail(status);

  const std::vector<int>&positions = local_coordinates->position_dofs(),
        &velocities = local_coordinates->velocity_dofs();
  const Eigen::Index np = local_coordinates->positions(), nw = local_coordinates->velocities(),
                     nv = model.nv();
  // derivatives of positions, velocities and accelerations of the tree with respect to x and w
  const Eigen::MatrixXd by_x = local_coordinates->position_directions();
  Eigen::MatrixXd dq = Eigen::MatrixXd::Zero(nv, np + nw), dv(nv, np + nw), da;
  dq.leftCols(np) = by_x;
  dv << Eigen::MatrixXd(
      local_coordinates->following_velocities(derivatives.rates(by_x).sparseView())),
      by_w;
  if (Status status = derivatives.along(dq, dv, da); !status) return status;

  Eigen::MatrixXd x_dot = dv;
  x_dot.leftCols(np) += turned_back(model, state.v, by_x);
  out.A.resize(np + nw, np + nw);
  out.A << x_dot(positions, Eigen::all), da(velocities, Eigen::all);
  out.C.resize(2 * nv, np + nw);
  out.C << dq, dv;
  const Eigen::MatrixXd efforts = unit_efforts(model, where, driven_dofs(model));
  out.B = Eigen::MatrixXd::Zero(np + nw, efforts.cols());
  out.B.bottomRows(nw) = (derivatives.by_efforts() * efforts)(velocities, Eigen::all);
  out.D = Eigen::MatrixXd::Zero(2 * nv, efforts.cols());
  name_linearization(model, positions, velocities, out.states, out.inputs, out.outputs);
  out.acceleration = nw > 0 ? max_abs(derivatives.a()(velocities)) : 0;
  return {};
}

}  // namespace trammel
