#include "trammel/dynamics/force_elements.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "trammel/dynamics/kernel/instantiate.hpp"

namespace trammel {

namespace {

// Position and velocity of a point fixed at r in a body, in world axes.
template <Scalar S> struct MovingPoint {
  template <Scalar P>
  MovingPoint(const BasicKinematics<S>& kinematics, int body, const Vec3<P>& r) {
    const Pose<S>& X = kinematics.X_WB[std::size_t(body)];
    const auto& [w, v_origin] = kinematics.V[std::size_t(body)];
    p = X * r;
    v = X.R * (v_origin + cross(w, r));
  }
  Vec3<S> p, v;
};

}  // namespace

template <Scalar S>
BasicContactAt<S> evaluate_contact(const Model& model, int contact,
                                   const BasicKinematics<S>& kinematics) {
  using std::max;
  const Contact& what = model.contacts()[std::size_t(contact)];
  const auto& [X_PF, center, radius, stiffness, dissipation, friction, slow] =
      model.numbers().contacts[std::size_t(contact)];
  const int floor = model[what.parent].tree_body, body = model[what.child].tree_body;
  const Pose<S>&X_WP = kinematics.X_WB[std::size_t(floor)],
        &X_WC = kinematics.X_WB[std::size_t(body)];
  const Pose<S> X_WF = X_WP * X_PF;
  const Vec3<S> n = X_WF.R.z;
  BasicContactAt<S> at;
  at.point = X_WC * center - radius * n;
  at.depth = dot(n, X_WF.p - at.point);
  if (!(at.depth > S(0.0))) return at;

  const auto point_of = [&](int of, const Pose<S>& X_WB) {
    return MovingPoint<S>(kinematics, of, inverse(X_WB) * at.point).v;
  };
  const Vec3<S> v = point_of(body, X_WC) - point_of(floor, X_WP);
  const S rise = dot(n, v);
  const Vec3<S> across = v - rise * n;
  at.sliding = norm(across);
  at.normal = max(S(0.0), stiffness * at.depth * sqrt(at.depth) * (1.0 - 1.5 * dissipation * rise));
  at.force =
      at.normal * n - (friction * at.normal / sqrt(dot(across, across) + S(slow * slow))) * across;
  return at;
}

double contact_energy(const Model& model, const Kinematics& kinematics) {
  double sum = 0;
  for (int k = 0; k < int(model.contacts().size()); ++k)
    if (const double d = evaluate_contact(model, k, kinematics).depth; d > 0)
      sum += 0.4 * model.numbers().contacts[std::size_t(k)].stiffness * d * d * std::sqrt(d);
  return sum;
}

template <Scalar S>
Status add_element_forces(const char* context, const Model& model,
                          const BasicKinematics<S>& kinematics,
                          std::vector<BasicElementForce<S>>& out) {
  for (int k = 0; k < int(model.contacts().size()); ++k) {
    const BasicContactAt<S> at = evaluate_contact(model, k, kinematics);
    const Contact& contact = model.contacts()[std::size_t(k)];
    if (at.depth > S(0.0)) out.push_back({contact.parent, contact.child, {{}, at.force}, at.point});
  }
  for (std::size_t k = 0; k < model.springs().size(); ++k) {
    const Spring& spring = model.springs()[k];
    const auto& [on_parent, on_child, stiffness, length, damping] = model.numbers().springs[k];
    const MovingPoint<S> from(kinematics, model[spring.parent].tree_body, on_parent);
    const MovingPoint<S> to(kinematics, model[spring.child].tree_body, on_child);
    const Vec3<S> d = to.p - from.p;
    const S distance = norm(d);
    if (distance > S(0.0)) {
      const Vec3<S> along = (1.0 / distance) * d;
      const S pull = stiffness * (distance - length) + damping * dot(along, to.v - from.v);
      out.push_back({spring.parent, spring.child, {{}, -pull * along}, to.p});
    } else if (stiffness * length != 0 || damping != 0) {
      return Status::failure(fmt::format(
          "{}: the two ends of {} meet, and the direction of its force is lost: move them apart",
          context, spring.name));
    }
  }
  return {};
}

void add_efforts(const Model& model, const Positions& positions,
                 std::span<const ElementForce> forces, std::span<double> tau) {
  const auto add = [&](BodyId on, const Force<double>& F, const Vec3<double>& p) {
    for (int i = model[on].tree_body; i > 0; i = model.bodies()[std::size_t(i)].parent) {
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

#define INSTANTIATE(S)                                                                       \
  template BasicContactAt<S> evaluate_contact(const Model&, int, const BasicKinematics<S>&); \
  template Status add_element_forces(const char*, const Model&, const BasicKinematics<S>&,   \
                                     std::vector<BasicElementForce<S>>&);
INSTANTIATE(double)
INSTANTIATE(Duals)
#undef INSTANTIATE

}  // namespace trammel
