#include "trammel/simulate/checks/power.hpp"

#include <algorithm>
#include <numeric>

#include "trammel/constraint/equations/loop_motion.hpp"
#include "trammel/constraint/solver/constrained_dynamics.hpp"
#include "trammel/dynamics/constrained.hpp"
#include "trammel/dynamics/energy.hpp"
#include "trammel/dynamics/force_elements.hpp"
#include "trammel/dynamics/hybrid_dynamics.hpp"
#include "trammel/dynamics/kernel/dispatch/table.hpp"
#include "trammel/dynamics/kernel/instantiate.hpp"
#include "trammel/dynamics/kernel/tree/kinematics.hpp"
#include "trammel/dynamics/kernel/tree/passive_forces.hpp"
#include "trammel/dynamics/kinematics.hpp"
#include "trammel/dynamics/scalar_kernels.hpp"
#include "trammel/dynamics/workspace_buffers.hpp"

namespace trammel {

namespace {

double along(std::span<const double> effort, std::span<const double> v) {
  return std::inner_product(effort.begin(), effort.end(), v.begin(), 0.0);
}

// Time derivatives of the energies that the kernels compute: kinetic, gravity, springs of tree
// joints, force elements.
BasicEnergy<double> energy_rates(const Model& model, const State& state,
                                 std::span<const double> a) {
  std::vector<double> q_dot(state.q.size());
  rate(model, state.q, state.v, q_dot);
  std::vector<Duals> q(state.q.begin(), state.q.end()), v(state.v.begin(), state.v.end()),
      nothing(v.size());
  for (std::size_t k = 0; k < q.size(); ++k) q[k].derivative[0] = q_dot[k];
  for (std::size_t k = 0; k < v.size(); ++k) v[k].derivative[0] = a[k];
  BasicWorkspace<Duals> workspace(model);
  BasicKinematics<Duals> kinematics(model);
  const KernelInput<double, Duals> input{model, model.numbers()};
  kernel::kinematics<double, Duals>(input, q, v, nothing, workspace, kinematics);
  std::vector<Duals> z(state.z.begin(), state.z.begin() + model.nz());
  if (model.nz() > 0) {
    std::vector<Duals> z_dot(z.size());
    element_state_rates<Duals>(model, kinematics, z, z_dot);
    for (std::size_t k = 0; k < z.size(); ++k) z[k].derivative[0] = z_dot[k].value;
  }
  const BasicEnergy<Duals> all = kernel::energy<double, Duals>(input, q, kinematics, z);
  return {all.kinetic.derivative[0], all.gravity.derivative[0], all.elastic.derivative[0]};
}

// Time derivative of the energy of loop joints, whose formula exists for double only: a central
// difference of order 4, accurate enough to separate stored from dissipated power.
double loop_elastic_rate(const Model& model, const State& state, Workspace& workspace) {
  if (!workspace->constrained || model.numbers().closure_passive.empty()) return 0;
  std::vector<double> step(state.v.size()), q(state.q.size());
  const auto energy_at = [&](double time) {
    for (std::size_t f = 0; f < step.size(); ++f) step[f] = time * state.v[f];
    integrate(model, state.q, step, q);
    kernel::kernels().kinematics({model, model.numbers()}, q, state.v, workspace->zero, *workspace,
                                 workspace->kinematics);
    return workspace->constrained->elastic_energy(model, workspace->kinematics);
  };
  const double h = 1e-4;
  return (8 * (energy_at(h) - energy_at(-h)) - (energy_at(2 * h) - energy_at(-2 * h))) / (12 * h);
}

Status drive_power(const Model& model, const State& state, const Inputs& inputs,
                   Workspace& workspace, double& out) {
  std::vector<double> tau(state.v.size()), loop_tau(std::size_t(model.loop_nv()));
  if (!inputs.tau.empty()) std::ranges::copy(inputs.tau, tau.begin());
  if (!inputs.loop_tau.empty()) std::ranges::copy(inputs.loop_tau, loop_tau.begin());
  if (!inputs.a.empty() || !inputs.loop_a.empty())  // efforts of joints driven by motion
    if (Status status = add_led_efforts(model, state, inputs, workspace, tau, loop_tau); !status)
      return status;
  out = along(tau, state.v);
  if (std::ranges::any_of(loop_tau, [](double effort) { return effort != 0; })) {
    LoopMotion loops;
    if (Status status = loop_motion(model, state, workspace, loops); !status) return status;
    out += along(loop_tau, {loops.v.data(), std::size_t(loops.v.size())});
  }
  if (inputs.wrenches.empty()) return {};
  Kinematics now(model);
  if (Status status = kinematics(model, state, {}, workspace, now); !status) return status;
  for (const Wrench& wrench : inputs.wrenches)
    out += dot(velocity(model, now, wrench.at, wrench.axes), wrench.F);
  return {};
}

// Power of springs, dampers, friction and contacts, stored or dissipated.
Status element_power(const Model& model, const State& state, Workspace& workspace, double& out) {
  std::vector<double> effort(state.v.size());
  kernel::add_passive_forces<double, double>(model.numbers(), state.q, state.v, effort);
  if (model.has_force_elements()) {
    Kinematics now(model);
    if (Status status = kinematics(model, state, {}, workspace, now); !status) return status;
    std::vector<ElementForce> forces;
    if (Status status = add_element_forces<double>("power", model, now, state.z, forces); !status)
      return status;
    if (workspace->constrained)
      if (Status status = workspace->constrained->add_loop_forces("power", model, now, {}, forces);
          !status)
        return status;
    add_efforts(model, now, forces, effort);
  }
  out = along(effort, state.v);
  return {};
}

}  // namespace

Status add_led_efforts(const Model& model, const State& state, const Inputs& inputs,
                       Workspace& workspace, std::vector<double>& tau,
                       std::vector<double>& loop_tau) {
  bool are_led = model.has_prescribed_joints();
  for (int f = 0; f < model.loop_nv(); ++f)
    are_led |= model.closure_drive(f) == Drive::motion || model.closure_drive(f) == Drive::locked;
  if (!are_led) return {};
  if (!model.has_constraints()) {
    std::vector<double> a(state.v.size());
    return hybrid_dynamics(model, state, inputs, workspace, a, tau);
  }
  DriveEfforts efforts;
  if (Status status = prescribed_efforts(model, state, inputs, workspace, efforts); !status)
    return status;
  tau.assign(efforts.tau.begin(), efforts.tau.end());
  loop_tau.assign(efforts.loop_tau.begin(), efforts.loop_tau.end());
  return {};
}

Status power(const Model& model, const State& state, const Inputs& inputs,
             std::span<const double> a, Workspace& workspace, Power& out) {
  BasicEnergy<double> rates = energy_rates(model, state, a);
  rates.elastic += loop_elastic_rate(model, state, workspace);
  out.stored = rates.total();
  if (Status status = drive_power(model, state, inputs, workspace, out.drives); !status)
    return status;
  double elements = 0;
  if (Status status = element_power(model, state, workspace, elements); !status) return status;
  out.losses = elements + rates.elastic;
  return {};
}

}  // namespace trammel
