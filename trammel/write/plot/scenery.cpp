#include "trammel/write/plot/scenery.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "trammel/model/build/parameters.hpp"
#include "trammel/model/description/description_parameters.hpp"
#include "trammel/model/description/frames.hpp"
#include "trammel/write/held.hpp"
#include "trammel/write/upright.hpp"

namespace trammel {

namespace {

bool is_wheel(const Model& model, BodyId body) {
  return std::ranges::any_of(model.wheels(),
                             [&](const Wheel& wheel) { return wheel.child == body; });
}

ShapeOutline moved(ShapeOutline shape, const Pose<double>& X) {
  for (Vec3<double>& p : shape.points) p = X * p;
  for (ShapeOutline::Face& face : shape.faces) {
    face.normal = X.R * face.normal;
    for (Vec3<double>& p : face.corners) p = X * p;
  }
  shape.center = X * shape.center;
  return shape;
}

constexpr int around = 40;  // points of a circle

Vec3<double> on_circle(int k, double radius, double height) {
  const double angle = 2 * std::numbers::pi * k / around;
  return {radius * std::cos(angle), radius * std::sin(angle), height};
}

// Half balls at both ends; a ball without length.
void add_capsule(ShapeOutline& out, double radius, double length) {
  for (const double end : {-1.0, 1.0})
    for (int ring = 0; ring <= 8; ++ring) {
      const double latitude = std::numbers::pi / 2 * ring / 8;
      for (int k = 0; k < around; ++k)
        out.points.push_back(on_circle(k, radius * std::cos(latitude),
                                       end * (length / 2 + radius * std::sin(latitude))));
    }
}

void add_cylinder(ShapeOutline& out, double radius, double length) {
  for (const double end : {-1.0, 1.0}) {
    ShapeOutline::Face cap{{0, 0, end}, {}};
    for (int k = 0; k < around; ++k) cap.corners.push_back(on_circle(k, radius, end * length / 2));
    out.points.insert(out.points.end(), cap.corners.begin(), cap.corners.end());
    out.faces.push_back(std::move(cap));
  }
}

void add_box(ShapeOutline& out, const Vec3<double>& size) {
  const auto corner = [&](double x, double y, double z) {
    return Vec3<double>{x * size.x / 2, y * size.y / 2, z * size.z / 2};
  };
  for (const double x : {-1.0, 1.0})
    for (const double y : {-1.0, 1.0})
      for (const double z : {-1.0, 1.0}) out.points.push_back(corner(x, y, z));
  for (const double s : {-1.0, 1.0}) {
    out.faces.push_back(
        {{s, 0, 0}, {corner(s, -1, -1), corner(s, 1, -1), corner(s, 1, 1), corner(s, -1, 1)}});
    out.faces.push_back(
        {{0, s, 0}, {corner(-1, s, -1), corner(1, s, -1), corner(1, s, 1), corner(-1, s, 1)}});
    out.faces.push_back(
        {{0, 0, s}, {corner(-1, -1, s), corner(1, -1, s), corner(1, 1, s), corner(-1, 1, s)}});
  }
}

ShapeOutline outline_of(const Shape& shape, const Vec3<double>& size) {
  ShapeOutline out;
  out.color = shape.color;
  switch (shape.kind) {
    case Shape::Kind::box: add_box(out, size); break;
    case Shape::Kind::sphere: add_capsule(out, size.x, 0); break;
    case Shape::Kind::cylinder: add_cylinder(out, size.x, size.y); break;
    case Shape::Kind::capsule: add_capsule(out, size.x, size.y); break;
    case Shape::Kind::mesh: break;
  }
  return out;
}

}  // namespace

std::vector<ShapeOutline> shape_outlines(const Model& model) {
  const Description& description = model.description();
  const Values<double> value = evaluate_at_nominal(description);
  std::vector<ShapeOutline> out;
  for (std::size_t b = 0; b < description.bodies.size(); ++b) {
    const std::vector<Shape>& shapes = description.bodies[b].shapes;
    const bool are_collision =
        std::ranges::all_of(shapes, [](const Shape& shape) { return shape.is_collision; });
    for (const Shape& shape : shapes) {
      if (shape.kind == Shape::Kind::mesh || shape.is_collision != are_collision) continue;
      out.push_back(
          moved(outline_of(shape, value_of(shape.size, value)), pose_of(shape.at, value)));
      out.back().body = int(b) + 1;  // ground is body 0
    }
  }
  return out;
}

Scenery look(const Model& model, const Kinematics& kinematics, double axis_length,
             std::span<const ShapeOutline> shapes) {
  Scenery out;
  const Mat3<double> upright = upright_rotation(up_direction(model));
  const auto X = [&](BodyId body) {
    return Pose<double>{upright, {}} * pose(model, kinematics, {body});
  };
  std::vector<bool> has_shape(model.named_bodies().size(), false);
  for (const ShapeOutline& shape : shapes) {
    out.shapes.push_back(moved(shape, X(BodyId(shape.body))));
    has_shape[std::size_t(shape.body)] = true;
  }
  for (std::size_t k = 0; k < model.wheels().size(); ++k) {
    const BodyId body = model.wheels()[k].child;
    const WheelNumbers<double>& at = model.numbers().wheels[k];
    const Pose<double> X_WD =
        X(body) * inverse(model.numbers().X_BU[std::size_t(index(body))]) * at.X_CM;
    out.disks.push_back({X_WD.p, {at.radius * X_WD.R.x, at.radius * X_WD.R.y}});
  }
  for (const JointId id : model.outward_joints()) {
    const NamedJoint& joint = model[id];
    const Pose<double> X_WF = X(joint.parent) * joint.X_PF, X_WM = X(joint.child) * joint.X_CM;
    if (joint.role == NamedJoint::Role::tree) {
      if (holds_point(joint)) out.sticks.push_back({X_WF.p, X_WM.p, "slide"});
      const int k = joint.v_start;
      const Motion<double>& S = kinematics.axes[std::size_t(k)];
      const Vec3<double> along = norm(S.angular) > norm(S.linear) ? S.angular : S.linear;
      const BodyId outer = joint.is_reversed ? joint.parent : joint.child;
      out.signs.push_back({X_WM.p, upright * along, &joint, !is_wheel(model, outer)});
    }
    for (const BodyId ground_side : {joint.parent, joint.child})
      if (model[ground_side].tree_body == 0 && joint.role == NamedJoint::Role::tree &&
          holds_point(joint))
        out.anchors.push_back(X_WF.p);

    // the outboard body: from this joint to every joint and frame further outward
    const BodyId body = joint.is_reversed ? joint.parent : joint.child;
    const Vec3<double> root = joint.is_reversed ? X_WF.p : X_WM.p;
    const Inertia<double>& I = model.numbers().own_inertia[std::size_t(index(body))];
    if (model[body].tree_body == 0 && !(I.mass > 0)) continue;  // an included model's ground
    const std::size_t so_far = out.sticks.size();
    const auto add_stick = [&](const Vec3<double>& end) {
      out.sticks.push_back({root, end, "body", index(body)});
      out.sticks.back().is_drawn = !has_shape[std::size_t(index(body))];
    };
    for (const JointId next_id : model.outward_joints()) {
      const NamedJoint& next = model[next_id];
      if ((next.is_reversed ? next.child : next.parent) != body) continue;
      const Pose<double> X_next =
          next.is_reversed ? X(next.child) * next.X_CM : X(next.parent) * next.X_PF;
      add_stick(X_next.p);
    }
    for (const NamedJoint& loop : model.joints()) {
      if (loop.role != NamedJoint::Role::loop || (loop.parent != body && loop.child != body))
        continue;
      const Vec3<double> end = loop.parent == body ? X(body) * loop.X_PF.p : X(body) * loop.X_CM.p;
      add_stick(end);
    }
    for (const NamedFrame& frame : model.frames()) {
      if (frame.body != body) continue;
      const std::size_t f = std::size_t(&frame - model.frames().data());
      const Pose<double> X_WA = X(body) * model.numbers().X_UF[f];
      add_stick(X_WA.p);
      out.axes.push_back({X_WA.p, X_WA.p + axis_length * X_WA.R.x, "#d1495b"});
      out.axes.push_back({X_WA.p, X_WA.p + axis_length * X_WA.R.y, "#3d9970"});
      out.axes.push_back({X_WA.p, X_WA.p + axis_length * X_WA.R.z, "#2f6fde"});
    }
    // a free joint constrains nothing: no symbol if sticks show the body
    if (out.sticks.size() > so_far && joint.kind == JointKind::free &&
        joint.role == NamedJoint::Role::tree)
      out.signs.back().is_drawn = false;
    // terminal body: a stick to its center of mass
    if (out.sticks.size() > so_far || !(I.mass > 0) || is_wheel(model, body)) continue;
    const Vec3<double> com = X(body) * ((1 / I.mass) * I.first_moment);
    if (norm(com - root) > 1e-9 * model.characteristic_length()) add_stick(com);
  }
  for (const NamedJoint& joint : model.joints())  // the axes of cut joints are not known
    if (joint.role == NamedJoint::Role::loop && joint.kind != JointKind::free)
      out.signs.push_back({X(joint.parent) * joint.X_PF.p, {}, &joint});
  return out;
}

}  // namespace trammel
