#include "trammel/dynamics/reactions.hpp"

#include "bindings.hpp"
#include "errors.hpp"
#include "inputs.hpp"
#include "records.hpp"
#include "trammel/dynamics/contact_forces.hpp"

namespace trammel::python {

void bind_reactions(py::module_& module) {
  module.def(
      "reactions",
      [](const SharedModel& model, const State& state, const OptionalArray& a,
         const OptionalArray& tau, const std::vector<WrenchAt>& wrenches,
         const std::optional<Support>& ground, const py::object& loop_tau, const py::object& loop_a,
         OwnWorkspace* workspace, const OptionalOut& out) {
        const char* const name = "reactions";
        const CallInputs call(name, *model,
                              {.tau = tau,
                               .a = a,
                               .wrenches = wrenches,
                               .ground = ground,
                               .loop_tau = loop_tau,
                               .loop_a = loop_a});
        RowsOut answer(name, out, {py::ssize_t(model->joints().size()), 6},
                       {call.inputs().a, state.q, state.v});
        std::vector<Force<double>> carried;
        ask(model, workspace, [&](Workspace& room) {
          return reactions(*model, state, call.inputs(), room, carried);
        });
        double* x = answer.data();
        for (const auto& [moment, force] : carried)
          for (const double number : {moment.x, moment.y, moment.z, force.x, force.y, force.z})
            *x++ = number;
        return answer.finish();
      },
      py::arg("model"), py::arg("state"), py::arg("a") = py::none(), py::kw_only(),
      py::arg("tau") = py::none(), py::arg("wrenches") = py::tuple(),
      py::arg("ground") = py::none(), py::arg("loop_tau") = py::none(),
      py::arg("loop_a") = py::none(), py::arg("workspace") = py::none(),
      py::arg("out") = py::none(),
      "Joint reactions for the accelerations a (nv): an array (joints, 6), one row per joint of "
      "model.joints: [moment; force] [N m, N].\n\n"
      "The wrench of the parent on the child at the joint's frame on the child, in that frame's "
      "axes; all\n"
      "six components, fixed joints too. A model with loops takes tau (nv) instead of a: its "
      "accelerations\n"
      "follow from tau; constrained_reactions returns which components are unique.");
  module.def(
      "contact_forces",
      [](const SharedModel& model, const State& state, OwnWorkspace* workspace) {
        std::vector<ContactForce> contacts;
        ask(model, workspace,
            [&](Workspace& room) { return contact_forces(*model, state, room, contacts); });
        py::list out;
        for (const ContactForce& contact : contacts)
          out.append(record("ContactForce", contact.contact, to_array(contact.point), contact.depth,
                            contact.sliding, contact.press, to_array(contact.normal),
                            to_array(contact.friction)));
        return out;
      },
      py::arg("model"), py::arg("state"), py::kw_only(), py::arg("workspace") = py::none(),
      "Contact forces of the ground: a ContactForce for each contact of the model; if it does not "
      "touch, zero\n"
      "force and its distance from the ground.");
}

}  // namespace trammel::python
