#include "trammel/dynamics/derivatives.hpp"

#include <pybind11/eigen.h>

#include "bindings.hpp"
#include "errors.hpp"
#include "inputs.hpp"
#include "records.hpp"

namespace trammel::python {

namespace {

using EvalContext = Status (*)(const Model&, const State&, const Inputs&, Workspace&,
                               DerivativeWorkspace&, Derivatives&);

py::object answer(const char* name, EvalContext context, const SharedModel& model,
                  const State& state, const Given& given, OwnWorkspace* workspace,
                  OwnDerivativeWorkspace* derivative_workspace, const py::object& out) {
  const CallInputs call(name, *model, given);
  const py::object into =
      object_out<Derivatives>(name, "Derivatives", out, [] { return Derivatives(); });
  Derivatives& derivatives = into.cast<Derivatives&>();
  // the memory of a view that Python references must stay valid
  const int n = model->nv();
  if (!out.is_none() && (derivatives.dq.rows() != n || derivatives.dq.cols() != n))
    throw std::invalid_argument(std::string(name) + ": out holds matrices of " +
                                std::to_string(derivatives.dq.rows()) +
                                " rows, the model has nv = " + std::to_string(n));
  Rented<Workspace> room(model, workspace);
  Rented<DerivativeWorkspace> derivative_room(model, derivative_workspace);
  require([&] {
    const Unlocked unlocked(model->bodies().size() * std::size_t(n));
    return context(*model, state, call.inputs(), room, derivative_room, derivatives);
  }());
  return into;
}

}  // namespace

void bind_derivatives(py::module_& module) {
  py::class_<Derivatives>(
      module, "Derivatives",
      "First derivatives of nv quantities, nv x nv each: by position (dq, in the tangent space), "
      "by velocity (dv), and by the third argument (dx).")
      .def_readonly("dq", &Derivatives::dq,
                    "By position: column k is the derivative along degree of freedom k.")
      .def_readonly("dv", &Derivatives::dv, "By velocity.")
      .def_readonly("dx", &Derivatives::dx, "By the accelerations, or by the efforts.")
      .def("__repr__", [](const Derivatives& derivatives) {
        return "<Derivatives dq, dv, dx of " + std::to_string(derivatives.dq.rows()) + " x " +
               std::to_string(derivatives.dq.cols()) + ">";
      });

  module.def(
      "inverse_dynamics_derivatives",
      [](const SharedModel& model, const State& state, const OptionalArray& a,
         const std::vector<WrenchAt>& wrenches, const std::optional<Support>& ground,
         OwnWorkspace* workspace, OwnDerivativeWorkspace* derivative_workspace,
         const py::object& out) {
        return answer("inverse_dynamics_derivatives", &inverse_dynamics_derivatives, model, state,
                      {.a = a, .wrenches = wrenches, .ground = ground}, workspace,
                      derivative_workspace, out);
      },
      py::arg("model"), py::arg("state"), py::arg("a") = py::none(), py::kw_only(),
      py::arg("wrenches") = py::tuple(), py::arg("ground") = py::none(),
      py::arg("workspace") = py::none(), py::arg("derivative_workspace") = py::none(),
      py::arg("out") = py::none(),
      "Derivatives of inverse_dynamics by position, velocity and acceleration: Derivatives, nv x "
      "nv each; dx is M.");
  module.def(
      "forward_dynamics_derivatives",
      [](const SharedModel& model, const State& state, const OptionalArray& tau,
         const OptionalArray& a, const std::vector<WrenchAt>& wrenches,
         const std::optional<Support>& ground, OwnWorkspace* workspace,
         OwnDerivativeWorkspace* derivative_workspace, const py::object& out) {
        return answer("forward_dynamics_derivatives", &forward_dynamics_derivatives, model, state,
                      {.tau = tau, .a = a, .wrenches = wrenches, .ground = ground}, workspace,
                      derivative_workspace, out);
      },
      py::arg("model"), py::arg("state"), py::arg("tau") = py::none(), py::kw_only(),
      py::arg("a") = py::none(), py::arg("wrenches") = py::tuple(), py::arg("ground") = py::none(),
      py::arg("workspace") = py::none(), py::arg("derivative_workspace") = py::none(),
      py::arg("out") = py::none(),
      "Derivatives of forward_dynamics by position, velocity and effort: Derivatives, nv x nv "
      "each; dx is M^-1. Wrenches are constant in the bodies' axes while positions change.");
}

}  // namespace trammel::python
