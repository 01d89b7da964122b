#include <pybind11/eigen.h>

#include <map>

#include "bindings.hpp"
#include "errors.hpp"
#include "inputs.hpp"
#include "joint_names.hpp"
#include "records.hpp"
#include "trammel/constraint/assembly/assembly.hpp"
#include "trammel/constraint/equations/loop_motion.hpp"
#include "trammel/constraint/equations/row_units.hpp"
#include "trammel/constraint/forces/wheel_contacts.hpp"
#include "trammel/constraint/mobility/blocking_constraints.hpp"
#include "trammel/constraint/mobility/mobility.hpp"
#include "trammel/constraint/rank/row_condition.hpp"
#include "trammel/constraint/solver/constrained_dynamics.hpp"
#include "trammel/constraint/solver/sliding_dynamics.hpp"

namespace trammel::python {

namespace {

ConstraintSolver solver_of(const std::string& name) {
  if (const auto solver = solver_named(name)) return *solver;
  throw std::invalid_argument("constrained_dynamics: road is '" + name +
                              "', it is automatic, schur, star, cluster, null_space or kkt");
}
int row_of(const Model& model, const std::variant<int, std::string>& row) {
  if (const int* const number = std::get_if<int>(&row)) return *number;
  const std::vector<std::string> names = row_names(model);
  const auto found = std::find(names.begin(), names.end(), std::get<std::string>(row));
  if (found == names.end())
    throw std::invalid_argument("sliding_dynamics: no row is named '" + std::get<std::string>(row) +
                                "': row_names lists them");
  return int(found - names.begin());
}

StressWeights stress_of(const Model& model, const std::map<std::string, double>& weights,
                        std::optional<double> length) {
  StressWeights stress;
  if (length) {
    stress.length = *length;
    if (!(*length > 0))
      throw std::invalid_argument("constrained_reactions: stress_length is " +
                                  std::to_string(*length) + ": give a length above 0, or None");
  }
  for (const auto& [name, weight] : weights) {
    const JointId id = joints_of("constrained_reactions: stress_weights", model, {name})[0];
    stress.joints.resize(model.joints().size(), 1.0);
    stress.joints[std::size_t(index(id))] = weight;
  }
  return stress;
}

py::array_t<bool> array_of(const std::vector<bool>& values) {
  py::array_t<bool> out(py::ssize_t(values.size()));
  for (std::size_t k = 0; k < values.size(); ++k) out.mutable_at(py::ssize_t(k)) = values[k];
  return out;
}
py::object record_of(const DriveEfforts& efforts) {
  return record("DriveEfforts", efforts.tau, efforts.loop_tau, array_of(efforts.is_unique),
                array_of(efforts.loop_is_unique));
}

}  // namespace

void bind_constraint(py::module_& module) {
  module.def(
      "assemble",
      [](const SharedModel& model, const State& state, const std::vector<std::string>& keep,
         bool within_limits, bool nearest, int starts, const std::optional<State>& start,
         OwnWorkspace* workspace) {
        State closed = state;
        const AssemblyOptions options{.keep = joints_of("assemble: keep", *model, keep),
                                      .within_limits = within_limits,
                                      .nearest = nearest,
                                      .starts = starts};
        ask(model, workspace, [&](Workspace& room) {
          return start ? assemble_by_continuation(*model, *start, closed, room, options)
                       : assemble(*model, closed, room, options);
        });
        return closed;
      },
      py::arg("model"), py::arg("state"), py::kw_only(), py::arg("keep") = py::tuple(),
      py::arg("within_limits") = false, py::arg("nearest") = false, py::arg("starts") = 1,
      py::arg("start") = py::none(), py::arg("workspace") = py::none(),
      "Assembly: satisfies all loop constraints from a rough guess and makes the velocities "
      "consistent; returns a new State.\n\n"
      "keep: names of joints whose positions are fixed. within_limits: joints stay inside their "
      "position\n"
      "limits. nearest: the least change from the guess. starts: number of guesses to try, the "
      "state first, then random\n"
      "ones. start: an assembled State; the joints of keep are moved from there to their "
      "positions in state\n"
      "along the same branch (numerical continuation). Raises EvaluationError if the loops cannot "
      "be\n"
      "assembled from here, naming the loop and its constraint violation.");
  module.def(
      "assembled_start",
      [](const SharedModel& model, OwnWorkspace* workspace) {
        State start;
        ask(model, workspace,
            [&](Workspace& room) { return assembled_start(*model, room, start); });
        return start;
      },
      py::arg("model"), py::kw_only(), py::arg("workspace") = py::none(),
      "start_state, assembled: the joints it gives are fixed, the others start from their "
      "guesses.");
  module.def(
      "row_names", [](const SharedModel& model) { return row_names(*model); }, py::arg("model"),
      "Names of the constraint rows, in the order of constraint_jacobian.");
  module.def(
      "row_units", [](const SharedModel& model) { return row_units(*model); }, py::arg("model"),
      "Unit of each constraint row, 'rad' or 'm': its multiplier is in N m or N.");
  module.def(
      "blocking_constraints",
      [](const SharedModel& model, const State& state, OwnWorkspace* workspace) {
        std::vector<std::string> names;
        ask(model, workspace,
            [&](Workspace& room) { return blocking_constraints(*model, state, room, names); });
        return names;
      },
      py::arg("model"), py::arg("state"), py::kw_only(), py::arg("workspace") = py::none(),
      "Constraints that leave a mechanism without mobility: names of loops, wheels, couplings and "
      "locked joints\n"
      "whose removal alone would let it move, or else all of them. Empty if it can move.");
  module.def(
      "constraint_jacobian",
      [](const SharedModel& model, const State& state, OwnWorkspace* workspace) {
        Eigen::MatrixXd J;
        ask(model, workspace,
            [&](Workspace& room) { return constraint_jacobian(*model, state, room, J); });
        return J;
      },
      py::arg("model"), py::arg("state"), py::kw_only(), py::arg("workspace") = py::none(),
      "Constraint Jacobian J of loop joints, rods, couplings and joints with prescribed motion: J "
      "v = 0; an array (rows, nv).");
  module.def(
      "row_basis",
      [](const SharedModel& model, const State& state, OwnWorkspace* workspace) {
        RowBasis basis;
        ask(model, workspace,
            [&](Workspace& room) { return row_basis(*model, state, room, basis); });
        return record("RowBasis", basis.rows, basis.count, basis.singular);
      },
      py::arg("model"), py::arg("state"), py::kw_only(), py::arg("workspace") = py::none(),
      "Independent constraint rows: RowBasis(rows, total, singular).");
  module.def(
      "constrained_dynamics",
      [](const SharedModel& model, const State& state, const OptionalArray& tau,
         const OptionalArray& a, const std::vector<WrenchAt>& wrenches,
         const std::optional<Support>& ground, const py::object& loop_tau, const py::object& loop_a,
         const std::string& solver, OwnWorkspace* workspace) {
        const CallInputs call("constrained_dynamics", *model,
                              {.tau = tau,
                               .a = a,
                               .wrenches = wrenches,
                               .ground = ground,
                               .loop_tau = loop_tau,
                               .loop_a = loop_a});
        const ConstraintSolver wanted = solver_of(solver);
        ConstrainedAnswer answer;
        ask(model, workspace, [&](Workspace& room) {
          return constrained_dynamics(*model, state, call.inputs(), room, answer, wanted);
        });
        return record("ConstrainedMotion", answer.a, answer.lambda, answer.basis.rank(),
                      to_string(answer.solver));
      },
      py::arg("model"), py::arg("state"), py::arg("tau") = py::none(), py::kw_only(),
      py::arg("a") = py::none(), py::arg("wrenches") = py::tuple(), py::arg("ground") = py::none(),
      py::arg("loop_tau") = py::none(), py::arg("loop_a") = py::none(),
      py::arg("solver") = "automatic", py::arg("workspace") = py::none(),
      "Forward dynamics of a mechanism with loops under tau: accelerations and Lagrange "
      "multipliers.\n\n"
      "ConstrainedMotion(a, multipliers, rank, road): multipliers in the order of row_names. "
      "road, the constraint solver:\n"
      "automatic, schur, star, cluster, null_space or kkt; all give the same accelerations.");
  module.def(
      "sliding_dynamics",
      [](const SharedModel& model, const State& state,
         const std::vector<std::pair<std::variant<int, std::string>, WrenchAt>>& followers,
         const OptionalArray& tau, const OptionalArray& a, const std::vector<WrenchAt>& wrenches,
         const std::optional<Support>& ground, const py::object& loop_tau, const py::object& loop_a,
         const std::string& solver, OwnWorkspace* workspace) {
        const CallInputs call("sliding_dynamics", *model,
                              {.tau = tau,
                               .a = a,
                               .wrenches = wrenches,
                               .ground = ground,
                               .loop_tau = loop_tau,
                               .loop_a = loop_a});
        const ConstraintSolver wanted = solver_of(solver);
        std::vector<Follower> forces;
        for (const auto& [row, wrench] : followers)
          forces.push_back(
              {row_of(*model, row), {resolve(*model, wrench.at), wrench.F, wrench.axes}});
        ConstrainedAnswer answer;
        ask(model, workspace, [&](Workspace& room) {
          return sliding_dynamics(*model, state, call.inputs(), forces, room, answer, wanted);
        });
        return record("ConstrainedMotion", answer.a, answer.lambda, answer.basis.rank(),
                      to_string(answer.solver));
      },
      py::arg("model"), py::arg("state"), py::arg("followers"), py::arg("tau") = py::none(),
      py::kw_only(), py::arg("a") = py::none(), py::arg("wrenches") = py::tuple(),
      py::arg("ground") = py::none(), py::arg("loop_tau") = py::none(),
      py::arg("loop_a") = py::none(), py::arg("solver") = "automatic",
      py::arg("workspace") = py::none(),
      "constrained_dynamics with forces proportional to constraint multipliers, as friction is: "
      "followers is a list of\n"
      "(row, Wrench per unit of its multiplier), the row by its index or its name in row_names. "
      "Raises EvaluationError\n"
      "if the solution is not unique.");
  module.def(
      "drive_efforts",
      [](const SharedModel& model, const State& state, const OptionalArray& a,
         const std::vector<WrenchAt>& wrenches, const std::optional<Support>& ground,
         const py::object& loop_a, OwnWorkspace* workspace) {
        const CallInputs call("drive_efforts", *model,
                              {.a = a, .wrenches = wrenches, .ground = ground, .loop_a = loop_a});
        DriveEfforts answer;
        ask(model, workspace, [&](Workspace& room) {
          return drive_efforts(*model, state, call.inputs(), room, answer);
        });
        return record_of(answer);
      },
      py::arg("model"), py::arg("state"), py::arg("a") = py::none(), py::kw_only(),
      py::arg("wrenches") = py::tuple(), py::arg("ground") = py::none(),
      py::arg("loop_a") = py::none(), py::arg("workspace") = py::none(),
      "Efforts of the drives for the motion a (nv): DriveEfforts(tau, loop_tau, is_unique, "
      "loop_is_unique).\n"
      "As inverse_dynamics, also for actuated loop joints, which have no entry in tau.");
  module.def(
      "prescribed_efforts",
      [](const SharedModel& model, const State& state, const OptionalArray& tau,
         const OptionalArray& a, const std::vector<WrenchAt>& wrenches,
         const std::optional<Support>& ground, const py::object& loop_tau, const py::object& loop_a,
         OwnWorkspace* workspace) {
        const CallInputs call("prescribed_efforts", *model,
                              {.tau = tau,
                               .a = a,
                               .wrenches = wrenches,
                               .ground = ground,
                               .loop_tau = loop_tau,
                               .loop_a = loop_a});
        DriveEfforts answer;
        ask(model, workspace, [&](Workspace& room) {
          return prescribed_efforts(*model, state, call.inputs(), room, answer);
        });
        return record_of(answer);
      },
      py::arg("model"), py::arg("state"), py::arg("tau") = py::none(), py::kw_only(),
      py::arg("a") = py::none(), py::arg("wrenches") = py::tuple(), py::arg("ground") = py::none(),
      py::arg("loop_tau") = py::none(), py::arg("loop_a") = py::none(),
      py::arg("workspace") = py::none(),
      "Efforts of joints driven by motion (a, loop_a) or locked, with the given efforts of the "
      "others:\n"
      "DriveEfforts(tau, loop_tau, is_unique, loop_is_unique). As hybrid_dynamics, also for loop "
      "joints.\n"
      "Joints that prescribe the same motion share its effort, with the least sum of squares; "
      "is_unique is False there.");
  module.def(
      "loop_motion",
      [](const SharedModel& model, const State& state, OwnWorkspace* workspace) {
        LoopMotion answer;
        ask(model, workspace,
            [&](Workspace& room) { return loop_motion(*model, state, room, answer); });
        return record("LoopMotion", answer.q, answer.v);
      },
      py::arg("model"), py::arg("state"), py::kw_only(), py::arg("workspace") = py::none(),
      "Positions and velocities of loop joints: LoopMotion(q, v), in the order of\n"
      "loop_coordinate_names and loop_dof_names.");
  module.def(
      "loop_coordinate_names",
      [](const SharedModel& model) { return loop_coordinate_names(*model); }, py::arg("model"),
      "Names of the coordinates of loop joints, which are not part of q.");
  module.def(
      "loop_dof_names", [](const SharedModel& model) { return loop_dof_names(*model); },
      py::arg("model"),
      "Names of the degrees of freedom of loop joints: the order of loop_tau "
      "and loop_a.");
  module.def(
      "check_loop_limits",
      [](const SharedModel& model, const py::object& motion) {
        LoopMotion at;
        at.q = motion.attr("q").cast<Eigen::VectorXd>();
        at.v = motion.attr("v").cast<Eigen::VectorXd>();
        if (at.q.size() != model->loop_nq() || at.v.size() != model->loop_nv())
          throw std::invalid_argument(
              "check_loop_limits: the motion is of another model: call loop_motion for this one");
        return to_python(check_loop_limits(*model, at).list());
      },
      py::arg("model"), py::arg("motion"),
      "Values of a LoopMotion outside the limits of their joints: one Diagnostic each.");
  module.def(
      "constrained_reactions",
      [](const SharedModel& model, const State& state, const OptionalArray& tau,
         const OptionalArray& a, const std::vector<WrenchAt>& wrenches,
         const std::optional<Support>& ground, const py::object& loop_tau, const py::object& loop_a,
         const std::map<std::string, double>& stress_weights, std::optional<double> stress_length,
         OwnWorkspace* workspace) {
        const CallInputs call("constrained_reactions", *model,
                              {.tau = tau,
                               .a = a,
                               .wrenches = wrenches,
                               .ground = ground,
                               .loop_tau = loop_tau,
                               .loop_a = loop_a});
        const StressWeights stress = stress_of(*model, stress_weights, stress_length);
        UniqueReactions answer;
        ask(model, workspace, [&](Workspace& room) {
          return constrained_reactions(*model, state, call.inputs(), room, answer,
                                       ConstraintSolver::automatic, stress);
        });
        const py::ssize_t joints = py::ssize_t(answer.force.size());
        py::array_t<double> force({joints, py::ssize_t(6)});
        py::array_t<bool> is_unique({joints, py::ssize_t(6)});
        for (py::ssize_t j = 0; j < joints; ++j) {
          const auto& [n, f] = answer.force[std::size_t(j)];
          const double six[] = {n.x, n.y, n.z, f.x, f.y, f.z};
          for (py::ssize_t k = 0; k < 6; ++k) {
            force.mutable_at(j, k) = six[k];
            is_unique.mutable_at(j, k) = answer.is_unique[std::size_t(j)][std::size_t(k)];
          }
        }
        return record("UniqueReactions", force, is_unique, answer.length);
      },
      py::arg("model"), py::arg("state"), py::arg("tau") = py::none(), py::kw_only(),
      py::arg("a") = py::none(), py::arg("wrenches") = py::tuple(), py::arg("ground") = py::none(),
      py::arg("loop_tau") = py::none(), py::arg("loop_a") = py::none(),
      py::arg("stress_weights") = std::map<std::string, double>(),
      py::arg("stress_length") = py::none(), py::arg("workspace") = py::none(),
      "Wrenches in all joints under tau, and their uniqueness: UniqueReactions(force, is_unique, "
      "length), the first two (joints, 6).\n\n"
      "Components that are not unique (statically indeterminate, self-stress) have the minimum "
      "sum of\n"
      "w (|force|^2 + |moment|^2 / length^2). stress_weights: w by the joints' names, default 1; "
      "stress_length: the\n"
      "length [m], default the mean size of the bodies.");
  module.def(
      "wheel_contacts",
      [](const SharedModel& model, const State& state, const OptionalArray& tau,
         const OptionalArray& a, const std::vector<WrenchAt>& wrenches,
         const std::optional<Support>& ground, const py::object& loop_tau, const py::object& loop_a,
         OwnWorkspace* workspace) {
        const CallInputs call("wheel_contacts", *model,
                              {.tau = tau,
                               .a = a,
                               .wrenches = wrenches,
                               .ground = ground,
                               .loop_tau = loop_tau,
                               .loop_a = loop_a});
        std::vector<WheelContact> contacts;
        ask(model, workspace, [&](Workspace& room) {
          return wheel_contacts(*model, state, call.inputs(), room, contacts);
        });
        py::list out;
        for (const WheelContact& contact : contacts) {
          py::dict forces, unique;
          for (const WheelContact::RowForce& push : contact.row_forces) {
            forces[push.name] = push.force;
            unique[push.name] = push.is_unique;
          }
          out.append(record("WheelContact", contact.wheel, to_array(contact.point), forces, unique,
                            contact.lifts(), contact.friction_needed(), contact.slips(),
                            contact.roller_rate));
        }
        return out;
      },
      py::arg("model"), py::arg("state"), py::arg("tau") = py::none(), py::kw_only(),
      py::arg("a") = py::none(), py::arg("wrenches") = py::tuple(), py::arg("ground") = py::none(),
      py::arg("loop_tau") = py::none(), py::arg("loop_a") = py::none(),
      py::arg("workspace") = py::none(),
      "Contact points of wheels, and forces of the ground on them under tau: a WheelContact "
      "each.\n\n"
      "Forces that are not unique, as of wheels that press against each other, have minimum norm "
      "and are marked in is_unique.");
  module.def(
      "mobility",
      [](const SharedModel& model, const State& state, OwnWorkspace* workspace) {
        Mobility found;
        ask(model, workspace,
            [&](Workspace& room) { return mobility(*model, state, room, found); });
        py::list lengths;
        for (const auto& [name, by, along] : found.lengths)
          lengths.append(record("LengthChange", name, by, to_array(along)));
        py::list undecided;
        for (const auto& [row, length, bound] : found.undecided)
          undecided.append(record("UndecidedRow", row, length, bound));
        return record("Mobility", found.dofs, found.rows, found.rank, found.instantaneous,
                      found.finite, found.gruebler, found.least, to_string(found.verdict),
                      found.dependent, lengths, found.finite_nearby, found.dropped, found.tolerance,
                      undecided, found.digits);
      },
      py::arg("model"), py::arg("state"), py::kw_only(), py::arg("workspace") = py::none(),
      "Mobility of the mechanism at an assembled state: Mobility(...).");
  module.def(
      "remaining_digits",
      [](const SharedModel& model, const State& state, OwnWorkspace* workspace) {
        double digits = 0;
        ask(model, workspace,
            [&](Workspace& room) { return remaining_digits(*model, state, room, digits); });
        return digits;
      },
      py::arg("model"), py::arg("state"), py::kw_only(), py::arg("workspace") = py::none(),
      "Decimal digits that remain at least in accelerations, efforts and reactions, by the "
      "condition of the independent\n"
      "constraint rows: from 0 to 15, few near a singular pose, 0 if rows are undecided.");
}

}  // namespace trammel::python
