#include "trammel/write/report/scene.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "trammel/model/build/parameters.hpp"
#include "trammel/model/build/physical_inertia.hpp"
#include "trammel/model/description/description_parameters.hpp"
#include "trammel/model/description/frames.hpp"
#include "trammel/model/description/joint_table.hpp"
#include "trammel/write/held.hpp"
#include "trammel/write/upright.hpp"

namespace trammel {

namespace {

std::string text_of(const Vec3<double>& a) {
  return fmt::format("{:.6g}, {:.6g}, {:.6g}", a.x, a.y, a.z);
}

// The solid ellipsoid of uniform density with this mass and inertia.
Scene3d::Ellipsoid ellipsoid_of(double mass, const Vec3<double>& com, const SymMat3<double>& I) {
  Eigen::Matrix3d inertia;
  inertia << I.xx, I.xy, I.xz, I.xy, I.yy, I.yz, I.xz, I.yz, I.zz;
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> principal(inertia);
  const Eigen::Vector3d moments = principal.eigenvalues();
  Eigen::Matrix3d axes = principal.eigenvectors();
  if (axes.determinant() < 0) axes.col(2) *= -1;
  const auto half = [&](int k) {  // a moment is mass / 5 times the sum of the other two squares
    return std::sqrt(std::max(0.0, 2.5 / mass * (moments.sum() - 2 * moments(k))));
  };
  const auto column = [&](int k) { return Vec3<double>{axes(0, k), axes(1, k), axes(2, k)}; };
  return {{{column(0), column(1), column(2)}, com}, {half(0), half(1), half(2)}};
}

class SceneMaker {
 public:
  SceneMaker(const Model& model, const std::vector<std::string>& meshes)
      : model_(model),
        meshes_(meshes),
        description_(model.description()),
        value_(evaluate_at_nominal(description_)),
        sizes_(body_sizes(description_, value_)),
        bodies_(model.named_bodies().size()) {}

  Scene3d make() {
    scene_.figures.resize(bodies_);
    for (std::size_t k = 0; k < bodies_; ++k)
      scene_.figures[k].name = model_.named_bodies()[k].name;
    find_places();
    for (std::size_t k = 1; k < bodies_; ++k)
      fill(scene_.figures[k], BodyId(int(k)), description_.bodies[k - 1]);  // without ground
    for (std::size_t k = 0; k < model_.wheels().size(); ++k) {
      add_wheel(k);
      if (model_.wheels()[k].terrain < 0)
        note_floor(model_.wheels()[k].parent, model_.numbers().wheels[k].X_PF);
    }
    for (std::size_t k = 0; k < model_.contacts().size(); ++k)
      note_floor(model_.contacts()[k].parent, model_.numbers().contacts[k].X_PF);
    for (const NamedJoint& joint : model_.joints()) add_axes(joint);
    add_links();
    return std::move(scene_);
  }

 private:
  Scene3d::Figure& figure(BodyId id) { return scene_.figures[std::size_t(index(id))]; }

  // Converts a point from the frame of the tree body to the body's own frame.
  Vec3<double> own(BodyId body, const Vec3<double>& in_tree_body) const {
    return inverse(model_.numbers().X_BU[std::size_t(index(body))]) * in_tree_body;
  }

  void find_places() {
    const auto add = [&](const NamedJoint& joint) {
      if (joint.kind == JointKind::free) return;  // constrains nothing
      const auto is_shown = [&](BodyId body) {    // no foot of a joint that lets a vehicle travel
        return model_[body].tree_body != 0 || holds_point(joint);
      };
      if (is_shown(joint.parent)) figure(joint.parent).places.push_back(joint.X_PF.p);
      if (is_shown(joint.child)) figure(joint.child).places.push_back(joint.X_CM.p);
    };
    // outward: the inboard joint of a body comes before its outboard joints
    for (const JointId id : model_.outward_joints()) add(model_[id]);
    for (const NamedJoint& joint : model_.joints())
      if (joint.role == NamedJoint::Role::loop) add(joint);
    for (std::size_t k = 0; k < model_.closures().size(); ++k) {
      const Closure& closure = model_.closures()[k];
      if (closure.named) continue;  // already among the joints
      const ClosureNumbers<double>& at = model_.numbers().closures[k];
      figure(closure.parent).places.push_back(own(closure.parent, at.X_PF.p));
      figure(closure.child).places.push_back(own(closure.child, at.X_CM.p));
    }
    for (std::size_t k = 0; k < model_.frames().size(); ++k)
      figure(model_.frames()[k].body).places.push_back(model_.numbers().X_UF[k].p);
  }

