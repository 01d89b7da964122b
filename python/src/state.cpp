#include "trammel/model/state.hpp"

#include <algorithm>

#include "bindings.hpp"
#include "call.hpp"
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

using Numbers = std::vector<double> State::*;

// An array that shares the memory of the state, and assignment to it.
void bind_numbers(Class<State>& state, const char* name, Numbers numbers, const char* doc) {
  state.def_property(
      name, [=](const py::object& self) { return view(self, self.cast<State&>().*numbers); },
      [=](State& self, const Array& given) { overwrite(name, self.*numbers, given); }, doc);
}

using ManifoldFunction = void (*)(const Model&, std::span<const double>, std::span<const double>,
                                  std::span<double>);
struct Sizes {
  int first, second, result;
};

// A function of two vectors; `names` are theirs in messages.
auto on_manifold(ManifoldFunction function, std::pair<const char*, const char*> names,
                 Sizes (*sizes)(const Model&)) {
  return [=](Call& call, const Array& first, const Array& second, const OptionalOut& out) {
    const Sizes n = sizes(call.model());
    const auto x = vector_in(call.function(), names.first, first, n.first);
    const auto y = vector_in(call.function(), names.second, second, n.second);
    expects_finite(call.function(), names.first, x);
    expects_finite(call.function(), names.second, y);
    RowsOut result(call.function(), out, {n.result}, {x, y});
    function(call.model(), x, y, result.span());
    return result.finish();
  };
}

void bind_state_class(py::module_& module) {
  using Discrete = py::array_t<int, py::array::c_style | py::array::forcecast>;
  Class<State> state(module, "State",
                     "State of a mechanism: time [s], positions q (nq), velocities v (nv).\n\n"
                     "q and v are arrays that share the state's memory: writing into them changes "
                     "the state. neutral_state and start_state make one of the right size.");
  state.def(py::init([](const Array& q, const Array& v, double time, const Array& z,
                        const Discrete& discrete) {
              return State{time,
                           to_vector("q", q),
                           to_vector("v", v),
                           to_vector("z", z),
                           {discrete.data(), discrete.data() + discrete.size()}};
            }),
            py::arg("q"), py::arg("v"), py::arg("time") = 0.0, py::arg("z") = Array(0),
            py::arg("discrete") = Discrete(0), "A state with copies of these numbers.");
  state.def_readwrite("time", &State::time, "Time [s].");
  bind_numbers(state, "q", &State::q, "Positions, nq: [rad] or [m]; quaternions w x y z.");
  bind_numbers(state, "v", &State::v, "Velocities, nv: [rad/s] or [m/s].");
  bind_numbers(state, "z", &State::z, "Continuous states of controllers, tires, filters, motors.");
  const auto copy = [](const State& self) { return self; };
  state
      .field(
          "discrete",
          [](const py::object& self) { return view(self, self.cast<State&>().discrete); },
          "Active constraints, locks, stick or slip.")
      .method("copy", copy, "Another state with the same numbers.")
      .method("__copy__", copy)
      .method(
          "__deepcopy__", [](const State& self, const py::dict&) { return self; }, py::arg("memo"))
      .repr([](const State& self) {
        return "State(q=" + text_of(self.q) + ", v=" + text_of(self.v) +
               ", time=" + py::repr(py::float_(self.time)).cast<std::string>() + ")";
      });
}

}  // namespace

void bind_state(py::module_& module) {
  bind_state_class(module);
  define(
      module, "neutral_state", parameters(), [](Call& call) { return neutral_state(call.model()); },
      "At rest with the frames of every joint coincident: angles and distances 0, quaternions 1 0 "
      "0 0.");
  define(
      module, "start_state", parameters(),
      [](Call& call) {
        State start;
        require(assembled_start(call.model(), call.workspace(), start));
        return start;
      },
      "The start in the model's description; neutral where it gives none. In a model\n"
      "with loops it is assembled, as by assembled_start: the given joints are fixed, guesses "
      "are not.");
  const auto q_and_v = parameters(parameter<Array>("q"), parameter<Array>("v"), in::out);
  define(module, "integrate", q_and_v,
         on_manifold(integrate, {"q", "v"},
                     [](const Model& m) {
                       return Sizes{m.nq(), m.nv(), m.nq()};
                     }),
         "Position after constant velocities v (nv) from q (nq) for one unit of time: q [+] v. out "
         "may be q.");
  define(module, "difference",
         parameters(parameter<Array>("from_"), parameter<Array>("to"), in::out),
         on_manifold(difference, {"from", "to"},
                     [](const Model& m) {
                       return Sizes{m.nq(), m.nq(), m.nv()};
                     }),
         "The velocities (nv) that lead from one position (nq) to another in one unit of time: the "
         "inverse of integrate.");
  define(module, "rate", q_and_v,
         on_manifold(rate, {"q", "v"},
                     [](const Model& m) {
                       return Sizes{m.nq(), m.nv(), m.nq()};
                     }),
         "The time derivative of q (nq) at velocities v (nv).");
  define(
      module, "check_limits", parameters(parameter<State>("state")),
      [](Call& call, const State& state) {
        return to_python(check_limits(call.model(), state).list());
      },
      "Values outside the limits of their joints: a list of Diagnostic, one warning each.");
}

}  // namespace trammel::python
