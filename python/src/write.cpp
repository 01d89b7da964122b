#include "bindings.hpp"
#include "shared_model.hpp"
#include "trammel/write/stick_figure.hpp"

namespace trammel::python {

void bind_write(py::module_& module) {
  module.def(
      "stick_figure",
      [](const SharedModel& model, const Kinematics& kinematics, int width, int height,
         double azimuth, double elevation, bool names) {
        return stick_figure(*model, kinematics, {width, height, azimuth, elevation, names});
      },
      py::arg("model"), py::arg("kinematics"), py::kw_only(), py::arg("width") = 640,
      py::arg("height") = 520, py::arg("azimuth") = -0.9, py::arg("elevation") = 0.35,
      py::arg("names") = true,
      "A picture of the mechanism as one SVG document: size [px], where the eye stands [rad], with "
      "the joints' names or without.");
}

}  // namespace trammel::python
