#include <pybind11/stl.h>

#include "bindings.hpp"
#include "errors.hpp"
#include "inputs.hpp"
#include "records.hpp"
#include "trammel/constraint/mobility/actuation.hpp"
#include "trammel/constraint/mobility/arms.hpp"
#include "trammel/constraint/mobility/constraint_nature.hpp"
#include "trammel/constraint/mobility/reachability.hpp"
#include "trammel/model/topology.hpp"

namespace trammel::python {

void bind_structure(py::module_& module) {
  module.def(
      "topology",
      [](const SharedModel& model) {
        const Topology graph = topology(*model);
        py::object most = py::none(), reference = py::none();
        if (graph.most_joints > 0) most = py::cast((*model)[graph.most_joined].name);
        if (graph.reference) reference = py::cast((*model)[*graph.reference].name);
        return record("Topology", to_string(graph.kind), to_string(graph.form), graph.floats,
                      graph.nodes, graph.edges, graph.loops, graph.internal_loops,
                      graph.most_joints, most, reference);
      },
      py::arg("model"), "Topology of the graph of bodies and joints: Topology(...).");
  module.def(
      "actuation",
      [](const SharedModel& model, const State& state, OwnWorkspace* workspace) {
        Actuation found;
        ask(model, workspace,
            [&](Workspace& room) { return actuation(*model, state, room, found); });
        return record("Actuation", found.mobility, found.driven, found.rank, found.under,
                      found.over, found.least, found.uncontrollable_modes);
      },
      py::arg("model"), py::arg("state"), py::kw_only(), py::arg("workspace") = py::none(),
      "Actuation at an assembled state: how many degrees of freedom the drives control. "
      "Actuation(...).\n\n"
      "A passive joint that depends on a driven one is not underactuated.");
  module.def(
      "arms",
      [](const SharedModel& model, const State& state, OwnWorkspace* workspace) {
        std::vector<Arm> found;
        ask(model, workspace, [&](Workspace& room) { return arms(*model, state, room, found); });
        py::list all;
        for (const Arm& arm : found)
          all.append(record("Arm", arm.base, arm.tip, arm.joints, arm.dofs, arm.wanted, arm.rank,
                            arm.generic_rank, arm.least, to_string(arm.ability()),
                            to_string(arm.usual_ability())));
        return all;
      },
      py::arg("model"), py::arg("state"), py::kw_only(), py::arg("workspace") = py::none(),
      "Ability of each arm (serial chain): the rank of the motion of its tip relative to its "
      "base. A list of Arm(...).");
  module.def(
      "constraint_nature",
      [](const SharedModel& model, const State& state, OwnWorkspace* workspace) {
        ConstraintNature nature;
        ask(model, workspace,
            [&](Workspace& room) { return constraint_nature(*model, state, room, nature); });
        return record("ConstraintNature", nature.is_holonomic, nature.is_rheonomic,
                      nature.is_catastatic, nature.of_place, nature.of_time);
      },
      py::arg("model"), py::arg("state"), py::kw_only(), py::arg("workspace") = py::none(),
      "Nature of the constraints: holonomic or not, scleronomic or rheonomic.");
  module.def(
      "reachability",
      [](const SharedModel& model, const State& state, OwnWorkspace* workspace) {
        Reachability found;
        ask(model, workspace,
            [&](Workspace& room) { return reachability(*model, state, room, found); });
        return record("Reachability", found.dofs, found.configuration, found.growth,
                      found.reachable, found.hidden, found.is_complete);
      },
      py::arg("model"), py::arg("state"), py::kw_only(), py::arg("workspace") = py::none(),
      "Reachable positions under nonholonomic constraints: the growth vector.");
  module.def(
      "row_natures",
      [](const SharedModel& model, const State& state, OwnWorkspace* workspace) {
        std::vector<RowNature> found;
        ask(model, workspace,
            [&](Workspace& room) { return row_natures(*model, state, room, found); });
        py::list all;
        for (const RowNature& row : found)
          all.append(record("RowNature", row.name, row.is_exact, row.is_integrable,
                            row.is_rheonomic, row.is_catastatic, row.asymmetry));
        return all;
      },
      py::arg("model"), py::arg("state"), py::kw_only(), py::arg("workspace") = py::none(),
      "Nature of each constraint row by itself: exact, integrable or neither.");
}

}  // namespace trammel::python
