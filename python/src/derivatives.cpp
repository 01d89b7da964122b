#include "trammel/dynamics/derivatives.hpp"

#include "bindings.hpp"
#include "call.hpp"

namespace trammel::python {

namespace {

using DerivativeFunction = Status (*)(const Model&, const State&, const Inputs&, Workspace&,
                                      DerivativeWorkspace&, Derivatives&);

auto returns_derivatives(DerivativeFunction function) {
  return [=](Call& call, OwnDerivativeWorkspace* own, const py::object& out) {
    const py::object result =
        object_out<Derivatives>(call.function(), "Derivatives", out, [] { return Derivatives(); });
    Derivatives& derivatives = result.cast<Derivatives&>();
    // the memory of a view that Python references must stay valid
    const int n = call.model().nv();
    if (!out.is_none() && (derivatives.dq.rows() != n || derivatives.dq.cols() != n))
      throw std::invalid_argument(std::string(call.function()) + ": out holds matrices of " +
                                  std::to_string(derivatives.dq.rows()) +
                                  " rows, the model has nv = " + std::to_string(n));
    WorkspaceLease<DerivativeWorkspace> lease(call.shared_model(), own);
    call.set_visits(call.model().bodies().size() * std::size_t(n));
    call.evaluate(function, *lease, derivatives);
    return result;
  };
}

}  // namespace

void bind_derivatives(py::module_& module) {
  Class<Derivatives>(
      module, "Derivatives",
      "First derivatives of nv quantities, nv x nv each: by position (dq, in the tangent space), "
      "by velocity (dv), and by the third argument (dx).")
      .field("dq", &Derivatives::dq,
             "By position: column k is the derivative along degree of freedom k.")
      .field("dv", &Derivatives::dv, "By velocity.")
      .field("dx", &Derivatives::dx, "By the accelerations, or by the efforts.")
      .repr([](const Derivatives& derivatives) {
        return "<Derivatives dq, dv, dx of " + std::to_string(derivatives.dq.rows()) + " x " +
               std::to_string(derivatives.dq.cols()) + ">";
      });

  const auto memory =
      parameters(in::workspace, parameter<OwnDerivativeWorkspace*>("derivative_workspace", None()),
                 object_parameter);
  define(module, "inverse_dynamics_derivatives",
         parameters(in::state, in::a, keyword_only, in::loads, memory),
         returns_derivatives(inverse_dynamics_derivatives),
         "Derivatives of inverse_dynamics by position, velocity and acceleration: Derivatives, nv "
         "x nv each; dx is M.");
  define(module, "forward_dynamics_derivatives",
         parameters(in::state, in::tau, keyword_only, in::prescribed_a, in::loads, memory),
         returns_derivatives(forward_dynamics_derivatives),
         "Derivatives of forward_dynamics by position, velocity and effort: Derivatives, nv x nv "
         "each; dx is M^-1. Wrenches are constant in the bodies' axes while positions change.");
}

}  // namespace trammel::python
