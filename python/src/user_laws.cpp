#include "user_laws.hpp"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include "inputs.hpp"
#include "records.hpp"

namespace trammel::python {

namespace {

py::array_t<double> array_of(const std::vector<double>& x) {
  return py::array_t<double>(py::ssize_t(x.size()), x.data());
}

EventDescription::Way way_of(const std::string& name, const std::string& way) {
  using Way = EventDescription::Way;
  if (way == "up") return Way::up;
  if (way == "down") return Way::down;
  if (way == "both") return Way::both;
  throw std::invalid_argument("simulate: the way of event '" + name + "' is '" + way +
                              "', it is up, down or both");
}

}  // namespace

EffortFunction effort_of(const py::object& function, const Model& model) {
  return [function, nv = std::size_t(model.nv())](const State& state, std::span<double> tau) {
    const std::vector<double> efforts = returned_numbers(
        "simulate: effort(time, q, v)", function(state.time, array_of(state.q), array_of(state.v)));
    if (efforts.size() != nv)
      throw std::invalid_argument("simulate: effort gave " + std::to_string(efforts.size()) +
                                  " numbers, the model has nv = " + std::to_string(nv));
    for (std::size_t k = 0; k < nv; ++k) tau[k] += efforts[k];
  };
}

void add_wrench_laws(const py::dict& laws, SimulationInputs& run_inputs) {
  for (const auto& [place, given] : laws) {
    const auto law = py::reinterpret_borrow<py::object>(given);
    run_inputs.add_wrench(
        resolve(run_inputs.model(), place.cast<Where>()),
        [law](const MovingPlace& now) -> Force<double> {
          const Motion<double> F =
              to_motion("simulate: a wrench law gives",
                        law(record("MovingPlace", now.state.time, array_of(now.state.q),
                                   array_of(now.state.v), to_python(now.X_WA), to_array(now.V))));
          return {F.angular, F.linear};
        });
  }
}

void add_contact_laws(const py::dict& laws, SimulationInputs& run_inputs) {
  for (const auto& [key, given] : laws) {
    const auto law = py::reinterpret_borrow<py::object>(given);
    const auto contact = key.cast<std::string>();
    run_inputs.set_contact_law(contact, [law, contact](const ContactState& now) -> ContactLawForce {
      const py::object push = law(record(
          "ContactState", now.state.time, array_of(now.state.q), array_of(now.state.v), now.depth,
          now.sinking, to_array(now.point), to_array(now.normal), to_array(now.sliding)));
      const std::string name = "simulate: the contact law of '" + contact + "'";
      if (!py::isinstance<py::tuple>(push)) return {returned_number(name, push)};
      const auto parts = push.cast<py::tuple>();
      if (parts.size() != 2)
        throw py::type_error(name + " returned a tuple of " + std::to_string(parts.size()) +
                             ": it has to return a number, or a number and a force");
      return {returned_number(name, parts[0]),
              to_vec3("simulate: the second of what a contact law gives", parts[1])};
    });
  }
}

std::vector<EventFunction> event_functions(const py::iterable& events, const Model& model) {
  std::vector<EventFunction> all;
  for (const py::handle event : events) {
    const auto names = [&](const char* key) {
      return event.attr(key).cast<std::vector<std::string>>();
    };
    EventFunction function;
    function.what.name = event.attr("name").cast<std::string>();
    function.what.way = way_of(function.what.name, event.attr("way").cast<std::string>());
    function.what.lock = names("lock"), function.what.unlock = names("unlock");
    function.what.grasp = names("grasp"), function.what.release = names("release");
    function.what.stops = event.attr("stop").cast<bool>();
    function.what.every = event.attr("every").cast<bool>();
    function.value = [value = py::object(event.attr("value")),
                      name = function.what.name](const RunSnapshot& now) {
      return returned_number("simulate: value(time, q, v) of event '" + name + "'",
                             value(now.state.time, array_of(now.state.q), array_of(now.state.v)));
    };
    if (const py::object then = event.attr("then"); !then.is_none())
      function.then = [then, nv = model.nv(), name = function.what.name](const RunSnapshot& now,
                                                                         std::vector<double>& v) {
        const py::object left = then(now.state.time, array_of(now.state.q), array_of(now.state.v));
        if (left.is_none()) return;
        v = returned_numbers("simulate: then(time, q, v) of event '" + name + "'", left);
        if (int(v.size()) != nv)
          throw std::invalid_argument("simulate: event '" + name + "' leaves " +
                                      std::to_string(v.size()) +
                                      " velocities, the model has nv = " + std::to_string(nv));
      };
    all.push_back(std::move(function));
  }
  return all;
}

}  // namespace trammel::python
