#include "trammel/constraint/mobility/mobility.hpp"

#include "bindings.hpp"
#include "call.hpp"
#include "trammel/constraint/mobility/actuation.hpp"
#include "trammel/constraint/mobility/arms.hpp"
#include "trammel/constraint/mobility/constraint_nature.hpp"
#include "trammel/constraint/mobility/reachability.hpp"
#include "trammel/model/topology.hpp"

namespace trammel::python {

namespace {

py::object to_record(const Mobility& found) {
  py::list lengths, undecided;
  for (const auto& [name, by, along] : found.lengths)
    lengths.append(record("LengthChange", name, by, to_array(along)));
  for (const auto& [row, length, bound] : found.undecided)
    undecided.append(record("UndecidedRow", row, length, bound));
  return record("Mobility", found.dofs, found.rows, found.rank, found.instantaneous, found.finite,
                found.gruebler, found.least, to_string(found.verdict), found.dependent, lengths,
                found.finite_nearby, found.dropped, found.tolerance, undecided, found.digits);
}
py::object to_record(const Actuation& found) {
  return record("Actuation", found.mobility, found.driven, found.rank, found.under, found.over,
                found.least, found.uncontrollable_modes);
}
py::object to_record(const Arm& arm) {
  return record("Arm", arm.base, arm.tip, arm.joints, arm.dofs, arm.wanted, arm.rank,
                arm.generic_rank, arm.least, to_string(arm.ability()),
                to_string(arm.usual_ability()));
}
py::object to_record(const ConstraintNature& nature) {
  return record("ConstraintNature", nature.is_holonomic, nature.is_rheonomic, nature.is_catastatic,
                nature.of_place, nature.of_time);
}
py::object to_record(const Reachability& found) {
  return record("Reachability", found.dofs, found.configuration, found.growth, found.reachable,
                found.hidden, found.is_complete);
}
py::object to_record(const RowNature& row) {
  return record("RowNature", row.name, row.is_exact, row.is_integrable, row.is_rheonomic,
                row.is_catastatic, row.asymmetry);
}
py::object topology_record(Call& call) {
  const Model& model = call.model();
  const Topology graph = topology(model);
  py::object most = py::none(), reference = py::none();
  if (graph.most_joints > 0) most = py::cast(model[graph.most_joined].name);
  if (graph.reference) reference = py::cast(model[*graph.reference].name);
  return record("Topology", to_string(graph.kind), to_string(graph.form), graph.floats, graph.nodes,
                graph.edges, graph.loops, graph.internal_loops, graph.most_joints, most, reference);
}

// The conversion of any of these structs.
constexpr auto as_record = [](const auto& found) { return to_record(found); };

}  // namespace

void bind_mobility(py::module_& module) {
  define(module, "topology", parameters(), topology_record,
         "Topology of the graph of bodies and joints: Topology(...).");
  define(module, "mobility", in::of_state, returns<Mobility>(mobility, as_record),
         "Mobility of the mechanism at an assembled state: Mobility(...).");
  define(module, "actuation", in::of_state, returns<Actuation>(actuation, as_record),
         "Actuation at an assembled state: how many degrees of freedom the drives control. "
         "Actuation(...).\n\n"
         "A passive joint that depends on a driven one is not underactuated.");
  define(module, "arms", in::of_state, returns_list<Arm>(arms, as_record),
         "Ability of each arm (serial chain): the rank of the motion of its tip relative to its "
         "base. A list of Arm(...).");
  define(module, "constraint_nature", in::of_state,
         returns<ConstraintNature>(constraint_nature, as_record),
         "Nature of the constraints: holonomic or not, scleronomic or rheonomic.");
  define(module, "reachability", in::of_state, returns<Reachability>(reachability, as_record),
         "Reachable positions under nonholonomic constraints: the growth vector.");
  define(module, "row_natures", in::of_state, returns_list<RowNature>(row_natures, as_record),
         "Nature of each constraint row by itself: exact, integrable or neither.");
}

}  // namespace trammel::python
