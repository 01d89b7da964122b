#include "inputs.hpp"

#include "bindings.hpp"
#include "records.hpp"
#include "trammel/constraint/equations/loop_forces.hpp"

namespace trammel::python {

namespace {

std::string text_of(const Where& where) {
  const std::string* const name = std::get_if<std::string>(&where);
  return name ? "'" + *name + "'"
              : py::repr(py::cast(std::get<FrameRef>(where))).cast<std::string>();
}

py::object place(const Where& where) {
  if (const std::string* const name = std::get_if<std::string>(&where)) return py::str(*name);
  return py::cast(std::get<FrameRef>(where));
}

}  // namespace

std::vector<double> loop_numbers(const char* context, const char* what, const Model& model,
                                 const py::object& given) {
  if (given.is_none()) return {};
  const std::string begin = std::string(context) + ": " + what;
  if (!py::isinstance<py::dict>(given)) {
    const Array array = Array::ensure(given);
    if (!array) throw std::invalid_argument(begin + " is no array of numbers and no dict");
    if (array.ndim() != 1 || array.size() != model.loop_nv())
      throw std::invalid_argument(begin + " has " + std::to_string(array.size()) +
                                  " entries, what closes loops has " +
                                  std::to_string(model.loop_nv()) + " degrees of freedom");
    return {array.data(), array.data() + array.size()};
  }
  std::vector<double> numbers(std::size_t(model.loop_nv()), 0.0);
  for (const auto& [key, value] : py::cast<py::dict>(given)) {
    const std::string name = py::cast<std::string>(key);
    const auto joint = model.find_joint(name);
    const int c = joint ? model.closure_of(*joint) : -1;
    if (c < 0)
      throw std::invalid_argument(begin + " names '" + name +
                                  "', which is no joint that closes a loop: loop_dof_names "
                                  "lists them");
    const Closure& closure = model.closures()[std::size_t(c)];
    const int count = dof_count(closure.joint);
    const Array array = Array::ensure(value);
    if (!array || array.size() != count)
      throw std::invalid_argument(begin + " of '" + name + "' must have " + std::to_string(count) +
                                  (count == 1 ? " number" : " numbers"));
    std::copy_n(array.data(), count, numbers.begin() + closure.v_start);
  }
  return numbers;
}

void bind_inputs(py::module_& module) {
  py::class_<FrameRef>(
      module, "FrameRef",
      "A frame on a body: the body's index in model.bodies, and a Pose in its frame.")
      .def(py::init([](int body, const py::object& X_UA) {
             return FrameRef{BodyId{body}, X_UA.is_none() ? Pose<double>::identity()
                                                          : to_pose("FrameRef: X_UA", X_UA)};
           }),
           py::arg("body"), py::arg("X_UA") = py::none(), "The body's own frame, or a Pose in it.")
      .def_property_readonly(
          "body", [](const FrameRef& place) { return index(place.body); },
          "Index of its body in model.bodies.")
      .def_property_readonly(
          "X_UA", [](const FrameRef& place) { return to_python(place.X_UA); },
          "The pose of the place in its body's frame.")
      .def("__repr__", [](const FrameRef& place) {
        const Vec3<double>& p = place.X_UA.p;
        return "<FrameRef body " + std::to_string(index(place.body)) + ", " +
               py::repr(py::make_tuple(p.x, p.y, p.z)).cast<std::string>() + ">";
      });
  module.def(
      "frame_ref",
      [](const SharedModel& model, const std::string& name, const py::object& xyz) {
        FrameRef place = frame_ref(*model, name);
        if (!xyz.is_none()) place.X_UA.p = place.X_UA * to_vec3("at: xyz", xyz);
        return place;
      },
      py::arg("model"), py::arg("body_or_frame"), py::arg("xyz") = py::none(),
      "The place of a named body or frame, or a point xyz [m] in it. ValueError with a suggestion "
      "if no body or frame has that name.");

  py::class_<WrenchAt>(module, "Wrench", "An external moment and force, acting at a place.")
      .def(py::init([](const Where& where, const py::object& moment, const py::object& force,
                       Axes axes) {
             return WrenchAt{
                 where, {to_vec3("Wrench: moment", moment), to_vec3("Wrench: force", force)}, axes};
           }),
           py::arg("at"), py::kw_only(), py::arg("moment") = py::make_tuple(0.0, 0.0, 0.0),
           py::arg("force") = py::make_tuple(0.0, 0.0, 0.0), py::arg("axes") = "world",
           "At a FrameRef, or a body or frame by name: moment [N m] and force [N] in the axes of "
           "the "
           "world, or of the place itself ('body').")
      .def_property_readonly(
          "at", [](const WrenchAt& wrench) { return place(wrench.at); }, "Place where it acts.")
      .def_property_readonly(
          "moment", [](const WrenchAt& wrench) { return to_array(wrench.F.moment); },
          "Its moment at the place [N m].")
      .def_property_readonly(
          "force", [](const WrenchAt& wrench) { return to_array(wrench.F.force); },
          "Its force [N].")
      .def_property_readonly(
          "axes", [](const WrenchAt& wrench) { return wrench.axes; },
          "Axes in which it is expressed: 'world' or 'body'.")
      .def("__repr__", [](const WrenchAt& wrench) {
        const auto text = [](const Vec3<double>& a) {
          return py::repr(py::make_tuple(a.x, a.y, a.z)).cast<std::string>();
        };
        return "Wrench(" + text_of(wrench.at) + ", moment=" + text(wrench.F.moment) +
               ", force=" + text(wrench.F.force) + ", axes='" + word(wrench.axes) + "')";
      });

  py::class_<Support>(module, "Support",
                      "Motion of ground, in its own axes: [omega; v] and the acceleration of its "
                      "origin, [alpha; a].")
      .def(py::init([](const py::object& velocity, const py::object& acceleration) {
             const auto motion = [](const char* what, const py::object& given) {
               return given.is_none() ? Motion<double>() : to_motion(what, given);
             };
             return Support{motion("Support: velocity", velocity),
                            motion("Support: acceleration", acceleration)};
           }),
           py::kw_only(), py::arg("velocity") = py::none(), py::arg("acceleration") = py::none(),
           "Six numbers each, angular first; zero if not given.")
      .def_property_readonly(
          "velocity", [](const Support& ground) { return to_array(ground.velocity); },
          "[omega; v] of its origin [rad/s, m/s].")
      .def_property_readonly(
          "acceleration", [](const Support& ground) { return to_array(ground.acceleration); },
          "[alpha; a] of its origin [rad/s^2, m/s^2].")
      .def("__repr__", [](const Support& ground) {
        const auto text = [](const Motion<double>& V) {
          return py::repr(to_array(V).attr("tolist")()).cast<std::string>();
        };
        return "Support(velocity=" + text(ground.velocity) +
               ", acceleration=" + text(ground.acceleration) + ")";
      });

  const auto workspace = [&]<class Room>(std::type_identity<Room>, const char* name,
                                         const char* text) {
    py::class_<OwnRoom<Room>>(module, name, text)
        .def(py::init(
                 [](const SharedModel& model) { return std::make_unique<OwnRoom<Room>>(*model); }),
             py::arg("model"), "A workspace for this model.")
        .def("__repr__",
             [name = std::string(name)](const OwnRoom<Room>&) { return "<" + name + ">"; });
  };
  workspace(std::type_identity<Workspace>(), "Workspace",
            "Workspace of one model, for one thread at a time. Calls without one use a workspace "
            "of the model; it holds no results.");
  py::class_<OwnBatchWorkspace>(module, "BatchWorkspace",
                                "Workspace for batch calls on one model, for one caller at a "
                                "time. With several threads a batch is shared among them; results "
                                "are the same to the last bit for any number of threads.")
      .def(py::init([](const SharedModel& model, int threads) {
             return std::make_unique<OwnBatchWorkspace>(*model, threads);
           }),
           py::arg("model"), py::arg("threads") = 1,
           "A workspace for this model, and this number of threads (0: one per core).")
      .def_property_readonly(
          "threads", [](const OwnBatchWorkspace& own) { return own.room.threads(); },
          "Number of threads that share a batch, the caller included.")
      .def("__repr__", [](const OwnBatchWorkspace&) { return "<BatchWorkspace>"; });
  workspace(std::type_identity<DerivativeWorkspace>(), "DerivativeWorkspace",
            "Workspace for derivatives of one model, for one thread at a time.");
}

}  // namespace trammel::python
