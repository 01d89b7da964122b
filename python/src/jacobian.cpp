#include "trammel/dynamics/jacobian.hpp"

#include "bindings.hpp"
#include "factors.hpp"

namespace trammel::python {

namespace {

using OperationalSpaceFunction = Status (*)(const Model&, const State&, const ArticulatedInertias&,
                                            const FrameRef&, Axes, Workspace&,
                                            Eigen::Ref<Eigen::MatrixXd>);

void bind_operational(py::module_& module, const char* name, OperationalSpaceFunction function,
                      const char* doc) {
  define(
      module, name,
      parameters(in::state, in::place, in::axes, keyword_only,
                 parameter<const ArticulatedInertias*>("factors", None()), in::workspace, in::out),
      [=](Call& call, const FrameRef& place, Axes axes, const ArticulatedInertias* given,
          const OptionalOut& out) {
        MatrixOut result = call.matrix(out, 6, 6);
        const Factors factors(call, given ? FactorsOrState(given) : &call.state());
        call.evaluate([&](Workspace& workspace) {
          return function(call.model(), call.state(), *factors, place, axes, workspace,
                          result.matrix());
        });
        return result.finish();
      },
      doc);
}

}  // namespace

void bind_jacobian(py::module_& module) {
  define(
      module, "jacobian",
      parameters(parameter<Positions>("positions"), in::place, in::axes, keyword_only, in::out),
      [](Call& call, const Positions& positions, const FrameRef& place, Axes axes,
         const OptionalOut& out) {
        MatrixOut J = call.matrix(out, 6, call.model().nv());
        require(jacobian(call.model(), positions, place, axes, J.matrix()));
        return J.finish();
      },
      "Jacobian of a place: J, 6 x nv: [omega; v of the place] = J v, in the axes of the world or "
      "of the place ('body').");
  define(
      module, "jacobian_rate",
      parameters(in::state, in::place, in::axes, keyword_only, in::workspace),
      [](Call& call, const FrameRef& place, Axes axes) {
        Motion<double> rate;
        call.evaluate([&](Workspace& workspace) {
          return jacobian_rate(call.model(), call.state(), place, axes, workspace, rate);
        });
        return to_array(rate);
      },
      "dJ/dt v, 6 numbers: the acceleration of the place is J a plus this [rad/s^2, m/s^2], in "
      "the axes of the world or of the place ('body').");
  bind_operational(module, "operational_space_inertia_inverse", operational_space_inertia_inverse,
                   "Inverse operational-space inertia J M^-1 J^T, 6 x 6, angular first, at the "
                   "place in the given axes.\n\n"
                   "factors: from articulated_inertias, to compute it for several places at the "
                   "cost of one factorization.");
  bind_operational(module, "operational_space_inertia", operational_space_inertia,
                   "Operational-space inertia (J M^-1 J^T)^-1, 6 x 6, angular first, at the place "
                   "in the given axes.\n\n"
                   "Raises EvaluationError if the place cannot move in all six directions. "
                   "factors: from articulated_inertias.");
}

}  // namespace trammel::python
