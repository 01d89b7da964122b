#include <pybind11/complex.h>

#include "bindings.hpp"
#include "call.hpp"
#include "trammel/analyze/equilibrium.hpp"
#include "trammel/analyze/linearize.hpp"

namespace trammel::python {

namespace {

py::object to_record(const UncontrollableMode& mode) {
  using Verdict = UncontrollableMode::Verdict;
  const py::object stabilisable = mode.verdict == Verdict::stays
                                      ? py::object(py::none())
                                      : py::bool_(mode.verdict == Verdict::decays);
  return record("UncontrollableMode", mode.eigenvalue, mode.of, mode.name, stabilisable,
                to_string(mode.verdict));
}
py::object linearization_record(const Linearization& found) {
  py::list modes;
  for (const UncontrollableMode& mode : found.uncontrollable_modes) modes.append(to_record(mode));
  return record("Linearization", found.A, found.B, found.C, found.D, found.states, found.inputs,
                found.outputs, found.eigenvalues, found.modes, found.acceleration, modes);
}

}  // namespace

void bind_linearization(py::module_& module) {
  define(module, "linearize", parameters(in::state, keyword_only, in::tau, in::workspace),
         returns<Linearization>(linearize, linearization_record),
         "Motion near a state: x' = A x + B u, y = C x + D u, in positions and velocities that can "
         "be\n"
         "chosen while loops stay closed; with eigenvalues, the slowest first, modes, and the "
         "uncontrollable modes.");
  define(
      module, "equilibrium",
      parameters(in::state, keyword_only, in::tau, parameter<int>("steps", 100), in::workspace),
      [](Call& call, int steps) {
        State out = call.state();
        call.evaluate([&](Workspace& workspace) {
          return equilibrium(call.model(), out, call.inputs(), workspace, {.steps = steps});
        });
        return out;
      },
      "The State near the one given in which nothing accelerates, at rest.");
}

}  // namespace trammel::python
