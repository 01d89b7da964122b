#include "bindings.hpp"
#include "call.hpp"
#include "trammel/dynamics/energy.hpp"
#include "trammel/dynamics/momentum.hpp"

namespace trammel::python {

void bind_energy_and_momentum(py::module_& module) {
  const auto momentum_record = [](const Momentum& p) {
    return record("Momentum", to_array(p.angular), to_array(p.linear));
  };
  define(module, "energy", in::of_state,
         returns<Energy>(
             energy,
             [](const Energy& e) { return record("Energy", e.kinetic, e.gravity, e.elastic); }),
         "Energy of the moving bodies: Energy(kinetic, gravity, elastic) [J]; the potential energy "
         "of gravity is zero for a mass at the origin of ground.");
  define(module, "momentum", in::of_state, returns<Momentum>(momentum, momentum_record),
         "Momentum(angular, linear) about the origin of ground, in world axes [kg m^2/s, kg m/s].");
  define(module, "centroidal_momentum", in::of_state,
         returns<Momentum>(centroidal_momentum, momentum_record),
         "Momentum(angular, linear) about the center of mass, in world axes [kg m^2/s, kg m/s].");
  define(module, "center_of_mass", in::of_state,
         returns<CenterOfMass>(center_of_mass,
                               [](const CenterOfMass& c) {
                                 return record("CenterOfMass", c.mass, to_array(c.position),
                                               to_array(c.velocity));
                               }),
         "Center of mass of the moving bodies: CenterOfMass(mass, position, velocity) [kg, m, "
         "m/s]. Raises EvaluationError for a model without mass.");
  define(
      module, "centroidal_momentum_matrix", parameters(in::of_state, in::out),
      [](Call& call, const OptionalOut& out) {
        MatrixOut result = call.matrix(out, 6, call.model().nv());
        call.evaluate(centroidal_momentum_matrix, result.matrix());
        return result.finish();
      },
      "Centroidal momentum matrix, 6 x nv: times v it is the centroidal momentum [angular; "
      "linear].");
}

}  // namespace trammel::python
