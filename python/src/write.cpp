#include "bindings.hpp"
#include "call.hpp"
#include "trammel/write/model/toml.hpp"
#include "trammel/write/model/urdf.hpp"
#include "trammel/write/plot/model_picture.hpp"
#include "trammel/write/plot/stick_figure.hpp"

namespace trammel::python {

void bind_write(py::module_& module) {
  define(
      module, "stick_figure",
      parameters(parameter<Kinematics>("kinematics"), keyword_only, parameter<int>("width", 640),
                 parameter<int>("height", 520), parameter<double>("azimuth", -0.9),
                 parameter<double>("elevation", 0.35), parameter<bool>("names", true)),
      [](Call& call, const Kinematics& kinematics, int width, int height, double azimuth,
         double elevation, bool names) {
        return stick_figure(call.model(), kinematics, {width, height, azimuth, elevation, names});
      },
      "A stick figure of the mechanism as one SVG document: size [px], direction of view [rad], "
      "with or without the joints' names.");
  define(
      module, "model_picture", parameters(parameter<const Kinematics*>("kinematics", None())),
      [](Call& call, const Kinematics* kinematics) {
        return model_picture(call.model(), kinematics);
      },
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
