#include "trammel/constraint/solver/acceleration_derivatives.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "trammel/constraint/equations/dense_rows.hpp"
#include "trammel/constraint/equations/loop_forces.hpp"
#include "trammel/constraint/solver/constrained_dynamics.hpp"
#include "trammel/dynamics/kernel/instantiate.hpp"
#include "trammel/dynamics/matrices.hpp"
#include "trammel/dynamics/workspace_buffers.hpp"

namespace trammel {

namespace {

using DualVector = std::vector<Duals>;

// The state in Dual numbers: derivatives along native_lanes directions at a time.
class Leaning {
 public:
  Leaning(const EvalContext& context, const ConstraintRows& rows)
      : context_(context),
        workspace_(context.model()),
        kinematics_(context.model()),
        rows_(context.model()),
        q_(context.q().begin(), context.q().end()),
        v_(context.v().begin(), context.v().end()),
        a_(v_.size()),
        effort_(v_.size()),
        z_(context.state().z.begin(), context.state().z.begin() + context.model().nz()),
        steady_(std::size_t(context.model().loop_nv())) {
    rows_.begin_at(rows.at().closure_q());
  }

  // Seeds the derivatives of q and v with columns first, first + 1, ... of q_dot and v_dot.
  void lean(const Eigen::MatrixXd& q_dot, const Eigen::MatrixXd& v_dot, Eigen::Index first) {
    lean(q_dot, first, q_);
    lean(v_dot, first, v_);
  }
  // Kinematics and constraint rows at constant accelerations.
  void evaluate(const Eigen::VectorXd& a) {
    std::ranges::copy(a, a_.begin());
    const KernelInput<double, Duals> input = unloaded_input();
    kernel::kinematics<double, Duals>(input, q_, v_, a_, workspace_, kinematics_);
    const Inputs& inputs = context_.inputs();
    rows_.evaluate(context_.model(), kinematics_, q_, v_, a_,
                   {inputs.a, inputs.loop_a.empty() ? steady_ : inputs.loop_a});
  }
  // M a + h - J^T lambda, without terms that act on a dof of the tree directly (couplings,
  // prescribed joints), whose Jacobian is constant.
  Status weigh(const Eigen::VectorXd& lambda) {
    loads_.clear();
    add_wrenches();
    if (Status status = add_force_elements(); !status) return status;
    for (const auto& push : rows_.evaluated().row_wrenches)
      add_between(push.parent, push.child, lambda[push.row] * push.F, push.p);
    KernelInput<double, Duals> input = unloaded_input();
    kernel::inverse_dynamics<double, Duals>({input.model, input.numbers, input.ground, loads_}, q_,
                                            v_, a_, workspace_, effort_);
    return {};
  }

  static void derivatives_of(const DualVector& x, Eigen::Index first, Eigen::MatrixXd& out) {
    for (int lane = 0; lane < native_lanes && first + lane < out.cols(); ++lane)
      for (std::size_t k = 0; k < x.size(); ++k)
        out(Eigen::Index(k), first + lane) = x[k].derivative[std::size_t(lane)];
  }
  const ConstraintRowsAt<Duals>& rows() const { return rows_; }
  const DualVector& effort() const { return effort_; }

 private:
  static void lean(const Eigen::MatrixXd& direction, Eigen::Index first, DualVector& x) {
    for (std::size_t k = 0; k < x.size(); ++k)
      for (int lane = 0; lane < native_lanes; ++lane)
        x[k].derivative[std::size_t(lane)] =
            first + lane < direction.cols() ? direction(Eigen::Index(k), first + lane) : 0.0;
  }
  KernelInput<double, Duals> unloaded_input() const {
    const GroundMotion<double> ground = context_.unloaded_input().ground;
    const auto wide = [](const Motion<double>& V) { return Motion<Duals>{V.angular, V.linear}; };
    return {context_.model(), context_.model().numbers(), {wide(ground.V), wide(ground.A)}};
  }

  void add_load(BodyId body, const Force<Duals>& F, const Vec3<Duals>& p) {
    const int tree_body = context_.model()[body].tree_body;
    if (tree_body == 0) return;  // ground is fixed
    const Pose<Duals>& X_WB = kinematics_.X_WB[std::size_t(tree_body)];
    loads_.push_back({tree_body, turned(transpose(X_WB.R), acting_at(p - X_WB.p, F))});
  }
  void add_between(BodyId parent, BodyId child, const Force<Duals>& F, const Vec3<Duals>& p) {
    add_load(child, F, p);
    add_load(parent, -F, p);
  }
  Status add_force_elements() {
    elements_.clear();
    const Model& model = context_.model();
    if (Status status =
            add_element_forces<Duals>(context_.name(), model, kinematics_, z_, elements_);
        !status)
      return status;
    if (Status status = add_loop_forces(context_.name(), model, kinematics_,
                                        context_.inputs().loop_tau, elements_);
        !status)
      return status;
    for (const auto& element : elements_)
      add_between(element.parent, element.child, element.F, element.p);
    return {};
  }
  void add_wrenches() {
    const Model& model = context_.model();
    for (const Wrench& wrench : context_.inputs().wrenches) {
      const int tree_body = model[wrench.at.body].tree_body;
      if (tree_body == 0) continue;
      const Pose<double> X_BA = placed(model, wrench.at);
      const auto& [moment, force] = wrench.F;
      if (wrench.axes == Axes::body) {
        const Force<double> F = to_parent(X_BA, wrench.F);
        loads_.push_back({tree_body, {F.moment, F.force}});
      } else {
        const Pose<Duals>& X_WB = kinematics_.X_WB[std::size_t(tree_body)];
        add_load(wrench.at.body, {moment, force}, X_WB * X_BA.p);
      }
    }
  }