  // Only a physical inertia has an equivalent ellipsoid of uniform density; the page states if not.
  static void add_ellipsoid(Scene3d::Figure& out, double mass, const Vec3<double>& com,
                            const SymMat3<double>& I, double size) {
    const auto [moments, verdict] = principal_moments(I, mass, size);
    if (verdict != PrincipalMoments::Verdict::physical)
      out.statistics.emplace_back(
          "equivalent ellipsoid",
          fmt::format("none: no solid has principal moments {:.6g}, {:.6g}, "
                      "{:.6g} kg m^2",
                      moments[0], moments[1], moments[2]));
    else if (trace(I) > 0)
      out.ellipsoid = ellipsoid_of(mass, com, I);
  }

  void fill(Scene3d::Figure& out, BodyId id, const BodyDescription& body) {
    const double mass = value_(body.solid.mass);
    const Vec3<double> com = value_of(body.solid.com, value_);
    const SymMat3<Expr>& description = body.solid.inertia;
    const SymMat3<double> I{value_(description.xx), value_(description.xy), value_(description.xz),
                            value_(description.yy), value_(description.yz), value_(description.zz)};
    out.statistics.emplace_back("mass", fmt::format("{:.6g} kg", mass));
    if (mass > 0) {
      out.com = com;
      add_ellipsoid(out, mass, com, I, sizes_[std::size_t(index(id)) - 1]);
      out.statistics.emplace_back("center of mass", text_of(com) + " m");
      out.statistics.emplace_back(
          "inertia xx, yy, zz", text_of({I.xx, I.yy, I.zz}) + " kg m^2, about the center of mass");
      if (I.xy != 0 || I.xz != 0 || I.yz != 0)
        out.statistics.emplace_back("inertia xy, xz, yz", text_of({I.xy, I.xz, I.yz}) + " kg m^2");
    }
    if (const auto inboard = model_[id].inboard)
      out.statistics.emplace_back("hangs from", fmt::format("{} ({})", model_[*inboard].name,
                                                            to_string(model_[*inboard].kind)));
    std::string carries;
    for (const NamedJoint& joint : model_.joints())
      if ((joint.parent == id || joint.child == id) &&
          (!model_[id].inboard || &joint != &model_[*model_[id].inboard]))
        carries += (carries.empty() ? "" : ", ") + joint.name;
    if (!carries.empty()) out.statistics.emplace_back("also held by", carries);
    add_parts(out, body);
  }

  // Visual shapes; collision shapes if there are none.
  void add_parts(Scene3d::Figure& out, const BodyDescription& body) {
    for (const bool is_collision : {false, true})
      if (out.parts.empty())
        for (const Shape& shape : body.shapes)
          if (shape.is_collision == is_collision) add_part(out, shape);
  }
  void add_part(Scene3d::Figure& out, const Shape& shape) {
    const char* kind = "box";
    switch (shape.kind) {
      case Shape::Kind::box: break;
      case Shape::Kind::sphere: kind = "sphere"; break;
      case Shape::Kind::cylinder: kind = "cylinder"; break;
      case Shape::Kind::capsule: kind = "capsule"; break;
      case Shape::Kind::mesh: add_mesh(out, shape); return;
    }
    out.parts.push_back(
        {kind, value_of(shape.size, value_), pose_of(shape.at, value_), shape.color});
  }

  void add_mesh(Scene3d::Figure& out, const Shape& shape) {
    const auto found = std::ranges::find(meshes_, shape.mesh);
    if (found == meshes_.end())
      out.statistics.emplace_back("not drawn", fmt::format("the mesh {}", shape.mesh));
    else
      out.parts.push_back({"mesh", value_of(shape.scale, value_), pose_of(shape.at, value_),
                           shape.color, int(found - meshes_.begin())});
  }

  void note_floor(BodyId on, const Pose<double>& X_PF) {
    const Vec3<double> up = up_direction(model_);
    if (index(on) == 0 && dot(X_PF.R.z, up) > 1 - 1e-12) scene_.floor = dot(X_PF.p, up);
  }

