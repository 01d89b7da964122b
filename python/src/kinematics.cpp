#include "trammel/dynamics/kinematics.hpp"

#include "bindings.hpp"
#include "errors.hpp"
#include "inputs.hpp"
#include "records.hpp"

namespace trammel::python {

void bind_kinematics(py::module_& module) {
  py::class_<Positions>(
      module, "Positions",
      "Poses of all bodies at one state: result of positions(), input of pose() and jacobian().")
      .def("__repr__", [](const Positions& positions) {
        return "<Positions of " + std::to_string(positions.X_WB.size() - 1) + " moving bodies>";
      });
  py::class_<Kinematics, Positions>(
      module, "Kinematics",
      "Poses and motions of all bodies at one state: result of kinematics(), input of pose(), "
      "velocity(), acceleration() and jacobian().")
      .def("__repr__", [](const Kinematics& kinematics) {
        return "<Kinematics of " + std::to_string(kinematics.X_WB.size() - 1) + " moving bodies>";
      });

  module.def(
      "positions",
      [](const SharedModel& model, const State& state, OwnWorkspace* workspace,
         const py::object& out) {
        const py::object answer =
            object_out<Positions>("positions", "Positions", out, [&] { return Positions(*model); });
        Positions& stage = answer.cast<Positions&>();
        ask(model, workspace,
            [&](Workspace& room) { return positions(*model, state, room, stage); });
        return answer;
      },
      py::arg("model"), py::arg("state"), py::kw_only(), py::arg("workspace") = py::none(),
      py::arg("out") = py::none(),
      "Poses of all bodies, for pose() and jacobian(); cheaper than kinematics(). out: a "
      "Positions of this model to write into.");
  module.def(
      "kinematics",
      [](const SharedModel& model, const State& state, const OptionalArray& a,
         const std::optional<Support>& ground, OwnWorkspace* workspace, const py::object& out) {
        const CallInputs call("kinematics", *model, {.a = a, .ground = ground});
        const py::object answer = object_out<Kinematics>("kinematics", "Kinematics", out,
                                                         [&] { return Kinematics(*model); });
        Kinematics& stage = answer.cast<Kinematics&>();
        ask(model, workspace,
            [&](Workspace& room) { return kinematics(*model, state, call.inputs(), room, stage); });
        return answer;
      },
      py::arg("model"), py::arg("state"), py::arg("a") = py::none(), py::kw_only(),
      py::arg("ground") = py::none(), py::arg("workspace") = py::none(),
      py::arg("out") = py::none(),
      "Poses, velocities and accelerations of all bodies.\n\n"
      "a: accelerations (nv), zero if not given. ground: a moving Support. out: a Kinematics\n"
      "of this model to write into. The result is for pose(), velocity(), acceleration() and\n"
      "jacobian().");
  module.def(
      "pose",
      [](const SharedModel& model, const Positions& positions, const Where& place) {
        return to_python(pose(*model, positions, resolve(*model, place)));
      },
      py::arg("model"), py::arg("positions"), py::arg("place"),
      "The pose of a place (a FrameRef, or a body or frame by name) in the world: Pose(R, p), "
      "where "
      "x_world = R x_place + p [m].");
  module.def(
      "velocity",
      [](const SharedModel& model, const Kinematics& kinematics, const Where& place, Axes axes) {
        return to_array(velocity(*model, kinematics, resolve(*model, place), axes));
      },
      py::arg("model"), py::arg("kinematics"), py::arg("place"), py::arg("axes") = "world",
      "[omega; v of the place], 6 numbers [rad/s, m/s], in the axes of the world or of the place "
      "('body').");
  module.def(
      "acceleration",
      [](const SharedModel& model, const Kinematics& kinematics, const Where& place, Axes axes) {
        return to_array(acceleration(*model, kinematics, resolve(*model, place), axes));
      },
      py::arg("model"), py::arg("kinematics"), py::arg("place"), py::arg("axes") = "world",
      "[alpha; a of the place], 6 numbers [rad/s^2, m/s^2]: the time derivative of its velocity, "
      "without gravity; in the axes of the world or of the place ('body').");
}

}  // namespace trammel::python
