// One call of a function of a model, and the parameters that such functions share.
#pragma once

#include <pybind11/eigen.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "binder.hpp"
#include "errors.hpp"
#include "inputs.hpp"
#include "model_state.hpp"
#include "records.hpp"

namespace trammel::python {

// Model, state, inputs and workspace of a call from Python. Parameters of `in` store their
// arguments here, before the body of the function runs.
class Call {
 public:
  Call(const char* function, const SharedModel& model)
      : function_(function), shared_(model), visits_(model->bodies().size()) {}

  const char* function() const { return function_; }
  const SharedModel& shared_model() const { return shared_; }
  const Model& model() const { return *shared_; }
  const ModelState& state() const { return *state_; }
  const Inputs& inputs() {
    if (!inputs_) {
      inputs_.emplace(function_, model(), arguments);
      if (state_ != nullptr) inputs_->follow(model(), state(), workspace());
    }
    return inputs_->inputs();
  }
  Workspace& workspace() {
    if (!lease_) lease_.emplace(shared_, own_);
    return **lease_;
  }

  void set_state(const ModelState& state) { state_ = &state; }
  void set_workspace(OwnWorkspace* own) { own_ = own; }
  // Bodies visited by the call, if not each once: the GIL is released in long calls.
  void set_visits(std::size_t visits) { visits_ = visits; }

  // Calls f(model, state, inputs, workspace, rest...), or without inputs, or with the workspace
  // alone; without the GIL in long calls. Raises a failure as EvaluationError.
  template <class Function, class... Rest> void evaluate(const Function& f, Rest&&... rest) {
    Workspace& space = workspace();
    const Inputs& given = inputs();
    require([&] {
      const GilRelease release(visits_);
      if constexpr (std::is_invocable_v<Function, const Model&, const State&, const Inputs&,
                                        Workspace&, Rest...>)
        return f(model(), state(), given, space, std::forward<Rest>(rest)...);
      else if constexpr (std::is_invocable_v<Function, const Model&, const State&, Workspace&,
                                             Rest...>)
        return f(model(), state(), space, std::forward<Rest>(rest)...);
      else
        return f(space, std::forward<Rest>(rest)...);
    }());
  }

  // The state as an object that knows the model.
  ModelState of_model(State state) const { return {std::move(state), shared_.shared_from_this()}; }

  // Entries of a result as an array with names of joints; the caller's own array stays as it is.
  template <class Numbers> py::array named(Space space, const Numbers& numbers) const {
    return joint_array(shared_, space, numbers);
  }
  py::array finish(RowsOut& result, Space space, const OptionalOut& out = {}) const {
    const py::array numbers = result.finish();
    return out ? numbers : named(space, numbers);
  }

  // Row-major result in the caller's array or a new one; the array may be an input of the call.
  RowsOut rows(const OptionalOut& out, std::vector<py::ssize_t> shape) {
    return {function_, out, std::move(shape), {inputs().tau, inputs().a, state().q, state().v}};
  }
  // Matrix result in the caller's array or a new one.
  MatrixOut matrix(const OptionalOut& out, int rows, int columns) const {
    return {function_, out, rows, columns};
  }

  InputArguments arguments;

