#include "trammel/constraint/assembly/inverse_kinematics.hpp"

#include "bindings.hpp"
#include "targets.hpp"

namespace trammel::python {

namespace {

constexpr auto self_motion_parameter = parameter<std::string>(
    "self_motion", "none", [](Call& call, const char*, const std::string& word) {
      if (word == "none") return SelfMotion::none;
      if (word == "kept") return SelfMotion::kept;
      throw std::invalid_argument(std::string(call.function()) + ": self_motion is '" + word +
                                  "', it is none or kept");
    });

}  // namespace

void bind_inverse_kinematics(py::module_& module) {
  define(
      module, "inverse_kinematics",
      parameters(in::state, position_targets(Required()), keyword_only, in::joints("keep"),
                 parameter<bool>("within_limits", true), parameter<bool>("nearest", true),
                 parameter<int>("starts", 20), in::workspace),
      [](Call& call, const std::vector<Target>& targets, const std::vector<JointId>& keep,
         bool within_limits, bool nearest, int starts) {
        State out = call.state();
        const InverseKinematicsOptions options{
            .keep = keep, .within_limits = within_limits, .nearest = nearest, .starts = starts};
        call.evaluate([&](Workspace& workspace) {
          return inverse_kinematics(call.model(), out, targets, workspace, options);
        });
        return out;
      },
      "Inverse kinematics: the State in which places are at their Targets, with loops assembled "
      "and joints\n"
      "within their limits, with the least change from the given state.");
  define(
      module, "inverse_kinematics_velocity",
      parameters(in::state, motion_targets, keyword_only, self_motion_parameter, in::workspace),
      [](Call& call, const std::vector<MotionTarget>& targets, SelfMotion self_motion) {
        RowsOut v = call.rows({}, {call.model().nv()});
        call.evaluate([&](Workspace& workspace) {
          return inverse_kinematics_velocity(call.model(), call.state(), targets, workspace,
                                             v.span(), self_motion);
        });
        return call.finish(v, Space::v);
      },
      "Joint velocities with which places have the velocities of MotionTargets, with the loop "
      "constraints satisfied.\n\n"
      "self_motion: 'none', the minimum norm; 'kept', the least change from state.v.");
  define(
      module, "inverse_kinematics_acceleration",
      parameters(in::state, motion_targets, keyword_only, in::a, self_motion_parameter,
                 in::workspace),
      [](Call& call, const std::vector<MotionTarget>& targets, SelfMotion self_motion) {
        RowsOut a = call.rows({}, {call.model().nv()});
        call.evaluate([&](Workspace& workspace) {
          return inverse_kinematics_acceleration(call.model(), call.state(), targets, call.inputs(),
                                                 workspace, a.span(), self_motion);
        });
        return call.finish(a, Space::v);
      },
      "Joint accelerations with which places have the accelerations of MotionTargets,\n"
      "with the loop constraints satisfied. self_motion: 'none', the minimum norm; 'kept', the "
      "least change from a.");
}

}  // namespace trammel::python