  const EvalContext& context_;
  BasicWorkspace<Duals> workspace_;
  BasicKinematics<Duals> kinematics_;
  ConstraintRowsAt<Duals> rows_;
  DualVector q_, v_, a_, effort_, z_;
  std::vector<ExternalForce<Duals>> loads_;
  std::vector<BasicElementForce<Duals>> elements_;
  // zero accelerations of loop joints driven by motion, used if inputs.loop_a is not given
  std::vector<double> steady_;
};

// Time derivatives of q (nq: a quaternion has four) for velocities dq (nv).
Eigen::MatrixXd rates_of_positions(const EvalContext& context, const Eigen::MatrixXd& dq) {
  Eigen::MatrixXd q_dot(context.model().nq(), dq.cols());
  for (Eigen::Index k = 0; k < dq.cols(); ++k) {
    const Eigen::VectorXd along = dq.col(k);
    rate(context.model(), context.q(), as_span(along),
         {q_dot.col(k).data(), std::size_t(q_dot.rows())});
  }
  return q_dot;
}

}  // namespace

AccelerationDerivatives::AccelerationDerivatives(const EvalContext& context, Workspace& workspace,
                                                 const RowBasis& basis, Eigen::MatrixXd T)
    : context_(context),
      basis_(basis),
      T_(std::move(T)),
      rows_(context.model()),
      M_(context.model().nv(), context.model().nv()) {
  const Model& model = context.model();
  ConstrainedAnswer answer;
  status_ = constrained_dynamics(model, context.state(), context.inputs(), workspace, answer);
  if (!status_.ok()) {
    status_ =
        Status::failure(context.name() + status_.message().substr(status_.message().find(':')));
    return;
  }
  a_ = std::move(answer.a);
  lambda_ = std::move(answer.lambda);
  evaluate_rows(context, workspace, rows_);
  kernel::kernels().mass_matrix(context.input(), context.q(), *workspace, span_of(M_));
  if (basis_.rank() > 0) {
    std::vector<int> dofs(std::size_t(model.nv()));
    std::iota(dofs.begin(), dofs.end(), 0);
    rows_solver_ = ComponentLeastSquares(rows_.sparse_jacobian(), basis_.rows, dofs);
  }
  if (T_.cols() > 0) inertia_.compute(T_.transpose() * M_ * T_);
  if (T_.cols() > 0 && !inertia_.is_positive_definite())
    status_ = Status::failure(
        fmt::format("{}: the mass matrix is singular along a motion that the constraints allow: "
                    "give its bodies mass",
                    context.name()));
}

Eigen::MatrixXd AccelerationDerivatives::in_basis(const Eigen::MatrixXd& all_rows) const {
  return independent_rows(all_rows, basis_);
}

Eigen::MatrixXd AccelerationDerivatives::rates(const Eigen::MatrixXd& dq) const {
  Eigen::MatrixXd out(rows_.count(), dq.cols());
  if (rows_.count() == 0) return out;
  Leaning leaning(context_, rows_);
  const Eigen::MatrixXd q_dot = rates_of_positions(context_, dq);
  const Eigen::MatrixXd v_dot = Eigen::MatrixXd::Zero(context_.model().nv(), dq.cols());
  for (Eigen::Index first = 0; first < dq.cols(); first += native_lanes) {
    leaning.lean(q_dot, v_dot, first);
    leaning.evaluate(a_);
    Leaning::derivatives_of(leaning.rows().evaluated().rate, first, out);
  }
  return out;
}

Eigen::MatrixXd AccelerationDerivatives::least_velocities(const Eigen::MatrixXd& rates) const {
  if (basis_.rank() == 0) return Eigen::MatrixXd::Zero(context_.model().nv(), rates.cols());
  return rows_solver_.solve(-in_basis(rates));
}

Status AccelerationDerivatives::along(const Eigen::MatrixXd& dq, const Eigen::MatrixXd& dv,
                                      Eigen::MatrixXd& out) const {
  Eigen::MatrixXd r(context_.model().nv(), dq.cols()), s(rows_.count(), dq.cols());
  const Eigen::MatrixXd q_dot = rates_of_positions(context_, dq);
  Leaning leaning(context_, rows_);
  for (Eigen::Index first = 0; first < dq.cols(); first += native_lanes) {
    leaning.lean(q_dot, dv, first);
    leaning.evaluate(a_);
    if (Status status = leaning.weigh(lambda_); !status) return status;
    Leaning::derivatives_of(leaning.effort(), first, r);
    Leaning::derivatives_of(leaning.rows().evaluated().acceleration, first, s);
  }
  // particular solution of J a' = -s', corrected along the null space T by the force residual
  out = least_velocities(s);
  if (T_.cols() > 0) out -= T_ * inertia_.solve(T_.transpose() * (r + M_ * out));
  if (out.allFinite()) return {};
  return Status::failure(
      fmt::format("{}: accelerations are not differentiable here: the pose is singular, or a force "
                  "sets in at this state; move away from it",
                  context_.name()));
}

Eigen::MatrixXd AccelerationDerivatives::by_efforts() const {
  if (T_.cols() == 0) return Eigen::MatrixXd::Zero(T_.rows(), T_.rows());
  return T_ * inertia_.solve(T_.transpose());
}

}  // namespace trammel
