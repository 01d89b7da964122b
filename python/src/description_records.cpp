#include "description_records.hpp"

#include <pybind11/stl.h>

#include "names.hpp"

namespace trammel::python {

py::object to_record(const Writer& write, const Shape& s) {
  return write.record("Shape", s.kind, s.size, s.mesh, s.scale, s.at, s.color, s.is_collision,
                      s.name, s.place);
}
py::object to_record(const Writer& write, const BodyDescription& body) {
  return write.record("BodyDescription", body.name, body.solid, records_of(write, body.shapes),
                      body.place);
}
py::object to_record(const Writer& write, const JointStep& step) {
  return write.record("JointStep", step.kind, step.axis);
}
py::object to_record(const Writer& write, const JointDescription& joint) {
  const JointOptions& o = joint.options;
  const BasicJointLimits<Expr>& l = o.limits;
  return write.record(
      "JointDescription", joint.name, joint.kind, joint.parent, joint.child, o.at, o.child_at,
      o.axis, o.axis2, records_of(write, o.motions), o.pitch, o.drive, o.cut, o.stiffness, o.rest,
      o.damping, o.friction, o.friction_speed,
      write.record("JointLimits", l.lower, l.upper, l.velocity, l.effort, l.restitution),
      joint.place);
}
py::object to_record(const Writer& write, const FrameDescription& f) {
  return write.record("FrameDescription", f.name, f.body, f.at, f.place);
}
py::object to_record(const Writer& write, const WheelDescription& w) {
  return write.record("WheelDescription", w.name, w.body, w.on, w.axis, w.radius, w.kind,
                      w.roller_angle, w.roller_radius, w.friction, w.trail, w.mass, w.at, w.touches,
                      w.place);
}
py::object to_record(const Writer& write, const CouplingDescription& c) {
  return write.record("CouplingDescription", c.name, c.terms, c.offset, c.place);
}
py::object to_record(const Writer& write, const CurveDescription& c) {
  return write.record("CurveDescription",
                      each(c.points, [&](const Vec3<Expr>& point) { return write(point); }), c.x,
                      c.y, c.z, c.with, c.from, c.to, c.closed);
}
py::object to_record(const Writer& write, const ConstraintDescription& c) {
  const bool has_curve = c.kind == ConstraintDescription::Kind::curve;
  return write.record("ConstraintDescription", c.name, c.kind, c.frame, c.other_frame, c.distance,
                      c.active, c.place,
                      has_curve ? to_record(write, c.curve) : py::object(py::none()));
}
py::object to_record(const Writer& write, const SpringDescription& s) {
  return write.record("SpringDescription", s.name, s.frame, s.other_frame, s.stiffness, s.length,
                      s.damping, s.place);
}
// Its diagonal, or six rows of six.
static py::tuple bushing_rows(const Writer& write, const std::vector<Expr>& values) {
  if (values.size() != 36) return write(values);
  py::tuple rows(6);
  for (std::size_t i = 0; i < 6; ++i)
    rows[i] = write(std::vector<Expr>(values.begin() + std::ptrdiff_t(6 * i),
                                      values.begin() + std::ptrdiff_t(6 * i + 6)));
  return rows;
}
py::object to_record(const Writer& write, const BushingDescription& b) {
  py::dict tables;
  for (std::size_t axis = 0; axis < 6; ++axis)
    if (const auto& table = b.tables[axis]; !table.is_empty())
      tables[BushingDescription::axes[axis]] = py::make_tuple(write(table.at), write(table.force));
  const bool is_cubic = b.interpolation == BushingDescription::Interpolation::cubic;
  return write.record("BushingDescription", b.name, b.frame, b.other_frame,
                      bushing_rows(write, b.stiffness), bushing_rows(write, b.damping), b.preload,
                      tables, std::string(is_cubic ? "cubic" : "linear"), b.place);
}
py::object to_record(const Writer& write, const StartDescription& s) {
  return write.record("StartDescription", s.joint, s.values, s.place);
}
py::object to_record(const Writer& write, const ParameterDescription& p) {
  return write.record("ParameterDescription", p.name, p.value, p.place);
}
py::object to_record(const Writer& write, const DefinitionDescription& d) {
  return write.record("DefinitionDescription", d.name, d.formula, d.place);
}
py::object to_record(const Writer& write, const RawSection& section) {
  return write.record("RawSection", section.name, section.text, section.place);
}

py::object to_record(const Writer& write, const TerrainDescription& t) {
  return write.record("TerrainDescription", t.name, t.on, t.height, t.with, t.from, t.spacing,
                      each(t.heights, [&](const std::vector<Expr>& line) { return write(line); }),
                      t.place);
}
py::object to_record(const Writer& write, const ContactDescription& c) {
  return write.record("ContactDescription", c.name, c.body, c.on, c.at, c.radius, c.stiffness,
                      c.dissipation, c.friction, c.slip_speed, c.place);
}
py::object to_record(const Writer& write, const MotorDescription& m) {
  return write.record("MotorDescription", m.name, m.joint, m.gear, m.rotor_inertia, m.stall_torque,
                      m.no_load_speed, m.place);
}
py::object to_record(const Writer& write, const WrenchDescription& w) {
  const auto profile = [&](const std::optional<InputDescription>& given) {
    return given ? to_record(write, *given) : py::object(py::none());
  };
  return write.record("WrenchDescription", w.name, w.at, w.is_in_own_axes, profile(w.moment),
                      profile(w.force), w.place);
}
py::object to_record(const Writer& write, const InputDescription& i) {
  return write.record("InputDescription", i.name, i.joint, i.profile, i.numbers, i.place);
}
py::object to_record(const Writer& write, const ControllerDescription& c) {
  return write.record("ControllerDescription", c.name, c.joint, c.p, c.i, c.d, c.filter, c.limit,
                      c.is_rate_of_joint, to_record(write, c.target), c.place);
}
py::object to_record(const Writer& write, const EventDescription& e) {
  static constexpr const char* ways[] = {"up", "down", "both"};
  return write.record("EventDescription", e.name, e.time, e.joint, e.value, ways[int(e.way)],
                      e.every, e.lock, e.unlock, e.grasp, e.release, e.stops, e.place);
}

}  // namespace trammel::python
