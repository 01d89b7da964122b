// Bindings of the modules of the engine, one function each, for the Python module trammel._engine.
// Each binding converts the arguments, calls the engine, and converts the result.
#pragma once

#include <pybind11/pybind11.h>

namespace trammel {
struct Description;
}

namespace trammel::python {

namespace py = pybind11;

void bind_diagnostics(py::module_& module);
void bind_expressions(py::module_& module);
void bind_description(py::module_& module);
void bind_described_motion(py::class_<Description>& description);
void bind_bushing(py::class_<Description>& description);
void bind_assemble(py::module_& module);
void bind_model(py::module_& module);
void bind_state(py::module_& module);
void bind_read(py::module_& module);
void bind_inputs(py::module_& module);
void bind_kinematics(py::module_& module);
void bind_jacobian(py::module_& module);
void bind_efforts(py::module_& module);
void bind_accelerations(py::module_& module);
void bind_mass_matrix(py::module_& module);
void bind_energy(py::module_& module);
void bind_reactions(py::module_& module);
void bind_constraint(py::module_& module);
void bind_structure(py::module_& module);
void bind_complement(py::module_& module);
void bind_inverse_kinematics(py::module_& module);
void bind_joint_roles(py::module_& module);
void bind_derivatives(py::module_& module);
void bind_batch(py::module_& module);
void bind_operators(py::module_& module);
void bind_kernel(py::module_& module);
void bind_analyze(py::module_& module);
void bind_run_pages(py::module_& module);
void bind_simulate(py::module_& module);
void bind_simulate_batch(py::module_& module);
void bind_platforms(py::module_& module);
void bind_write(py::module_& module);

}  // namespace trammel::python
