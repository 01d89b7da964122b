#include "allocation.hpp"

#include "bindings.hpp"
#include "trammel/constraint/solver/constrained_dynamics.hpp"

namespace trammel::python {

void bind_allocation(py::module_& module) {
  define(
      module, "allocate_efforts",
      parameters(in::state, in::a, keyword_only, allocation_parameters,
                 parameter<bool>("heeds_model_limits", true), in::loads, in::loop_a, in::workspace),
      [](Call& call, const PerDrive& weights, const PerDrive& limits,
         const std::vector<std::string>& idle, bool heeds_model_limits) {
        Allocation found;
        call.evaluate(allocate_efforts, found,
                      allocation_options(weights, limits, idle, heeds_model_limits));
        return record("Allocation", call.named(Space::v, found.efforts.tau),
                      call.named(Space::loop_v, found.efforts.loop_tau), found.at_limit,
                      found.cost);
      },
      "Efforts of the drives for the motion a; the minimum weighted norm within limits if there "
      "are more drives than degrees of freedom.\n\n"
      "weights, limits: by the drives' names; idle: drives without effort.");
  define(module, "drive_demand", parameters(in::state, in::a, keyword_only, in::workspace),
         returns<DriveDemand>(drive_demand,
                              [](const DriveDemand& found) {
                                return record("DriveDemand", found.A, found.needed, found.dofs,
                                              found.loop_dofs, found.T);
                              }),
         "Linear system for the efforts of all drives for the motion a: A efforts = needed.");
}

}  // namespace trammel::python
