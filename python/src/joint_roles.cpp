#include <pybind11/eigen.h>

#include "bindings.hpp"
#include "errors.hpp"
#include "inputs.hpp"
#include "records.hpp"
#include "trammel/constraint/forces/locked_joints.hpp"
#include "trammel/constraint/mobility/dof_roles.hpp"

namespace trammel::python {

void bind_joint_roles(py::module_& module) {
  module.def(
      "locked_joints",
      [](const SharedModel& model, const State& state, const OptionalArray& tau,
         const OptionalArray& a, const std::vector<WrenchAt>& wrenches, OwnWorkspace* workspace) {
        const CallInputs call("locked_joints", *model, {.tau = tau, .a = a, .wrenches = wrenches});
        LockedJoints found;
        ask(model, workspace, [&](Workspace& room) {
          return locked_joints(*model, state, call.inputs(), room, found);
        });
        py::list names;
        for (const int dof : found.dofs) names.append(model->dof_name(dof));
        py::list loop_names;
        for (const int dof : found.loop_dofs) loop_names.append(model->closure_dof_name(dof));
        return record("LockedJoints", names, found.effort, found.is_unique, found.released,
                      found.gives, found.rank, found.immovable, found.dependent, loop_names,
                      found.loop_effort, found.loop_is_unique);
      },
      py::arg("model"), py::arg("state"), py::arg("tau") = py::none(), py::kw_only(),
      py::arg("a") = py::none(), py::arg("wrenches") = py::tuple(),
      py::arg("workspace") = py::none(),
      "Efforts in locked joints (the stress resultant where they cut a link), and whether these "
      "are unique:\n"
      "LockedJoints(names, effort, is_unique, released, gives, rank, immovable, "
      "dependent, loop_names, loop_effort, loop_is_unique), the last three of loop joints.");
  module.def(
      "dof_roles",
      [](const SharedModel& model) {
        const DofRoles roles = dof_roles(*model);
        py::list words;
        for (const DofRole role : roles.of) words.append(to_string(role));
        return record("DofRoles", words, roles.order, roles.rigid);
      },
      py::arg("model"),
      "Degrees of freedom by role: base, actuated, free or flexible: DofRoles(of, order, rigid), "
      "order\n"
      "sorts them by role, the first `rigid` ones are not flexible.");
  module.def(
      "flexible_form",
      [](const SharedModel& model, const State& state, const OptionalArray& tau,
         const std::vector<WrenchAt>& wrenches, OwnWorkspace* workspace) {
        const CallInputs call("flexible_form", *model, {.tau = tau, .wrenches = wrenches});
        FlexibleForm form;
        ask(model, workspace, [&](Workspace& room) {
          return flexible_form(*model, state, call.inputs(), room, form);
        });
        return record("FlexibleForm", form.inertia, form.input, form.constraint, form.bias,
                      form.stiffness, form.damping, form.deflection, form.M_s, form.L_s, form.J_s,
                      form.W, form.T_s);
      },
      py::arg("model"), py::arg("state"), py::arg("tau") = py::none(), py::kw_only(),
      py::arg("wrenches") = py::tuple(), py::arg("workspace") = py::none(),
      "Equations of motion of the flexible degrees of freedom, the others eliminated, in second- "
      "and first-order form:\n"
      "FlexibleForm(inertia, input, constraint, bias, stiffness, damping, deflection, M_s, L_s, "
      "J_s, W, T_s).");
  module.def(
      "free_and_correction",
      [](const SharedModel& model, const State& state, const OptionalArray& tau,
         const OptionalArray& a, const std::vector<WrenchAt>& wrenches, OwnWorkspace* workspace) {
        const CallInputs call("free_and_correction", *model,
                              {.tau = tau, .a = a, .wrenches = wrenches});
        FreeAndCorrection found;
        ask(model, workspace, [&](Workspace& room) {
          return free_and_correction(*model, state, call.inputs(), room, found);
        });
        return record("FreeAndCorrection", found.free, found.correction);
      },
      py::arg("model"), py::arg("state"), py::arg("tau") = py::none(), py::kw_only(),
      py::arg("a") = py::none(), py::arg("wrenches") = py::tuple(),
      py::arg("workspace") = py::none(),
      "Accelerations with all loops cut, and the correction by the loops: FreeAndCorrection(free, "
      "correction).");
}

}  // namespace trammel::python
