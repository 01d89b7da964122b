#include "trammel/dynamics/jacobian.hpp"

#include "bindings.hpp"
#include "errors.hpp"
#include "inputs.hpp"
#include "records.hpp"
#include "stages.hpp"

namespace trammel::python {

namespace {

using OperationalSpaceFunction = Status (*)(const Model&, const State&, const ArticulatedInertias&,
                                            const FrameRef&, Axes, Workspace&,
                                            Eigen::Ref<Eigen::MatrixXd>);

void bind_operational(py::module_& module, const char* name, OperationalSpaceFunction context,
                      const char* text) {
  module.def(
      name,
      [name = std::string(name), context](
          const SharedModel& model, const State& state, const Where& place, Axes axes,
          const ArticulatedInertias* factors, OwnWorkspace* workspace, const OptionalOut& out) {
        MatrixOut answer(name.c_str(), out, 6, 6);
        Rented<Workspace> room(model, workspace);
        const Factors stage(name.c_str(), model, state, factors, room);
        require(context(*model, state, stage, resolve(*model, place), axes, room, answer.matrix()));
        return answer.finish();
      },
      py::arg("model"), py::arg("state"), py::arg("place"), py::arg("axes") = "world",
      py::kw_only(), py::arg("factors") = py::none(), py::arg("workspace") = py::none(),
      py::arg("out") = py::none(), text);
}

}  // namespace

void bind_jacobian(py::module_& module) {
  module.def(
      "jacobian",
      [](const SharedModel& model, const Positions& positions, const Where& place, Axes axes,
         const OptionalOut& out) {
        MatrixOut J("jacobian", out, 6, model->nv());
        require(jacobian(*model, positions, resolve(*model, place), axes, J.matrix()));
        return J.finish();
      },
      py::arg("model"), py::arg("positions"), py::arg("place"), py::arg("axes") = "world",
      py::kw_only(), py::arg("out") = py::none(),
      "Jacobian of a place: J, 6 x nv: [omega; v of the place] = J v, in the axes of the world or "
      "of the place ('body').");
  module.def(
      "jacobian_rate",
      [](const SharedModel& model, const State& state, const Where& place, Axes axes,
         OwnWorkspace* workspace) {
        Motion<double> answer;
        Rented<Workspace> room(model, workspace);
        require(jacobian_rate(*model, state, resolve(*model, place), axes, room, answer));
        return to_array(answer);
      },
      py::arg("model"), py::arg("state"), py::arg("place"), py::arg("axes") = "world",
      py::kw_only(), py::arg("workspace") = py::none(),
      "dJ/dt v, 6 numbers: the acceleration of the place is J a plus this [rad/s^2, m/s^2], in "
      "the axes of the world or of the place ('body').");
  bind_operational(module, "operational_space_inertia_inverse", &operational_space_inertia_inverse,
                   "Inverse operational-space inertia J M^-1 J^T, 6 x 6, angular first, at the "
                   "place in the given axes.\n\n"
                   "factors: from articulated_inertias, to compute it for several places at the "
                   "cost of one factorization.");
  bind_operational(module, "operational_space_inertia", &operational_space_inertia,
                   "Operational-space inertia (J M^-1 J^T)^-1, 6 x 6, angular first, at the place "
                   "in the given axes.\n\n"
                   "Raises EvaluationError if the place cannot move in all six directions. "
                   "factors: from articulated_inertias.");
}

}  // namespace trammel::python
