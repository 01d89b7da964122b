// Efforts of drives, reactions and contact forces of mechanisms with loops and wheels.
#include <map>

#include "bindings.hpp"
#include "call.hpp"
#include "trammel/constraint/forces/locked_joints.hpp"
#include "trammel/constraint/forces/wheel_contacts.hpp"
#include "trammel/constraint/solver/constrained_dynamics.hpp"

namespace trammel::python {

namespace {

py::array_t<bool> array_of(const std::vector<bool>& values) {
  py::array_t<bool> out(py::ssize_t(values.size()));
  for (std::size_t k = 0; k < values.size(); ++k) out.mutable_at(py::ssize_t(k)) = values[k];
  return out;
}
py::object to_record(const Call& call, const DriveEfforts& efforts) {
  return record("DriveEfforts", call.named(Space::v, efforts.tau),
                call.named(Space::loop_v, efforts.loop_tau),
                call.named(Space::v, array_of(efforts.is_unique)),
                call.named(Space::loop_v, array_of(efforts.loop_is_unique)));
}

StressWeights stress_weights_of(const Call& call, const std::map<std::string, double>& weights,
                                const std::optional<double>& length) {
  StressWeights stress;
  if (length) {
    stress.length = *length;
    if (!(*length > 0))
      throw std::invalid_argument("constrained_reactions: stress_length is " +
                                  std::to_string(*length) + ": give a length above 0, or None");
  }
  for (const auto& [name, weight] : weights) {
    const JointId id = joints_of("constrained_reactions: stress_weights", call.model(), {name})[0];
    stress.joints.resize(call.model().joints().size(), 1.0);
    stress.joints[std::size_t(index(id))] = weight;
  }
  return stress;
}

py::object to_record(const Call& call, const UniqueReactions& found) {
  const py::ssize_t joints = py::ssize_t(found.force.size());
  py::array_t<double> force({joints, py::ssize_t(6)});
  py::array_t<bool> is_unique({joints, py::ssize_t(6)});
  for (py::ssize_t j = 0; j < joints; ++j) {
    const auto& [n, f] = found.force[std::size_t(j)];
    const double six[] = {n.x, n.y, n.z, f.x, f.y, f.z};
    for (py::ssize_t k = 0; k < 6; ++k) {
      force.mutable_at(j, k) = six[k];
      is_unique.mutable_at(j, k) = found.is_unique[std::size_t(j)][std::size_t(k)];
    }
  }
  return record("UniqueReactions", call.named(Space::joints, force),
                call.named(Space::joints, is_unique), found.length);
}

py::object to_record(const WheelContact& contact) {
  py::dict forces, unique;
  for (const WheelContact::RowForce& row : contact.row_forces) {
    forces[row.name] = row.force;
    unique[row.name] = row.is_unique;
  }
  return record("WheelContact", contact.wheel, to_array(contact.point), forces, unique,
                contact.lifts(), contact.friction_needed(), contact.slips(), contact.roller_rate);
}

py::object locked_record(const Call& call, const LockedJoints& found) {
  const Model& model = call.model();
  py::list names, loop_names;
  for (const int dof : found.dofs) names.append(model.dof_name(dof));
  for (const int dof : found.loop_dofs) loop_names.append(model.closure_dof_name(dof));
  return record("LockedJoints", names, found.effort, found.is_unique,
                call.named(Space::v, found.released), found.gives, found.rank, found.immovable,
                found.dependent, loop_names, found.loop_effort, found.loop_is_unique);
}

void bind_drive_efforts(py::module_& module) {
  const auto efforts_record = [](const Call& call, const DriveEfforts& efforts) {
    return to_record(call, efforts);
  };
  define(module, "drive_efforts",
         parameters(in::state, in::a, keyword_only, in::loads, in::loop_a, in::workspace),
         returns<DriveEfforts>(drive_efforts, efforts_record),
         "Efforts of the drives for the motion a (nv): DriveEfforts(tau, loop_tau, is_unique, "
         "loop_is_unique).\n"
         "As inverse_dynamics, also for actuated loop joints, which have no entry in tau.");
  define(module, "prescribed_efforts", parameters(in::forward, in::workspace),
         returns<DriveEfforts>(prescribed_efforts, efforts_record),
         "Efforts of joints driven by motion (a, loop_a) or locked, with the given efforts of the "
         "others:\n"
         "DriveEfforts(tau, loop_tau, is_unique, loop_is_unique). As hybrid_dynamics, also for "
         "loop joints.\n"
         "Joints that prescribe the same motion share its effort, with the least sum of squares; "
         "is_unique is False there.");
  define(
      module, "locked_joints",
      parameters(in::state, in::tau, keyword_only, in::prescribed_a, in::wrenches, in::workspace),
      returns<LockedJoints>(locked_joints, locked_record),
      "Efforts in locked joints (the stress resultant where they cut a link), and whether these "
      "are unique:\n"
      "LockedJoints(names, effort, is_unique, released, gives, rank, immovable, "
      "dependent, loop_names, loop_effort, loop_is_unique), the last three of loop joints.");
}

}  // namespace

void bind_constraint_forces(py::module_& module) {
  bind_drive_efforts(module);
  define(
      module, "constrained_reactions",
      parameters(in::forward,
                 parameter<std::map<std::string, double>>("stress_weights", EmptyDict()),
                 parameter<std::optional<double>>("stress_length", None()), in::workspace),
      [](Call& call, const std::map<std::string, double>& weights,
         const std::optional<double>& length) {
        UniqueReactions found;
        call.evaluate(constrained_reactions, found, ConstraintSolver::automatic,
                      stress_weights_of(call, weights, length));
        return to_record(call, found);
      },
      "Wrenches in all joints under tau, and their uniqueness: UniqueReactions(force, is_unique, "
      "length), the first two (joints, 6).\n\n"
      "Components that are not unique (statically indeterminate, self-stress) have the minimum "
      "sum of\n"
      "w (|force|^2 + |moment|^2 / length^2). stress_weights: w by the joints' names, default 1; "
      "stress_length: the\n"
      "length [m], default the mean size of the bodies.");
  define(module, "wheel_contacts", parameters(in::forward, in::workspace),
         returns_list<WheelContact>(wheel_contacts,
                                    [](const WheelContact& wheel) { return to_record(wheel); }),
         "Contact points of wheels, and forces of the ground on them under tau: a WheelContact "
         "each.\n\n"
         "Forces that are not unique, as of wheels that press against each other, have minimum "
         "norm and are marked in is_unique.");
}

}  // namespace trammel::python
