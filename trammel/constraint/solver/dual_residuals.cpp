#include "trammel/constraint/solver/dual_residuals.hpp"

#include <algorithm>

#include "trammel/constraint/equations/dense_rows.hpp"
#include "trammel/constraint/equations/loop_forces.hpp"
#include "trammel/dynamics/workspace_buffers.hpp"

namespace trammel {

namespace {

void seed_lanes(const Eigen::MatrixXd& direction, Eigen::Index first, std::vector<Duals>& x) {
  for (std::size_t k = 0; k < x.size(); ++k)
    for (int lane = 0; lane < native_lanes; ++lane)
      x[k].derivative[std::size_t(lane)] =
          first + lane < direction.cols() ? direction(Eigen::Index(k), first + lane) : 0.0;
}

}  // namespace

DualResiduals::DualResiduals(const EvalContext& context, const ConstraintRows& rows)
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

void DualResiduals::seed(const Eigen::MatrixXd& q_dot, const Eigen::MatrixXd& v_dot,
                         Eigen::Index first) {
  seed_lanes(q_dot, first, q_);
  seed_lanes(v_dot, first, v_);
}

void DualResiduals::evaluate(const Eigen::VectorXd& a) {
  std::ranges::copy(a, a_.begin());
  const KernelInput<double, Duals> input = unloaded_input();
  kernel::kinematics<double, Duals>(input, q_, v_, a_, workspace_, kinematics_);
  const Inputs& inputs = context_.inputs();
  rows_.evaluate(context_.model(), kinematics_, q_, v_, a_,
                 {inputs.a, inputs.loop_a.empty() ? steady_ : inputs.loop_a});
}

Status DualResiduals::evaluate_efforts(const Eigen::VectorXd& lambda) {
  loads_.clear();
  add_wrenches();
  if (Status status = evaluate_elements(); !status) return status;
  for (const auto& element : elements_)
    add_between(element.parent, element.child, element.F, element.p);
  for (const auto& push : rows_.evaluated().row_wrenches)
    add_between(push.parent, push.child, lambda[push.row] * push.F, push.p);
  const KernelInput<double, Duals> input = unloaded_input();
  kernel::inverse_dynamics<double, Duals>({input.model, input.numbers, input.ground, loads_}, q_,
                                          v_, a_, workspace_, effort_);
  return {};
}

Status DualResiduals::evaluate_elements() {
  elements_.clear();
  const Model& model = context_.model();
  if (Status status = add_element_forces<Duals>(context_.name(), model, kinematics_, z_, elements_);
      !status)
    return status;
  return add_loop_forces(context_.name(), model, kinematics_, context_.inputs().loop_tau,
                         elements_);
}

Force<Duals> DualResiduals::on_body(int tree_body, const Force<Duals>& F,
                                    const Vec3<Duals>& p) const {
  const Pose<Duals>& X_WB = kinematics_.X_WB[std::size_t(tree_body)];
  return turned(transpose(X_WB.R), acting_at(p - X_WB.p, F));
}

void DualResiduals::write_derivatives(const std::vector<Duals>& x, Eigen::Index first,
                                      Eigen::MatrixXd& out) {
  for (int lane = 0; lane < native_lanes && first + lane < out.cols(); ++lane)
    for (std::size_t k = 0; k < x.size(); ++k)
      out(Eigen::Index(k), first + lane) = x[k].derivative[std::size_t(lane)];
}

KernelInput<double, Duals> DualResiduals::unloaded_input() const {
  const GroundMotion<double> ground = context_.unloaded_input().ground;
  const auto wide = [](const Motion<double>& V) { return Motion<Duals>{V.angular, V.linear}; };
  return {context_.model(), context_.model().numbers(), {wide(ground.V), wide(ground.A)}};
}

void DualResiduals::add_load(BodyId body, const Force<Duals>& F, const Vec3<Duals>& p) {
  const int tree_body = context_.model()[body].tree_body;
  if (tree_body == 0) return;  // ground is fixed
  loads_.push_back({tree_body, on_body(tree_body, F, p)});
}
void DualResiduals::add_between(BodyId parent, BodyId child, const Force<Duals>& F,
                                const Vec3<Duals>& p) {
  add_load(child, F, p);
  add_load(parent, -F, p);
}
void DualResiduals::add_wrenches() {
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

Eigen::MatrixXd rates_of_positions(const EvalContext& context, const Eigen::MatrixXd& dq) {
  Eigen::MatrixXd q_dot(context.model().nq(), dq.cols());
  for (Eigen::Index k = 0; k < dq.cols(); ++k) {
    const Eigen::VectorXd along = dq.col(k);
    rate(context.model(), context.q(), as_span(along),
         {q_dot.col(k).data(), std::size_t(q_dot.rows())});
  }
  return q_dot;
}

}  // namespace trammel
