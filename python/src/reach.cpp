#include "trammel/constraint/assembly/inverse_kinematics.hpp"

#include "bindings.hpp"
#include "errors.hpp"
#include "inputs.hpp"
#include "joint_names.hpp"
#include "records.hpp"
#include "trammel/constraint/assembly/projection.hpp"

namespace trammel::python {

namespace {

std::optional<Vec3<double>> vector_if_given(const char* what, const py::handle& given) {
  if (given.is_none()) return std::nullopt;
  return to_vec3(what, given);
}
// Targets are named tuples: Target(place, position, rotation).
std::vector<Target> targets_of(const Model& model, const py::iterable& given) {
  std::vector<Target> targets;
  for (const py::handle item : given) {
    Target target{.place = resolve(model, item.attr("place").cast<Where>()),
                  .position = vector_if_given("a target's position", item.attr("position"))};
    if (const py::object R = item.attr("rotation"); !R.is_none())
      target.rotation =
          to_pose("a target's rotation", record("Pose", R, py::make_tuple(0.0, 0.0, 0.0))).R;
    targets.push_back(target);
  }
  return targets;
}
std::vector<MotionTarget> motions_of(const Model& model, const py::iterable& given) {
  std::vector<MotionTarget> targets;
  for (const py::handle item : given)
    targets.push_back({.place = resolve(model, item.attr("place").cast<Where>()),
                       .angular = vector_if_given("a target's angular", item.attr("angular")),
                       .linear = vector_if_given("a target's linear", item.attr("linear"))});
  return targets;
}
SelfMotion self_motion_of(const char* context, const std::string& word) {
  if (word == "none") return SelfMotion::none;
  if (word == "kept") return SelfMotion::kept;
  throw std::invalid_argument(std::string(context) + ": self_motion is '" + word +
                              "', it is none or kept");
}
template <class Project>
State projected(const SharedModel& model, const State& state, OwnWorkspace* workspace,
                const Project& project) {
  State out = state;
  ask(model, workspace,
      [&](Workspace& room) { return project(*model, out, room, nullptr, PrescribedLoopMotion{}); });
  return out;
}

}  // namespace

void bind_inverse_kinematics(py::module_& module) {
  module.def(
      "assembly_branches",
      [](const SharedModel& model, const State& state, const std::vector<std::string>& keep,
         const py::iterable& targets, bool within_limits, int starts, OwnWorkspace* workspace) {
        const AssemblyOptions options{.keep = joints_of("assembly_branches: keep", *model, keep),
                                      .targets = targets_of(*model, targets),
                                      .within_limits = within_limits,
                                      .starts = starts};
        std::vector<Branch> found;
        ask(model, workspace, [&](Workspace& room) {
          return assembly_branches(*model, state, room, options, found);
        });
        py::list branches;
        for (const Branch& branch : found)
          branches.append(record("Branch", branch.state, branch.met));
        return branches;
      },
      py::arg("model"), py::arg("state"), py::kw_only(), py::arg("keep") = py::tuple(),
      py::arg("targets") = py::tuple(), py::arg("within_limits") = false, py::arg("starts") = 100,
      py::arg("workspace") = py::none(),
      "Assembly branches: all solutions of the loop constraints with the joints in keep fixed "
      "(and the targets reached),\n"
      "nearest first: a list of Branch(state, met), met of the random starts led there.");
  module.def(
      "inverse_kinematics",
      [](const SharedModel& model, const State& state, const py::iterable& targets,
         const std::vector<std::string>& keep, bool within_limits, bool nearest, int starts,
         OwnWorkspace* workspace) {
        const InverseKinematicsOptions options{
            .keep = joints_of("inverse_kinematics: keep", *model, keep),
            .within_limits = within_limits,
            .nearest = nearest,
            .starts = starts};
        const std::vector<Target> wanted = targets_of(*model, targets);
        State out = state;
        ask(model, workspace, [&](Workspace& room) {
          return inverse_kinematics(*model, out, wanted, room, options);
        });
        return out;
      },
      py::arg("model"), py::arg("state"), py::arg("targets"), py::kw_only(),
      py::arg("keep") = py::tuple(), py::arg("within_limits") = true, py::arg("nearest") = true,
      py::arg("starts") = 20, py::arg("workspace") = py::none(),
      "Inverse kinematics: the State in which places are at their Targets, with loops assembled "
      "and joints\n"
      "within their limits, with the least change from the given state.");
  module.def(
      "inverse_kinematics_velocity",
      [](const SharedModel& model, const State& state, const py::iterable& targets,
         const std::string& self_motion, OwnWorkspace* workspace) {
        const std::vector<MotionTarget> wanted = motions_of(*model, targets);
        RowsOut v("inverse_kinematics_velocity", std::nullopt, {model->nv()});
        Rented<Workspace> room(model, workspace);
        require(inverse_kinematics_velocity(
            *model, state, wanted, room, v.span(),
            self_motion_of("inverse_kinematics_velocity", self_motion)));
        return v.finish();
      },
      py::arg("model"), py::arg("state"), py::arg("targets"), py::kw_only(),
      py::arg("self_motion") = "none", py::arg("workspace") = py::none(),
      "Joint velocities with which places have the velocities of MotionTargets, with the loop "
      "constraints satisfied.\n\n"
      "self_motion: 'none', the minimum norm; 'kept', the least change from state.v.");
  module.def(
      "inverse_kinematics_acceleration",
      [](const SharedModel& model, const State& state, const py::iterable& targets,
         const OptionalArray& a, const std::string& self_motion, OwnWorkspace* workspace) {
        const CallInputs call("inverse_kinematics_acceleration", *model, {.a = a});
        const std::vector<MotionTarget> wanted = motions_of(*model, targets);
        RowsOut out("inverse_kinematics_acceleration", std::nullopt, {model->nv()});
        Rented<Workspace> room(model, workspace);
        require(inverse_kinematics_acceleration(
            *model, state, wanted, call.inputs(), room, out.span(),
            self_motion_of("inverse_kinematics_acceleration", self_motion)));
        return out.finish();
      },
      py::arg("model"), py::arg("state"), py::arg("targets"), py::kw_only(),
      py::arg("a") = py::none(), py::arg("self_motion") = "none", py::arg("workspace") = py::none(),
      "Joint accelerations with which places have the accelerations of MotionTargets,\n"
      "with the loop constraints satisfied. self_motion: 'none', the minimum norm; 'kept', the "
      "least change from a.");
  module.def(
      "project_position",
      [](const SharedModel& model, const State& state, OwnWorkspace* workspace) {
        return projected(model, state, workspace, project_position);
      },
      py::arg("model"), py::arg("state"), py::kw_only(), py::arg("workspace") = py::none(),
      "Projection of a position that violates the constraints slightly onto the constraint "
      "manifold, nearest in the mass metric.");
  module.def(
      "project_velocity",
      [](const SharedModel& model, const State& state, OwnWorkspace* workspace) {
        return projected(model, state, workspace, project_velocity);
      },
      py::arg("model"), py::arg("state"), py::kw_only(), py::arg("workspace") = py::none(),
      "Projection of velocities onto those that satisfy the constraints, nearest in the mass "
      "metric.");
}

}  // namespace trammel::python
