#include "bindings.hpp"
#include "errors.hpp"
#include "inputs.hpp"
#include "records.hpp"
#include "trammel/dynamics/forward_dynamics.hpp"
#include "trammel/dynamics/hybrid_dynamics.hpp"

namespace trammel::python {

void bind_accelerations(py::module_& module) {
  module.def(
      "forward_dynamics",
      [](const SharedModel& model, const State& state, const OptionalArray& tau,
         const OptionalArray& a, const std::vector<WrenchAt>& wrenches,
         const std::optional<Support>& ground, const py::object& loop_tau, const py::object& loop_a,
         OwnWorkspace* workspace, const OptionalOut& out) {
        const char* const name = "forward_dynamics";
        const CallInputs call(name, *model,
                              {.tau = tau,
                               .a = a,
                               .wrenches = wrenches,
                               .ground = ground,
                               .loop_tau = loop_tau,
                               .loop_a = loop_a});
        RowsOut answer(name, out, {model->nv()},
                       {call.inputs().tau, call.inputs().a, state.q, state.v});
        ask(model, workspace, [&](Workspace& room) {
          return forward_dynamics(*model, state, call.inputs(), room, answer.span());
        });
        return answer.finish();
      },
      py::arg("model"), py::arg("state"), py::arg("tau") = py::none(), py::kw_only(),
      py::arg("a") = py::none(), py::arg("wrenches") = py::tuple(), py::arg("ground") = py::none(),
      py::arg("loop_tau") = py::none(), py::arg("loop_a") = py::none(),
      py::arg("workspace") = py::none(), py::arg("out") = py::none(),
      "Forward dynamics: accelerations a (nv) [rad/s^2 or m/s^2] under the actuator efforts tau "
      "(nv), by the articulated-body algorithm (ABA) on trees.\n\n"
      "    a = M(q)^-1 (tau + passive - C v - N + J^T wrenches)\n\n"
      "tau: zero if not given. a: accelerations of joints driven by motion. wrenches: a list of\n"
      "Wrench. ground: a moving Support. loop_tau, loop_a: efforts and accelerations of loop "
      "joints,\n"
      "in the order of loop_dof_names or by name, {'foot': 0.5}. out: a float64 array (nv) to "
      "write into.\n"
      "Raises EvaluationError naming a degree of freedom without inertia.");
  module.def(
      "hybrid_dynamics",
      [](const SharedModel& model, const State& state, const OptionalArray& tau,
         const OptionalArray& a, const std::vector<WrenchAt>& wrenches,
         const std::optional<Support>& ground, const py::object& loop_tau, const py::object& loop_a,
         OwnWorkspace* workspace) {
        const char* const name = "hybrid_dynamics";
        const CallInputs call(name, *model,
                              {.tau = tau,
                               .a = a,
                               .wrenches = wrenches,
                               .ground = ground,
                               .loop_tau = loop_tau,
                               .loop_a = loop_a});
        RowsOut all_a(name, std::nullopt, {model->nv()});
        RowsOut all_tau(name, std::nullopt, {model->nv()});
        RowsOut all_loop_tau(name, std::nullopt, {model->loop_nv()});
        ask(model, workspace, [&](Workspace& room) {
          return hybrid_dynamics(*model, state, call.inputs(), room, all_a.span(), all_tau.span(),
                                 all_loop_tau.span());
        });
        return record("HybridMotion", all_a.finish(), all_tau.finish(), all_loop_tau.finish());
      },
      py::arg("model"), py::arg("state"), py::kw_only(), py::arg("tau") = py::none(),
      py::arg("a") = py::none(), py::arg("wrenches") = py::tuple(), py::arg("ground") = py::none(),
      py::arg("loop_tau") = py::none(), py::arg("loop_a") = py::none(),
      py::arg("workspace") = py::none(),
      "Hybrid dynamics: accelerations are given for some joints, efforts for the others; computes "
      "both for all.\n\n"
      "Joints with drive 'motion' have the accelerations a (nv), 'locked' joints do not move, all "
      "others have the efforts tau (nv).\n"
      "Loop joints likewise, by loop_a and loop_tau, in the order of loop_dof_names or by "
      "name.\n"
      "Returns HybridMotion(a, tau, loop_tau) with all entries (nv, nv, one effort per degree of "
      "freedom of the loop joints).\n"
      "prescribed_efforts also returns which efforts are unique.");
}

}  // namespace trammel::python
