#include "trammel/model/state.hpp"

#include <algorithm>

#include "arrays.hpp"
#include "bindings.hpp"
#include "errors.hpp"
#include "shared_model.hpp"
#include "trammel/constraint/assembly/assembly.hpp"

namespace trammel::python {

namespace {

// A view of the state's memory: writing into it changes the state. Sizes never change, so a view
// stays valid as long as the state, which it keeps alive.
template <class T> py::array view(const py::object& owner, std::vector<T>& numbers) {
  return py::array_t<T>(py::ssize_t(numbers.size()), numbers.data(), owner);
}

void overwrite(const char* what, std::vector<double>& numbers, const Array& given) {
  if (given.ndim() != 1 || std::size_t(given.size()) != numbers.size())
    throw std::invalid_argument(std::string("State: ") + what + " has " +
                                std::to_string(numbers.size()) + " entries, " +
                                std::to_string(given.size()) + " in " +
                                std::to_string(given.ndim()) + " dimensions were given");
  std::copy_n(given.data(), numbers.size(), numbers.data());
}

std::vector<double> to_vector(const char* what, const Array& given) {
  if (given.ndim() != 1)
    throw std::invalid_argument(std::string("State: ") + what + " has " +
                                std::to_string(given.ndim()) + " dimensions, a vector has one");
  return {given.data(), given.data() + given.size()};
}

std::string text_of(const std::vector<double>& numbers) {
  return py::repr(py::array_t<double>(py::ssize_t(numbers.size()), numbers.data()).attr("tolist")())
      .cast<std::string>();
}

}  // namespace

void bind_state(py::module_& module) {
  using Discrete = py::array_t<int, py::array::c_style | py::array::forcecast>;
  const Array none(0);

  py::class_<State>(module, "State",
                    "State of a mechanism: time [s], positions q (nq), velocities v (nv).\n\n"
                    "q and v are arrays that share the state's memory: writing into them changes "
                    "the state. neutral_state and start_state make one of the right size.")
      .def(py::init([](const Array& q, const Array& v, double time, const Array& z,
                       const Discrete& discrete) {
             return State{time,
                          to_vector("q", q),
                          to_vector("v", v),
                          to_vector("z", z),
                          {discrete.data(), discrete.data() + discrete.size()}};
           }),
           py::arg("q"), py::arg("v"), py::arg("time") = 0.0, py::arg("z") = none,
           py::arg("discrete") = Discrete(0), "A state with copies of these numbers.")
      .def_readwrite("time", &State::time, "Time [s].")
      .def_property(
          "q", [](const py::object& self) { return view(self, self.cast<State&>().q); },
          [](State& state, const Array& q) { overwrite("q", state.q, q); },
          "Positions, nq: [rad] or [m]; quaternions w x y z.")
      .def_property(
          "v", [](const py::object& self) { return view(self, self.cast<State&>().v); },
          [](State& state, const Array& v) { overwrite("v", state.v, v); },
          "Velocities, nv: [rad/s] or [m/s].")
      .def_property(
          "z", [](const py::object& self) { return view(self, self.cast<State&>().z); },
          [](State& state, const Array& z) { overwrite("z", state.z, z); },
          "Continuous states of controllers, tires, filters, motors.")
      .def_property_readonly(
          "discrete",
          [](const py::object& self) { return view(self, self.cast<State&>().discrete); },
          "Active constraints, locks, stick or slip.")
      .def(
          "copy", [](const State& state) { return state; }, "Another state with the same numbers.")
      .def("__copy__", [](const State& state) { return state; })
      .def(
          "__deepcopy__", [](const State& state, const py::dict&) { return state; },
          py::arg("memo"))
      .def("__repr__", [](const State& state) {
        return "State(q=" + text_of(state.q) + ", v=" + text_of(state.v) +
               ", time=" + py::repr(py::float_(state.time)).cast<std::string>() + ")";
      });

  module.def(
      "neutral_state", [](const SharedModel& model) { return neutral_state(*model); },
      py::arg("model"),
      "At rest with the frames of every joint coincident: angles and distances 0, quaternions 1 0 "
      "0 0.");
  module.def(
      "start_state",
      [](const SharedModel& model) {
        State start;
        Workspace workspace(*model);
        require(assembled_start(*model, workspace, start));
        return start;
      },
      py::arg("model"),
      "The start in the model's description; neutral where it gives none. In a model\n"
      "with loops it is assembled, as by assembled_start: the given joints are fixed, guesses "
      "are not.");
  module.def(
      "integrate",
      [](const SharedModel& model, const Array& q, const Array& v, const OptionalOut& out) {
        const auto from = vector_in("integrate", "q", q, model->nq());
        const auto by = vector_in("integrate", "v", v, model->nv());
        expects_finite("integrate", "q", from);
        expects_finite("integrate", "v", by);
        RowsOut to("integrate", out, {model->nq()}, {from, by});
        integrate(*model, from, by, to.span());
        return to.finish();
      },
      py::arg("model"), py::arg("q"), py::arg("v"), py::arg("out") = py::none(),
      "Position after constant velocities v (nv) from q (nq) for one unit of time: q [+] v. out "
      "may be q.");
  module.def(
      "difference",
      [](const SharedModel& model, const Array& from, const Array& to, const OptionalOut& out) {
        const auto q0 = vector_in("difference", "from", from, model->nq());
        const auto q1 = vector_in("difference", "to", to, model->nq());
        expects_finite("difference", "from", q0);
        expects_finite("difference", "to", q1);
        RowsOut v("difference", out, {model->nv()}, {q0, q1});
        difference(*model, q0, q1, v.span());
        return v.finish();
      },
      py::arg("model"), py::arg("from_"), py::arg("to"), py::arg("out") = py::none(),
      "The velocities (nv) that lead from one position (nq) to another in one unit of time: the "
      "inverse of integrate.");
  module.def(
      "rate",
      [](const SharedModel& model, const Array& q, const Array& v, const OptionalOut& out) {
        const auto at = vector_in("rate", "q", q, model->nq());
        const auto with = vector_in("rate", "v", v, model->nv());
        expects_finite("rate", "q", at);
        expects_finite("rate", "v", with);
        RowsOut q_dot("rate", out, {model->nq()}, {at, with});
        rate(*model, at, with, q_dot.span());
        return q_dot.finish();
      },
      py::arg("model"), py::arg("q"), py::arg("v"), py::arg("out") = py::none(),
      "The time derivative of q (nq) at velocities v (nv).");
  module.def(
      "check_limits",
      [](const SharedModel& model, const State& state) {
        return to_python(check_limits(*model, state).list());
      },
      py::arg("model"), py::arg("state"),
      "Values outside the limits of their joints: a list of Diagnostic, one warning each.");
}

}  // namespace trammel::python
