#include "trammel/simulate/inputs/simulation_inputs.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "trammel/constraint/kinds/closure.hpp"
#include "trammel/dynamics/kernel/dispatch/table.hpp"
#include "trammel/dynamics/workspace_buffers.hpp"
#include "trammel/simulate/inputs/described_inputs.hpp"

namespace trammel {

SimulationInputs::SimulationInputs(const Model& model, DescribedParts parts)
    : model_(model), nz_(model.nz()) {
  if (parts == DescribedParts::all) add_described();
  for (const DescribedMotor& motor : described_motors(model)) {
    const auto& [dof, is_of_loop] = motor.driven;
    is_of_loop ? limit_loop(dof, motor.limit) : limit(dof, motor.limit);
  }
  for (const int closure : watched_loops(model)) watch_loop(closure);
  if (parts != DescribedParts::all) return;
  for (DescribedWrench& wrench : described_wrenches(model))
    add_wrench(wrench.at, wrench.axes, std::move(wrench.signals));
}

void SimulationInputs::add_described() {
  for (DescribedInput& input : described_inputs(model_)) {
    const auto& [dof, is_of_loop] = input.driven;
    std::vector<Prescribed>& motions = is_of_loop ? loop_prescribed_ : prescribed_;
    const bool is_prescribed =
        Drive::motion == (is_of_loop ? model_.closure_drive(dof) : model_.prescription(dof));
    if (const auto prescribed = std::ranges::find(motions, dof, &Prescribed::dof);
        prescribed != motions.end())
      prescribed->parts.push_back(std::move(input.signal));
    else if (is_prescribed)
      is_of_loop ? prescribe_loop(dof, std::move(input.signal))
                 : prescribe(dof, std::move(input.signal));
    else
      is_of_loop ? add_loop_effort(dof, std::move(input.signal))
                 : add_effort(dof, std::move(input.signal));
  }
  for (DescribedController& controller : described_controllers(model_)) {
    const auto& [dof, is_of_loop] = controller.driven;
    is_of_loop ? add_loop_controller(dof, controller.gains, std::move(controller.target))
               : add_controller(dof, controller.gains, std::move(controller.target));
  }
}

SimulationInputs::SimulationInputs(const SimulationInputs& others, const Model& model)
    : model_(model),
      efforts_(others.efforts_),
      loop_efforts_(others.loop_efforts_),
      prescribed_(others.prescribed_),
      loop_prescribed_(others.loop_prescribed_),
      readings_(others.readings_),
      controllers_(others.controllers_),
      limits_(others.limits_),
      functions_(others.functions_),
      wrenches_(others.wrenches_),
      wrench_laws_(others.wrench_laws_),
      contact_laws_(others.contact_laws_),
      nz_(others.nz_),
      is_static_(others.is_static_) {}

double MotorLimit::operator()(double effort, double speed) const {
  const double slope = std::isfinite(no_load) ? gear * speed / no_load : 0;
  const double most = std::abs(gear) * stall, turn = gear > 0 ? slope : -slope;
  return std::clamp(effort, -most * std::clamp(1 + turn, 0.0, 2.0),
                    most * std::clamp(1 - turn, 0.0, 2.0));
}

void SimulationInputs::expect_dof(const char* call, int dof) const {
  if (dof < 0 || dof >= model_.nv())
    throw std::invalid_argument(
        fmt::format("{}: there is no dof {}, the model has nv = {}", call, dof, model_.nv()));
}

// Coordinate of a dof whose velocity is the rate of a coordinate; none for ball and free joints.
std::optional<int> SimulationInputs::coordinate_of(int dof) const {
  for (const NamedJoint& joint : model_.joints())
    if (joint.role == NamedJoint::Role::tree && dof >= joint.v_start &&
        dof < joint.v_start + joint.nv)
      return joint.nq == joint.nv ? std::optional(joint.q_start + dof - joint.v_start)
                                  : std::nullopt;
  return std::nullopt;
}

void SimulationInputs::expect_loop_dof(const char* call, int dof) const {
  if (dof < 0 || dof >= model_.loop_nv())
    throw std::invalid_argument(fmt::format("{}: there is no dof {}, the loop joints have {}", call,
                                            dof, model_.loop_nv()));
}

int SimulationInputs::expect_loop_coordinate(const char* call, int dof) const {
  expect_loop_dof(call, dof);
  const int closure = closure_with(dof);
  if (!has_single_coordinates(model_.closures()[std::size_t(closure)].joint))
    throw std::invalid_argument(
        fmt::format("{}: joint '{}' has a quaternion, not a coordinate: take joints that turn or "
                    "slide along single coordinates",
                    call, model_.closure_dof_name(dof)));
  return closure;
}

int SimulationInputs::closure_with(int dof) const {
  std::size_t c = model_.closures().size() - 1;
  while (model_.closures()[c].v_start > dof) --c;
  return int(c);
}

void SimulationInputs::watch_loop(int closure) {
  if (std::ranges::find(readings_, closure, &LoopReading::closure) != readings_.end()) return;
  LoopReading reading = loop_reading(model_, closure);
  const int numbers = LoopReading::numbers(model_.closures()[std::size_t(closure)].joint);
  if (numbers > 0) reading.z = nz_;
  nz_ += numbers;
  readings_.push_back(reading);
}

void SimulationInputs::add_effort(int dof, Signal effort) {
  expect_dof("add_effort", dof);
  if (model_.is_prescribed(dof))
    throw std::invalid_argument(
        fmt::format("push: joint '{}' is locked or driven by motion, an effort on it has no "
                    "effect: give it the drive torque or none",
                    model_.dof_name(dof)));
  efforts_.push_back({dof, std::move(effort)});
}

void SimulationInputs::add_loop_effort(int dof, Signal effort) {
  expect_loop_dof("add_loop_effort", dof);
  const Drive drive = model_.closure_drive(dof);
  if (drive == Drive::motion || drive == Drive::locked)
    throw std::invalid_argument(fmt::format(
        "add_loop_effort: joint '{}' is locked or driven by motion, an effort on it has no "
        "effect: give it the drive torque or none",
        model_.closure_dof_name(dof)));
  loop_efforts_.push_back({dof, std::move(effort)});
}

namespace {

void expect_gains(const char* call, const std::string& joint, const PidGains& gains) {
  if (!(gains.filter >= 0) || !(gains.limit > 0))
    throw std::invalid_argument(
        fmt::format("{}: joint '{}' has filter {} and limit {}: give a filter of 0 or more and a "
                    "limit above 0",
                    call, joint, gains.filter, gains.limit));
}

}  // namespace

void SimulationInputs::add_controller(int dof, const PidGains& gains, Signal target) {
  expect_dof("add_controller", dof);
  const std::optional<int> coordinate = coordinate_of(dof);
  if (!coordinate || model_.is_prescribed(dof))
    throw std::invalid_argument(fmt::format(
        "control: joint '{}' {}: control joints that turn or slide along single coordinates",
        model_.dof_name(dof),
        coordinate ? "is locked or driven by motion" : "has a quaternion, not a coordinate"));
  expect_gains("add_controller", model_.dof_name(dof), gains);
  controllers_.push_back({false, dof, *coordinate, nz_, gains, std::move(target)});
  nz_ += 2;  // integral and filter state
}

void SimulationInputs::add_loop_controller(int dof, const PidGains& gains, Signal target) {
  const int closure = expect_loop_coordinate("control_loop", dof);
  const std::string name = model_.closure_dof_name(dof);
  if (model_.closure_drive(dof) == Drive::motion || loop_waits(dof))
    throw std::invalid_argument(fmt::format(
        "control_loop: joint '{}' is locked or driven by motion: give it the drive torque or none",
        name));
  expect_gains("control_loop", name, gains);
  controllers_.push_back({true, dof, dof, nz_, gains, std::move(target)});
  nz_ += 2;
  watch_loop(closure);
}

void SimulationInputs::limit(int dof, const MotorLimit& motor) {
  expect_dof("limit", dof);
  limits_.push_back({false, dof, motor});
}

void SimulationInputs::limit_loop(int dof, const MotorLimit& motor) {
  watch_loop(expect_loop_coordinate("limit_loop", dof));
  limits_.push_back({true, dof, motor});
}

void SimulationInputs::add_wrench(const Wrench& wrench) {
  const auto& [moment, force] = wrench.F;
  add_wrench(wrench.at, wrench.axes,
             {Signal::constant(moment.x), Signal::constant(moment.y), Signal::constant(moment.z),
              Signal::constant(force.x), Signal::constant(force.y), Signal::constant(force.z)});
}
void SimulationInputs::add_wrench(const FrameRef& at, Axes axes,
                                  std::array<Signal, 6> moment_and_force) {
  wrenches_.push_back({at, axes, std::move(moment_and_force)});
}

std::vector<double> SimulationInputs::breakpoints() const {
  std::vector<double> times;
  const auto add = [&](const auto& list, auto member) {
    for (const auto& item : list)
      for (const double breakpoint : (item.*member).breakpoints()) times.push_back(breakpoint);
  };
  add(efforts_, &Driven::signal);
  add(loop_efforts_, &Driven::signal);
  add(controllers_, &Controller::target);
  for (const std::vector<Prescribed>* motions : {&prescribed_, &loop_prescribed_})
    for (const Prescribed& prescribed : *motions)
      for (const Signal& part : prescribed.parts)
        for (const double breakpoint : part.breakpoints()) times.push_back(breakpoint);
  for (const Pulling& wrench : wrenches_)
    for (const Signal& signal : wrench.signals)
      for (const double breakpoint : signal.breakpoints()) times.push_back(breakpoint);
  std::ranges::sort(times);
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return times;
}

SimulationInputs::Acting::Acting(const Model& model)
    : tau(std::size_t(model.nv())), a(std::size_t(model.nv())) {
  for (auto* of_loops : {&loop_tau, &loop_a, &prescribed_q, &prescribed_v, &loop_q, &loop_v})
    of_loops->resize(std::size_t(model.loop_nv()));
}

void SimulationInputs::begin(State& state) const {
  if (state.z.size() == std::size_t(nz_)) return;
  // states of force elements may be given; otherwise they begin at their own initial values
  if (state.z.size() != std::size_t(model_.nz())) state.z = neutral_state(model_).z;
  state.z.resize(std::size_t(nz_), 0.0);
  for (const LoopReading& reading : readings_)
    if (reading.z >= 0)
      std::copy_n(reading.near.begin(), reading.count, &state.z[std::size_t(reading.z)]);
  Acting acting(model_);
  update_revolutions(state, acting);
}

void SimulationInputs::read_loops(const State& state, Acting& out) const {
  if (readings_.empty()) return;
  if (!out.loop_workspace) out.loop_workspace = std::make_unique<Workspace>(model_);
  const Workspace& loops = *out.loop_workspace;
  kernel::kernels().kinematics({model_, model_.numbers()}, state.q, state.v, loops->zero, *loops,
                               loops->kinematics);
  for (const LoopReading& reading : readings_)
    read(model_, reading, state, loops->kinematics, out.loop_q, out.loop_v);
}

void SimulationInputs::update_revolutions(State& state, Acting& acting) const {
  if (std::ranges::all_of(readings_, [](const LoopReading& r) { return r.z < 0; })) return;
  read_loops(state, acting);
  for (const LoopReading& reading : readings_)
    if (reading.z >= 0)
      std::copy_n(acting.loop_q.begin() + reading.first, reading.count,
                  state.z.begin() + reading.z);
}

void SimulationInputs::evaluate(const State& state, Acting& out) const {
  std::ranges::fill(out.tau, 0.0);
  std::ranges::fill(out.loop_tau, 0.0);
  out.wrenches.clear();
  read_loops(state, out);
  for (const auto& [at, axes, signals] : wrenches_) {
    double now[6];
    for (std::size_t k = 0; k < 6; ++k) now[k] = signals[k].at(state.time).value;
    out.wrenches.push_back({at, {{now[0], now[1], now[2]}, {now[3], now[4], now[5]}}, axes});
  }
  if (has_laws()) add_laws(state, out);
  for (const Driven& driven : efforts_)
    out.tau[std::size_t(driven.dof)] += driven.signal.at(state.time).value;
  for (const Driven& driven : loop_efforts_)
    out.loop_tau[std::size_t(driven.dof)] += driven.signal.at(state.time).value;
  for (const Controller& controller : controllers_)
    (controller.is_of_loop ? out.loop_tau : out.tau)[std::size_t(controller.dof)] +=
        errors(controller, state, out).effort;
  for (const EffortFunction& add : functions_) add(state, out.tau);
  for (const auto& [is_of_loop, dof, motor] : limits_) {
    const std::size_t f = std::size_t(dof);
    double& effort = is_of_loop ? out.loop_tau[f] : out.tau[f];
    effort = motor(effort, is_of_loop ? out.loop_v[f] : state.v[f]);
  }
  if (model_.has_prescribed_joints())
    for (int f = 0; f < model_.nv(); ++f)
      if (waits(f)) out.tau[std::size_t(f)] = out.a[std::size_t(f)] = 0;
  for (int f = 0; f < model_.loop_nv(); ++f)
    if (loop_waits(f)) out.loop_tau[std::size_t(f)] = out.loop_a[std::size_t(f)] = 0;
  prescribe_accelerations(state.time, out);
}

Inputs SimulationInputs::inputs(const Acting& acting) const {
  Inputs inputs{.tau = acting.tau, .wrenches = acting.wrenches};
  if (!prescribed_.empty()) inputs.a = acting.a;
  if (!loop_prescribed_.empty()) inputs.loop_a = acting.loop_a;
  if (!loop_efforts_.empty() ||
      std::ranges::any_of(controllers_, [](const Controller& c) { return c.is_of_loop; }))
    inputs.loop_tau = acting.loop_tau;
  return inputs;
}

SimulationInputs::Errors SimulationInputs::errors(const Controller& controller, const State& state,
                                                  const Acting& acting) const {
  const PidGains& gains = controller.gains;
  const Signal::Value target = controller.target.at(state.time);
  Errors now{};
  const auto& q = controller.is_of_loop ? acting.loop_q : state.q;
  const auto& v = controller.is_of_loop ? acting.loop_v : state.v;
  now.error = target.value - q[std::size_t(controller.coordinate)];
  const double speed = v[std::size_t(controller.dof)];
  now.rate = gains.is_rate_of_joint ? -speed : target.rate - speed;
  const double integral = state.z[std::size_t(controller.z)];
  const double rate = gains.filter > 0 ? state.z[std::size_t(controller.z) + 1] : now.rate;
  now.free_effort = gains.p * now.error + gains.i * integral + gains.d * rate;
  now.effort = std::clamp(now.free_effort, -gains.limit, gains.limit);
  return now;
}

void SimulationInputs::remember(const State& state, const Acting& acting,
                                std::span<double> z_dot) const {
  for (const LoopReading& reading : readings_)
    if (reading.z >= 0)
      std::copy_n(acting.loop_v.begin() + reading.first, reading.count, z_dot.begin() + reading.z);
  for (const Controller& controller : controllers_) {
    const Errors now = errors(controller, state, acting);
    const bool winds_up =
        now.effort != now.free_effort && now.error * controller.gains.i * now.free_effort > 0;
    z_dot[std::size_t(controller.z)] = winds_up ? 0 : now.error;
    const double filter = controller.gains.filter;
    z_dot[std::size_t(controller.z) + 1] =
        filter > 0 ? (now.rate - state.z[std::size_t(controller.z) + 1]) / filter : 0;
  }
}

Status SimulationInputs::check() const {
  for (int dof = 0; dof < model_.nv(); ++dof)
    if (model_.prescription(dof) == Drive::motion &&
        std::ranges::none_of(prescribed_, [&](const Prescribed& p) { return p.dof == dof; }))
      return Status::failure(
          fmt::format("joint '{}' is driven by motion, but has no prescribed motion: give it an "
                      "input, or prescribe it",
                      model_.dof_name(dof)));
  for (int dof = 0; dof < model_.loop_nv(); ++dof)
    if (model_.closure_drive(dof) == Drive::motion &&
        std::ranges::find(loop_prescribed_, dof, &Prescribed::dof) == loop_prescribed_.end())
      return Status::failure(
          fmt::format("loop joint '{}' is driven by motion, but has no prescribed motion: give it "
                      "an input, or prescribe it",
                      model_.closure_dof_name(dof)));
  return {};
}

}  // namespace trammel
