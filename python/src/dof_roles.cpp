#include "trammel/constraint/mobility/dof_roles.hpp"

#include "bindings.hpp"
#include "call.hpp"

namespace trammel::python {

void bind_dof_roles(py::module_& module) {
  define(
      module, "dof_roles", parameters(),
      [](Call& call) {
        const DofRoles roles = dof_roles(call.model());
        py::list words;
        for (const DofRole role : roles.of) words.append(to_string(role));
        return record("DofRoles", words, roles.order, roles.rigid);
      },
      "Degrees of freedom by role: base, actuated, free or flexible: DofRoles(of, order, rigid), "
      "order\n"
      "sorts them by role, the first `rigid` ones are not flexible.");
  define(module, "flexible_form",
         parameters(in::state, in::tau, keyword_only, in::wrenches, in::workspace),
         returns<FlexibleForm>(flexible_form,
                               [](const FlexibleForm& form) {
                                 return record("FlexibleForm", form.inertia, form.input,
                                               form.constraint, form.bias, form.stiffness,
                                               form.damping, form.deflection, form.M_s, form.L_s,
                                               form.J_s, form.W, form.T_s);
                               }),
         "Equations of motion of the flexible degrees of freedom, the others eliminated, in "
         "second- and first-order form:\n"
         "FlexibleForm(inertia, input, constraint, bias, stiffness, damping, deflection, M_s, L_s, "
         "J_s, W, T_s).");
  define(
      module, "free_and_correction",
      parameters(in::state, in::tau, keyword_only, in::prescribed_a, in::wrenches, in::workspace),
      returns<FreeAndCorrection>(free_and_correction,
                                 [](const Call& call, const FreeAndCorrection& found) {
                                   return record("FreeAndCorrection",
                                                 call.named(Space::v, found.free),
                                                 call.named(Space::v, found.correction));
                                 }),
      "Accelerations with all loops cut, and the correction by the loops: "
      "FreeAndCorrection(free, correction).");
}

}  // namespace trammel::python
