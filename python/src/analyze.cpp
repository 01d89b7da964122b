#include <pybind11/complex.h>
#include <pybind11/eigen.h>
#include <pybind11/stl.h>

#include "bindings.hpp"
#include "errors.hpp"
#include "inputs.hpp"
#include "records.hpp"
#include "trammel/analyze/equilibrium.hpp"
#include "trammel/analyze/linearize.hpp"

namespace trammel::python {

void bind_analyze(py::module_& module) {
  module.def(
      "linearize",
      [](const SharedModel& model, const State& state, const OptionalArray& tau,
         OwnWorkspace* workspace) {
        const CallInputs call("linearize", *model, {.tau = tau});
        Linearization found;
        Rented<Workspace> room(model, workspace);
        require(linearize(*model, state, call.inputs(), room, found));
        py::list uncontrollable_modes;
        for (const UncontrollableMode& mode : found.uncontrollable_modes) {
          using Verdict = UncontrollableMode::Verdict;
          const py::object stabilisable = mode.verdict == Verdict::stays
                                              ? py::object(py::none())
                                              : py::bool_(mode.verdict == Verdict::decays);
          uncontrollable_modes.append(record("UncontrollableMode", mode.eigenvalue, mode.of,
                                             mode.name, stabilisable, to_string(mode.verdict)));
        }
        return record("Linearization", found.A, found.B, found.C, found.D, found.states,
                      found.inputs, found.outputs, found.eigenvalues, found.modes,
                      found.acceleration, uncontrollable_modes);
      },
      py::arg("model"), py::arg("state"), py::kw_only(), py::arg("tau") = py::none(),
      py::arg("workspace") = py::none(),
      "Motion near a state: x' = A x + B u, y = C x + D u, in positions and velocities that can "
      "be\n"
      "chosen while loops stay closed; with eigenvalues, the slowest first, modes, and what no "
      "input reaches.");
  module.def(
      "equilibrium",
      [](const SharedModel& model, const State& state, const OptionalArray& tau, int steps,
         OwnWorkspace* workspace) {
        const CallInputs call("equilibrium", *model, {.tau = tau});
        State out = state;
        Rented<Workspace> room(model, workspace);
        require(equilibrium(*model, out, call.inputs(), room, {.steps = steps}));
        return out;
      },
      py::arg("model"), py::arg("state"), py::kw_only(), py::arg("tau") = py::none(),
      py::arg("steps") = 100, py::arg("workspace") = py::none(),
      "The State near the one given in which nothing accelerates, at rest.");
}

}  // namespace trammel::python
