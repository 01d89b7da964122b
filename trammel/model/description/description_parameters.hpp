// Iteration over every number of a description, with its label: for checks of all numbers, and to
// collect the formulas.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "trammel/force/number_label.hpp"
#include "trammel/model/description/description.hpp"
#include "trammel/scalar/expr_evaluate.hpp"

namespace trammel {

template <class Visit>
void each_number(const Placement& at, std::string_view xyz, std::string_view rpy,
                 const Visit& visit) {
  each_number(at.xyz, xyz, visit);
  each_number(at.rpy, rpy, visit);
}
template <class Visit> void each_number(const BodyDescription& body, const Visit& visit) {
  const SymMat3<Expr>& I = body.solid.inertia;
  visit(NumberLabel{"mass"}, body.solid.mass);
  each_number(body.solid.com, "com", visit);
  visit(NumberLabel{"inertia", -1, "xx"}, I.xx);
  visit(NumberLabel{"inertia", -1, "xy"}, I.xy);
  visit(NumberLabel{"inertia", -1, "xz"}, I.xz);
  visit(NumberLabel{"inertia", -1, "yy"}, I.yy);
  visit(NumberLabel{"inertia", -1, "yz"}, I.yz);
  visit(NumberLabel{"inertia", -1, "zz"}, I.zz);
  for (const Shape& shape : body.shapes) {
    each_number(shape.size, "shape.size", visit);
    each_number(shape.scale, "shape.scale", visit);
    each_number(shape.at, "shape.at.xyz", "shape.at.rpy", visit);
  }
}
template <class Visit> void each_number(const JointDescription& joint, const Visit& visit) {
  const JointOptions& options = joint.options;
  each_number(options.at, "at.xyz", "at.rpy", visit);
  each_number(options.child_at, "child_at.xyz", "child_at.rpy", visit);
  each_number(options.axis, "axis", visit);
  each_number(options.axis2, "axis2", visit);
  for (std::size_t k = 0; k < options.motions.size(); ++k)
    each_number(options.motions[k].axis, "motions", visit, int(k));
  visit(NumberLabel{"pitch"}, options.pitch);
  each_number(options.stiffness, "stiffness", visit);
  each_number(options.rest, "rest", visit);
  each_number(options.damping, "damping", visit);
  each_number(options.friction, "friction", visit);
  each_number(options.friction_speed, "friction_speed", visit);
  each_number(options.limits.lower, "limits.lower", visit);
  each_number(options.limits.upper, "limits.upper", visit);
  each_number(options.limits.velocity, "limits.velocity", visit);
  each_number(options.limits.effort, "limits.effort", visit);
  each_number(options.limits.restitution, "limits.restitution", visit);
}
template <class Visit> void each_number(const FrameDescription& frame, const Visit& visit) {
  each_number(frame.at, "at.xyz", "at.rpy", visit);
}
template <class Visit> void each_number(const WheelDescription& wheel, const Visit& visit) {
  each_number(wheel.axis, "axis", visit);
  visit(NumberLabel{"radius"}, wheel.radius);
  visit(NumberLabel{"roller_angle"}, wheel.roller_angle);
  if (wheel.roller_radius) visit(NumberLabel{"roller_radius"}, *wheel.roller_radius);
  if (wheel.friction) visit(NumberLabel{"friction"}, *wheel.friction);
  visit(NumberLabel{"trail"}, wheel.trail);
  visit(NumberLabel{"mass"}, wheel.mass);
  each_number(wheel.at, "at.xyz", "at.rpy", visit);
}
template <class Visit> void each_number(const TerrainDescription& terrain, const Visit& visit) {
  for (std::size_t k = 0; k < terrain.with.size(); ++k)
    visit(NumberLabel{"with", int(k), terrain.with[k].first}, terrain.with[k].second);
  each_number(terrain.from, "from", visit);
  each_number(terrain.spacing, "spacing", visit);
  for (const std::vector<Expr>& line : terrain.heights) each_number(line, "heights", visit);
}
template <class Visit> void each_number(const CouplingDescription& coupling, const Visit& visit) {
  for (std::size_t k = 0; k < coupling.terms.size(); ++k)
    visit(NumberLabel{"terms", int(k), ""}, coupling.terms[k].second);
  visit(NumberLabel{"offset"}, coupling.offset);
}
template <class Visit>
void each_number(const ConstraintDescription& constraint, const Visit& visit) {
  visit(NumberLabel{"distance"}, constraint.distance);
  const CurveDescription& curve = constraint.curve;
  for (std::size_t k = 0; k < curve.points.size(); ++k)
    each_number(curve.points[k], "points", visit, int(k));
  for (std::size_t k = 0; k < curve.with.size(); ++k)
    visit(NumberLabel{"with", int(k), curve.with[k].first}, curve.with[k].second);
  visit(NumberLabel{"from"}, curve.from);
  visit(NumberLabel{"to"}, curve.to);
}
template <class Visit> void each_number(const MotorDescription& motor, const Visit& visit) {
  visit(NumberLabel{"gear"}, motor.gear);
  visit(NumberLabel{"rotor_inertia"}, motor.rotor_inertia);
  if (motor.stall_torque) visit(NumberLabel{"stall_torque"}, *motor.stall_torque);
  if (motor.no_load_speed) visit(NumberLabel{"no_load_speed"}, *motor.no_load_speed);
}
template <class Visit> void each_number(const InputDescription& input, const Visit& visit) {
  for (const auto& [name, values] : input.numbers) each_number(values, name, visit);
}
template <class Visit> void each_number(const WrenchDescription& wrench, const Visit& visit) {
  for (const auto* profile : {&wrench.moment, &wrench.force})
    if (*profile) each_number(**profile, visit);
}
template <class Visit>
void each_number(const ControllerDescription& controller, const Visit& visit) {
  visit(NumberLabel{"p"}, controller.p);
  visit(NumberLabel{"i"}, controller.i);
  visit(NumberLabel{"d"}, controller.d);
  visit(NumberLabel{"filter"}, controller.filter);
  if (controller.limit) visit(NumberLabel{"limit"}, *controller.limit);
  each_number(controller.target, visit);
}
template <class Visit> void each_number(const EventDescription& event, const Visit& visit) {
  if (event.time) visit(NumberLabel{"time"}, *event.time);
  visit(NumberLabel{"value"}, event.value);
}

// Iterates over all items that have a name and numbers: visit("body", body), visit("joint", joint),
// ...
template <class Visit> void each_item(const Description& description, const Visit& visit) {
  for (const auto& body : description.bodies) visit("body", body);
  for (const auto& joint : description.joints) visit("joint", joint);
  for (const auto& frame : description.frames) visit("frame", frame);
  for (const auto& wheel : description.wheels) visit("wheel", wheel);
  for (const auto& terrain : description.terrains) visit("terrain", terrain);
  for (const auto& coupling : description.couplings) visit("coupling", coupling);
  for (const auto& constraint : description.constraints) visit("constraint", constraint);
  each_force_element_list(description, [&](const auto& list) {
    for (const auto& element : list) visit(element.kind, element);
  });
  for (const auto& motor : description.motors) visit("motor", motor);
  for (const auto& input : description.inputs) visit("input", input);
  for (const auto& wrench : description.wrenches) visit("wrench", wrench);
  for (const auto& controller : description.controllers) visit("controller", controller);
  for (const auto& event : description.events) visit("event", event);
}

// The numbers that are formulas. Throws std::invalid_argument if one belongs to another
// description.
std::vector<Expr> formulas(const Description& description);

// Evaluates the formulas for values of the parameters, in the order of Description::parameters.
// Symbols of the graph that are no parameter (a function may have added its own) occur in no
// formula.
template <Scalar P>
Values<P> evaluate_numbers(const Description& description, std::span<const P> parameters) {
  std::unordered_map<std::string_view, P> by_name;
  for (std::size_t k = 0; k < description.parameters.size(); ++k)
    by_name.try_emplace(description.parameters[k].name, parameters[k]);

  std::vector<P> symbols;
  for (const std::string& symbol : description.graph.symbols()) {
    const auto found = by_name.find(symbol);
    symbols.push_back(found == by_name.end() ? P(0.0) : found->second);
  }
  const std::vector<Expr> wanted = formulas(description);
  return Values<P>(description.graph, std::span<const P>(symbols), std::span<const Expr>(wanted));
}
Values<double> evaluate_at_nominal(const Description& description);

}  // namespace trammel
