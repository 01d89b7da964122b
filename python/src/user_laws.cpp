#include "user_laws.hpp"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include "inputs.hpp"
#include "records.hpp"

namespace trammel::python {

namespace {

py::array q_of(const SharedModel& model, const State& state) {
  return joint_array(model, Space::q, state.q);
}
py::array v_of(const SharedModel& model, const State& state) {
  return joint_array(model, Space::v, state.v);
}
// f(time, q, v)
py::object call_at(const py::object& function, const SharedModel& model, const State& state) {
  return function(state.time, q_of(model, state), v_of(model, state));
}

std::string type_of(const py::handle& given) {
  return py::type::of(given).attr("__name__").cast<std::string>();
}
void expects_function(const std::string& what, const py::handle& given) {
  if (PyCallable_Check(given.ptr()) == 0)
    throw py::type_error("simulate: " + what + " is a " + type_of(given) + ": give a function");
}

EventDescription::Way way_of(const std::string& name, const std::string& way) {
  using Way = EventDescription::Way;
  if (way == "up") return Way::up;
  if (way == "down") return Way::down;
  if (way == "both") return Way::both;
  throw std::invalid_argument("simulate: the way of event '" + name + "' is '" + way +
                              "', it is up, down or both");
}

// Fields of an Event, whose types Python does not check.
class EventFields {
 public:
  explicit EventFields(const py::handle& event) : event_(event) {
    if (!py::hasattr(event, "value") || !py::hasattr(event, "every"))
      throw py::type_error("simulate: events has a " + type_of(event) +
                           ": give a list of Event(name, value)");
    name_ = text("name");
  }
  const std::string& name() const { return name_; }
  std::string text(const char* key) const {
    const py::object field = event_.attr(key);
    if (!py::isinstance<py::str>(field)) refuse(key, field, "a text");
    return field.cast<std::string>();
  }
  bool truth(const char* key) const {
    const py::object field = event_.attr(key);
    if (!py::isinstance<py::bool_>(field)) refuse(key, field, "True or False");
    return field.cast<bool>();
  }
  // One name, or several.
  std::vector<std::string> names(const char* key) const {
    const py::object field = event_.attr(key);
    if (py::isinstance<py::str>(field)) return {field.cast<std::string>()};
    if (!py::isinstance<py::iterable>(field)) refuse(key, field, "a name, or a list of names");
    std::vector<std::string> all;
    for (const py::handle each : field) {
      if (!py::isinstance<py::str>(each)) refuse(key, field, "a name, or a list of names");
      all.push_back(each.cast<std::string>());
    }
    return all;
  }
  py::object function(const char* key) const {
    const py::object field = event_.attr(key);
    expects_function(std::string(key) + " of event '" + name_ + "'", field);
    return field;
  }

 private:
  [[noreturn]] void refuse(const char* key, const py::object& field, const char* wanted) const {
    const std::string owner = name_.empty() ? "an event" : "event '" + name_ + "'";
    throw py::type_error("simulate: " + std::string(key) + " of " + owner + " is a " +
                         type_of(field) + ": give " + wanted);
  }

