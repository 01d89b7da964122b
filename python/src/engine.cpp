#include "bindings.hpp"

PYBIND11_MODULE(_engine, module) {
  using namespace trammel::python;
  module.doc() = "The engine behind the package trammel; use it from there.";
  // what is made here shows itself as trammel.Model, not as trammel._engine.Model
  const py::object name = module.attr("__name__");
  module.attr("__name__") = "trammel";
  bind_diagnostics(module);
  bind_expressions(module);
  bind_description(module);
  bind_assemble(module);
  bind_model(module);
  bind_state(module);
  bind_read(module);
  bind_inputs(module);
  bind_kinematics(module);
  bind_jacobian(module);
  bind_efforts(module);
  bind_accelerations(module);
  bind_mass_matrix(module);
  bind_energy(module);
  bind_reactions(module);
  bind_derivatives(module);
  bind_batch(module);
  bind_operators(module);
  bind_kernel(module);
  bind_write(module);
  module.attr("__name__") = name;
}
