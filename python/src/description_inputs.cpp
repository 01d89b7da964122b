// Time-dependent parts of a description: terrain, contacts, motors, wrenches, inputs, controllers,
// events.
#include "bindings.hpp"
#include "description_records.hpp"
#include "expr_parameters.hpp"

namespace trammel::python {

namespace {

// A profile by its name, with its parameters; or numbers, which are constant.
InputDescription profile_of(Reader& read, const std::string& profile, const py::dict& numbers) {
  InputDescription out;
  out.profile = profile;
  for (const auto& [key, values] : numbers) {
    const auto name = py::str(key).cast<std::string>();
    out.numbers.emplace_back(name, read.list(name + " of the profile '" + profile + "'", values));
  }
  return out;
}
InputDescription profile_or_number(Reader& read, const char* what, const py::object& given) {
  if (py::isinstance<py::tuple>(given) && py::len(given) == 2 &&
      py::isinstance<py::str>(given.cast<py::tuple>()[0])) {
    const auto pair = given.cast<py::tuple>();
    if (!py::isinstance<py::dict>(pair[1]))
      throw py::type_error(std::string(what) + " has " + described(pair[1]) +
                           " behind the name of its profile: give a dict, {'to': 1, 'over': 2}");
    return profile_of(read, pair[0].cast<std::string>(), pair[1]);
  }
  InputDescription out;
  out.profile = "constant";
  out.numbers.emplace_back("value", read.list(what, given));
  return out;
}
constexpr auto profile_parameter(const char* name) {
  return parameter<py::object>(name, Required(),
                               [](Reader& read, const char* what, const py::object& given) {
                                 return profile_or_number(read, what, given);
                               });
}
using OptionalProfile = std::optional<InputDescription>;
constexpr auto optional_profile(const char* name) {
  return parameter<py::object>(
      name, None(), [](Reader& read, const char* what, const py::object& given) {
        return given.is_none() ? OptionalProfile()
                               : OptionalProfile(profile_or_number(read, what, given));
      });
}

// The default (value, value).
struct Pair {
  double value = 0;
  py::object operator()() const { return py::make_tuple(value, value); }
};

void add_terrain(Description& self, const std::string& name, const std::string& height,
                 const std::string& on, const py::dict& with, const py::object& start,
                 const py::object& spacing, const std::vector<py::object>& heights) {
  Reader read(self.graph);
  TerrainDescription terrain;
  terrain.name = name, terrain.on = on, terrain.height = height;
  terrain.with = numbers_of(read, "with_", with);
  if (height.empty()) {
    terrain.from = read.list("start", start);
    terrain.spacing = read.list("spacing", spacing);
  }
  for (const py::object& line : heights) terrain.heights.push_back(read.list("heights", line));
  self.terrains.push_back(std::move(terrain));
}

void add_controller(Description& self, const std::string& name, const std::string& joint,
                    const InputDescription& target, const Expr& p, const Expr& i, const Expr& d,
                    const Expr& filter, const std::optional<Expr>& limit, const std::string& rate) {
  ControllerDescription controller;
  controller.is_rate_of_joint =
      choice<bool>("controller: rate", rate, {{"error", false}, {"joint", true}});
  controller.name = name, controller.joint = joint;
  controller.p = p, controller.i = i, controller.d = d;
  controller.filter = filter, controller.limit = limit;
  controller.target = target;
  controller.target.name = name, controller.target.joint = joint;
  self.controllers.push_back(std::move(controller));
}

using Names = std::vector<std::string>;

void add_event(Description& self, const std::string& name, const py::object& at,
               const py::object& when, const Names& lock, const Names& unlock, const Names& grasp,
               const Names& release, bool stop, const std::string& way, bool every) {
  using Way = EventDescription::Way;
  Reader read(self.graph);
  EventDescription event;
  event.name = name;
  if (at.is_none() == when.is_none())
    throw std::invalid_argument("event: give a time, at, or a joint and a value, when");
  event.time = if_given(read, "at", at);
  if (!when.is_none()) {
    const bool is_pair = py::isinstance<py::sequence>(when) && py::hasattr(when, "__len__") &&
                         py::len(when) == 2 &&
                         py::isinstance<py::str>(py::object(when[py::int_(0)]));
    if (!is_pair)
      throw py::type_error("event: when is " + described(when) +
                           ": give a joint and a value, ('elbow', 0.5)");
    event.joint = py::object(when[py::int_(0)]).cast<std::string>();
    event.value = read.number("when", py::object(when[py::int_(1)]));
  }
  event.way =
      choice<Way>("event: way", way, {{"up", Way::up}, {"down", Way::down}, {"both", Way::both}});
  event.lock = lock, event.unlock = unlock, event.grasp = grasp, event.release = release;
  event.stops = stop;
  event.every = every;
  self.events.push_back(std::move(event));
}

void describe_contacts_and_motors(py::class_<Description>& description) {
  using expr::number, expr::optional_number, expr::text, expr::vector;
  describe(
      description, "contact",
      parameters(text("name"), text("body"), number("stiffness"), keyword_only,
                 text("on", "ground"), vector("at"), number("radius", 0.0),
                 number("dissipation", 0.0), number("friction", 0.0),
                 number("slip_speed", default_friction_speed)),
      [](Description& self, const std::string& name, const std::string& body, const Expr& stiffness,
         const std::string& on, const Vec3<Expr>& at, const Expr& radius, const Expr& dissipation,
         const Expr& friction, const Expr& slip_speed) {
        ContactDescription contact;
        contact.name = name, contact.body = body, contact.on = on, contact.at = at;
        contact.radius = radius, contact.stiffness = stiffness, contact.dissipation = dissipation;
        contact.friction = friction, contact.slip_speed = slip_speed;
        self.contacts.push_back(std::move(contact));
      },
      "A sphere or point of a body that may touch the ground, which pushes back: stiffness "
      "[N/m^1.5],\n"
      "dissipation [s/m], friction and the speed below which friction fades [m/s].");
  describe(
      description, "motor",
      parameters(text("name"), text("joint"), keyword_only, number("gear", 1.0),
                 number("rotor_inertia", 0.0), optional_number("stall_torque"),
                 optional_number("no_load_speed")),
      [](Description& self, const std::string& name, const std::string& joint, const Expr& gear,
         const Expr& rotor_inertia, const std::optional<Expr>& stall_torque,
         const std::optional<Expr>& no_load_speed) {
        self.motors.push_back({name, joint, gear, rotor_inertia, stall_torque, no_load_speed, {}});
      },
      "Motor of a joint: gear ratio, rotor inertia [kg m^2], and how its torque decreases with "
      "speed.");
}

void describe_surroundings(py::class_<Description>& description) {
  using expr::text;
  describe(
      description, "terrain",
      parameters(text("name"), text("height", ""), keyword_only, text("on", "ground"),
                 parameter<py::dict>("with_", EmptyDict()),
                 parameter<py::object>("start", Pair{0.0}),
                 parameter<py::object>("spacing", Pair{1.0}),
                 parameter<std::vector<py::object>>("heights", EmptyTuple())),
      add_terrain,
      "Terrain: height is a formula of x and y (with_: values of its other names), or heights\n"
      "are given on a grid, one list for each x.");
  describe(
      description, "wrench",
      parameters(text("name"), text("at"), optional_profile("force"), optional_profile("moment"),
                 keyword_only, text("axes", "world")),
      [](Description& self, const std::string& name, const std::string& at,
         const OptionalProfile& force, const OptionalProfile& moment, const std::string& axes) {
        const bool own = choice<bool>("wrench: axes", axes, {{"world", false}, {"own", true}});
        self.wrenches.push_back({name, at, own, moment, force, {}});
      },
      "An external force [N] and moment [N m] at a frame or body: three numbers each, or\n"
      "('sine', {'amplitude': (0, 0, 1), 'frequency': 2}).");
  describe(
      description, "move_ground",
      parameters(optional_profile("position"), optional_profile("yaw_pitch_roll")),
      [](Description& self, const OptionalProfile& position, const OptionalProfile& angles) {
        self.ground_motion = GroundMotionDescription{position, angles, {}};
      },
      "Motion of ground: profiles with three components, as in ('sine', {...}).");
}

void describe_control(Class<Description>& description) {
  using expr::names, expr::number, expr::optional_number, expr::text;
  description.method(
      "input",
      [](Description& self, const std::string& name, const std::string& joint,
         const std::string& profile, const py::kwargs& numbers) {
        Reader read(self.graph);
        InputDescription input = profile_of(read, profile, numbers);
        input.name = name, input.joint = joint;
        self.inputs.push_back(std::move(input));
      },
      py::arg("name"), py::arg("joint"), py::arg("profile"),
      "An effort over time, or the prescribed motion of a joint driven by motion: a profile "
      "('ramp', ...)\n"
      "and its parameters, as in to=2, over=5.");
  describe(description, "controller",
           parameters(text("name"), text("joint"), profile_parameter("target"), keyword_only,
                      number("p", 0.0), number("i", 0.0), number("d", 0.0), number("filter", 0.0),
                      optional_number("limit"), text("rate", "error")),
           add_controller,
           "Controller that moves a joint to its target: a number, or ('ramp', {'to': 1, 'over': "
           "2}).");
  describe(description, "event",
           parameters(text("name"), keyword_only, parameter<py::object>("at", None()),
                      parameter<py::object>("when", None()), names("lock"), names("unlock"),
                      names("grasp"), names("release"), parameter<bool>("stop", false),
                      text("way", "both"), parameter<bool>("every", false)),
           add_event,
           "Event at a time, or when=(joint, value) is crossed, once or every time: joints lock\n"
           "and unlock, constraints grasp and release, the run stops.");
}

}  // namespace

void describe_inputs(Class<Description>& description) {
  describe_contacts_and_motors(description);
  describe_surroundings(description);
  describe_control(description);
  description.field("terrains", records_of(&Description::terrains), "Terrains.")
      .field("wrenches", records_of(&Description::wrenches), "External forces over time.")
      .field("contacts", records_of(&Description::contacts), "Contacts with the ground.")
      .field("motors", records_of(&Description::motors), "Its motors.")
      .field("inputs", records_of(&Description::inputs), "Efforts over time.")
      .field("controllers", records_of(&Description::controllers),
             "Controllers of joints and their targets.")
      .field("events", records_of(&Description::events), "Events.");
}

}  // namespace trammel::python
