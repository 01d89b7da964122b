#include "trammel/simulate/checks/simulation_checks.hpp"

#include <stdexcept>

#include <fmt/format.h>

#include "trammel/constraint/assembly/start_velocities.hpp"
#include "trammel/simulate/checks/run_checks.hpp"

namespace trammel {

namespace {

Status check(const Model& model, const State& state, const RunOptions& options) {
  if (Status status = check_run(options, state.time); !status)
    return Status::failure("simulate: " + status.message());
  if (state.q.size() != std::size_t(model.nq()) || state.v.size() != std::size_t(model.nv()))
    throw std::invalid_argument(fmt::format(
        "simulate: the state has {} positions and {} velocities, the model has nq = {}, nv = {}",
        state.q.size(), state.v.size(), model.nq(), model.nv()));
  return {};
}

Status check(const Model& model, const SimulationInputs& run_inputs, const Checkpoint& from) {
  const std::size_t z = std::size_t(run_inputs.nz()),
                    size = std::size_t(model.nq() + model.nv()) + z;
  if (from.state.z.size() == z && (from.y_dot.empty() || from.y_dot.size() == size)) return {};
  return Status::failure(fmt::format(
      "simulate: the checkpoint has {} states of controllers and {} derivatives, the run {} and "
      "{}: it belongs to another run",
      from.state.z.size(), from.y_dot.size(), z, size));
}

// Smallest relative tolerance of a method. BDF uses differences of projected states over five
// steps: with closed loops these are rounding below 1e-10, and the step size collapses.
Status check_floor(const Model& model, const RunOptions& options) {
  constexpr double floor_of_bdf = 1e-10;
  if (options.method != Method::bdf || !model.has_constraints() || options.relative >= floor_of_bdf)
    return {};
  return Status::failure(fmt::format(
      "simulate: the relative tolerance is {}, and the method bdf keeps {} at best in a "
      "model with constraints: give that, or take the method radau or extrapolation",
      options.relative, floor_of_bdf));
}

}  // namespace

Status check_simulation(const Model& model, const State& state, const SimulationInputs& run_inputs,
                        const RunOptions& options, Workspace& workspace,
                        const Checkpoints& checkpoints) {
  if (Status status = check(model, state, options); !status) return status;
  if (Status status = run_inputs.check(); !status)
    return Status::failure("simulate: " + status.message());
  if (const std::string lacks = method_lacks(options.method); !lacks.empty())
    return Status::failure("simulate: " + lacks);
  if (Status status = check_floor(model, options); !status) return status;
  if (options.step == 0 && takes_fixed_steps(options.method))
    return Status::failure(
        fmt::format("simulate: the method {} has a fixed step: give one (option step)",
                    to_string(options.method)));
  if (checkpoints.from != nullptr)
    if (Status status = check(model, run_inputs, *checkpoints.from); !status) return status;
  if (checkpoints.from == nullptr) {
    if (Status status = check_start_position(model, state, workspace); !status)
      return Status::failure("simulate: " + status.message());
    if (Status status = check_start_velocities(model, state, workspace); !status)
      return Status::failure("simulate: " + status.message());
  }
  return {};
}

}  // namespace trammel
