#include <string>

#include "bindings.hpp"
#include "wrong_calls.hpp"

namespace {

// pybind11 before 2.12 misreads arrays of numpy 2 without an error.
void check_numpy() {
#if PYBIND11_VERSION_HEX < 0x020C0000
  namespace py = pybind11;
  const auto version = py::module_::import("numpy").attr("__version__").cast<std::string>();
  if (std::stoi(version) >= 2)
    throw py::import_error(
        "trammel was built with a pybind11 that knows numpy 1 only, and numpy here is " + version +
        ": use numpy 1, or build trammel with pybind11 2.12 or later");
#endif
}

// For an object whose __init__ was never called (Model.__new__(Model), copy.copy), pybind11
// allocates uninitialized memory at its first use. Here that is refused.
void* refuse_uninitialized(std::size_t) {
  throw pybind11::type_error(
      "the object was never initialized: __new__ alone, copy and pickle make none of this class; "
      "call the class or the function that makes it");
}
void expect_initialized(const pybind11::module_& module) {
  for (const auto& [name, value] : module.attr("__dict__").cast<pybind11::dict>()) {
    if (!PyType_Check(value.ptr())) continue;
    auto* const type = reinterpret_cast<PyTypeObject*>(value.ptr());
    if (auto* const info = pybind11::detail::get_type_info(type))
      info->operator_new = refuse_uninitialized;
  }
}

}  // namespace

PYBIND11_MODULE(_engine, module) {
  using namespace trammel::python;
  check_numpy();
  module.doc() = "The engine behind the package trammel; use it from there.";
  // classes defined here show themselves as trammel.Model, not as trammel._engine.Model
  const py::object name = module.attr("__name__");
  module.attr("__name__") = "trammel";
  bind_diagnostics(module);
  bind_expressions(module);
  bind_solids(module);
  bind_description(module);
  bind_generate(module);
  bind_model(module);
  // classes before the functions that take them, so that signatures have the names of Python
  bind_inputs(module);
  bind_state(module);
  bind_read(module);
  bind_kinematics(module);
  bind_mass_matrix(module);
  bind_jacobian(module);
  bind_inverse_dynamics(module);
  bind_forward_dynamics(module);
  bind_energy_and_momentum(module);
  bind_reactions(module);
  bind_assembly(module);
  bind_inverse_kinematics(module);
  bind_constrained_dynamics(module);
  bind_constraint_forces(module);
  bind_loop_joints(module);
  bind_mobility(module);
  bind_orthogonal_complement(module);
  bind_dof_roles(module);
  bind_allocation(module);
  bind_design(module);
  bind_paths(module);
  bind_derivatives(module);
  bind_batch(module);
  bind_operators(module);
  bind_symbolic(module);
  bind_linearization(module);
  bind_simulate(module);
  bind_simulate_batch(module);
  bind_run_report(module);
  bind_write(module);
  expect_initialized(module);
  explain_wrong_calls(module);
  module.attr("__name__") = name;
}
