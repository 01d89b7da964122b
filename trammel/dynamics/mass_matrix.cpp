#include "trammel/dynamics/mass_matrix.hpp"

#include "trammel/dynamics/belongs.hpp"
#include "trammel/dynamics/eval_context.hpp"
#include "trammel/dynamics/kernel/dispatch/table.hpp"
#include "trammel/dynamics/matrices.hpp"
#include "trammel/dynamics/scalar_kernels.hpp"
#include "trammel/dynamics/workspace_buffers.hpp"

namespace trammel {

namespace {

// M^-1 exists for trees only; names the function for models with loops.
Status with_loops(const Model& model, const Status& status) {
  if (!model.has_constraints() ||
      status.message().find("does not support yet") == std::string::npos)
    return status;
  return Status::failure(status.message() +
                         "; minimal_equations has the inertia along the ways that it leaves");
}

}  // namespace

Status mass_matrix(const Model& model, const State& state, Workspace& workspace,
                   Eigen::Ref<Eigen::MatrixXd> M) {
  const Inputs nothing;
  const EvalContext context("mass_matrix", model, state, nothing, workspace, Constraints::honored,
                            Forces::apart);
  context.expects_matrix("M", M.rows(), M.cols(), model.nv(), model.nv());
  if (!context.ok()) return context.status();
  kernel::kernels().mass_matrix(context.unloaded_input(), context.q(), *workspace, span_of(M));
  return {};
}

Status articulated_inertias(const Model& model, const State& state, Workspace& workspace,
                            ArticulatedInertias& out) {
  const Inputs nothing;
  const EvalContext context("articulated_inertias", model, state, nothing, workspace,
                            Constraints::refused, Forces::apart);
  expects_same_model("articulated_inertias", out, model);
  if (!context.ok()) return with_loops(model, context.status());
  const Pivots pivots = kernel::articulated_inertias<double, double>(context.unloaded_input(),
                                                                     context.q(), *workspace, out);
  if (pivots.weak_dof != Pivots::none) return context.no_inertia(pivots.weak_dof);
  return {};
}

Status mass_matrix_inverse(const Model& model, const ArticulatedInertias& factors,
                           Workspace& workspace, Eigen::Ref<Eigen::MatrixXd> M_inverse) {
  expects_same_model("mass_matrix_inverse", factors, model);
  expects_same_model("mass_matrix_inverse", workspace, model);
  expects_square("mass_matrix_inverse", "M_inverse", M_inverse, model.nv());
  if (Status status = answerable("mass_matrix_inverse", model, Constraints::refused, Forces::apart);
      !status)
    return with_loops(model, status);
  for (int k = 0; k < model.nv(); ++k) {
    std::fill(workspace->tau.begin(), workspace->tau.end(), 0.0);
    workspace->tau[std::size_t(k)] = 1;
    kernel::solve_mass_matrix<double>(model, factors, workspace->tau, *workspace,
                                      {&M_inverse(0, k), std::size_t(model.nv())});
  }
  return {};
}

Status mass_matrix_factors(const Model& model, const ArticulatedInertias& factors,
                           Eigen::Ref<Eigen::MatrixXd> L, Eigen::Ref<Eigen::MatrixXd> D) {
  expects_same_model("mass_matrix_factors", factors, model);
  expects_square("mass_matrix_factors", "L", L, model.nv());
  expects_square("mass_matrix_factors", "D", D, model.nv());
  if (Status status = answerable("mass_matrix_factors", model, Constraints::refused, Forces::apart);
      !status)
    return with_loops(model, status);
  kernel::mass_matrix_factor<double>(model, factors, span_of(L), span_of(D));
  return {};
}

Status mass_matrix_inverse_factors(const Model& model, const ArticulatedInertias& factors,
                                   Eigen::Ref<Eigen::MatrixXd> L_inverse,
                                   Eigen::Ref<Eigen::MatrixXd> D_inverse) {
  expects_same_model("mass_matrix_inverse_factors", factors, model);
  expects_square("mass_matrix_inverse_factors", "L_inverse", L_inverse, model.nv());
  expects_square("mass_matrix_inverse_factors", "D_inverse", D_inverse, model.nv());
  if (Status status =
          answerable("mass_matrix_inverse_factors", model, Constraints::refused, Forces::apart);
      !status)
    return with_loops(model, status);
  kernel::mass_matrix_inverse_factor<double>(model, factors, span_of(L_inverse),
                                             span_of(D_inverse));
  return {};
}

}  // namespace trammel
