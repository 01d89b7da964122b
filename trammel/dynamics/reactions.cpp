#include "trammel/dynamics/reactions.hpp"

#include <algorithm>

#include "trammel/dynamics/constrained.hpp"
#include "trammel/dynamics/eval_context.hpp"
#include "trammel/dynamics/exact_scalars.hpp"
#include "trammel/dynamics/kernel/dispatch/table.hpp"
#include "trammel/dynamics/kinematics.hpp"
#include "trammel/dynamics/scalar_kernels.hpp"
#include "trammel/dynamics/workspace_buffers.hpp"

namespace trammel {

namespace kernel {

template <Scalar P, Scalar S>
void reactions(const KernelInput<P, S>& input, const BasicKinematics<S>& kinematics,
               std::span<Force<S>> on_body, std::span<Force<S>> out) {
  const Model& model = input.model;
  const ModelParameters<P>& numbers = input.numbers;
  const auto X_WU = [&](BodyId id) {
    return kinematics.X_WB[model[id].tree_body] *
           Pose<S>{numbers.X_BU[index(id)].R, numbers.X_BU[index(id)].p};
  };
  std::fill(out.begin(), out.end(), Force<S>{});

  // force on each named body alone: Newton-Euler equations, with gravity as an upward acceleration
  // of ground, less the external forces
  for (std::size_t n = 0; n < on_body.size(); ++n) {
    const int tree_body = model.named_bodies()[n].tree_body;
    const Pose<S> X_BU{numbers.X_BU[n].R, numbers.X_BU[n].p};
    const Motion<S> V = to_child(X_BU, kinematics.V[tree_body]);
    Motion<S> A = kinematics.A[tree_body];
    A.linear = A.linear - transpose_times(kinematics.X_WB[tree_body].R, Vec3<S>(numbers.gravity));
    A = to_child(X_BU, A);
    const Inertia<P>& I = numbers.own_inertia[n];
    on_body[n] = I * A + cross(V, I * V) - on_body[n];
  }

  // inward: each joint carries its outboard body and all bodies outboard of that
  const std::span<const JointId> joints = model.outward_joints();
  for (std::size_t k = joints.size(); k-- > 0;) {
    const NamedJoint& joint = model[joints[k]];
    const BodyId outboard = joint.is_reversed ? joint.parent : joint.child;
    const BodyId inboard = joint.is_reversed ? joint.child : joint.parent;
    const Force<S> F = on_body[index(outboard)];
    const Pose<S> X_IO = inverse(X_WU(inboard)) * X_WU(outboard);
    on_body[index(inboard)] += to_parent(X_IO, F);

    // force of the parent on the child, at M
    const Pose<P>& X_CM_numbers = numbers.X_CM[index(joints[k])];
    const Pose<S> X_CM{X_CM_numbers.R, X_CM_numbers.p};
    out[index(joints[k])] =
        joint.is_reversed ? to_child(X_CM, -to_parent(X_IO, F)) : to_child(X_CM, F);
  }
}

#define INSTANTIATE(P, S)                                                            \
  template void reactions<P, S>(const KernelInput<P, S>&, const BasicKinematics<S>&, \
                                std::span<Force<S>>, std::span<Force<S>>);
TRAMMEL_FOR_EACH_EXACT_PAIR(INSTANTIATE)
#undef INSTANTIATE

}  // namespace kernel

Status reactions(const Model& model, const State& state, const Inputs& inputs, Workspace& workspace,
                 std::vector<Force<double>>& out) {
  const EvalContext context("reactions", model, state, inputs, workspace, Constraints::honored,
                            Forces::acting);
  if (!context.ok()) return context.status();
  if (workspace->constrained) return workspace->constrained->reactions(context, workspace, out);
  out.resize(model.joints().size());
  const auto input = context.unloaded_input();
  kernel::kernels().kinematics(input, context.q(), context.v(), context.a(), *workspace,
                               workspace->kinematics);

  std::fill(workspace->on_body.begin(), workspace->on_body.end(), Force<double>{});
  for (const Wrench& wrench : inputs.wrenches) {
    Force<double> F = wrench.F;
    if (wrench.axes == Axes::world) {
      const int tree_body = model[wrench.at.body].tree_body;
      F = turned(transpose(workspace->kinematics.X_WB[tree_body].R * placed(model, wrench.at).R),
                 F);
    }
    workspace->on_body[index(wrench.at.body)] += to_parent(wrench.at.X_UA, F);
  }
  for (const ElementForce& element : workspace->element_forces) {
    const auto push = [&](BodyId body, const Force<double>& F) {
      const Pose<double> X_WU = pose(model, workspace->kinematics, {body});
      workspace->on_body[index(body)] +=
          turned(transpose(X_WU.R), acting_at(element.p - X_WU.p, F));
    };
    push(element.child, element.F);
    push(element.parent, -element.F);
  }
  kernel::reactions<double, double>(input, workspace->kinematics, workspace->on_body, out);
  return {};
}

}  // namespace trammel
