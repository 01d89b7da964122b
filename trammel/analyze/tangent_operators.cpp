#include "trammel/analyze/tangent_operators.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "trammel/analyze/local_coordinates.hpp"
#include "trammel/analyze/turned_axes.hpp"
#include "trammel/base/component_least_squares.hpp"
#include "trammel/constraint/equations/dense_rows.hpp"
#include "trammel/constraint/equations/loop_forces.hpp"
#include "trammel/constraint/solver/constrained_dynamics.hpp"
#include "trammel/constraint/solver/dynamics_with_rows.hpp"
#include "trammel/dynamics/forward_dynamics.hpp"

namespace trammel {

namespace {

// A message of another function, with the name of this one.
Status renamed(const char* name, const Status& status) {
  return Status::failure(name + status.message().substr(status.message().find(':')));
}

// Accelerations and multipliers at the state; a tree has none of the latter.
Status accelerations(const char* name, const Model& model, const State& state, const Inputs& inputs,
                     Workspace& workspace, ConstrainedAnswer& out) {
  if (workspace->constrained) {
    const ConstraintRows* rows = nullptr;
    return dynamics_with_rows(name, model, state, inputs, workspace, out, rows);
  }
  out.a.resize(model.nv());
  if (Status status = forward_dynamics(model, state, inputs, workspace,
                                       {out.a.data(), std::size_t(out.a.size())});
      !status)
    return renamed(name, status);
  return {};
}

// All loads that act at the state, as external forces: those of the context and of the rows.
std::vector<ExternalForce<double>> external_forces(const EvalContext& context,
                                                   const ConstraintRows& rows,
                                                   const Kinematics& kinematics,
                                                   const Eigen::VectorXd& lambda) {
  const KernelInput<double, double> input = context.input();
  std::vector<ExternalForce<double>> all(input.external_forces.begin(),
                                         input.external_forces.end());
  const auto add = [&](BodyId body, const Force<double>& F, const Vec3<double>& p) {
    const int tree_body = context.model()[body].tree_body;
    if (tree_body == 0) return;
    const Pose<double>& X_WB = kinematics.X_WB[std::size_t(tree_body)];
    all.push_back({tree_body, turned(transpose(X_WB.R), acting_at(p - X_WB.p, F))});
  };
  for (const ConstraintRows::RowWrench& push : rows.row_wrenches()) {
    add(push.child, lambda[push.row] * push.F, push.p);
    add(push.parent, -(lambda[push.row] * push.F), push.p);
  }
  return all;
}

kernel::EffortFactors effort_factors(const EvalContext& context,
                                     std::span<const ExternalForce<double>> forces,
                                     const Eigen::VectorXd& a) {
  const KernelInput<double, double> input = context.input();
  return kernel::inverse_dynamics_factors({input.model, input.numbers, input.ground, forces},
                                          context.q(), context.v(), as_span(a));
}

// turned_back() as a matrix: a block per joint.
SparseMatrix turned_back_matrix(const Model& model, const State& state) {
  constexpr Eigen::Index most = 6;  // dofs of a joint
  Eigen::MatrixXd units = Eigen::MatrixXd::Zero(model.nv(), most);
  for (const Body& body : model.bodies().subspan(1))
    for (int f = body.v_start; f < body.v_end; ++f) units(f, f - body.v_start) = 1;
  const Eigen::MatrixXd rates = trammel::turned_back(model, state.v, units);
  Triplets entries;
  for (const Body& body : model.bodies().subspan(1))
    for (int f = body.v_start; f < body.v_end; ++f)
      for (int k = body.v_start; k < body.v_end; ++k)
        if (const double rate = rates(f, k - body.v_start); rate != 0)
          entries.emplace_back(f, k, rate);
  return sparse_matrix(model.nv(), model.nv(), entries);
}

// Minimum-norm accelerations that cancel row accelerations: nv x rows.
SparseMatrix cancelling_accelerations(const ConstraintRows& rows, const RowBasis& basis,
                                      Eigen::Index nv) {
  Triplets entries;
  if (basis.rank() > 0) {
    std::vector<int> dofs(static_cast<std::size_t>(nv));
    std::iota(dofs.begin(), dofs.end(), 0);
    const SparseMatrix inverse =
        ComponentLeastSquares(rows.sparse_jacobian(), basis.rows, dofs).pseudo_inverse();
    for (Eigen::Index c = 0; c < inverse.cols(); ++c)
      for (SparseMatrix::InnerIterator e(inverse, c); e; ++e)
        entries.emplace_back(int(e.row()), basis.rows[std::size_t(c)], -e.value());
  }
  return sparse_matrix(nv, rows.count(), entries);
}

}  // namespace

Status nearly_dependent(const char* name) {
  return Status::failure(
      fmt::format("{}: the constraint rows are nearly dependent, so the number of degrees of "
                  "freedom is uncertain: move away from the singular pose",
                  name));
}

DrivenDofs driven_dofs(const Model& model) {
  std::vector<int> all;
  DrivenDofs driven;
  for (const NamedJoint& joint : model.joints())
    for (int f = joint.v_start; f < joint.v_start + joint.nv; ++f) {
      if (model.is_prescribed(f)) continue;
      all.push_back(f);
      if (joint.drive == Drive::torque) driven.tree.push_back(f);
    }
  for (int f = 0; f < model.loop_nv(); ++f)
    if (model.closure_drive(f) == Drive::torque) driven.loop.push_back(f);
  if (driven.count() == 0) driven.tree = all;
  std::ranges::sort(driven.tree);
  return driven;
}

void name_linearization(const Model& model, const std::vector<int>& position_dofs,
                        const std::vector<int>& velocity_dofs, std::vector<std::string>& states,
                        std::vector<std::string>& inputs, std::vector<std::string>& outputs) {
  const auto append = [&](const char* prefix, const auto& dofs, std::vector<std::string>& list) {
    for (const int f : dofs) list.push_back(prefix + model.dof_name(f));
  };
  std::vector<int> every(std::size_t(model.nv()));
  std::iota(every.begin(), every.end(), 0);
  for (std::vector<std::string>* list : {&states, &inputs, &outputs}) list->clear();
  append("q.", position_dofs, states);
  append("v.", velocity_dofs, states);
  const DrivenDofs driven = driven_dofs(model);
  append("tau.", driven.tree, inputs);
  for (const int f : driven.loop) inputs.push_back("tau." + model.closure_dof_name(f));
  append("q.", every, outputs);
  append("v.", every, outputs);
}

SparseMatrix unit_efforts(const Model& model, const Kinematics& kinematics,
                          const DrivenDofs& driven) {
  Triplets entries;
  int k = 0;
  for (const int f : driven.tree) entries.emplace_back(f, k++, 1.0);
  for (const int f : driven.loop) {
    for (const auto& [dof, effort] : effort_entries_of_loop(model, kinematics, f))
      entries.emplace_back(dof, k, effort);
    ++k;
  }
  return sparse_matrix(model.nv(), driven.count(), entries);
}

Status make_operators(const char* name, const Model& model, const State& state,
                      const Inputs& inputs, Workspace& workspace,
                      std::unique_ptr<LinearizedDynamics::Operators>& out,
                      bool& is_undifferentiable, int most_factorized) {
  is_undifferentiable = false;
  const auto fail = [&](const Status& status) {
    return Status::failure(fmt::format("{}: {}", name, status.message()));
  };
  if (Status status = without_element_states(name, model); !status) return status;
  std::optional<LocalCoordinates> local_coordinates;
  if (Status status = LocalCoordinates::of(model, state, workspace, local_coordinates); !status)
    return fail(status);
  RowBasis basis;
  if (Status status = row_basis(model, state, workspace, basis); !status) return fail(status);
  SparseMatrix by_w = local_coordinates->velocity_directions();
  if (by_w.cols() != model.nv() - basis.rank()) return nearly_dependent(name);
  ConstrainedAnswer answer;
  if (Status status = accelerations(name, model, state, inputs, workspace, answer); !status)
    return status;
  const EvalContext context(name, model, state, inputs, workspace, Constraints::honored,
                            Forces::acting);
  if (!context.ok()) return context.status();
  ConstraintRows rows(model);
  evaluate_rows(context, workspace, rows);
  if (answer.lambda.size() != rows.count()) answer.lambda = Eigen::VectorXd::Zero(rows.count());
  const Kinematics kinematics = workspace->kinematics;
  LocalDerivatives derivatives;
  if (Status status =
          local_derivatives(context, rows, kinematics, answer.a, answer.lambda, derivatives);
      !status)
    return status;
  is_undifferentiable = !derivatives.are_finite();
  if (is_undifferentiable)
    return Status::failure(
        fmt::format("{}: accelerations are not differentiable here: the pose is singular, or a "
                    "force sets in at this state; move away from it",
                    name));

  out = std::make_unique<LinearizedDynamics::Operators>(
      model,
      effort_factors(context, external_forces(context, rows, kinematics, answer.lambda), answer.a));
  out->position_dofs = local_coordinates->position_dofs();
  out->velocity_dofs = local_coordinates->velocity_dofs();
  const DrivenDofs driven = driven_dofs(model);
  name_linearization(model, out->position_dofs, out->velocity_dofs, out->states, out->inputs,
                     out->outputs);
  out->acceleration = by_w.cols() > 0 ? max_abs(Eigen::VectorXd(answer.a(out->velocity_dofs))) : 0;
  out->positions_by_x = local_coordinates->position_directions();
  out->velocities_by_x = local_coordinates->following_velocities(
      SparseMatrix(derivatives.rate_by_q * out->positions_by_x));
  out->velocities_by_w = std::move(by_w);
  out->velocities_by_w_transposed = out->velocities_by_w.transpose();
  out->turned_back = turned_back_matrix(model, state);
  out->cancelling = cancelling_accelerations(rows, basis, model.nv());
  out->efforts = unit_efforts(model, kinematics, driven);
  out->s_by_q = std::move(derivatives.acceleration_by_q);
  out->s_by_v = std::move(derivatives.acceleration_by_v);
  out->loads = std::move(derivatives.loads);

  if (out->velocities_by_w.cols() > most_factorized) {
    Eigen::VectorXd some(out->velocities_by_w.cols()), f;
    for (Eigen::Index k = 0; k < some.size(); ++k) some[k] = std::cos(double(k) * double(k));
    const Eigen::VectorXd a = out->velocities_by_w * some;
    out->mass_times(a, f);
    out->response = EffortResponse::make(model, state.q, rows, basis, a, f);
  }
  if (out->response || out->factorize()) return {};
  return Status::failure(
      fmt::format("{}: the mass matrix is singular along a motion that the constraints allow: give "
                  "its bodies mass",
                  name));
}

}  // namespace trammel
