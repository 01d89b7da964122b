#include "trammel/dynamics/kinematics.hpp"

#include "bindings.hpp"
#include "call.hpp"

namespace trammel::python {

namespace {

constexpr auto computed_kinematics = parameter<Kinematics>("kinematics");

}  // namespace

void bind_kinematics(py::module_& module) {
  Class<Positions>(
      module, "Positions",
      "Poses of all bodies at one state: result of positions(), input of pose() and jacobian().")
      .repr([](const Positions& positions) {
        return "<Positions of " + std::to_string(positions.X_WB.size() - 1) + " moving bodies>";
      });
  Class<Kinematics, Positions>(
      module, "Kinematics",
      "Poses and motions of all bodies at one state: result of kinematics(), input of pose(), "
      "velocity(), acceleration() and jacobian().")
      .repr([](const Kinematics& kinematics) {
        return "<Kinematics of " + std::to_string(kinematics.X_WB.size() - 1) + " moving bodies>";
      });

  define(module, "positions", parameters(in::of_state, object_parameter),
         returns_object<Positions>(positions, "Positions"),
         "Poses of all bodies, for pose() and jacobian(); cheaper than kinematics(). out: a "
         "Positions of this model to write into.");
  define(module, "kinematics",
         parameters(in::state, in::a, keyword_only, in::ground, in::workspace, object_parameter),
         returns_object<Kinematics>(kinematics, "Kinematics"),
         "Poses, velocities and accelerations of all bodies.\n\n"
         "a: accelerations (nv), zero if not given. ground: a moving Support. out: a Kinematics\n"
         "of this model to write into. The result is for pose(), velocity(), acceleration() and\n"
         "jacobian().");
  define(
      module, "pose", parameters(parameter<Positions>("positions"), in::place),
      [](Call& call, const Positions& positions, const FrameRef& place) {
        return to_python(pose(call.model(), positions, place));
      },
      "The pose of a place (a FrameRef, or a body or frame by name) in the world: Pose(R, p), "
      "where x_world = R x_place + p [m].");
  define(
      module, "velocity", parameters(computed_kinematics, in::place, in::axes),
      [](Call& call, const Kinematics& kinematics, const FrameRef& place, Axes axes) {
        return to_array(velocity(call.model(), kinematics, place, axes));
      },
      "[omega; v of the place], 6 numbers [rad/s, m/s], in the axes of the world or of the place "
      "('body').");
  define(
      module, "acceleration", parameters(computed_kinematics, in::place, in::axes),
      [](Call& call, const Kinematics& kinematics, const FrameRef& place, Axes axes) {
        return to_array(acceleration(call.model(), kinematics, place, axes));
      },
      "[alpha; a of the place], 6 numbers [rad/s^2, m/s^2]: the time derivative of its velocity, "
      "without gravity; in the axes of the world or of the place ('body').");
}

}  // namespace trammel::python
