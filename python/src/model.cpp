#include <pybind11/stl.h>

#include "arrays.hpp"
#include "bindings.hpp"
#include "build_options.hpp"
#include "errors.hpp"
#include "names.hpp"
#include "numbers.hpp"
#include "records.hpp"
#include "shared_model.hpp"
#include "trammel/base/suggest.hpp"
#include "trammel/model/build/builder.hpp"

namespace trammel::python {

namespace {

using Shared = std::shared_ptr<SharedModel>;

py::object to_record(const Model& model, const NamedBody& body) {
  const py::object inboard =
      body.inboard ? py::object(py::str(model[*body.inboard].name)) : py::object(py::none());
  return record("Body", body.name, inboard, body.tree_body, to_python(body.place));
}
py::object to_record(const Model& model, const NamedJoint& joint) {
  const auto& limits = joint.limits;
  return record("Joint", joint.name, joint.kind, joint.role, model[joint.parent].name,
                model[joint.child].name, joint.is_reversed, joint.q_start, joint.nq, joint.v_start,
                joint.nv, joint.drive,
                record("JointLimits", py::tuple(py::cast(limits.lower)),
                       py::tuple(py::cast(limits.upper)), py::tuple(py::cast(limits.velocity)),
                       py::tuple(py::cast(limits.effort)), py::tuple(py::cast(limits.restitution))),
                to_python(joint.X_PF), to_python(joint.X_CM), to_python(joint.place));
}
py::object to_record(const Model& model, const NamedFrame& frame) {
  return record("Frame", frame.name, model[frame.body].name);
}

template <class Item> py::tuple records(const Model& model, std::span<const Item> items) {
  py::tuple list(items.size());
  for (std::size_t k = 0; k < items.size(); ++k) list[k] = to_record(model, items[k]);
  return list;
}

// The item of that name; throws with the nearest known name.
template <class Item, class Id>
py::object one(const Model& model, const char* kind, std::span<const Item> items,
               const std::optional<Id>& found, const std::string& name) {
  if (found) return to_record(model, items[std::size_t(index(*found))]);
  std::vector<std::string> known;
  for (const Item& item : items) known.push_back(item.name);
  const auto near = suggest(name, known);
  throw std::invalid_argument("the model '" + model.name() + "' has no " + kind + " '" + name +
                              "'" + (near ? "; did you mean '" + *near + "'?" : ""));
}

template <class Id> std::optional<int> to_index(const std::optional<Id>& id) {
  return id ? std::optional<int>(index(*id)) : std::nullopt;
}

void expects_entry(const char* context, const char* size, int k, int n) {
  if (k < 0 || k >= n)
    throw py::index_error(std::string(context) + ": there is no entry " + std::to_string(k) +
                          ", the model has " + size + " = " + std::to_string(n));
}

Diagnostics to_diagnostics(const std::vector<Diagnostic>& list) {
  Diagnostics diagnostics;
  for (const Diagnostic& d : list)
    if (d.severity == Severity::error)
      diagnostics.error(d.place, d.message, d.hint);
    else
      diagnostics.warning(d.place, d.message, d.hint);
  return diagnostics;
}

}  // namespace

void bind_model(py::module_& module) {
  py::class_<SharedModel, Shared>(
      module, "Model",
      "A mechanism: bodies on a spanning tree, with names and nominal values. Made by build_model "
      "or load, never changed after; any number of threads may use it.")
      .def_property_readonly(
          "name", [](const SharedModel& m) { return m->name(); }, "Name of the mechanism.")
      .def_property_readonly(
          "nq", [](const SharedModel& m) { return m->nq(); }, "Length of a position q.")
      .def_property_readonly(
          "nv", [](const SharedModel& m) { return m->nv(); }, "Length of a velocity v.")
      .def_property_readonly(
          "bodies", [](const SharedModel& m) { return records(*m, m->named_bodies()); },
          "Its bodies by name, as Body; [0] is ground. (In C++: named_bodies.)")
      .def_property_readonly(
          "joints", [](const SharedModel& m) { return records(*m, m->joints()); },
          "Its joints, as Joint: those of the tree first, in the order of q.")
      .def_property_readonly(
          "frames", [](const SharedModel& m) { return records(*m, m->frames()); },
          "Its named frames, as Frame.")
      .def_property_readonly(
          "parameters",
          [](const SharedModel& m) {
            py::dict values;
            for (const ParameterDescription& p : m->parameters()) values[py::str(p.name)] = p.value;
            return values;
          },
          "Its symbols and their nominal values.")
      .def_property_readonly(
          "gravity", [](const SharedModel& m) { return to_array(m->numbers().gravity); },
          "Gravity in ground axes [m/s^2].")
      .def_property_readonly(
          "warnings",
          [](const SharedModel& m) {
            return to_python(std::vector<Diagnostic>(m->warnings().begin(), m->warnings().end()));
          },
          "Probable mistakes, as Diagnostic.")
      .def_property_readonly(
          "description", [](const SharedModel& m) { return m->description(); },
          "A copy of its description.")
      .def_property_readonly(
          "has_passive_forces", [](const SharedModel& m) { return m->has_passive_forces(); },
          "Whether a joint has a spring or a damper.")
      .def_property_readonly(
          "has_prescribed_joints", [](const SharedModel& m) { return m->has_prescribed_joints(); },
          "Whether a joint has the drive motion or locked.")
      .def_property_readonly(
          "quaternion_starts",
          [](const SharedModel& m) {
            return std::vector<int>(m->quaternion_starts().begin(), m->quaternion_starts().end());
          },
          "Indices in q where quaternions (w x y z) begin; they must have length 1.")
      .def_property_readonly(
          "characteristic_length", [](const SharedModel& m) { return m->characteristic_length(); },
          "Characteristic length [m]: the mean distance of joints from their parents' joints.")
      .def(
          "body",
          [](const SharedModel& m, const std::string& name) {
            return one(*m, "body", m->named_bodies(), m->find_body(name), name);
          },
          py::arg("name"), "The body of that name; ValueError with a suggestion if there is none.")
      .def(
          "joint",
          [](const SharedModel& m, const std::string& name) {
            return one(*m, "joint", m->joints(), m->find_joint(name), name);
          },
          py::arg("name"),
          "The joint of that name: state.q[model.joint('elbow').q] are its coordinates. "
          "ValueError with a suggestion if there is none.")
      .def(
          "frame",
          [](const SharedModel& m, const std::string& name) {
            return one(*m, "frame", m->frames(), m->find_frame(name), name);
          },
          py::arg("name"), "The frame of that name; ValueError with a suggestion if there is none.")
      .def(
          "find_body",
          [](const SharedModel& m, const std::string& name) {
            return to_index(m->find_body(name));
          },
          py::arg("name"), "Index in bodies of the body of that name; None if there is none.")
      .def(
          "find_joint",
          [](const SharedModel& m, const std::string& name) {
            return to_index(m->find_joint(name));
          },
          py::arg("name"), "Index in joints of the joint of that name; None if there is none.")
      .def(
          "find_frame",
          [](const SharedModel& m, const std::string& name) {
            return to_index(m->find_frame(name));
          },
          py::arg("name"), "Index in frames of the frame of that name; None if there is none.")
      .def(
          "coordinate_name",
          [](const SharedModel& m, int k) {
            expects_entry("coordinate_name", "nq", k, m->nq());
            return m->coordinate_name(k);
          },
          py::arg("k"), "Name of coordinate q[k]: 'elbow', or 'wrist[2]' for a joint with several.")
      .def(
          "dof_name",
          [](const SharedModel& m, int k) {
            expects_entry("dof_name", "nv", k, m->nv());
            return m->dof_name(k);
          },
          py::arg("k"),
          "Name of degree of freedom v[k]: 'elbow', or 'wrist[2]' for a joint with "
          "several.")
      .def(
          "is_prescribed",
          [](const SharedModel& m, int dof) {
            expects_entry("is_prescribed", "nv", dof, m->nv());
            return m->is_prescribed(dof);
          },
          py::arg("dof"), "Whether v[dof] is driven by motion or locked.")
      .def(
          "prescription",
          [](const SharedModel& m, int dof) {
            expects_entry("prescription", "nv", dof, m->nv());
            return m->prescription(dof);
          },
          py::arg("dof"), "Drive.motion, Drive.locked or Drive.none of v[dof].")
      .def(
          "with_gravity",
          [](const SharedModel& m, const py::object& gravity) {
            const Vec3<double> g = to_vec3("with_gravity: gravity", gravity);
            const double numbers[] = {g.x, g.y, g.z};
            expects_finite("with_gravity", "gravity", numbers);
            return std::make_shared<SharedModel>(m->with_gravity(g));
          },
          py::arg("gravity"), "The same mechanism under another gravity [m/s^2].")
      .def(
          "_repr_html_",
          [](const py::object& self) {
            return py::module_::import("trammel._html").attr("model_page")(self);
          },
          "The joints as a table and the mechanism as a stick figure, for notebooks.")
      .def("__repr__", [](const SharedModel& m) {
        return "<Model '" + m->name() + "': nq = " + std::to_string(m->nq()) +
               ", nv = " + std::to_string(m->nv()) + ", " +
               std::to_string(m->named_bodies().size() - 1) + " bodies, " +
               std::to_string(m->joints().size()) + " joints>";
      });

  module.def(
      "build_model",
      [](const Description& description, const std::vector<Diagnostic>& found, bool strict,
         bool allow_nonphysical) {
        return std::make_shared<SharedModel>(build_model(
            description, to_diagnostics(found), to_build_options(strict, allow_nonphysical)));
      },
      py::arg("description"), py::arg("found") = std::vector<Diagnostic>(), py::kw_only(),
      py::arg("strict") = false, py::arg("allow_nonphysical") = false,
      "Builds the model of a description. Raises one ModelError with all errors, those of the "
      "reader included. strict, allow_nonphysical: as in load.");
}

}  // namespace trammel::python
