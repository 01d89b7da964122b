#include "bindings.hpp"
#include "build_options.hpp"
#include "call.hpp"
#include "trammel/base/suggest.hpp"
#include "trammel/model/build/with_parameters.hpp"

namespace trammel::python {

namespace {

using ModelClass = Class<SharedModel, std::shared_ptr<SharedModel>>;

// A function of the model as a getter or method of the class.
template <class Function> auto of_model(Function function) {
  return [=](const SharedModel& model) { return std::invoke(function, *model); };
}

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

void expects_entry(const char* method, const char* size, int k, int n) {
  if (k < 0 || k >= n)
    throw py::index_error(std::string(method) + ": there is no entry " + std::to_string(k) +
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

// Keyword arguments as values of parameters.
std::vector<std::pair<std::string, double>> parameter_values(const py::kwargs& given) {
  std::vector<std::pair<std::string, double>> values;
  for (const auto& [name, value] : given) {
    const double number = PyFloat_AsDouble(value.ptr());
    if (PyErr_Occurred() != nullptr) {
      PyErr_Clear();
      throw py::type_error("with_parameters: " + name.cast<std::string>() + " is a " +
                           py::type::of(value).attr("__name__").cast<std::string>() +
                           ": give a number in SI units");
    }
    values.emplace_back(name.cast<std::string>(), number);
  }
  return values;
}

// The name or property of entry k of q (or v); IndexError if there is none.
template <class Result>
auto of_entry(const char* method, const char* size, int (Model::*count)() const,
              Result (Model::*property)(int) const) {
  return [=](const SharedModel& model, int k) {
    expects_entry(method, size, k, ((*model).*count)());
    return ((*model).*property)(k);
  };
}

void bind_properties(ModelClass& model) {
  model.field("name", of_model(&Model::name), "Name of the mechanism.")
      .field("nq", of_model(&Model::nq), "Length of a position q.")
      .field("nv", of_model(&Model::nv), "Length of a velocity v.")
      .field("bodies", of_model([](const Model& m) { return records(m, m.named_bodies()); }),
             "Its bodies by name, as Body; [0] is ground. (In C++: named_bodies.)")
      .field("joints", of_model([](const Model& m) { return records(m, m.joints()); }),
             "Its joints, as Joint: those of the tree first, in the order of q.")
      .field("frames", of_model([](const Model& m) { return records(m, m.frames()); }),
             "Its named frames, as Frame.")
      .field("parameters", of_model([](const Model& m) {
               py::dict values;
               for (const ParameterDescription& p : m.parameters())
                 values[py::str(p.name)] = p.value;
               return values;
             }),
             "Its symbols and their nominal values.")
      .field("gravity", of_model([](const Model& m) { return to_array(m.gravity()); }),
             "Gravity in ground axes [m/s^2].")
      .field("warnings", of_model([](const Model& m) {
               return to_python(std::vector<Diagnostic>(m.warnings().begin(), m.warnings().end()));
             }),
             "Probable mistakes, as Diagnostic.")
      .field("description", of_model([](const Model& m) { return Description(m.description()); }),
             "A copy of its description.")
      .field("has_passive_forces", of_model(&Model::has_passive_forces),
             "Whether a joint has a spring or a damper.")
      .field("has_prescribed_joints", of_model(&Model::has_prescribed_joints),
             "Whether a joint has the drive motion or locked.")
      .field("quaternion_starts", of_model([](const Model& m) {
               return std::vector<int>(m.quaternion_starts().begin(), m.quaternion_starts().end());
             }),
             "Indices in q where quaternions (w x y z) begin; they must have length 1.")
      .field("characteristic_length", of_model(&Model::characteristic_length),
             "Characteristic length [m]: the mean distance of joints from their parents' joints.");
}

void bind_items(ModelClass& model) {
  const py::arg name("name");
  model
      .method(
          "body",
          [](const SharedModel& m, const std::string& body) {
            return one(*m, "body", m->named_bodies(), m->find_body(body), body);
          },
          name, "The body of that name; ValueError with a suggestion if there is none.")
      .method(
          "joint",
          [](const SharedModel& m, const std::string& joint) {
            return one(*m, "joint", m->joints(), m->find_joint(joint), joint);
          },
          name,
          "The joint of that name: state.q[model.joint('elbow').q] are its coordinates. "
          "ValueError with a suggestion if there is none.")
      .method(
          "frame",
          [](const SharedModel& m, const std::string& frame) {
            return one(*m, "frame", m->frames(), m->find_frame(frame), frame);
          },
          name, "The frame of that name; ValueError with a suggestion if there is none.")
      .method(
          "find_body",
          [](const SharedModel& m, const std::string& body) {
            return to_index(m->find_body(body));
          },
          name, "Index in bodies of the body of that name; None if there is none.")
      .method(
          "find_joint",
          [](const SharedModel& m, const std::string& joint) {
            return to_index(m->find_joint(joint));
          },
          name, "Index in joints of the joint of that name; None if there is none.")
      .method(
          "find_frame",
          [](const SharedModel& m, const std::string& frame) {
            return to_index(m->find_frame(frame));
          },
          name, "Index in frames of the frame of that name; None if there is none.");
}

void bind_entries(ModelClass& model) {
  model
      .method("coordinate_name",
              of_entry("coordinate_name", "nq", &Model::nq, &Model::coordinate_name), py::arg("k"),
              "Name of coordinate q[k]: 'elbow', or 'wrist.qx' for a joint with several.")
      .method("dof_name", of_entry("dof_name", "nv", &Model::nv, &Model::dof_name), py::arg("k"),
              "Name of degree of freedom v[k]: 'elbow', or 'wrist.wx' for a joint with several.")
      .method("is_prescribed", of_entry("is_prescribed", "nv", &Model::nv, &Model::is_prescribed),
              py::arg("dof"), "Whether v[dof] is driven by motion or locked.")
      .method("prescription", of_entry("prescription", "nv", &Model::nv, &Model::prescription),
              py::arg("dof"), "Drive.motion, Drive.locked or Drive.none of v[dof].");
}

}  // namespace

void bind_model(py::module_& module) {
  ModelClass model(
      module, "Model",
      "A mechanism: bodies on a spanning tree, with names and nominal values. Made by build_model "
      "or load, never changed after; any number of threads may use it.");
  bind_properties(model);
  bind_items(model);
  bind_entries(model);
  model
      .method(
          "with_gravity",
          [](const SharedModel& m, const py::object& gravity) {
            const Vec3<double> g = to_vec3("with_gravity: gravity", gravity);
            const double numbers[] = {g.x, g.y, g.z};
            expects_finite("with_gravity", "gravity", numbers);
            return std::make_shared<SharedModel>(m->with_gravity(g), m.build());
          },
          py::arg("gravity"), "The same mechanism under another gravity [m/s^2].")
      .method(
          "with_parameters",
          [](const SharedModel& m, const py::kwargs& values) {
            return std::make_shared<SharedModel>(
                with_parameters(*m, parameter_values(values), m.build()), m.build());
          },
          "The same mechanism with other values of its parameters, in SI units: "
          "model.with_parameters(r=0.05).\n\n"
          "model.parameters has their names and values. Formulas of the description follow, as "
          "with set= of load.")
      .method(
          "_entries",
          [](const SharedModel& m, const std::string& space, const std::string& name) {
            try {
              const Entries found = entries_of("", *m, space_named(space), name);
              return py::make_tuple(found.start, found.count, found.is_single);
            } catch (const std::invalid_argument& error) { throw py::key_error(error.what()); }
          },
          py::arg("space"), py::arg("name"), "Entries of a joint in a JointArray.")
      .method(
          "_keys",
          [](const SharedModel& m, const std::string& space) {
            return keys_of(*m, space_named(space));
          },
          py::arg("space"), "Names of the joints of a JointArray.")
      .method(
          "_repr_html_",
          [](const py::object& self) {
            return py::module_::import("trammel._html").attr("model_page")(self);
          },
          "The joints as a table and the mechanism as a stick figure, for notebooks.")
      .repr([](const SharedModel& m) {
        return "<Model '" + m->name() + "': nq = " + std::to_string(m->nq()) +
               ", nv = " + std::to_string(m->nv()) + ", " +
               std::to_string(m->named_bodies().size() - 1) + " bodies, " +
               std::to_string(m->joints().size()) + " joints>";
      });

  module.def(
      "build_model",
      [](const Description& description, const std::vector<Diagnostic>& found, bool strict,
         bool allow_nonphysical) {
        const BuildOptions options = to_build_options(strict, allow_nonphysical);
        return std::make_shared<SharedModel>(
            build_model(description, to_diagnostics(found), options), options);
      },
      py::arg("description"), py::arg("found") = py::tuple(), py::kw_only(),
      py::arg("strict") = false, py::arg("allow_nonphysical") = false,
      "Builds the model of a description. Raises one ModelError with all errors, those of the "
      "reader included. strict, allow_nonphysical: as in load.");
}

}  // namespace trammel::python
