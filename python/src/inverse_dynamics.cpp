#include "trammel/dynamics/inverse_dynamics.hpp"

#include "bindings.hpp"
#include "call.hpp"

namespace trammel::python {

void bind_inverse_dynamics(py::module_& module) {
  using InputsFunction =
      Status (*)(const Model&, const State&, const Inputs&, Workspace&, std::span<double>);
  define(module, "inverse_dynamics",
         parameters(in::state, in::a, keyword_only, in::loads, in::workspace, in::out),
         returns_dofs(inverse_dynamics),
         "Inverse dynamics: actuator efforts tau (nv) [N m or N] for the accelerations a (nv), by "
         "the recursive Newton-Euler algorithm (RNEA).\n\n"
         "    tau = M(q) a + C(q, v) v + N(q) - passive(q, v) - J^T wrenches\n\n"
         "a: zero if not given. wrenches: a list of Wrench. ground: a moving Support.\n"
         "out: a float64 array (nv) to write into.");
  define(module, "bias", parameters(in::state, keyword_only, in::ground, in::workspace, in::out),
         returns_dofs(InputsFunction(bias)),
         "Bias forces C(q, v) v + N(q), nv [N m or N]: the efforts for zero acceleration, without "
         "springs, dampers and wrenches.");
  define(module, "gravity_load", parameters(in::of_state, in::out), returns_dofs(gravity_load),
         "Gravity load N(q), nv [N m or N]: the efforts that balance gravity.");
  define(module, "passive_forces", parameters(in::of_state, in::out), returns_dofs(passive_forces),
         "Generalized forces of joint springs, dampers and viscous friction, nv [N m or N]: "
         "-stiffness (q - rest) - damping v.");
}

}  // namespace trammel::python
