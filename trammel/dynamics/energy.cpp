#include "trammel/dynamics/energy.hpp"

#include "trammel/dynamics/constrained.hpp"
#include "trammel/dynamics/eval_context.hpp"
#include "trammel/dynamics/force_elements.hpp"
#include "trammel/dynamics/kernel/dispatch/table.hpp"
#include "trammel/dynamics/kernel/instantiate.hpp"
#include "trammel/dynamics/scalar_kernels.hpp"
#include "trammel/dynamics/workspace_buffers.hpp"

namespace trammel {

namespace kernel {

template <Scalar P, Scalar S>
BasicEnergy<S> energy(const KernelInput<P, S>& input, In<S> q, const BasicKinematics<S>& kinematics,
                      In<S> z) {
  const ModelParameters<P>& numbers = input.numbers;
  BasicEnergy<S> out;
  for (std::size_t i = 1; i < numbers.bodies.size(); ++i) {
    const Inertia<P>& I = numbers.bodies[i].inertia;
    const Motion<S>& V = kinematics.V[i];
    const Pose<S>& X = kinematics.X_WB[i];
    out.kinetic += S(0.5) * dot(V, I * V);
    const Vec3<S> moment = I.mass * X.p + X.R * I.first_moment;  // first moment, in the world
    out.gravity -= dot(numbers.gravity, moment);
  }
  for (const PassiveNumbers<P>& spring : numbers.passive) {
    const S stretch = q[spring.q] - S(spring.rest);
    out.elastic += S(0.5) * (spring.stiffness * (stretch * stretch));
  }
  each_force_element(input.model, numbers, z,
                     [&](const ElementBodies& bodies, const auto& element, std::span<const S> own) {
                       const BodyPair<S> pair = body_pair(input.model, bodies, kinematics);
                       out.elastic += element.potential_energy(pair, own);
                     });
  return out;
}

#define INSTANTIATE(P, S)                                                                          \
  template BasicEnergy<S> energy<P, S>(const KernelInput<P, S>&, In<S>, const BasicKinematics<S>&, \
                                       In<S>);
INSTANTIATE(double, double)
INSTANTIATE(double, Duals)
INSTANTIATE(Duals, Duals)
INSTANTIATE(double, Expr)
INSTANTIATE(Expr, Expr)
#undef INSTANTIATE

}  // namespace kernel

Status energy(const Model& model, const State& state, Workspace& workspace, Energy& out) {
  const Inputs nothing;
  const EvalContext context("energy", model, state, nothing, workspace, Constraints::honored,
                            Forces::apart);
  if (!context.ok()) return context.status();
  kernel::kernels().kinematics(context.unloaded_input(), context.q(), context.v(), context.zero(),
                               *workspace, workspace->kinematics);
  out = kernel::energy<double, double>(context.unloaded_input(), context.q(), workspace->kinematics,
                                       state.z);
  if (workspace->constrained)
    out.elastic += workspace->constrained->elastic_energy(model, workspace->kinematics);
  return {};
}

}  // namespace trammel
