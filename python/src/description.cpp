// Descriptions of bodies, joints and constraints.
#include "bindings.hpp"
#include "description_records.hpp"
#include "expr_parameters.hpp"

namespace trammel::python {

namespace {

// Steps of a compound joint, and limits, from named tuples.
constexpr auto motions_parameter = parameter<py::iterable>(
    "motions", EmptyTuple(), [](Reader& read, const char*, const py::iterable& given) {
      std::vector<JointStep> steps;
      for (const py::handle step : given) {
        expects_fields(step, "axis", "a step of motions", "turn(...) or slide(...)");
        steps.push_back({from_word<JointStep::Kind>(py::str(step.attr("kind")).cast<std::string>()),
                         read.axis("a step of motions", step.attr("axis"))});
      }
      return steps;
    });
constexpr auto limits_parameter =
    parameter<py::object>("limits", None(), [](Reader& read, const char*, const py::object& given) {
      if (given.is_none()) return BasicJointLimits<Expr>{};
      expects_fields(given, "restitution", "limits",
                     "JointLimits(lower, upper, velocity, effort, restitution)");
      return BasicJointLimits<Expr>{read.list("limits.lower", given.attr("lower")),
                                    read.list("limits.upper", given.attr("upper")),
                                    read.list("limits.velocity", given.attr("velocity")),
                                    read.list("limits.effort", given.attr("effort")),
                                    read.list("limits.restitution", given.attr("restitution"))};
    });
constexpr auto solid_parameter =
    parameter<py::object>("solid", None(), [](Reader& read, const char*, const py::object& given) {
      return given.is_none() ? Solid{} : read.solid(given);
    });

using ExprList = std::vector<Expr>;

void describe_joints(py::class_<Description>& description) {
  using expr::axis, expr::list, expr::number, expr::placement, expr::text;
  describe(
      description, "joint",
      parameters(text("name"), parameter<JointKind>("kind"), text("parent"), text("child"),
                 keyword_only, placement("at"), placement("child_at"), axis("axis", "z"),
                 axis("axis2", "x"), motions_parameter, number("pitch", 0.0),
                 parameter<Drive>("drive", "none"), parameter<bool>("cut", false),
                 list("stiffness"), list("rest"), list("damping"), list("friction"),
                 list("friction_speed"), limits_parameter),
      [](Description& self, const std::string& name, JointKind kind, const std::string& parent,
         const std::string& child, const Placement& at, const Placement& child_at,
         const Vec3<Expr>& axis1, const Vec3<Expr>& axis2, const std::vector<JointStep>& motions,
         const Expr& pitch, Drive drive, bool cut, const ExprList& stiffness, const ExprList& rest,
         const ExprList& damping, const ExprList& friction, const ExprList& friction_speed,
         const BasicJointLimits<Expr>& limits) {
        self.joint(name, kind, parent, child,
                   {.at = at,
                    .child_at = child_at,
                    .axis = axis1,
                    .axis2 = axis2,
                    .motions = motions,
                    .pitch = pitch,
                    .drive = drive,
                    .cut = cut,
                    .stiffness = stiffness,
                    .rest = rest,
                    .damping = damping,
                    .friction = friction,
                    .friction_speed = friction_speed,
                    .limits = limits});
      },
      "A joint of a kind ('revolute', ...) between two bodies; 'ground' is always there.\n\n"
      "at and child_at place its frames on parent and child: a Placement, or xyz alone [m].\n"
      "axis, axis2: 'x', 'y', 'z' or three numbers, in the joint's frame. motions: the steps\n"
      "of a compound joint, made by turn() and slide(). pitch: of a screw [m/rad].\n"
      "drive: 'none', 'torque', 'motion' or 'locked'. stiffness, rest, damping, dry friction and\n"
      "the speed below which it fades: one number, or one per degree of freedom. limits: a "
      "JointLimits.");
}

void describe_bodies(py::class_<Description>& description) {
  using expr::axis, expr::number, expr::optional_number, expr::placement, expr::text;
  describe(
      description, "body", parameters(text("name"), solid_parameter),
      [](Description& self, const std::string& name, const Solid& solid) {
        self.body(name, solid);
      },
      "A body and its mass properties: a Solid, made by box(), sphere(), ...; massless if None.");
  describe(
      description, "frame", parameters(text("name"), text("body"), placement("at")),
      [](Description& self, const std::string& name, const std::string& body, const Placement& at) {
        self.frame(name, body, at);
      },
      "A named frame on a body: a Placement, or xyz alone [m].");
  describe(
      description, "wheel",
      parameters(text("name"), text("body"), number("radius"), keyword_only, text("on", "ground"),
                 axis("axis", "y"), parameter<WheelDescription::Kind>("kind", "conventional"),
                 number("roller_angle", 0.0), placement("at"), parameter<bool>("touches", true),
                 optional_number("roller_radius"), optional_number("friction"),
                 number("trail", 0.0), number("mass", 0.0)),
      [](Description& self, const std::string& name, const std::string& body, const Expr& radius,
         const std::string& on, const Vec3<Expr>& axle, WheelDescription::Kind kind,
         const Expr& roller_angle, const Placement& at, bool touches,
         const std::optional<Expr>& roller_radius, const std::optional<Expr>& friction,
         const Expr& trail, const Expr& mass) {
        self.wheels.push_back({name,
                               body,
                               on,
                               axle,
                               radius,
                               kind,
                               roller_angle,
                               roller_radius,
                               friction,
                               trail,
                               mass,
                               at,
                               touches,
                               {}});
      },
      "A rolling contact of a body: radius [m], roller_angle of an omni wheel [rad]; touches: "
      "False if something else supports it; trail and mass of a caster.");
}

using NamedNumbers = std::vector<std::pair<std::string, Expr>>;

constexpr auto points_parameter = parameter<std::vector<py::object>>(
    "points", EmptyTuple(),
    [](Reader& read, const char* what, const std::vector<py::object>& given) {
      std::vector<Vec3<Expr>> points;
      for (const py::object& point : given) points.push_back(read.vector(what, point));
      return points;
    });

void describe_constraints(py::class_<Description>& description) {
  using expr::named_numbers, expr::number, expr::text;
  describe(
      description, "coupling",
      parameters(text("name"), named_numbers("terms"), number("offset", 0.0)),
      [](Description& self, const std::string& name, const NamedNumbers& terms,
         const Expr& offset) {
        self.couplings.push_back({name, terms, offset, {}});
      },
      "A linear relation of joints, {joint: factor}: the sum of factor times coordinate is "
      "offset.");
  describe(
      description, "constraint",
      parameters(text("name"), parameter<ConstraintDescription::Kind>("kind"), text("frame"),
                 text("other_frame"), number("distance", 0.0), parameter<bool>("active", true),
                 keyword_only, points_parameter, text("x", ""), text("y", ""), text("z", ""),
                 named_numbers("with_", EmptyDict()), number("start", 0.0), number("stop", 0.0),
                 parameter<bool>("closed", false)),
      [](Description& self, const std::string& name, ConstraintDescription::Kind kind,
         const std::string& frame, const std::string& other_frame, const Expr& distance,
         bool active, const std::vector<Vec3<Expr>>& points, const std::string& x,
         const std::string& y, const std::string& z, const NamedNumbers& with, const Expr& start,
         const Expr& stop, bool closed) {
        self.constraints.push_back({name,
                                    kind,
                                    frame,
                                    other_frame,
                                    distance,
                                    active,
                                    {},
                                    {points, x, y, z, with, start, stop, closed}});
      },
      "Constraint between two frames or bodies: 'point', 'weld', 'distance' [m] or 'curve' "
      "(the origin\n"
      "of other_frame on a curve in frame: points [m] of a cubic spline, or formulas x, y, z "
      "of s from\n"
      "start to stop, with_: values of their other names; closed: it returns to its first "
      "point).\n"
      "active: False until an event grasps it.");
  describe(
      description, "spring",
      parameters(text("name"), text("frame"), text("other_frame"), keyword_only,
                 number("stiffness", 0.0), number("length", 0.0), number("damping", 0.0)),
      [](Description& self, const std::string& name, const std::string& frame,
         const std::string& other_frame, const Expr& stiffness, const Expr& length,
         const Expr& damping) {
        self.springs.push_back({name, frame, other_frame, stiffness, length, damping, {}});
      },
      "A spring and damper between two frames: [N/m], its length without force [m], [N s/m].");
}

using Starts = std::vector<StartDescription> Description::*;

// Positions and velocities of a joint, each if given.
auto adds_start(Starts positions, Starts velocities) {
  return [=](Description& self, const std::string& joint, const py::object& position,
             const py::object& velocity) {
    Reader read(self.graph);
    if (!position.is_none())
      (self.*positions).push_back({joint, read.list("position", position), {}});
    if (!velocity.is_none())
      (self.*velocities).push_back({joint, read.list("velocity", velocity), {}});
  };
}

void describe_start(Class<Description>& description) {
  const auto values =
      parameters(expr::text("joint"), keyword_only, parameter<py::object>("position", None()),
                 parameter<py::object>("velocity", None()));
  describe(description, "start", values,
           adds_start(&Description::start_positions, &Description::start_velocities),
           "Initial position of a joint: one number, or one per coordinate or degree of freedom. "
           "Assembly does not change it.");
  describe(description, "guess", values,
           adds_start(&Description::position_guesses, &Description::velocity_guesses),
           "Initial guess for the assembly of a joint: as start, but assembly may change it.");
  description
      .field("start_positions", records_of(&Description::start_positions),
             "Initial positions of joints.")
      .field("start_velocities", records_of(&Description::start_velocities),
             "Initial velocities of joints.")
      .field("position_guesses", records_of(&Description::position_guesses),
             "Initial guesses of the assembly.")
      .field("velocity_guesses", records_of(&Description::velocity_guesses),
             "Initial guesses of velocities, which assembly may change.");
}

void describe_parameters(Class<Description>& description) {
  description
      .method(
          "parameter",
          [](Description& self, const std::string& symbol, double value) {
            return BoundExpr{self.parameter(symbol, value), self.graph};
          },
          py::arg("symbol"), py::arg("value"),
          "A symbol for a number, with its nominal value; usable in any number of this "
          "description.")
      .field("graph", &Description::graph, "The graph of which its parameters are symbols.")
      .field("parameters", records_of(&Description::parameters),
             "Its symbols with their nominal values.")
      .field("definitions", records_of(&Description::definitions),
             "Names for formulas of the parameters.");
}

}  // namespace

void bind_description(py::module_& module) {
  Class<Description> description(
      module, "Description",
      "Description of a mechanism: bodies, joints, frames, forces and inputs.\n\n"
      "Numbers are floats or formulas of parameters (Expr); SI units and radians. build_model "
      "checks it.");
  description.def(py::init<std::string>(), py::arg("name") = "", "An empty description.");
  description.def_readwrite("name", &Description::name, "Name of the mechanism.");
  description.def_property(
      "gravity", [](const Description& given) { return Writer(given.graph)(given.gravity); },
      [](Description& self, const py::object& gravity) {
        self.gravity = Reader(self.graph).vector("gravity", gravity);
      },
      "Gravity in ground axes [m/s^2]; default: (0, 0, -9.81).");
  describe_parameters(description);
  describe_bodies(description);
  describe_joints(description);
  describe_constraints(description);
  describe_bushing(description);
  describe_start(description);
  describe_inputs(description);
  description.field("bodies", records_of(&Description::bodies), "Its bodies, without ground.")
      .field("joints", records_of(&Description::joints),
             "Its joints, in the order in which they were added.")
      .field("frames", records_of(&Description::frames), "Its named frames.")
      .field("wheels", records_of(&Description::wheels), "Its rolling contacts.")
      .field("couplings", records_of(&Description::couplings),
             "Its linear relations between joints.")
      .field("constraints", records_of(&Description::constraints),
             "Its constraints between frames.")
      .field("springs", records_of(&Description::springs), "Its springs between points.")
      .field("raw_sections", records_of(&Description::raw_sections),
             "Sections of the file that are stored as raw text.")
      .repr([](const Description& given) {
        return "<Description '" + given.name + "': " + std::to_string(given.bodies.size()) +
               " bodies, " + std::to_string(given.joints.size()) + " joints, " +
               std::to_string(given.frames.size()) + " frames>";
      });
}

}  // namespace trammel::python
