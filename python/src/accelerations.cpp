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
        const Asked asked(name, *model,
                          {.tau = tau,
                           .a = a,
                           .wrenches = wrenches,
                           .ground = ground,
                           .loop_tau = loop_tau,
                           .loop_a = loop_a});
        RowsOut answer(name, out, {model->nv()},
                       {asked.inputs().tau, asked.inputs().a, state.q, state.v});
        ask(model, workspace, [&](Workspace& room) {
          return forward_dynamics(*model, state, asked.inputs(), room, answer.span());
        });
        return answer.finish();
      },
      py::arg("model"), py::arg("state"), py::arg("tau") = py::none(), py::kw_only(),
      py::arg("a") = py::none(), py::arg("wrenches") = py::tuple(), py::arg("ground") = py::none(),
      py::arg("loop_tau") = py::none(), py::arg("loop_a") = py::none(),
      py::arg("workspace") = py::none(), py::arg("out") = py::none(),
      "How does the mechanism accelerate under the actuator efforts tau (nv)? a (nv) [rad/s^2 or "
      "m/s^2].\n\n"
      "    a = M(q)^-1 (tau + passive - C v - N + J^T wrenches)\n\n"
      "tau: zero if not given. a: what joints driven by motion are to do. wrenches: a list of\n"
      "Wrench. ground: a Support that moves. loop_tau, loop_a: of joints that close loops, in the\n"
      "order of loop_freedom_names or by name, {'foot': 0.5}. out: a float64 array (nv) to write "
      "into.\n"
      "Raises QuestionError where a freedom meets no inertia, naming it.");
  module.def(
      "hybrid_dynamics",
      [](const SharedModel& model, const State& state, const OptionalArray& tau,
         const OptionalArray& a, const std::vector<WrenchAt>& wrenches,
         const std::optional<Support>& ground, const py::object& loop_tau, const py::object& loop_a,
         OwnWorkspace* workspace) {
        const char* const name = "hybrid_dynamics";
        const Asked asked(name, *model,
                          {.tau = tau,
                           .a = a,
                           .wrenches = wrenches,
                           .ground = ground,
                           .loop_tau = loop_tau,
                           .loop_a = loop_a});
        RowsOut all_a(name, std::nullopt, {model->nv()});
        RowsOut all_tau(name, std::nullopt, {model->nv()});
        RowsOut all_loop_tau(name, std::nullopt, {model->closure_nv()});
        ask(model, workspace, [&](Workspace& room) {
          return hybrid_dynamics(*model, state, asked.inputs(), room, all_a.span(), all_tau.span(),
                                 all_loop_tau.span());
        });
        return record("HybridMotion", all_a.finish(), all_tau.finish(), all_loop_tau.finish());
      },
      py::arg("model"), py::arg("state"), py::kw_only(), py::arg("tau") = py::none(),
      py::arg("a") = py::none(), py::arg("wrenches") = py::tuple(), py::arg("ground") = py::none(),
      py::arg("loop_tau") = py::none(), py::arg("loop_a") = py::none(),
      py::arg("workspace") = py::none(),
      "Some joints follow a given acceleration, the others a given effort: what do all of them "
      "do?\n\nJoints with drive 'motion' accelerate as a (nv) says, 'locked' ones stay, all others "
      "get tau (nv).\nJoints that close loops likewise, by loop_a and loop_tau, in the order of "
      "loop_freedom_names or by name.\nAnswers HybridMotion(a, tau, loop_tau), all whole (nv, nv, "
      "one effort per freedom of the loop joints).\nplanned_efforts also tells which efforts are "
      "unique.");
}

}  // namespace trammel::python
