#include "trammel/constraint/mobility/dof_roles.hpp"
#include "trammel/base/linear_algebra.hpp"
#include "trammel/dynamics/kernel/tree/passive_forces.hpp"

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>

#include "trammel/constraint/equations/dense_rows.hpp"
#include "trammel/constraint/solver/constrained_dynamics.hpp"
#include "trammel/dynamics/matrices.hpp"

namespace trammel {

namespace {

// Mass matrix M and bias h: inverse dynamics at zero acceleration, with springs and wrenches.
struct TreeEquations {
  Eigen::MatrixXd M;
  Eigen::VectorXd h;
};
TreeEquations tree_equations(const EvalContext& context, Workspace& workspace) {
  const int nv = context.model().nv();
  TreeEquations out{Eigen::MatrixXd(nv, nv), Eigen::VectorXd(nv)};
  kernel::kernels().mass_matrix(context.input(), context.q(), *workspace, span_of(out.M));
  kernel::kernels().inverse_dynamics(context.input(), context.q(), context.v(), context.zero(),
                                     *workspace, {out.h.data(), std::size_t(nv)});
  return out;
}

Status no_inertia(const char* context) {
  return Status::failure(
      fmt::format("{}: the mass matrix of the degrees of freedom that are not flexible is "
                  "singular: give the bodies that move there a mass, or fix them",
                  context));
}

DofRole role_of(const Model& model, const NamedJoint& joint, int dof) {
  if (joint.drive != Drive::none) return DofRole::actuated;
  const bool floats = joint.kind == JointKind::free || joint.kind == JointKind::planar;
  if (floats && index(joint.parent) == 0) return DofRole::base;
  const auto& springs = model.numbers().passive;
  const bool has_spring = std::ranges::any_of(
      springs, [&](const PassiveNumbers<double>& spring) { return spring.v == dof; });
  return has_spring ? DofRole::flexible : DofRole::free;
}

}  // namespace

std::string to_string(DofRole role) {
  switch (role) {
    case DofRole::base: return "base";
    case DofRole::actuated: return "actuated";
    case DofRole::flexible: return "flexible";
    default: return "free";
  }
}

Eigen::MatrixXd DofRoles::S() const {
  const auto n = Eigen::Index(order.size());
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(n, n);
  for (Eigen::Index k = 0; k < n; ++k) out(k, order[std::size_t(k)]) = 1;
  return out;
}

DofRoles dof_roles(const Model& model) {
  DofRoles roles;
  roles.of.assign(std::size_t(model.nv()), DofRole::free);
  for (const NamedJoint& joint : model.joints())
    for (int f = joint.v_start; f < joint.v_start + joint.nv; ++f)
      roles.of[std::size_t(f)] = role_of(model, joint, f);
  for (int f = 0; f < model.nv(); ++f) roles.order.push_back(f);
  std::ranges::stable_sort(roles.order, {}, [&](int f) { return roles.of[std::size_t(f)]; });
  roles.rigid =
      int(std::ranges::count_if(roles.of, [](DofRole role) { return role != DofRole::flexible; }));
  return roles;
}

Status flexible_form(const Model& model, const State& state, const Inputs& inputs,
                     Workspace& workspace, FlexibleForm& out) {
  const EvalContext context("flexible_form", model, state, inputs, workspace, Constraints::honored,
                            Forces::acting);
  if (!context.ok()) return context.status();
  out = {};
  out.roles = dof_roles(model);
  const std::vector<int>& order = out.roles.order;
  const Eigen::Index rigid = out.roles.rigid, n = model.nv() - rigid;
  const TreeEquations tree = tree_equations(context, workspace);
  ConstraintRows rows(model);
  evaluate_rows(context, workspace, rows);

  out.stiffness = out.damping = out.deflection = Eigen::VectorXd::Zero(n);
  Eigen::VectorXd h = tree.h(order);
  for (const PassiveNumbers<double>& spring : model.numbers().passive) {
    const auto at = std::ranges::find(order, spring.v) - order.begin();
    if (at < rigid) continue;  // in the bias of the other dofs
    const Eigen::Index k = at - rigid;
    out.stiffness[k] = spring.stiffness;
    out.damping[k] = spring.damping;
    out.deflection[k] = spring.stiffness != 0 ? state.q[std::size_t(spring.q)] - spring.rest : 0;
    PassiveNumbers<double> smooth = spring;  // friction is not part of the linear equations
    smooth.friction = 0;
    h[at] += kernel::passive_force<double, double>(smooth, state.q, state.v);
  }
  const Eigen::MatrixXd M = tree.M(order, order), J = rows.jacobian()(Eigen::all, order);
  const Eigen::MatrixXd M_2 = M.topRightCorner(rigid, n);
  Eigen::MatrixXd M_1_inverse_M_2(rigid, n);
  if (rigid > 0) {
    const Llt M_1(M.topLeftCorner(rigid, rigid));
    if (!M_1.is_positive_definite()) return no_inertia(context.name());
    M_1_inverse_M_2 = M_1.solve(M_2);
  }
  out.input = -M_1_inverse_M_2.transpose();
  out.inertia = M.bottomRightCorner(n, n) - M_2.transpose() * M_1_inverse_M_2;
  out.constraint = J.rightCols(n) - J.leftCols(rigid) * M_1_inverse_M_2;
  out.bias = h.tail(n) + out.input * h.head(rigid);

  const Eigen::VectorXd tau = Eigen::VectorXd(as_vector(context.tau()))(order);
  const Eigen::VectorXd v = Eigen::VectorXd(as_vector(state.v))(order).tail(n);
  const Eigen::MatrixXd one = Eigen::MatrixXd::Identity(n, n), zero = Eigen::MatrixXd::Zero(n, n);
  out.M_s.resize(2 * n, 2 * n);
  out.M_s << one, zero, zero, out.inertia;
  out.L_s.resize(2 * n, 2 * n);
  out.L_s << zero, -one, Eigen::MatrixXd(out.stiffness.asDiagonal()),
      Eigen::MatrixXd(out.damping.asDiagonal());
  out.J_s.resize(J.rows(), 2 * n);
  out.J_s << Eigen::MatrixXd::Zero(J.rows(), n), out.constraint;
  out.W.resize(2 * n);
  out.W << out.deflection, v;
  out.T_s.resize(2 * n);
  out.T_s << Eigen::VectorXd::Zero(n), tau.tail(n) + out.input * tau.head(rigid) - out.bias;
  return {};
}

Status free_and_correction(const Model& model, const State& state, const Inputs& inputs,
                           Workspace& workspace, FreeAndCorrection& out) {
  ConstrainedAnswer all;
  if (Status status = constrained_dynamics(model, state, inputs, workspace, all); !status)
    return Status::failure("free_and_correction: " + status.message());
  const EvalContext context("free_and_correction", model, state, inputs, workspace,
                            Constraints::honored, Forces::acting);
  if (!context.ok()) return context.status();
  const TreeEquations tree = tree_equations(context, workspace);
  const Llt M(tree.M);
  if (!M.is_positive_definite()) return no_inertia(context.name());
  ConstraintRows rows(model);
  evaluate_rows(context, workspace, rows);
  out.free = M.solve(as_vector(context.tau()) - tree.h);
  out.correction = M.solve(rows.jacobian().transpose() * all.lambda);
  return {};
}

}  // namespace trammel
