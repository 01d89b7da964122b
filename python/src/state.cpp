#include "trammel/model/state.hpp"

#include <algorithm>

#include "bindings.hpp"
#include "call.hpp"
#include "trammel/constraint/assembly/assembly.hpp"

namespace trammel::python {

namespace {

// Copies numbers into a vector of the state, whose size never changes.
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

// A view of the state's memory: writing into it changes the state. Sizes never change, so a view
// stays valid as long as the state, which it keeps alive.
template <class T> py::array view(const py::object& owner, std::vector<T>& numbers) {
  return py::array_t<T>(py::ssize_t(numbers.size()), numbers.data(), owner);
}

using Numbers = std::vector<double> State::*;

// The same with names of joints, if the state knows its model and has its size.
py::array named_view(const py::object& owner, Numbers numbers, Space space) {
  auto& state = owner.cast<ModelState&>();
  const py::array plain = view(owner, state.*numbers);
  if (!state.model) return plain;
  const int size = space == Space::q ? (*state.model)->nq() : (*state.model)->nv();
  return int(plain.size()) == size ? joint_array(*state.model, space, plain) : plain;
}

// q of a state by name: state["elbow"].
py::object positions_of(const py::object& owner) {
  if (!owner.cast<ModelState&>().model)
    throw py::key_error(
        "the state was made from numbers alone and does not know its joints: give it the model, "
        "State(q, v, model=model), or begin with neutral_state(model)");
  return named_view(owner, &State::q, Space::q);
}

using ManifoldFunction = void (*)(const Model&, std::span<const double>, std::span<const double>,
                                  std::span<double>);
struct Sizes {
  int first, second, result;
};

// A function of two vectors; `names` are theirs in messages.
auto on_manifold(ManifoldFunction function, std::pair<const char*, const char*> names,
                 Sizes (*sizes)(const Model&), Space space) {
  return [=](Call& call, const Array& first, const Array& second, const OptionalOut& out) {
    const Sizes n = sizes(call.model());
    const auto x = vector_in(call.function(), names.first, first, n.first);
    const auto y = vector_in(call.function(), names.second, second, n.second);
    expects_finite(call.function(), names.first, x);
    expects_finite(call.function(), names.second, y);
    RowsOut result(call.function(), out, {n.result}, {x, y});
    function(call.model(), x, y, result.span());
    return call.finish(result, space, out);
  };
}

// An array that shares the memory of the state, and assignment to it.
template <class Get>
void bind_numbers(Class<ModelState>& state, const char* name, Numbers numbers, const Get& get,
                  const char* doc) {
  state.def_property(
      name, get,
      [=](ModelState& self, const Array& given) { overwrite(name, self.*numbers, given); },
      py::doc(doc));
}

void expects_size_of(const SharedModel& model, const ModelState& state) {
  if (int(state.q.size()) == model->nq() && int(state.v.size()) == model->nv()) return;
  throw std::invalid_argument("State: q and v have " + std::to_string(state.q.size()) + " and " +
                              std::to_string(state.v.size()) +
                              " entries, the model has nq = " + std::to_string(model->nq()) +
                              " and nv = " + std::to_string(model->nv()));
}

void bind_state_class(py::module_& module) {
  using Discrete = py::array_t<int, py::array::c_style | py::array::forcecast>;
  Class<ModelState> state(
      module, "State",
      "State of a mechanism: time [s], positions q (nq), velocities v (nv).\n\n"
      "q and v are arrays that share the state's memory: writing into them changes the state. They "
      "take names of joints: state.q['elbow'] = 0.3, state.v['wrist'] = [0, 0, 1]; state['elbow'] "
      "is the position, as state.q['elbow']. neutral_state and start_state make one of the right "
      "size.");
  state.def(py::init([](const Array& q, const Array& v, double time, const Array& z,
                        const Discrete& discrete, const std::shared_ptr<SharedModel>& model) {
              ModelState out({time,
                              to_vector("q", q),
                              to_vector("v", v),
                              to_vector("z", z),
                              {discrete.data(), discrete.data() + discrete.size()}},
                             model);
              if (model) expects_size_of(*model, out);
              return out;
            }),
            py::arg("q"), py::arg("v"), py::arg("time") = 0.0, py::arg("z") = Array(0),
            py::arg("discrete") = Discrete(0), py::arg("model") = py::none(),
            "A state with copies of these numbers; with the model, it takes names of joints.");
  state.def_readwrite("time", &ModelState::time, "Time [s].");
  bind_numbers(
      state, "q", &State::q,
      [](const py::object& self) { return named_view(self, &State::q, Space::q); },
      "Positions, nq: [rad] or [m]; quaternions w x y z. q['elbow']: of a joint.");
  bind_numbers(
      state, "v", &State::v,
      [](const py::object& self) { return named_view(self, &State::v, Space::v); },
      "Velocities, nv: [rad/s] or [m/s]. v['elbow']: of a joint.");
  bind_numbers(
      state, "z", &State::z,
      [](const py::object& self) { return view(self, self.cast<ModelState&>().z); },
      "Continuous states of controllers, tires, filters, motors.");
  const auto copy = [](const ModelState& self) { return self; };
  state
      .field(
          "discrete",
          [](const py::object& self) { return view(self, self.cast<ModelState&>().discrete); },
          "Active constraints, locks, stick or slip.")
      .field(
          "model",
          [](const ModelState& self) {
            return self.model ? self.model->object() : py::object(py::none());
          },
          "Its model, whose names of joints are keys; None of a state made from numbers alone.")
      .method(
          "__getitem__",
          [](const py::object& self, const std::string& joint) {
            return py::object(positions_of(self)[py::str(joint)]);
          },
          py::arg("joint"),
          "Position of a joint: a number, or a view of its coordinates. As q['elbow'].")
      .method(
          "__setitem__",
          [](const py::object& self, const std::string& joint, const py::object& position) {
            positions_of(self)[py::str(joint)] = position;
          },
          py::arg("joint"), py::arg("position"), "Sets the position of a joint.")
      .method("copy", copy, "Another state with the same numbers.")
      .method("__copy__", copy)
      .method(
          "__deepcopy__", [](const ModelState& self, const py::dict&) { return self; },
          py::arg("memo"))
      .method(
          "_repr_html_",
          [](const py::object& self) {
            return py::module_::import("trammel._html").attr("state_table")(self);
          },
          "Positions and velocities as a table, for notebooks.")
      .repr([](const py::object& self) {
        return py::module_::import("trammel._html").attr("state_text")(self);
      });
  // names are its only keys: it is no sequence, which __getitem__ alone would make it
  reinterpret_cast<PyTypeObject*>(state.ptr())->tp_as_sequence->sq_item = nullptr;
}

}  // namespace

void bind_state(py::module_& module) {
  bind_state_class(module);
  define(
      module, "neutral_state", parameters(), [](Call& call) { return neutral_state(call.model()); },
      "At rest with the frames of every joint coincident: angles and distances 0, quaternions 1 0 "
      "0 0.");
  define(
      module, "start_state", parameters(keyword_only, in::workspace),
      [](Call& call) {
        State start;
        call.evaluate(
            [&](Workspace& workspace) { return assembled_start(call.model(), workspace, start); });
        return start;
      },
      "The start in the model's description; neutral where it gives none. Loops are assembled: the "
      "joints\n"
      "that the description gives keep their positions, the others start from their guesses.");
  const auto q_and_v = parameters(parameter<Array>("q"), parameter<Array>("v"), in::out);
  define(module, "integrate", q_and_v,
         on_manifold(
             integrate, {"q", "v"},
             [](const Model& m) {
               return Sizes{m.nq(), m.nv(), m.nq()};
             },
             Space::q),
         "Position after constant velocities v (nv) from q (nq) for one unit of time: q [+] v. out "
         "may be q.");
  define(module, "difference",
         parameters(parameter<Array>("from_"), parameter<Array>("to"), in::out),
         on_manifold(
             difference, {"from", "to"},
             [](const Model& m) {
               return Sizes{m.nq(), m.nq(), m.nv()};
             },
             Space::v),
         "The velocities (nv) that lead from one position (nq) to another in one unit of time: the "
         "inverse of integrate.");
  define(module, "rate", q_and_v,
         on_manifold(
             rate, {"q", "v"},
             [](const Model& m) {
               return Sizes{m.nq(), m.nv(), m.nq()};
             },
             Space::q),
         "The time derivative of q (nq) at velocities v (nv).");
  define(
      module, "check_limits", parameters(parameter<ModelState>("state")),
      [](Call& call, const ModelState& state) {
        return to_python(check_limits(call.model(), state).list());
      },
      "Values outside the limits of their joints: a list of Diagnostic, one warning each.");
}

}  // namespace trammel::python
