// Time-dependent parts of a description: contacts, motors, inputs, controllers, events.
#include <pybind11/stl.h>

#include "bindings.hpp"
#include "names.hpp"
#include "numbers.hpp"
#include "records.hpp"

namespace trammel::python {

namespace {

py::object input_record(const Writer& write, const InputDescription& input) {
  py::dict numbers;
  for (const auto& [name, values] : input.numbers) numbers[py::str(name)] = write(values);
  return record("InputDescription", input.name, input.joint, input.profile, numbers,
                to_python(input.place));
}
py::tuple inputs(const Description& given) {
  const Writer write(given.graph);
  return each(given.inputs, [&](const InputDescription& i) { return input_record(write, i); });
}
py::object profile_record(const Writer& write, const std::optional<InputDescription>& profile) {
  return profile ? input_record(write, *profile) : py::object(py::none());
}
py::tuple wrenches(const Description& given) {
  const Writer write(given.graph);
  return each(given.wrenches, [&](const WrenchDescription& w) {
    return record("WrenchDescription", w.name, w.at, w.is_in_own_axes,
                  profile_record(write, w.moment), profile_record(write, w.force),
                  to_python(w.place));
  });
}
py::tuple terrains(const Description& given) {
  const Writer write(given.graph);
  return each(given.terrains, [&](const TerrainDescription& t) {
    py::dict with;
    for (const auto& [name, number] : t.with) with[py::str(name)] = write(number);
    return record("TerrainDescription", t.name, t.on, t.height, with, write(t.from),
                  write(t.spacing),
                  each(t.heights, [&](const std::vector<Expr>& line) { return write(line); }),
                  to_python(t.place));
  });
}
py::tuple contacts(const Description& given) {
  const Writer write(given.graph);
  return each(given.contacts, [&](const ContactDescription& c) {
    return record("ContactDescription", c.name, c.body, c.on, write(c.at), write(c.radius),
                  write(c.stiffness), write(c.dissipation), write(c.friction), write(c.slip_speed),
                  to_python(c.place));
  });
}
py::tuple motors(const Description& given) {
  const Writer write(given.graph);
  return each(given.motors, [&](const MotorDescription& m) {
    return record("MotorDescription", m.name, m.joint, write(m.gear), write(m.rotor_inertia),
                  when_given(write, m.stall_torque), when_given(write, m.no_load_speed),
                  to_python(m.place));
  });
}
py::tuple controllers(const Description& given) {
  const Writer write(given.graph);
  return each(given.controllers, [&](const ControllerDescription& c) {
    return record("ControllerDescription", c.name, c.joint, write(c.p), write(c.i), write(c.d),
                  write(c.filter), when_given(write, c.limit), c.is_rate_of_joint,
                  input_record(write, c.target), to_python(c.place));
  });
}
py::tuple events(const Description& given) {
  const Writer write(given.graph);
  static constexpr const char* ways[] = {"up", "down", "both"};
  return each(given.events, [&](const EventDescription& e) {
    return record("EventDescription", e.name, when_given(write, e.time), e.joint, write(e.value),
                  ways[int(e.way)], e.every, py::tuple(py::cast(e.lock)),
                  py::tuple(py::cast(e.unlock)), py::tuple(py::cast(e.grasp)),
                  py::tuple(py::cast(e.release)), e.stops, to_python(e.place));
  });
}

// A profile by its name, with its parameters; or one number, which is constant.
InputDescription profile_of(Reader& read, const std::string& profile, const py::dict& numbers) {
  InputDescription out;
  out.profile = profile;
  for (const auto& [name, values] : numbers)
    out.numbers.emplace_back(name.cast<std::string>(),
                             read.list(py::reinterpret_borrow<py::object>(values)));
  return out;
}

InputDescription profile_or_number(Reader& read, const py::object& given) {
  if (py::isinstance<py::tuple>(given) && py::len(given) == 2 &&
      py::isinstance<py::str>(given.cast<py::tuple>()[0])) {
    const auto pair = given.cast<std::pair<std::string, py::dict>>();
    return profile_of(read, pair.first, pair.second);
  }
  InputDescription out;
  out.profile = "constant";
  out.numbers.emplace_back("value", read.list(given));
  return out;
}
std::optional<InputDescription> three_if_given(Reader& read, const py::object& given) {
  return given.is_none() ? std::nullopt : std::optional(profile_or_number(read, given));
}

void add_terrain(Description& given, const std::string& name, const std::string& height,
                 const std::string& on, const py::dict& with, const py::object& start,
                 const py::object& spacing, const std::vector<py::object>& heights) {
  Reader read(given.graph);
  TerrainDescription terrain;
  terrain.name = name, terrain.on = on, terrain.height = height;
  for (const auto& [symbol, number] : with)
    terrain.with.emplace_back(symbol.cast<std::string>(),
                              read.number(py::reinterpret_borrow<py::object>(number)));
  if (height.empty()) {
    terrain.from = read.list(start);
    terrain.spacing = read.list(spacing);
  }
  for (const py::object& line : heights) terrain.heights.push_back(read.list(line));
  given.terrains.push_back(std::move(terrain));
}

void add_wrench(Description& given, const std::string& name, const std::string& at,
                const py::object& force, const py::object& moment, const std::string& axes) {
  if (axes != "world" && axes != "own")
    throw std::invalid_argument("wrench: axes is '" + axes + "', it is world or own");
  Reader read(given.graph);
  given.wrenches.push_back(
      {name, at, axes == "own", three_if_given(read, moment), three_if_given(read, force), {}});
}

void move_ground(Description& given, const py::object& position, const py::object& yaw_pitch_roll) {
  Reader read(given.graph);
  given.ground_motion = GroundMotionDescription{
      three_if_given(read, position), three_if_given(read, yaw_pitch_roll), {}};
}

void add_input(Description& given, const std::string& name, const std::string& joint,
               const std::string& profile, const py::kwargs& numbers) {
  Reader read(given.graph);
  InputDescription input = profile_of(read, profile, numbers);
  input.name = name;
  input.joint = joint;
  given.inputs.push_back(std::move(input));
}

void add_controller(Description& given, const std::string& name, const std::string& joint,
                    const py::object& target, const py::object& p, const py::object& i,
                    const py::object& d, const py::object& filter, const py::object& limit,
                    const std::string& rate) {
  if (rate != "error" && rate != "joint")
    throw std::invalid_argument("controller: rate is '" + rate + "', it is error or joint");
  Reader read(given.graph);
  ControllerDescription controller;
  controller.name = name;
  controller.joint = joint;
  controller.p = read.number(p);
  controller.i = read.number(i);
  controller.d = read.number(d);
  controller.filter = read.number(filter);
  controller.limit = if_given(read, limit);
  controller.is_rate_of_joint = rate == "joint";
  controller.target = profile_or_number(read, target);
  controller.target.name = name;
  controller.target.joint = joint;
  given.controllers.push_back(std::move(controller));
}

void add_event(Description& given, const std::string& name, const py::object& at,
               const py::object& when, const std::vector<std::string>& lock,
               const std::vector<std::string>& unlock, const std::vector<std::string>& grasp,
               const std::vector<std::string>& release, bool stop, const std::string& way,
               bool every) {
  using Way = EventDescription::Way;
  Reader read(given.graph);
  EventDescription event;
  event.name = name;
  if (at.is_none() == when.is_none())
    throw std::invalid_argument("event: give a time, at, or a joint and a value, when");
  event.time = if_given(read, at);
  if (!when.is_none()) {
    const auto pair = when.cast<std::pair<std::string, py::object>>();
    event.joint = pair.first;
    event.value = read.number(pair.second);
  }
  if (way != "up" && way != "down" && way != "both")
    throw std::invalid_argument("event: way is '" + way + "', it is up, down or both");
  event.way = way == "up" ? Way::up : way == "down" ? Way::down : Way::both;
  event.lock = lock, event.unlock = unlock, event.grasp = grasp, event.release = release;
  event.stops = stop;
  event.every = every;
  given.events.push_back(std::move(event));
}

}  // namespace

void bind_described_motion(py::class_<Description>& description) {
  description
      .def(
          "contact",
          [](Description& given, const std::string& name, const std::string& body,
             const py::object& stiffness, const std::string& on, const py::object& at,
             const py::object& radius, const py::object& dissipation, const py::object& friction,
             const py::object& slip_speed) {
            Reader read(given.graph);
            ContactDescription contact;
            contact.name = name, contact.body = body, contact.on = on;
            contact.at = read.vector("at", at);
            contact.radius = read.number(radius);
            contact.stiffness = read.number(stiffness);
            contact.dissipation = read.number(dissipation);
            contact.friction = read.number(friction);
            contact.slip_speed = read.number(slip_speed);
            given.contacts.push_back(std::move(contact));
          },
          py::arg("name"), py::arg("body"), py::arg("stiffness"), py::kw_only(),
          py::arg("on") = "ground", py::arg("at") = py::make_tuple(0.0, 0.0, 0.0),
          py::arg("radius") = 0.0, py::arg("dissipation") = 0.0, py::arg("friction") = 0.0,
          py::arg("slip_speed") = default_friction_speed,
          "A sphere or point of a body that may touch the ground, which pushes back: stiffness "
          "[N/m^1.5],\n"
          "dissipation [s/m], friction and the speed below which friction fades [m/s].")
      .def(
          "motor",
          [](Description& given, const std::string& name, const std::string& joint,
             const py::object& gear, const py::object& rotor_inertia,
             const py::object& stall_torque, const py::object& no_load_speed) {
            Reader read(given.graph);
            given.motors.push_back({name,
                                    joint,
                                    read.number(gear),
                                    read.number(rotor_inertia),
                                    if_given(read, stall_torque),
                                    if_given(read, no_load_speed),
                                    {}});
          },
          py::arg("name"), py::arg("joint"), py::kw_only(), py::arg("gear") = 1.0,
          py::arg("rotor_inertia") = 0.0, py::arg("stall_torque") = py::none(),
          py::arg("no_load_speed") = py::none(),
          "Motor of a joint: gear ratio, rotor inertia [kg m^2], and how its torque decreases "
          "with speed.")
      .def("terrain", &add_terrain, py::arg("name"), py::arg("height") = "", py::kw_only(),
           py::arg("on") = "ground", py::arg("with_") = py::dict(),
           py::arg("start") = py::make_tuple(0.0, 0.0),
           py::arg("spacing") = py::make_tuple(1.0, 1.0),
           py::arg("heights") = std::vector<py::object>{},
           "Terrain: height is a formula of x and y (with_: values of its other names), or "
           "heights\n"
           "are given on a grid, one list for each x.")
      .def("wrench", &add_wrench, py::arg("name"), py::arg("at"), py::arg("force") = py::none(),
           py::arg("moment") = py::none(), py::kw_only(), py::arg("axes") = "world",
           "An external force [N] and moment [N m] at a frame or body: three numbers each, or\n"
           "('sine', {'amplitude': (0, 0, 1), 'frequency': 2}).")
      .def("move_ground", &move_ground, py::arg("position") = py::none(),
           py::arg("yaw_pitch_roll") = py::none(),
           "Motion of ground: profiles with three components, as in ('sine', {...}).")
      .def("input", &add_input, py::arg("name"), py::arg("joint"), py::arg("profile"),
           "An effort over time, or the prescribed motion of a joint driven by motion: a profile "
           "('ramp', ...)\n"
           "and its parameters, as in to=2, over=5.")
      .def("controller", &add_controller, py::arg("name"), py::arg("joint"), py::arg("target"),
           py::kw_only(), py::arg("p") = 0.0, py::arg("i") = 0.0, py::arg("d") = 0.0,
           py::arg("filter") = 0.0, py::arg("limit") = py::none(), py::arg("rate") = "error",
           "Controller that holds a joint at its target: a number, or ('ramp', {'to': 1, 'over': "
           "2}).")
      .def("event", &add_event, py::arg("name"), py::kw_only(), py::arg("at") = py::none(),
           py::arg("when") = py::none(), py::arg("lock") = std::vector<std::string>{},
           py::arg("unlock") = std::vector<std::string>{},
           py::arg("grasp") = std::vector<std::string>{},
           py::arg("release") = std::vector<std::string>{}, py::arg("stop") = false,
           py::arg("way") = "both", py::arg("every") = false,
           "Event at a time, or when=(joint, value) is crossed, once or every time: joints lock\n"
           "and unlock, constraints grasp and release, the run stops.")
      .def_property_readonly("terrains", &terrains, "Terrains.")
      .def_property_readonly("wrenches", &wrenches, "External forces over time.")
      .def_property_readonly("contacts", &contacts, "Contacts with the ground.")
      .def_property_readonly("motors", &motors, "Its motors.")
      .def_property_readonly("inputs", &inputs, "Efforts over time.")
      .def_property_readonly("controllers", &controllers,
                             "Controllers that hold joints at "
                             "targets.")
      .def_property_readonly("events", &events, "Events.");
}

}  // namespace trammel::python
