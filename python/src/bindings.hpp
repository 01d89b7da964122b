// Bindings of the topics of the engine, one function each, for the Python module trammel._engine.
// Each binding converts the arguments, calls the engine, and converts the result (binder.hpp).
#pragma once

#include <pybind11/pybind11.h>

namespace trammel {
struct Description;
}

namespace trammel::python {

namespace py = pybind11;

template <class T, class... Options> class Class;

void bind_diagnostics(py::module_& module);
void bind_expressions(py::module_& module);
void bind_solids(py::module_& module);
void bind_description(py::module_& module);
void bind_generate(py::module_& module);
void bind_model(py::module_& module);
void bind_state(py::module_& module);
void bind_read(py::module_& module);
void bind_inputs(py::module_& module);
void bind_kinematics(py::module_& module);
void bind_jacobian(py::module_& module);
void bind_inverse_dynamics(py::module_& module);
void bind_forward_dynamics(py::module_& module);
void bind_mass_matrix(py::module_& module);
void bind_energy_and_momentum(py::module_& module);
void bind_reactions(py::module_& module);
void bind_assembly(py::module_& module);
void bind_inverse_kinematics(py::module_& module);
void bind_constrained_dynamics(py::module_& module);
void bind_constraint_forces(py::module_& module);
void bind_loop_joints(py::module_& module);
void bind_mobility(py::module_& module);
void bind_orthogonal_complement(py::module_& module);
void bind_dof_roles(py::module_& module);
void bind_allocation(py::module_& module);
void bind_design(py::module_& module);
void bind_paths(py::module_& module);
void bind_derivatives(py::module_& module);
void bind_batch(py::module_& module);
void bind_operators(py::module_& module);
void bind_symbolic(py::module_& module);
void bind_linearization(py::module_& module);
void bind_simulate(py::module_& module);
void bind_simulate_batch(py::module_& module);
void bind_run_report(py::module_& module);
void bind_write(py::module_& module);
// Bushings, and the time-dependent parts of Description.
void describe_bushing(Class<Description>& description);
void describe_inputs(Class<Description>& description);

}  // namespace trammel::python
