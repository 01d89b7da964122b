#include "trammel/dynamics/force_elements.hpp"

#include <fmt/format.h>

namespace trammel {

namespace {

// A point fixed at r in a body, and its velocity, in world axes.
struct MovingPoint {
  MovingPoint(const Kinematics& kinematics, int body, const Vec3<double>& r) {
    const Pose<double>& X = kinematics.X_WB[std::size_t(body)];
    const auto& [w, v_origin] = kinematics.V[std::size_t(body)];
    p = X * r;
    v = X.R * (v_origin + cross(w, r));
  }
  Vec3<double> p, v;
};

}  // namespace

Status add_spring_forces(const char* question, const Model& model, const Kinematics& kinematics,
                         std::vector<ElementForce>& out) {
  for (std::size_t k = 0; k < model.springs().size(); ++k) {
    const Spring& spring = model.springs()[k];
    const auto& [on_parent, on_child, stiffness, length, damping] = model.numbers().springs[k];
    const MovingPoint from(kinematics, model[spring.parent].carrier, on_parent);
    const MovingPoint to(kinematics, model[spring.child].carrier, on_child);
    const Vec3<double> d = to.p - from.p;
    const double distance = norm(d);
    if (distance > 0) {
      const Vec3<double> along = (1 / distance) * d;
      const double pull = stiffness * (distance - length) + damping * dot(along, to.v - from.v);
      out.push_back({spring.parent, spring.child, {{}, -pull * along}, to.p});
    } else if (stiffness * length != 0 || damping != 0) {
      return Status::failure(fmt::format(
          "{}: the two ends of {} meet, and the direction of its force is lost: move them apart",
          question, spring.name));
    }
  }
  return {};
}

void add_efforts(const Model& model, const Positions& positions,
                 std::span<const ElementForce> forces, std::span<double> tau) {
  const auto add = [&](BodyId on, const Force<double>& F, const Vec3<double>& p) {
    for (int i = model[on].carrier; i > 0; i = model.bodies()[std::size_t(i)].parent) {
      const Body& body = model.bodies()[std::size_t(i)];
      const Force<double> at_origin = acting_at(p - positions.X_WB[std::size_t(i)].p, F);
      for (int f = body.v_start; f < body.v_end; ++f)
        tau[std::size_t(f)] += dot(positions.axes[std::size_t(f)], at_origin);
    }
  };
  for (const ElementForce& force : forces) {
    add(force.child, force.F, force.p);
    add(force.parent, -force.F, force.p);
  }
}

}  // namespace trammel
