// Python functions for forces and events of a run.
#pragma once

#include <pybind11/pybind11.h>

#include "shared_model.hpp"
#include "trammel/simulate/simulate.hpp"

namespace trammel::python {

namespace py = pybind11;

// effort(time, q, v) -> nv numbers, or {joint: number or numbers}
EffortFunction effort_of(const py::object& function, const SharedModel& model);
// {place: law(MovingPlace) -> [moment; force]}
void add_wrench_laws(const py::dict& laws, const SharedModel& model, SimulationInputs& run_inputs);
// {contact: law(ContactState) -> normal, or (normal, tangential force)}
void add_contact_laws(const py::dict& laws, const SharedModel& model, SimulationInputs& run_inputs);
// Event(name, value(time, q, v) -> number, ...)
std::vector<EventFunction> event_functions(const py::iterable& events, const SharedModel& model);

}  // namespace trammel::python
