#include "trammel/dynamics/inverse_dynamics.hpp"

#include <algorithm>

#include "trammel/dynamics/constrained.hpp"
#include "trammel/dynamics/kernel/passive_forces.hpp"
#include "trammel/dynamics/kernel/table.hpp"
#include "trammel/dynamics/question.hpp"

namespace trammel {

Status inverse_dynamics(const Model& model, const State& state, const Inputs& inputs,
                        Workspace& workspace, std::span<double> tau) {
  const Question question("inverse_dynamics", model, state, inputs, workspace,
                          Constraints::honoured, Forces::acting);
  question.expects_vector("tau", tau.size(), model.nv());
  if (!question.ok()) return question.status();
  if (workspace.constrained)
    return workspace.constrained->inverse_dynamics(question, workspace, tau);
  kernel::kernels().inverse_dynamics(question.scene(), question.q(), question.v(), question.a(),
                                     workspace, tau);
  return {};
}

Status bias(const Model& model, const State& state, const Inputs& inputs, Workspace& workspace,
            std::span<double> tau) {
  const Question question("bias", model, state, inputs, workspace, Constraints::honoured,
                          Forces::apart);
  question.expects_vector("tau", tau.size(), model.nv());
  if (!question.ok()) return question.status();
  kernel::kernels().newton_euler(question.unloaded_scene(), question.q(), question.v(),
                                 question.zero(), workspace, tau);
  return {};
}

Status gravity_load(const Model& model, const State& state, Workspace& workspace,
                    std::span<double> tau) {
  const Inputs nothing;
  const Question question("gravity_load", model, state, nothing, workspace, Constraints::honoured,
                          Forces::apart);
  question.expects_vector("tau", tau.size(), model.nv());
  if (!question.ok()) return question.status();
  kernel::kernels().newton_euler(question.unloaded_scene(), question.q(), question.zero(),
                                 question.zero(), workspace, tau);
  return {};
}

Status passive_forces(const Model& model, const State& state, Workspace& workspace,
                      std::span<double> tau) {
  const Inputs nothing;
  const Question question("passive_forces", model, state, nothing, workspace, Constraints::honoured,
                          Forces::acting);
  question.expects_vector("tau", tau.size(), model.nv());
  if (!question.ok()) return question.status();
  std::fill(tau.begin(), tau.end(), 0.0);
  kernel::add_passive_forces<double, double>(model.numbers(), question.q(), question.v(), tau);
  add_efforts(model, workspace.kinematics, workspace.element_forces, tau);
  return {};
}

}  // namespace trammel
