#include "trammel/analyze/closed_form_linearization.hpp"

#include "trammel/analyze/local_coordinates.hpp"
#include "trammel/analyze/tangent_operators.hpp"
#include "trammel/analyze/turned_axes.hpp"
#include "trammel/constraint/system/closed_form_derivatives.hpp"

namespace trammel {

bool linearize_in_closed_form(const char* name, const Model& model, const State& state,
                              const Inputs& inputs, Workspace& workspace, Linearization& out) {
  const DrivenDofs driven = driven_dofs(model);
  if (!model.has_constraints() || model.has_force_elements() || !model.wheels().empty() ||
      !driven.loop.empty() || !has_closed_form_derivatives(model, workspace))
    return false;
  std::optional<LocalCoordinates> local_coordinates;
  if (!LocalCoordinates::of(model, state, workspace, local_coordinates).ok()) return false;
  const std::vector<int>& independent = local_coordinates->velocity_dofs();
  if (local_coordinates->position_dofs() != independent) return false;
  OrthogonalComplement along;
  along.T = local_coordinates->velocity_directions();
  along.independent = independent;
  const EvalContext context(name, model, state, inputs, workspace, Constraints::honored_unchecked,
                            Forces::acting);
  ConstrainedDerivatives found;
  if (!context.ok() || !derivatives_in_closed_form(context, workspace, &along, found)) return false;

  const Eigen::Index n = along.T.cols(), nv = model.nv(), inputs_count = driven.count();
  Eigen::MatrixXd x_dot = found.v_by_q;
  x_dot += turned_back(model, state.v, along.T);
  out.A.resize(2 * n, 2 * n);
  out.A << x_dot(independent, Eigen::all), Eigen::MatrixXd::Identity(n, n),
      found.dq(independent, Eigen::all), found.dv(independent, Eigen::all);
  out.B = Eigen::MatrixXd::Zero(2 * n, inputs_count);
  out.B.bottomRows(n) = found.dtau(independent, driven.tree);
  out.C = Eigen::MatrixXd::Zero(2 * nv, 2 * n);
  out.C.topLeftCorner(nv, n) = along.T;
  out.C.bottomLeftCorner(nv, n) = found.v_by_q;
  out.C.bottomRightCorner(nv, n) = along.T;
  out.D = Eigen::MatrixXd::Zero(2 * nv, inputs_count);
  name_linearization(model, independent, independent, out.states, out.inputs, out.outputs);
  out.acceleration = n > 0 ? max_abs(Eigen::VectorXd(found.a(independent))) : 0;
  return true;
}

}  // namespace trammel
