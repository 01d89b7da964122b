#include "trammel/dynamics/kinematics.hpp"

#include "trammel/dynamics/belongs.hpp"
#include "trammel/dynamics/eval_context.hpp"
#include "trammel/dynamics/exact_scalars.hpp"
#include "trammel/dynamics/kernel/dispatch/table.hpp"
#include "trammel/dynamics/scalar_kernels.hpp"
#include "trammel/spatial/conventions.hpp"

namespace trammel {

namespace kernel {

template <Scalar S>
Motion<S> velocity(const BasicKinematics<S>& kinematics, int body, const Pose<S>& X_BA, Axes axes) {
  const Motion<S> V = to_child(X_BA, kinematics.V[body]);
  return axes == Axes::body ? V : turned(kinematics.X_WB[body].R * X_BA.R, V);
}

template <Scalar S>
Motion<S> acceleration(const BasicKinematics<S>& kinematics, int body, const Pose<S>& X_BA,
                       Axes axes) {
  const Motion<S> A =
      true_acceleration(to_child(X_BA, kinematics.A[body]), to_child(X_BA, kinematics.V[body]));
  return axes == Axes::body ? A : turned(kinematics.X_WB[body].R * X_BA.R, A);
}

#define INSTANTIATE(S)                                                                  \
  template Motion<S> velocity<S>(const BasicKinematics<S>&, int, const Pose<S>&, Axes); \
  template Motion<S> acceleration<S>(const BasicKinematics<S>&, int, const Pose<S>&, Axes);
TRAMMEL_FOR_EACH_EXACT_SCALAR(INSTANTIATE)
#undef INSTANTIATE

}  // namespace kernel

Status positions(const Model& model, const State& state, Workspace& workspace, Positions& out) {
  const Inputs nothing;
  const EvalContext context("positions", model, state, nothing, workspace, Constraints::honored,
                            Forces::apart);
  expects_same_model("positions", out, model);
  if (!context.ok()) return context.status();
  kernel::kernels().positions(context.unloaded_input(), context.q(), *workspace, out);
  return {};
}

Status kinematics(const Model& model, const State& state, const Inputs& inputs,
                  Workspace& workspace, Kinematics& out) {
  const EvalContext context("kinematics", model, state, inputs, workspace, Constraints::honored,
                            Forces::apart);
  expects_same_model("kinematics", out, model);
  if (!context.ok()) return context.status();
  kernel::kernels().kinematics(context.unloaded_input(), context.q(), context.v(), context.a(),
                               *workspace, out);
  return {};
}

Pose<double> pose(const Model& model, const Positions& positions, const FrameRef& place) {
  expects_same_model("pose", positions, model);
  expects_body("pose", "the place", model, place.body);
  return positions.X_WB[model[place.body].tree_body] * placed(model, place);
}
Motion<double> velocity(const Model& model, const Kinematics& kinematics, const FrameRef& place,
                        Axes axes) {
  expects_same_model("velocity", kinematics, model);
  expects_body("velocity", "the place", model, place.body);
  return kernel::velocity(kinematics, model[place.body].tree_body, placed(model, place), axes);
}
Motion<double> acceleration(const Model& model, const Kinematics& kinematics, const FrameRef& place,
                            Axes axes) {
  expects_same_model("acceleration", kinematics, model);
  expects_body("acceleration", "the place", model, place.body);
  return kernel::acceleration(kinematics, model[place.body].tree_body, placed(model, place), axes);
}

}  // namespace trammel
