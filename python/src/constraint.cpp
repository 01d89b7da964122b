#include <pybind11/eigen.h>

#include <map>

#include "bindings.hpp"
#include "errors.hpp"
#include "inputs.hpp"
#include "joint_names.hpp"
#include "records.hpp"
#include "trammel/constraint/assembly.hpp"
#include "trammel/constraint/constrained_dynamics.hpp"
#include "trammel/constraint/loop_motion.hpp"
#include "trammel/constraint/mobility.hpp"
#include "trammel/constraint/row_condition.hpp"
#include "trammel/constraint/row_units.hpp"
#include "trammel/constraint/sliding_dynamics.hpp"
#include "trammel/constraint/what_holds.hpp"
#include "trammel/constraint/wheel_contacts.hpp"

namespace trammel::python {

namespace {

Road road_of(const std::string& name) {
  if (const auto road = road_named(name)) return *road;
  throw std::invalid_argument("constrained_dynamics: road is '" + name +
                              "', it is automatic, schur, star, cluster, complement or kkt");
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
      "Closes all loops from a rough guess and makes the velocities keep them closed: a new "
      "State.\n\nkeep: names of joints that stay where they are. within_limits: joints stay inside "
      "their position\nlimits. nearest: the least change from the guess. starts: guesses to try, "
      "the state, then random\nones. start: a closed State; the joints of keep are led from there "
      "to "
      "where they are in state,\nalong the branch of start (numerical continuation). Raises "
      "QuestionError where the "
      "loops cannot be\nclosed from here, with the loop and its gap.");
  module.def(
      "assembled_start",
      [](const SharedModel& model, OwnWorkspace* workspace) {
        State start;
        ask(model, workspace,
            [&](Workspace& room) { return assembled_start(*model, room, start); });
        return start;
      },
      py::arg("model"), py::kw_only(), py::arg("workspace") = py::none(),
      "start_state, assembled: the joints it gives are kept, the others close the loops from their "
      "guesses.");
  module.def(
      "row_names", [](const SharedModel& model) { return row_names(*model); }, py::arg("model"),
      "Names of the rows that hold the tree together: those of constraint_jacobian.");
  module.def(
      "row_units", [](const SharedModel& model) { return row_units(*model); }, py::arg("model"),
      "What each of them counts, 'rad' or 'm': its multiplier is in N m or N then.");
  module.def(
      "what_holds",
      [](const SharedModel& model, const State& state, OwnWorkspace* workspace) {
        std::vector<std::string> names;
        ask(model, workspace,
            [&](Workspace& room) { return what_holds(*model, state, room, names); });
        return names;
      },
      py::arg("model"), py::arg("state"), py::kw_only(), py::arg("workspace") = py::none(),
      "What keeps a mechanism that cannot move from moving? Names of loops, wheels, couplings and "
      "locked joints:\nthose of which each alone, taken away, would let it go, or else all. Empty "
      "if it can move.");
  module.def(
      "constraint_jacobian",
      [](const SharedModel& model, const State& state, OwnWorkspace* workspace) {
        Eigen::MatrixXd J;
        ask(model, workspace,
            [&](Workspace& room) { return constraint_jacobian(*model, state, room, J); });
        return J;
      },
      py::arg("model"), py::arg("state"), py::kw_only(), py::arg("workspace") = py::none(),
      "J of loop joints, rods, couplings and planned joints: J v = 0; an array (rows, nv).");
  module.def(
      "rank_plan",
      [](const SharedModel& model, const State& state, OwnWorkspace* workspace) {
        RankPlan plan;
        ask(model, workspace,
            [&](Workspace& room) { return rank_plan(*model, state, room, plan); });
        return record("RankPlan", plan.rows, plan.count, plan.singular);
      },
      py::arg("model"), py::arg("state"), py::kw_only(), py::arg("workspace") = py::none(),
      "Which rows are independent: RankPlan(rows, total, singular).");
  module.def(
      "constrained_dynamics",
      [](const SharedModel& model, const State& state, const OptionalArray& tau,
         const OptionalArray& a, const std::vector<WrenchAt>& wrenches,
         const std::optional<Support>& ground, const py::object& loop_tau, const py::object& loop_a,
         const std::string& road, OwnWorkspace* workspace) {
        const Asked asked("constrained_dynamics", *model,
                          {.tau = tau,
                           .a = a,
                           .wrenches = wrenches,
                           .ground = ground,
                           .loop_tau = loop_tau,
                           .loop_a = loop_a});
        const Road wanted = road_of(road);
        ConstrainedAnswer answer;
        ask(model, workspace, [&](Workspace& room) {
          return constrained_dynamics(*model, state, asked.inputs(), room, answer, wanted);
        });
        return record("ConstrainedMotion", answer.a, answer.lambda, answer.plan.rank(),
                      to_string(answer.road));
      },
      py::arg("model"), py::arg("state"), py::arg("tau") = py::none(), py::kw_only(),
      py::arg("a") = py::none(), py::arg("wrenches") = py::tuple(), py::arg("ground") = py::none(),
      py::arg("loop_tau") = py::none(), py::arg("loop_a") = py::none(),
      py::arg("road") = "automatic", py::arg("workspace") = py::none(),
      "What a mechanism with loops does under tau, and what holds it together.\n\n"
      "ConstrainedMotion(a, multipliers, rank, road): multipliers in the order of row_names. "
      "road:\n"
      "automatic, schur, star, cluster, complement or kkt; all lead to the same accelerations.");
  module.def(
      "sliding_dynamics",
      [](const SharedModel& model, const State& state,
         const std::vector<std::pair<std::variant<int, std::string>, WrenchAt>>& followers,
         const OptionalArray& tau, const OptionalArray& a, const std::vector<WrenchAt>& wrenches,
         const std::optional<Support>& ground, const py::object& loop_tau, const py::object& loop_a,
         const std::string& road, OwnWorkspace* workspace) {
        const Asked asked("sliding_dynamics", *model,
                          {.tau = tau,
                           .a = a,
                           .wrenches = wrenches,
                           .ground = ground,
                           .loop_tau = loop_tau,
                           .loop_a = loop_a});
        const Road wanted = road_of(road);
        std::vector<Follower> forces;
        for (const auto& [row, wrench] : followers)
          forces.push_back(
              {row_of(*model, row), {resolve(*model, wrench.at), wrench.F, wrench.axes}});
        ConstrainedAnswer answer;
        ask(model, workspace, [&](Workspace& room) {
          return sliding_dynamics(*model, state, asked.inputs(), forces, room, answer, wanted);
        });
        return record("ConstrainedMotion", answer.a, answer.lambda, answer.plan.rank(),
                      to_string(answer.road));
      },
      py::arg("model"), py::arg("state"), py::arg("followers"), py::arg("tau") = py::none(),
      py::kw_only(), py::arg("a") = py::none(), py::arg("wrenches") = py::tuple(),
      py::arg("ground") = py::none(), py::arg("loop_tau") = py::none(),
      py::arg("loop_a") = py::none(), py::arg("road") = "automatic",
      py::arg("workspace") = py::none(),
      "constrained_dynamics with forces that follow what a row carries, as friction does: "
      "followers "
      "is a list of\n(row, Wrench per unit of its multiplier), the row by its number or its name "
      "of "
      "row_names. Raises QuestionError\nwhere they leave no unique answer.");
  module.def(
      "drive_efforts",
      [](const SharedModel& model, const State& state, const OptionalArray& a,
         const std::vector<WrenchAt>& wrenches, const std::optional<Support>& ground,
         const py::object& loop_a, OwnWorkspace* workspace) {
        const Asked asked("drive_efforts", *model,
                          {.a = a, .wrenches = wrenches, .ground = ground, .loop_a = loop_a});
        DriveEfforts answer;
        ask(model, workspace, [&](Workspace& room) {
          return drive_efforts(*model, state, asked.inputs(), room, answer);
        });
        return record_of(answer);
      },
      py::arg("model"), py::arg("state"), py::arg("a") = py::none(), py::kw_only(),
      py::arg("wrenches") = py::tuple(), py::arg("ground") = py::none(),
      py::arg("loop_a") = py::none(), py::arg("workspace") = py::none(),
      "Which efforts of the drives does the motion a (nv) take? DriveEfforts(tau, loop_tau, "
      "is_unique, loop_is_unique):\nas inverse_dynamics, also where joints that close loops are "
      "driven, which have no entry in tau.");
  module.def(
      "planned_efforts",
      [](const SharedModel& model, const State& state, const OptionalArray& tau,
         const OptionalArray& a, const std::vector<WrenchAt>& wrenches,
         const std::optional<Support>& ground, const py::object& loop_tau, const py::object& loop_a,
         OwnWorkspace* workspace) {
        const Asked asked("planned_efforts", *model,
                          {.tau = tau,
                           .a = a,
                           .wrenches = wrenches,
                           .ground = ground,
                           .loop_tau = loop_tau,
                           .loop_a = loop_a});
        DriveEfforts answer;
        ask(model, workspace, [&](Workspace& room) {
          return planned_efforts(*model, state, asked.inputs(), room, answer);
        });
        return record_of(answer);
      },
      py::arg("model"), py::arg("state"), py::arg("tau") = py::none(), py::kw_only(),
      py::arg("a") = py::none(), py::arg("wrenches") = py::tuple(), py::arg("ground") = py::none(),
      py::arg("loop_tau") = py::none(), py::arg("loop_a") = py::none(),
      py::arg("workspace") = py::none(),
      "Efforts of joints driven by motion (a, loop_a) or locked, and those that are given of the "
      "others:\nDriveEfforts(tau, loop_tau, is_unique, loop_is_unique). As hybrid_dynamics, also "
      "of "
      "joints that close loops.\nJoints that prescribe the same motion share its effort, with the "
      "least sum of squares; is_unique is False there.");
  module.def(
      "loop_motion",
      [](const SharedModel& model, const State& state, OwnWorkspace* workspace) {
        LoopMotion answer;
        ask(model, workspace,
            [&](Workspace& room) { return loop_motion(*model, state, room, answer); });
        return record("LoopMotion", answer.q, answer.v);
      },
      py::arg("model"), py::arg("state"), py::kw_only(), py::arg("workspace") = py::none(),
      "Where do the joints that close loops stand, and how fast do they move? LoopMotion(q, v), in "
      "the order of\nloop_coordinate_names and loop_freedom_names.");
  module.def(
      "loop_coordinate_names",
      [](const SharedModel& model) { return loop_coordinate_names(*model); }, py::arg("model"),
      "Names of the coordinates of joints that close loops: answers, no part of q.");
  module.def(
      "loop_freedom_names", [](const SharedModel& model) { return loop_freedom_names(*model); },
      py::arg("model"), "Names of their freedoms: the order of loop_tau and loop_a.");
  module.def(
      "check_loop_limits",
      [](const SharedModel& model, const py::object& motion) {
        LoopMotion at;
        at.q = motion.attr("q").cast<Eigen::VectorXd>();
        at.v = motion.attr("v").cast<Eigen::VectorXd>();
        if (at.q.size() != model->closure_nq() || at.v.size() != model->closure_nv())
          throw std::invalid_argument(
              "check_loop_limits: the motion is of another model: ask loop_motion of this one");
        return to_python(check_loop_limits(*model, at).list());
      },
      py::arg("model"), py::arg("motion"),
      "What of a LoopMotion is outside the limits of its joint: a Diagnostic each.");
  module.def(
      "constrained_reactions",
      [](const SharedModel& model, const State& state, const OptionalArray& tau,
         const OptionalArray& a, const std::vector<WrenchAt>& wrenches,
         const std::optional<Support>& ground, const py::object& loop_tau, const py::object& loop_a,
         const std::map<std::string, double>& stress_weights, std::optional<double> stress_length,
         OwnWorkspace* workspace) {
        const Asked asked("constrained_reactions", *model,
                          {.tau = tau,
                           .a = a,
                           .wrenches = wrenches,
                           .ground = ground,
                           .loop_tau = loop_tau,
                           .loop_a = loop_a});
        const StressWeights stress = stress_of(*model, stress_weights, stress_length);
        UniqueReactions answer;
        ask(model, workspace, [&](Workspace& room) {
          return constrained_reactions(*model, state, asked.inputs(), room, answer, Road::automatic,
                                       stress);
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
      "What every joint carries under tau, and which of it is unique: UniqueReactions(force, "
      "is_unique, length), the first two (joints, 6).\n\nWhat is not unique is a self-stress that "
      "nothing in the motion tells; the one with the least sum of\nw (|force|^2 + |moment|^2 / "
      "length^2) is told. stress_weights: w by the joints' names, else 1; stress_length: the\n"
      "length [m], else the mean size of the bodies.");
  module.def(
      "wheel_contacts",
      [](const SharedModel& model, const State& state, const OptionalArray& tau,
         const OptionalArray& a, const std::vector<WrenchAt>& wrenches,
         const std::optional<Support>& ground, const py::object& loop_tau, const py::object& loop_a,
         OwnWorkspace* workspace) {
        const Asked asked("wheel_contacts", *model,
                          {.tau = tau,
                           .a = a,
                           .wrenches = wrenches,
                           .ground = ground,
                           .loop_tau = loop_tau,
                           .loop_a = loop_a});
        std::vector<WheelContact> contacts;
        ask(model, workspace, [&](Workspace& room) {
          return wheel_contacts(*model, state, asked.inputs(), room, contacts);
        });
        py::list out;
        for (const WheelContact& contact : contacts) {
          py::dict forces, unique;
          for (const WheelContact::Push& push : contact.pushes) {
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
      "Where wheels touch, and what the floor does to them under tau: a WheelContact each.\n\n"
      "What wheels press against each other and nothing in the motion tells is the least, marked "
      "in is_unique.");
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
        return record("Mobility", found.freedoms, found.rows, found.rank, found.instantaneous,
                      found.finite, found.gruebler, found.least, to_string(found.verdict),
                      found.dependent, lengths, found.finite_nearby, found.dropped, found.tolerance,
                      undecided, found.digits);
      },
      py::arg("model"), py::arg("state"), py::kw_only(), py::arg("workspace") = py::none(),
      "In how many ways can the mechanism move? Mobility(...), at a closed state.");
  module.def(
      "remaining_digits",
      [](const SharedModel& model, const State& state, OwnWorkspace* workspace) {
        double digits = 0;
        ask(model, workspace,
            [&](Workspace& room) { return remaining_digits(*model, state, room, digits); });
        return digits;
      },
      py::arg("model"), py::arg("state"), py::kw_only(), py::arg("workspace") = py::none(),
      "Decimal digits that the condition of the independent constraint rows leaves at least in "
      "accelerations, efforts and\nreactions: from 0 to 15, few near a singular pose, 0 where rows "
      "are undecided.");
}

}  // namespace trammel::python