  // The shape that shows a wheel of this radius: a round one of about that size, or a mesh.
  const Shape* shown_wheel(const BodyDescription& body, double radius) const {
    const auto found = std::ranges::find_if(body.shapes, [&](const Shape& shape) {
      if (shape.kind == Shape::Kind::mesh) return true;
      if (shape.kind == Shape::Kind::box) return false;
      return std::abs(value_of(shape.size, value_).x - radius) <= 0.25 * radius;
    });
    return found == body.shapes.end() ? nullptr : &*found;
  }
  // Adds a disk if no shape shows the wheel; a spoke if a cylinder does, so that it is seen to
  // turn.
  void add_wheel(std::size_t k) {
    const Wheel& wheel = model_.wheels()[k];
    Scene3d::Figure& out = figure(wheel.child);
    const int body = index(wheel.child);
    const WheelNumbers<double>& at = model_.numbers().wheels[k];
    const double radius = at.radius;
    if (const Shape* shape =
            body > 0 ? shown_wheel(description_.bodies[std::size_t(body - 1)], radius) : nullptr) {
      if (shape->kind == Shape::Kind::cylinder)
        out.parts.push_back(
            {"spokes", value_of(shape->size, value_), pose_of(shape->at, value_), shape->color});
      return;
    }
    out.parts.push_back(
        {"wheel",
         {radius, wheel.kind == Wheel::Kind::knife_edge ? 0.04 * radius : 0.25 * radius, 0},
         inverse(model_.numbers().X_BU[std::size_t(index(wheel.child))]) * at.X_CM,
         {}});
  }

  void add_axes(const NamedJoint& joint) {
    const JointOptions& options = description_.joints[std::size_t(joint.description)].options;
    const auto on_parent = [&](const Vec3<Expr>& axis, bool slides) {
      scene_.axes.push_back({joint.name, joint.parent, joint.X_PF.p,
                             joint.X_PF.R * normalized(value_of(axis, value_)), slides});
    };
    const auto on_child = [&](const Vec3<Expr>& axis, bool slides) {
      scene_.axes.push_back({joint.name, joint.child, joint.X_CM.p,
                             joint.X_CM.R * normalized(value_of(axis, value_)), slides});
    };
    const JointTraits of = traits(joint.kind);
    switch (of.axes) {
      case JointAxes::one: {
        const bool only_slides = of.dofs.count == 1 && of.dofs.kind[0] == DofKind::slide;
        on_child(options.axis, only_slides);
        break;
      }
      case JointAxes::two:
        on_parent(options.axis, false);
        on_child(options.axis2, false);
        break;
      case JointAxes::per_motion:  // the axes of the inner steps depend on the state
        if (options.motions.empty()) break;
        if (options.motions.size() > 1)
          on_parent(options.motions.front().axis,
                    options.motions.front().kind == JointStep::Kind::slide);
        on_child(options.motions.back().axis,
                 options.motions.back().kind == JointStep::Kind::slide);
        break;
      case JointAxes::none: break;
    }
  }

  // a curve is a chain of short rods on its body
  void add_curve(const FrameConstraint& constraint, const Pose<double>& X_PF) {
    const std::vector<Vec3<double>> points = constraint.curve.polygon();
    constexpr std::size_t chords = 64;
    const std::size_t last = points.size() - 1;
    const auto end = [&](std::size_t k) {
      return Scene3d::End{constraint.parent,
                          own(constraint.parent, X_PF * points[k * last / chords])};
    };
    for (std::size_t k = 0; k < chords; ++k)
      scene_.links.push_back({constraint.name, "rod", {end(k), end(k + 1)}});
  }

  void add_links() {
    for (std::size_t k = 0; k < model_.frame_constraints().size(); ++k)
      add_curve(model_.frame_constraints()[k], model_.numbers().frame_constraints[k].X_PF);
    for (std::size_t k = 0; k < model_.rods().size(); ++k) {
      const Rod& rod = model_.rods()[k];
      const RodNumbers<double>& at = model_.numbers().rods[k];
      scene_.links.push_back({rod.name,
                              "rod",
                              {{rod.parent, own(rod.parent, at.on_parent)},
                               {rod.child, own(rod.child, at.on_child)}}});
    }
    each_force_element_kind(model_.numbers(), [this](auto kind, const auto& list) {
      if constexpr (requires { list[0].drawn_ends(); })
        for (std::size_t k = 0; k < list.size(); ++k) {
          const ElementBodies& bodies = model_.force_elements(kind)[k];
          const auto [on_parent, on_child] = list[k].drawn_ends();
          scene_.links.push_back({bodies.name,
                                  bodies.name.substr(0, bodies.name.find(' ')),
                                  {{bodies.parent, own(bodies.parent, on_parent)},
                                   {bodies.child, own(bodies.child, on_child)}}});
        }
    });
  }

  const Model& model_;
  const std::vector<std::string>& meshes_;
  const Description& description_;
  const Values<double> value_;
  const std::vector<double> sizes_;  // of bodies [m]
  const std::size_t bodies_;
  Scene3d scene_;
};

}  // namespace

Scene3d make_scene(const Model& model, const std::vector<std::string>& meshes) {
  return SceneMaker(model, meshes).make();
}

}  // namespace trammel
