#include "bindings.hpp"
#include "errors.hpp"
#include "inputs.hpp"
#include "trammel/dynamics/inverse_dynamics.hpp"

namespace trammel::python {

void bind_efforts(py::module_& module) {
  module.def(
      "inverse_dynamics",
      [](const SharedModel& model, const State& state, const OptionalArray& a,
         const std::vector<WrenchAt>& wrenches, const std::optional<Support>& ground,
         OwnWorkspace* workspace, const OptionalOut& out) {
        const char* const name = "inverse_dynamics";
        const CallInputs call(name, *model, {.a = a, .wrenches = wrenches, .ground = ground});
        RowsOut tau(name, out, {model->nv()}, {call.inputs().a, state.q, state.v});
        ask(model, workspace, [&](Workspace& room) {
          return inverse_dynamics(*model, state, call.inputs(), room, tau.span());
        });
        return tau.finish();
      },
      py::arg("model"), py::arg("state"), py::arg("a") = py::none(), py::kw_only(),
      py::arg("wrenches") = py::tuple(), py::arg("ground") = py::none(),
      py::arg("workspace") = py::none(), py::arg("out") = py::none(),
      "Inverse dynamics: actuator efforts tau (nv) [N m or N] for the accelerations a (nv), by "
      "the recursive Newton-Euler algorithm (RNEA).\n\n"
      "    tau = M(q) a + C(q, v) v + N(q) - passive(q, v) - J^T wrenches\n\n"
      "a: zero if not given. wrenches: a list of Wrench. ground: a moving Support.\n"
      "out: a float64 array (nv) to write into.");
  module.def(
      "bias",
      [](const SharedModel& model, const State& state, const std::optional<Support>& ground,
         OwnWorkspace* workspace, const OptionalOut& out) {
        const CallInputs call("bias", *model, {.ground = ground});
        RowsOut tau("bias", out, {model->nv()}, {state.q, state.v});
        ask(model, workspace,
            [&](Workspace& room) { return bias(*model, state, call.inputs(), room, tau.span()); });
        return tau.finish();
      },
      py::arg("model"), py::arg("state"), py::kw_only(), py::arg("ground") = py::none(),
      py::arg("workspace") = py::none(), py::arg("out") = py::none(),
      "C(q, v) v + N(q), nv [N m or N]: what it takes not to accelerate, springs, dampers and "
      "wrenches apart.");

  using EvalContext = Status (*)(const Model&, const State&, Workspace&, std::span<double>);
  const auto of_state = [&](const char* name, EvalContext context, const char* text) {
    module.def(
        name,
        [name = std::string(name), context](const SharedModel& model, const State& state,
                                            OwnWorkspace* workspace, const OptionalOut& out) {
          RowsOut tau(name.c_str(), out, {model->nv()}, {state.q, state.v});
          ask(model, workspace,
              [&](Workspace& room) { return context(*model, state, room, tau.span()); });
          return tau.finish();
        },
        py::arg("model"), py::arg("state"), py::kw_only(), py::arg("workspace") = py::none(),
        py::arg("out") = py::none(), text);
  };
  of_state("gravity_load", &gravity_load,
           "Gravity load N(q), nv [N m or N]: the efforts that balance gravity.");
  of_state("passive_forces", &passive_forces,
           "Generalized forces of joint springs, dampers and viscous friction, nv [N m or N]: "
           "-stiffness (q - rest) - damping v.");
}

}  // namespace trammel::python
