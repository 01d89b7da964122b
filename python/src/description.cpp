#include <pybind11/stl.h>

#include "bindings.hpp"
#include "names.hpp"
#include "numbers.hpp"
#include "records.hpp"
#include "trammel/model/description/solids.hpp"

namespace trammel::python {

namespace {

py::tuple bodies(const Description& given) {
  const Writer write(given.graph);
  const auto shape = [&](const Shape& s) {
    return record("Shape", s.kind, write(s.size), s.mesh, write(s.scale), write(s.at), s.color,
                  s.is_collision, s.name, to_python(s.place));
  };
  return each(given.bodies, [&](const BodyDescription& body) {
    return record("BodyDescription", body.name, write(body.solid), each(body.shapes, shape),
                  to_python(body.place));
  });
}

py::tuple joints(const Description& given) {
  const Writer write(given.graph);
  const auto step = [&](const JointStep& s) { return record("JointStep", s.kind, write(s.axis)); };
  return each(given.joints, [&](const JointDescription& joint) {
    const JointOptions& o = joint.options;
    return record(
        "JointDescription", joint.name, joint.kind, joint.parent, joint.child, write(o.at),
        write(o.child_at), write(o.axis), write(o.axis2), each(o.motions, step), write(o.pitch),
        o.drive, o.cut, write(o.stiffness), write(o.rest), write(o.damping), write(o.friction),
        write(o.friction_speed),
        record("JointLimits", write(o.limits.lower), write(o.limits.upper),
               write(o.limits.velocity), write(o.limits.effort), write(o.limits.restitution)),
        to_python(joint.place));
  });
}

py::tuple frames(const Description& given) {
  const Writer write(given.graph);
  return each(given.frames, [&](const FrameDescription& frame) {
    return record("FrameDescription", frame.name, frame.body, write(frame.at),
                  to_python(frame.place));
  });
}

py::tuple wheels(const Description& given) {
  const Writer write(given.graph);
  return each(given.wheels, [&](const WheelDescription& wheel) {
    return record("WheelDescription", wheel.name, wheel.body, wheel.on, write(wheel.axis),
                  write(wheel.radius), wheel.kind, write(wheel.roller_angle),
                  when_given(write, wheel.roller_radius), when_given(write, wheel.friction),
                  write(wheel.trail), write(wheel.mass), write(wheel.at), wheel.touches,
                  to_python(wheel.place));
  });
}

py::tuple couplings(const Description& given) {
  const Writer write(given.graph);
  return each(given.couplings, [&](const CouplingDescription& coupling) {
    py::dict terms;
    for (const auto& [joint, factor] : coupling.terms) terms[py::str(joint)] = write(factor);
    return record("CouplingDescription", coupling.name, terms, write(coupling.offset),
                  to_python(coupling.place));
  });
}

py::tuple constraints(const Description& given) {
  const Writer write(given.graph);
  return each(given.constraints, [&](const ConstraintDescription& constraint) {
    py::object curve = py::none();
    if (constraint.kind == ConstraintDescription::Kind::curve) {
      const CurveDescription& what = constraint.curve;
      py::dict with;
      for (const auto& [symbol, number] : what.with) with[py::str(symbol)] = write(number);
      curve = record("CurveDescription",
                     each(what.points, [&](const Vec3<Expr>& point) { return write(point); }),
                     what.x, what.y, what.z, with, write(what.from), write(what.to), what.closed);
    }
    return record("ConstraintDescription", constraint.name, constraint.kind, constraint.frame,
                  constraint.other_frame, write(constraint.distance), constraint.active,
                  to_python(constraint.place), curve);
  });
}

py::tuple springs(const Description& given) {
  const Writer write(given.graph);
  return each(given.springs, [&](const SpringDescription& spring) {
    return record("SpringDescription", spring.name, spring.frame, spring.other_frame,
                  write(spring.stiffness), write(spring.length), write(spring.damping),
                  to_python(spring.place));
  });
}

py::tuple starts(const Description& given, const std::vector<StartDescription>& list) {
  const Writer write(given.graph);
  return each(list, [&](const StartDescription& start) {
    return record("StartDescription", start.joint, write(start.values), to_python(start.place));
  });
}

void add_joint(Description& given, const std::string& name, JointKind kind,
               const std::string& parent, const std::string& child, const py::object& at,
               const py::object& child_at, const py::object& axis, const py::object& axis2,
               const py::iterable& motions, const py::object& pitch, Drive drive, bool cut,
               const py::object& stiffness, const py::object& rest, const py::object& damping,
               const py::object& friction, const py::object& friction_speed,
               const py::object& limits) {
  Reader read(given.graph);
  JointOptions options;
  options.at = read.placement("at", at);
  options.child_at = read.placement("child_at", child_at);
  options.axis = read.axis("axis", axis);
  options.axis2 = read.axis("axis2", axis2);
  for (const py::handle step : motions) {
    expects_fields(step, "axis", "a step of motions", "turn(...) or slide(...)");
    options.motions.push_back({step.attr("kind").cast<JointStep::Kind>(),
                               read.axis("a step of motions", step.attr("axis"))});
  }
  options.pitch = read.number(pitch);
  options.drive = drive;
  options.cut = cut;
  options.stiffness = read.list(stiffness);
  options.rest = read.list(rest);
  options.damping = read.list(damping);
  options.friction = read.list(friction);
  options.friction_speed = read.list(friction_speed);
  if (!limits.is_none()) {
    expects_fields(limits, "lower", "limits",
                   "JointLimits(lower, upper, velocity, effort, restitution)");
    options.limits = {read.list(limits.attr("lower")), read.list(limits.attr("upper")),
                      read.list(limits.attr("velocity")), read.list(limits.attr("effort")),
                      read.list(limits.attr("restitution"))};
  }
  given.joint(name, kind, parent, child, options);
}

// Solids given by one or two lengths. Arguments are read in order, so that the first error is
// reported.
template <class Make>
py::object make_solid(const py::object& mass, std::initializer_list<py::object> lengths,
                      const py::object& com, const Make& make) {
  Reader read;
  const Expr m = read.number(mass);
  std::vector<Expr> sizes;
  for (const py::object& length : lengths) sizes.push_back(read.number(length));
  const Vec3<Expr> center = read.vector("com", com);
  return Writer(read.graph())(make(m, sizes, center));
}
using Sizes = std::vector<Expr>;

void bind_solids(py::module_& module) {
  const py::tuple origin = py::make_tuple(0.0, 0.0, 0.0);
  using py::object;
  module.def(
      "point_mass",
      [](const object& mass, const object& at) {
        Reader read;
        const Expr m = read.number(mass);
        const Vec3<Expr> place = read.vector("at", at);
        return Writer(read.graph())(point_mass(m, place));
      },
      py::arg("mass"), py::arg("at") = origin,
      "A point mass [kg] at a position in the body's "
      "frame [m].");
  module.def(
      "box",
      [](const object& mass, const object& size, const object& com) {
        Reader read;
        const Expr m = read.number(mass);
        const Vec3<Expr> edges = read.vector("size", size), center = read.vector("com", com);
        return Writer(read.graph())(box(m, edges, center));
      },
      py::arg("mass"), py::arg("size"), py::arg("com") = origin,
      "A box of uniform density: mass [kg], edges along x, y, z [m], center [m].");
  module.def(
      "solid_cylinder",
      [](const object& mass, const object& radius, const object& length, const object& com) {
        return make_solid(mass, {radius, length}, com,
                          [](const Expr& m, const Sizes& sizes, const Vec3<Expr>& center) {
                            return solid_cylinder(m, sizes[0], sizes[1], center);
                          });
      },
      py::arg("mass"), py::arg("radius"), py::arg("length"), py::arg("com") = origin,
      "A cylinder about z of uniform density: mass [kg], radius and length [m], center [m].");
  module.def(
      "capsule",
      [](const object& mass, const object& radius, const object& length, const object& com) {
        return make_solid(mass, {radius, length}, com,
                          [](const Expr& m, const Sizes& sizes, const Vec3<Expr>& center) {
                            return capsule(m, sizes[0], sizes[1], center);
                          });
      },
      py::arg("mass"), py::arg("radius"), py::arg("length"), py::arg("com") = origin,
      "A capsule about z: a cylinder with a half sphere at each end: mass [kg], radius and length "
      "of the cylinder alone [m], center [m].");
  module.def(
      "thin_rod",
      [](const object& mass, const object& length, const object& com) {
        return make_solid(mass, {length}, com,
                          [](const Expr& m, const Sizes& sizes, const Vec3<Expr>& center) {
                            return thin_rod(m, sizes[0], center);
                          });
      },
      py::arg("mass"), py::arg("length"), py::arg("com") = origin,
      "A thin rod along x: mass [kg], length [m], center [m].");
  module.def(
      "sphere",
      [](const object& mass, const object& radius, const object& com) {
        return make_solid(mass, {radius}, com,
                          [](const Expr& m, const Sizes& sizes, const Vec3<Expr>& center) {
                            return sphere(m, sizes[0], center);
                          });
      },
      py::arg("mass"), py::arg("radius"), py::arg("com") = origin,
      "A sphere of uniform density: mass [kg], radius [m], center [m].");
}

void bind_steps(py::module_& module) {
  const auto step = [&](const char* name, JointStep::Kind kind, const char* text) {
    module.def(
        name,
        [kind](const py::object& axis) {
          Reader read;
          const Vec3<Expr> direction = read.axis("axis", axis);
          return record("JointStep", kind, Writer(read.graph())(direction));
        },
        py::arg("axis"), text);
  };
  step("turn", JointStep::Kind::turn,
       "One step of a compound joint: a rotation about an axis ('x', 'y', 'z' or three numbers) "
       "of the frame after the previous steps.");
  step("slide", JointStep::Kind::slide,
       "One step of a compound joint: a translation along an axis ('x', 'y', 'z' or three "
       "numbers) of the frame after the previous steps.");
}

}  // namespace

void bind_description(py::module_& module) {
  bind_solids(module);
  bind_steps(module);
  const py::tuple origin = py::make_tuple(0.0, 0.0, 0.0);

  py::class_<Description> description(
      module, "Description",
      "Description of a mechanism: bodies, joints, frames, forces and inputs.\n\n"
      "Numbers are floats or formulas of parameters (Expr); SI units and radians. build_model "
      "checks it.");
  bind_described_motion(description);
  bind_bushing(description);
  description.def(py::init<std::string>(), py::arg("name") = "", "An empty description.")
      .def_readwrite("name", &Description::name, "Name of the mechanism.")
      .def_property(
          "gravity", [](const Description& given) { return Writer(given.graph)(given.gravity); },
          [](Description& given, const py::object& gravity) {
            given.gravity = Reader(given.graph).vector("gravity", gravity);
          },
          "Gravity in ground axes [m/s^2]; default: (0, 0, -9.81).")
      .def(
          "parameter",
          [](Description& given, const std::string& symbol, double value) {
            return Number{given.parameter(symbol, value), given.graph};
          },
          py::arg("symbol"), py::arg("value"),
          "A symbol for a number, with its nominal value; usable in any number of this "
          "description.")
      .def(
          "body",
          [](Description& given, const std::string& name, const py::object& solid) {
            given.body(name, solid.is_none() ? Solid{} : Reader(given.graph).solid(solid));
          },
          py::arg("name"), py::arg("solid") = py::none(),
          "A body and its mass properties: a Solid, made by box(), sphere(), ...; massless if "
          "None.")
      .def("joint", &add_joint, py::arg("name"), py::arg("kind"), py::arg("parent"),
           py::arg("child"), py::kw_only(), py::arg("at") = py::none(),
           py::arg("child_at") = py::none(), py::arg("axis") = "z", py::arg("axis2") = "x",
           py::arg("motions") = py::tuple(), py::arg("pitch") = 0.0, py::arg("drive") = "none",
           py::arg("cut") = false, py::arg("stiffness") = py::none(), py::arg("rest") = py::none(),
           py::arg("damping") = py::none(), py::arg("friction") = py::none(),
           py::arg("friction_speed") = py::none(), py::arg("limits") = py::none(),
           "A joint of a kind ('revolute', ...) between two bodies; 'ground' is always there.\n\n"
           "at and child_at place its frames on parent and child: a Placement, or xyz alone [m].\n"
           "axis, axis2: 'x', 'y', 'z' or three numbers, in the joint's frame. motions: the steps\n"
           "of a compound joint, made by turn() and slide(). pitch: of a screw [m/rad].\n"
           "drive: 'none', 'torque', 'motion' or 'locked'. stiffness, rest, damping, dry friction "
           "and\n"
           "the speed below which it fades: one number, or one per degree of freedom. limits: a "
           "JointLimits.")
      .def(
          "frame",
          [](Description& given, const std::string& name, const std::string& body,
             const py::object& at) {
            given.frame(name, body, Reader(given.graph).placement("at", at));
          },
          py::arg("name"), py::arg("body"), py::arg("at") = py::none(),
          "A named frame on a body: a Placement, or xyz alone [m].")
      .def(
          "wheel",
          [](Description& given, const std::string& name, const std::string& body,
             const py::object& radius, const std::string& on, const py::object& axis,
             WheelDescription::Kind kind, const py::object& roller_angle, const py::object& at,
             bool touches, const py::object& roller_radius, const py::object& friction,
             const py::object& trail, const py::object& mass) {
            Reader read(given.graph);
            given.wheels.push_back({name,
                                    body,
                                    on,
                                    read.axis("axis", axis),
                                    read.number(radius),
                                    kind,
                                    read.number(roller_angle),
                                    if_given(read, roller_radius),
                                    if_given(read, friction),
                                    read.number(trail),
                                    read.number(mass),
                                    read.placement("at", at),
                                    touches,
                                    {}});
          },
          py::arg("name"), py::arg("body"), py::arg("radius"), py::kw_only(),
          py::arg("on") = "ground", py::arg("axis") = "y", py::arg("kind") = "conventional",
          py::arg("roller_angle") = 0.0, py::arg("at") = py::none(), py::arg("touches") = true,
          py::arg("roller_radius") = py::none(), py::arg("friction") = py::none(),
          py::arg("trail") = 0.0, py::arg("mass") = 0.0,
          "A rolling contact of a body: radius [m], roller_angle of an omni wheel [rad]; touches: "
          "False if something else supports it; trail and mass of a caster.")
      .def(
          "coupling",
          [](Description& given, const std::string& name, const py::dict& terms,
             const py::object& offset) {
            Reader read(given.graph);
            CouplingDescription coupling{name, {}, read.number(offset), {}};
            for (const auto& [joint, factor] : terms)
              coupling.terms.emplace_back(joint.cast<std::string>(), read.number(factor));
            given.couplings.push_back(std::move(coupling));
          },
          py::arg("name"), py::arg("terms"), py::arg("offset") = 0.0,
          "A linear relation of joints, {joint: factor}: the sum of factor times coordinate is "
          "offset.")
      .def(
          "constraint",
          [](Description& given, const std::string& name, ConstraintDescription::Kind kind,
             const std::string& frame, const std::string& other_frame, const py::object& distance,
             bool active, const std::vector<py::object>& points, const std::string& x,
             const std::string& y, const std::string& z, const py::dict& with,
             const py::object& start, const py::object& stop, bool closed) {
            Reader read(given.graph);
            ConstraintDescription constraint{
                name, kind, frame, other_frame, read.number(distance), active, {}};
            CurveDescription& curve = constraint.curve;
            for (const py::object& point : points)
              curve.points.push_back(read.vector("points", point));
            curve.x = x, curve.y = y, curve.z = z, curve.closed = closed;
            for (const auto& [symbol, number] : with)
              curve.with.emplace_back(symbol.cast<std::string>(), read.number(number));
            curve.from = read.number(start), curve.to = read.number(stop);
            given.constraints.push_back(std::move(constraint));
          },
          py::arg("name"), py::arg("kind"), py::arg("frame"), py::arg("other_frame"),
          py::arg("distance") = 0.0, py::arg("active") = true, py::kw_only(),
          py::arg("points") = std::vector<py::object>{}, py::arg("x") = "", py::arg("y") = "",
          py::arg("z") = "", py::arg("with_") = py::dict(), py::arg("start") = 0.0,
          py::arg("stop") = 0.0, py::arg("closed") = false,
          "Constraint between two frames or bodies: 'point', 'weld', 'distance' [m] or 'curve' "
          "(the origin\n"
          "of other_frame on a curve in frame: points [m] of a cubic spline, or formulas x, y, z "
          "of s from\n"
          "start to stop, with_: values of their other names; closed: it returns to its first "
          "point).\n"
          "active: False until an event grasps it.")
      .def(
          "spring",
          [](Description& given, const std::string& name, const std::string& frame,
             const std::string& other_frame, const py::object& stiffness, const py::object& length,
             const py::object& damping) {
            Reader read(given.graph);
            given.springs.push_back({name,
                                     frame,
                                     other_frame,
                                     read.number(stiffness),
                                     read.number(length),
                                     read.number(damping),
                                     {}});
          },
          py::arg("name"), py::arg("frame"), py::arg("other_frame"), py::kw_only(),
          py::arg("stiffness") = 0.0, py::arg("length") = 0.0, py::arg("damping") = 0.0,
          "A spring and damper between two frames: [N/m], its length without force [m], [N s/m].")
      .def(
          "start",
          [](Description& given, const std::string& joint, const py::object& position,
             const py::object& velocity) {
            Reader read(given.graph);
            if (!position.is_none())
              given.start_positions.push_back({joint, read.list(position), {}});
            if (!velocity.is_none())
              given.start_velocities.push_back({joint, read.list(velocity), {}});
          },
          py::arg("joint"), py::kw_only(), py::arg("position") = py::none(),
          py::arg("velocity") = py::none(),
          "Initial position of a joint: one number, or one per coordinate or degree of freedom. "
          "Assembly does not change it.")
      .def(
          "guess",
          [](Description& given, const std::string& joint, const py::object& position,
             const py::object& velocity) {
            Reader read(given.graph);
            if (!position.is_none())
              given.position_guesses.push_back({joint, read.list(position), {}});
            if (!velocity.is_none())
              given.velocity_guesses.push_back({joint, read.list(velocity), {}});
          },
          py::arg("joint"), py::kw_only(), py::arg("position") = py::none(),
          py::arg("velocity") = py::none(),
          "Initial guess for the assembly of a joint: as start, but assembly may change it.")
      .def_readonly("graph", &Description::graph, "The graph of which its parameters are symbols.")
      .def_property_readonly(
          "parameters",
          [](const Description& given) {
            return each(given.parameters, [](const ParameterDescription& p) {
              return record("ParameterDescription", p.name, p.value, to_python(p.place));
            });
          },
          "Its symbols with their nominal values.")
      .def_property_readonly(
          "definitions",
          [](const Description& given) {
            const Writer write(given.graph);
            return each(given.definitions, [&](const DefinitionDescription& d) {
              return record("DefinitionDescription", d.name, write(d.formula), to_python(d.place));
            });
          },
          "Names for formulas of the parameters.")
      .def_property_readonly("bodies", &bodies, "Its bodies, without ground.")
      .def_property_readonly("joints", &joints,
                             "Its joints, in the order in which they were "
                             "added.")
      .def_property_readonly("frames", &frames, "Its named frames.")
      .def_property_readonly("wheels", &wheels, "Its rolling contacts.")
      .def_property_readonly("couplings", &couplings, "Its linear relations between joints.")
      .def_property_readonly("constraints", &constraints, "Its constraints between frames.")
      .def_property_readonly("springs", &springs, "Its springs between points.")
      .def_property_readonly(
          "start_positions",
          [](const Description& given) { return starts(given, given.start_positions); },
          "Initial positions of joints.")
      .def_property_readonly(
          "start_velocities",
          [](const Description& given) { return starts(given, given.start_velocities); },
          "Initial velocities of joints.")
      .def_property_readonly(
          "position_guesses",
          [](const Description& given) { return starts(given, given.position_guesses); },
          "Initial guesses of the assembly.")
      .def_property_readonly(
          "velocity_guesses",
          [](const Description& given) { return starts(given, given.velocity_guesses); },
          "Initial guesses of velocities, which assembly may change.")
      .def_property_readonly(
          "raw_sections",
          [](const Description& given) {
            return each(given.raw_sections, [](const RawSection& section) {
              return record("RawSection", section.name, section.text, to_python(section.place));
            });
          },
          "Sections of the file that are stored as raw text.")
      .def("__repr__", [](const Description& given) {
        return "<Description '" + given.name + "': " + std::to_string(given.bodies.size()) +
               " bodies, " + std::to_string(given.joints.size()) + " joints, " +
               std::to_string(given.frames.size()) + " frames>";
      });
}

}  // namespace trammel::python
