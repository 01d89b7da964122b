#include "bindings.hpp"
#include "errors.hpp"
#include "shared_model.hpp"
#include "trammel/write/model/toml.hpp"
#include "trammel/write/model/urdf.hpp"
#include "trammel/write/plot/model_picture.hpp"
#include "trammel/write/plot/stick_figure.hpp"

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
      "A stick figure of the mechanism as one SVG document: size [px], direction of view [rad], "
      "with or without the joints' names.");
  module.def(
      "model_picture",
      [](const SharedModel& model, const Kinematics* kinematics) {
        return model_picture(*model, kinematics);
      },
      py::arg("model"), py::arg("kinematics") = py::none(),
      "The spanning tree of a model as one SVG document, with a stick figure if kinematics are "
      "given.");
  module.def("write_toml", &write_toml, py::arg("description"),
             "The description as a model file of the native format; reading it back gives the "
             "same mechanism. ValueError if a formula cannot be written in a file.");
  module.def(
      "write_urdf",
      [](const Description& description) {
        Diagnostics report;
        std::string text = write_urdf(description, report);
        return py::make_tuple(std::move(text), to_python(report.list()));
      },
      py::arg("description"),
      "The description as URDF, and a report of everything that URDF cannot express: (text, "
      "[Diagnostic]). Formulas become numbers; the text is empty if a joint cannot be expressed "
      "at all.");
}

}  // namespace trammel::python