  py::handle event_;
  std::string name_;
};

// Efforts by the names of joints, added to tau.
void add_by_name(const Model& model, const py::object& efforts, std::span<double> tau) {
  for (const NamedNumbers& one : numbers_by_name("simulate: effort", model, efforts, Loops::none))
    for (int k = 0; k < one.entries.count; ++k)
      tau[std::size_t(one.entries.start + k)] += one.numbers[std::size_t(k)];
}

}  // namespace

EffortFunction effort_of(const py::object& function, const SharedModel& model) {
  if (PyCallable_Check(function.ptr()) == 0)
    throw py::type_error("simulate: effort is " + described(function) +
                         ": give a function of time, q and v, lambda time, q, v: {'elbow': 2.0}");
  return [function, &model](const State& state, std::span<double> tau) {
    const py::object given = call_at(function, model, state);
    if (py::isinstance<py::dict>(given)) return add_by_name(*model, given, tau);
    const std::vector<double> efforts =
        returned_numbers("simulate: effort(time, q, v)", given,
                         ", or a dict of efforts by the names of joints, {'elbow': 2.0}");
    if (efforts.size() != tau.size())
      throw std::invalid_argument("simulate: effort gave " + std::to_string(efforts.size()) +
                                  " numbers, the model has nv = " + std::to_string(tau.size()) +
                                  ": " + listed_joints(*model, Space::v));
    for (std::size_t k = 0; k < tau.size(); ++k) tau[k] += efforts[k];
  };
}

void add_wrench_laws(const py::dict& laws, const SharedModel& model, SimulationInputs& run_inputs) {
  for (const auto& [place, given] : laws) {
    const auto law = py::reinterpret_borrow<py::object>(given);
    const bool is_name = py::isinstance<py::str>(place);
    if (!is_name && !py::isinstance<FrameRef>(place))
      throw py::type_error("simulate: wrench_laws has a " + type_of(place) +
                           " as a key: give the name of a body or frame, or a FrameRef");
    expects_function("the wrench law of " + py::repr(place).cast<std::string>(), law);
    const FrameRef where =
        is_name ? frame_ref(*model, place.cast<std::string>()) : place.cast<const FrameRef&>();
    run_inputs.add_wrench(where, [law, &model](const MovingPlace& now) -> Force<double> {
      const Motion<double> F =
          to_motion("simulate: a wrench law gives",
                    law(record("MovingPlace", now.state.time, q_of(model, now.state),
                               v_of(model, now.state), to_python(now.X_WA), to_array(now.V))));
      return {F.angular, F.linear};
    });
  }
}

void add_contact_laws(const py::dict& laws, const SharedModel& model,
                      SimulationInputs& run_inputs) {
  for (const auto& [key, given] : laws) {
    if (!py::isinstance<py::str>(key))
      throw py::type_error("simulate: contact_laws has a " + type_of(key) +
                           " as a key: give the name of a contact");
    const auto law = py::reinterpret_borrow<py::object>(given);
    const auto contact = key.cast<std::string>();
    expects_function("the contact law of '" + contact + "'", law);
    run_inputs.set_contact_law(
        contact, [law, contact, &model](const ContactState& now) -> ContactLawForce {
          const py::object push =
              law(record("ContactState", now.state.time, q_of(model, now.state),
                         v_of(model, now.state), now.depth, now.sinking, to_array(now.point),
                         to_array(now.normal), to_array(now.sliding)));
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

std::vector<EventFunction> event_functions(const py::iterable& events, const SharedModel& model) {
  std::vector<EventFunction> all;
  for (const py::handle event : events) {
    const EventFields fields(event);
    EventFunction function;
    function.what.name = fields.name();
    function.what.way = way_of(fields.name(), fields.text("way"));
    function.what.lock = fields.names("lock"), function.what.unlock = fields.names("unlock");
    function.what.grasp = fields.names("grasp"), function.what.release = fields.names("release");
    function.what.stops = fields.truth("stop");
    function.what.every = fields.truth("every");
    function.value = [value = fields.function("value"), name = fields.name(),
                      &model](const RunSnapshot& now) {
      return returned_number("simulate: value(time, q, v) of event '" + name + "'",
                             call_at(value, model, now.state));
    };
    if (!event.attr("then").is_none())
      function.then = [then = fields.function("then"), name = fields.name(), &model](
                          const RunSnapshot& now, std::vector<double>& v) {
        const py::object left = call_at(then, model, now.state);
        if (left.is_none()) return;
        v = returned_numbers("simulate: then(time, q, v) of event '" + name + "'", left);
        if (int(v.size()) != model->nv())
          throw std::invalid_argument(
              "simulate: event '" + name + "' leaves " + std::to_string(v.size()) +
              " velocities, the model has nv = " + std::to_string(model->nv()));
      };
    all.push_back(std::move(function));
  }
  return all;
}

}  // namespace trammel::python
