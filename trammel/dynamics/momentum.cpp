#include "trammel/dynamics/momentum.hpp"

#include "trammel/dynamics/eval_context.hpp"
#include "trammel/dynamics/kernel/dispatch/table.hpp"
#include "trammel/dynamics/kernel/instantiate.hpp"
#include "trammel/dynamics/matrices.hpp"
#include "trammel/dynamics/scalar_kernels.hpp"
#include "trammel/dynamics/workspace_buffers.hpp"

namespace trammel {

namespace kernel {

template <Scalar P, Scalar S>
BasicMomentum<S> momentum(const KernelInput<P, S>& input, const BasicKinematics<S>& kinematics) {
  Force<S> sum{};
  for (std::size_t i = 1; i < input.numbers.bodies.size(); ++i)
    sum += to_parent(kinematics.X_WB[i], input.numbers.bodies[i].inertia * kinematics.V[i]);
  return {sum.moment, sum.force};
}

template <Scalar P, Scalar S>
BasicCenterOfMass<S> center_of_mass(const KernelInput<P, S>& input,
                                    const BasicKinematics<S>& kinematics) {
  S mass(0.0);
  Vec3<S> moment;
  for (std::size_t i = 1; i < input.numbers.bodies.size(); ++i) {
    const Inertia<P>& I = input.numbers.bodies[i].inertia;
    const Pose<S>& X = kinematics.X_WB[i];
    mass += S(I.mass);
    moment = moment + (I.mass * X.p + X.R * I.first_moment);
  }
  const S k = S(1.0) / mass;
  return {mass, k * moment, k * momentum(input, kinematics).linear};
}

#define INSTANTIATE(P, S)                                                                        \
  template BasicMomentum<S> momentum<P, S>(const KernelInput<P, S>&, const BasicKinematics<S>&); \
  template BasicCenterOfMass<S> center_of_mass<P, S>(const KernelInput<P, S>&,                   \
                                                     const BasicKinematics<S>&);
INSTANTIATE(double, double)
INSTANTIATE(double, Duals)
INSTANTIATE(Duals, Duals)
INSTANTIATE(double, Expr)
INSTANTIATE(Expr, Expr)
#undef INSTANTIATE

}  // namespace kernel

namespace {

void ask_kinematics(const EvalContext& context, Workspace& workspace) {
  kernel::kernels().kinematics(context.unloaded_input(), context.q(), context.v(), context.zero(),
                               *workspace, workspace->kinematics);
}
Status no_mass(const char* name, const Model& model) {
  return Status::failure(
      fmt::format("{}: the model '{}' has no mass that can move, so no center of mass: give a body "
                  "a mass",
                  name, model.name()));
}
Momentum about(const Vec3<double>& point, const Momentum& momentum) {
  return {momentum.angular - cross(point, momentum.linear), momentum.linear};
}

}  // namespace

Status momentum(const Model& model, const State& state, Workspace& workspace, Momentum& out) {
  const Inputs nothing;
  const EvalContext context("momentum", model, state, nothing, workspace, Constraints::honored,
                            Forces::apart);
  if (!context.ok()) return context.status();
  ask_kinematics(context, workspace);
  out = kernel::momentum<double, double>(context.unloaded_input(), workspace->kinematics);
  return {};
}

Status centroidal_momentum(const Model& model, const State& state, Workspace& workspace,
                           Momentum& out) {
  const Inputs nothing;
  const EvalContext context("centroidal_momentum", model, state, nothing, workspace,
                            Constraints::honored, Forces::apart);
  if (!context.ok()) return context.status();
  ask_kinematics(context, workspace);
  const auto input = context.unloaded_input();
  const CenterOfMass center = kernel::center_of_mass<double, double>(input, workspace->kinematics);
  if (!(center.mass > 0)) return no_mass("centroidal_momentum", model);
  out = about(center.position, kernel::momentum<double, double>(input, workspace->kinematics));
  return {};
}

Status center_of_mass(const Model& model, const State& state, Workspace& workspace,
                      CenterOfMass& out) {
  const Inputs nothing;
  const EvalContext context("center_of_mass", model, state, nothing, workspace,
                            Constraints::honored, Forces::apart);
  if (!context.ok()) return context.status();
  ask_kinematics(context, workspace);
  const CenterOfMass center =
      kernel::center_of_mass<double, double>(context.unloaded_input(), workspace->kinematics);
  if (!(center.mass > 0)) return no_mass("center_of_mass", model);
  out = center;
  return {};
}

Status centroidal_momentum_matrix(const Model& model, const State& state, Workspace& workspace,
                                  Eigen::Ref<Eigen::MatrixXd> out) {
  const Inputs nothing;
  const EvalContext context("centroidal_momentum_matrix", model, state, nothing, workspace,
                            Constraints::honored, Forces::apart);
  context.expects_matrix("out", out.rows(), out.cols(), 6, model.nv());
  if (!context.ok()) return context.status();
  ask_kinematics(context, workspace);
  const Kinematics& kinematics = workspace->kinematics;
  const CenterOfMass center =
      kernel::center_of_mass<double, double>(context.unloaded_input(), kinematics);
  if (!(center.mass > 0)) return no_mass("centroidal_momentum_matrix", model);

  // inward: composite inertias; column k is the momentum I^c S_k about the center of mass
  const auto bodies = model.bodies();
  for (std::size_t i = 1; i < bodies.size(); ++i)
    workspace->I_C[i] = turned(kinematics.X_WB[i].R, model.numbers().bodies[i].inertia);
  for (std::size_t i = bodies.size() - 1; i > 0; --i) {
    const Vec3<double>& p = kinematics.X_WB[i].p;
    for (int k = bodies[i].v_start; k < bodies[i].v_end; ++k) {
      const Force<double> h =
          acting_at(p - center.position, workspace->I_C[i] * kinematics.axes[std::size_t(k)]);
      out.col(k) << h.moment.x, h.moment.y, h.moment.z, h.force.x, h.force.y, h.force.z;
    }
    const std::size_t parent = std::size_t(bodies[i].parent);
    if (parent == 0) continue;
    workspace->I_C[parent] =
        workspace->I_C[parent] + shifted(p - kinematics.X_WB[parent].p, workspace->I_C[i]);
  }
  return {};
}

}  // namespace trammel