 private:
  const char* function_;
  const SharedModel& shared_;
  std::size_t visits_;
  const ModelState* state_ = nullptr;
  OwnWorkspace* own_ = nullptr;
  std::optional<CallInputs> inputs_;
  std::optional<WorkspaceLease<Workspace>> lease_;
};

// Binds a function of a model: body(Call&, values...).
template <class... Items, class Body>
void define(py::module_& module, const char* name, const std::tuple<Items...>& items,
            const Body& body, const char* doc) {
  const auto list = valued(items);
  const auto function = with_signature<const SharedModel&>(
      list, [=](const SharedModel& model, const auto& given) -> decltype(auto) {
        Call call(name, model);
        using Result = decltype(call_converted(call, call, list, given, body));
        if constexpr (std::is_same_v<Result, State>)
          return call.of_model(call_converted(call, call, list, given, body));
        else
          return call_converted(call, call, list, given, body);
      });
  std::apply(
      [&](const auto&... item) {
        module.def(name, function, py::arg("model"), annotation(item)..., doc);
      },
      items);
}

// Bodies of functions with one result: a struct that `write` converts to Python, ...
template <class Result, class Function, class Write>
auto returns(const Function& f, const Write& write) {
  return [=](Call& call) {
    Result result{};
    call.evaluate(f, result);
    if constexpr (std::is_invocable_v<Write, const Call&, const Result&>)
      return write(std::as_const(call), std::as_const(result));
    else
      return write(std::as_const(result));
  };
}
// ... one that is returned as it is, ...
template <class Result, class Function> auto returns(const Function& f) {
  return returns<Result>(f, [](const Result& result) { return result; });
}
// ... a list of them, each converted by `write`, ...
template <class Item, class Function, class Write>
auto returns_list(const Function& f, const Write& write) {
  return returns<std::vector<Item>>(f, [=](const std::vector<Item>& items) {
    py::list list;
    for (const Item& item : items) list.append(write(item));
    return list;
  });
}
// ... nv numbers.
template <class Function> auto returns_dofs(const Function& f) {
  return [=](Call& call, const OptionalOut& out) {
    RowsOut result = call.rows(out, {call.model().nv()});
    call.evaluate(f, result.span());
    return call.finish(result, Space::v, out);
  };
}

// Bodies of functions whose result is an object of a model, made or written into by out=.
inline constexpr auto object_parameter = parameter<py::object>("out", None());
template <class Result, class Function> auto returns_object(const Function& f, const char* type) {
  return [=](Call& call, const py::object& out) {
    const py::object result =
        object_out<Result>(call.function(), type, out, [&] { return Result(call.model()); });
    call.evaluate(f, result.cast<Result&>());
    return result;
  };
}

// Joints by their names; `what` begins the message if no joint has the name: "assemble: keep".
std::vector<JointId> joints_of(const std::string& what, const Model& model,
                               const std::vector<std::string>& names);

// Parameters that many functions share.
namespace in {

// Stored in the call.
inline constexpr auto state = parameter<ModelState>(
    "state", Required(), [](Call& call, const char*, const ModelState& x) { call.set_state(x); });
inline constexpr auto workspace = parameter<OwnWorkspace*>(
    "workspace", None(),
    [](Call& call, const char*, OwnWorkspace* own) { call.set_workspace(own); });
inline constexpr auto tau = parameter<OptionalNumbers>(
    "tau", None(),
    [](Call& call, const char*, const OptionalNumbers& x) { call.arguments.tau = x; });
// Accelerations of the motion; of a mechanism with constraints, those not named follow.
inline constexpr auto a = parameter<OptionalNumbers>(
    "a", None(), [](Call& call, const char*, const OptionalNumbers& x) { call.arguments.a = x; });
// Accelerations of joints driven by motion: the others are results.
inline constexpr auto prescribed_a =
    parameter<OptionalNumbers>("a", None(), [](Call& call, const char*, const OptionalNumbers& x) {
      call.arguments.a = x;
      call.arguments.a_of = AccelerationsOf::prescribed;
    });
// The first on trees, the second where accelerations follow from efforts.
inline constexpr auto a_of_tree =
    parameter<OptionalNumbers>("a", None(), [](Call& call, const char*, const OptionalNumbers& x) {
      call.arguments.a = x;
      if (call.model().has_constraints()) call.arguments.a_of = AccelerationsOf::prescribed;
    });
inline constexpr auto wrenches = parameter<Wrenches>(
    "wrenches", EmptyTuple(),
    [](Call& call, const char*, const Wrenches& x) { call.arguments.wrenches = x; });
inline constexpr auto ground = parameter<std::optional<Support>>(
    "ground", None(),
    [](Call& call, const char*, const std::optional<Support>& x) { call.arguments.ground = x; });
inline constexpr auto loop_tau =
    parameter<py::object>("loop_tau", None(), [](Call& call, const char*, const py::object& x) {
      call.arguments.loop_tau = x;
      call.arguments.takes_loop_tau = true;
    });
inline constexpr auto loop_a =
    parameter<py::object>("loop_a", None(), [](Call& call, const char*, const py::object& x) {
      call.arguments.loop_a = x;
      call.arguments.takes_loop_a = true;
    });

inline constexpr auto loads = parameters(wrenches, ground);
inline constexpr auto loop_inputs = parameters(loop_tau, loop_a);
// A function of the state alone; one of the efforts and all other inputs.
inline constexpr auto of_state = parameters(state, keyword_only, workspace);
inline constexpr auto forward =
    parameters(state, tau, keyword_only, prescribed_a, loads, loop_inputs);

inline constexpr auto out = parameter<OptionalOut>("out", None());
inline constexpr auto axes = parameter<Axes>("axes", "world");
inline constexpr auto place = parameter<Where>(
    "place", Required(),
    [](Call& call, const char*, const Where& x) { return resolve(call.model(), x); });
// Joints by name.
constexpr auto joints(const char* name) {
  return parameter<std::vector<std::string>>(
      name, EmptyTuple(), [](Call& call, const char* what, const std::vector<std::string>& names) {
        return joints_of(std::string(call.function()) + ": " + what, call.model(), names);
      });
}

}  // namespace in

}  // namespace trammel::python
