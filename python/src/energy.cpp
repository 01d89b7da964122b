#include "trammel/dynamics/energy.hpp"

#include "bindings.hpp"
#include "errors.hpp"
#include "inputs.hpp"
#include "records.hpp"
#include "trammel/dynamics/momentum.hpp"

namespace trammel::python {

void bind_energy(py::module_& module) {
  // a function of the state alone: `to_record` makes the named tuple of the result
  const auto of_state = [&]<class Answer>(
                            const char* name,
                            Status (*context)(const Model&, const State&, Workspace&, Answer&),
                            py::object (*to_record)(const Answer&), const char* text) {
    module.def(
        name,
        [context, to_record](const SharedModel& model, const State& state,
                             OwnWorkspace* workspace) {
          Answer answer;
          ask(model, workspace,
              [&](Workspace& room) { return context(*model, state, room, answer); });
          return to_record(answer);
        },
        py::arg("model"), py::arg("state"), py::kw_only(), py::arg("workspace") = py::none(), text);
  };
  const auto momentum_record = [](const Momentum& p) {
    return record("Momentum", to_array(p.angular), to_array(p.linear));
  };

  of_state.operator()<Energy>(
      "energy", &energy,
      [](const Energy& e) { return record("Energy", e.kinetic, e.gravity, e.elastic); },
      "Energy of the moving bodies: Energy(kinetic, gravity, elastic) [J]; the potential energy "
      "of gravity is zero for a mass at the origin of ground.");
  of_state.operator()<Momentum>("momentum", &momentum, momentum_record,
                                "Momentum(angular, linear) about the origin of ground, in world "
                                "axes [kg m^2/s, kg m/s].");
  of_state.operator()<Momentum>("centroidal_momentum", &centroidal_momentum, momentum_record,
                                "Momentum(angular, linear) about the center of mass, in world "
                                "axes [kg m^2/s, kg m/s].");
  of_state.operator()<CenterOfMass>(
      "center_of_mass", &center_of_mass,
      [](const CenterOfMass& c) {
        return record("CenterOfMass", c.mass, to_array(c.position), to_array(c.velocity));
      },
      "Center of mass of the moving bodies: MassCentre(mass, position, velocity) [kg, m, m/s]. "
      "Raises EvaluationError for a model without mass.");
  module.def(
      "centroidal_momentum_matrix",
      [](const SharedModel& model, const State& state, OwnWorkspace* workspace,
         const OptionalOut& out) {
        MatrixOut answer("centroidal_momentum_matrix", out, 6, model->nv());
        ask(model, workspace, [&](Workspace& room) {
          return centroidal_momentum_matrix(*model, state, room, answer.matrix());
        });
        return answer.finish();
      },
      py::arg("model"), py::arg("state"), py::kw_only(), py::arg("workspace") = py::none(),
      py::arg("out") = py::none(),
      "Centroidal momentum matrix, 6 x nv: times v it is the centroidal momentum [angular; "
      "linear].");
}

}  // namespace trammel::python
