#include "trammel/dynamics/force_elements.hpp"

#include <fmt/format.h>

#include "trammel/dynamics/kernel/instantiate.hpp"

namespace trammel {

template <Scalar S>
Status add_element_forces(const char* context, const Model& model,
                          const BasicKinematics<S>& kinematics, std::span<const S> z,
                          std::vector<BasicElementForce<S>>& out) {
  Status status;
  each_force_element(
      model, model.numbers(), z,
      [&](const ElementBodies& bodies, const auto& element, std::span<const S> own) {
        const ElementWrench<S> now = element.wrench(body_pair(model, bodies, kinematics), own);
        if (now.failure != nullptr) [[unlikely]] {
          if (status.ok())
            status = Status::failure(fmt::format(
                "{}: {}", context, fmt::format(fmt::runtime(now.failure), bodies.name)));
        } else if (now.is_acting) {
          out.push_back({bodies.parent, bodies.child, now.F, now.p});
        }
      });
  return status;
}

template <Scalar S>
void element_state_rates(const Model& model, const BasicKinematics<S>& kinematics,
                         std::span<const S> z, std::span<S> z_dot) {
  each_force_element(model, model.numbers(), z,
                     [&]<class Element>(const ElementBodies& bodies, const Element& element,
                                        std::span<const S> own) {
                       if constexpr (StatefulForceElement<Element>)
                         element.z_rates(body_pair(model, bodies, kinematics), own,
                                         z_dot.subspan(std::size_t(bodies.z_start), own.size()));
                     });
}

double dissipated_power(const Model& model, const Kinematics& kinematics,
                        std::span<const double> z) {
  double sum = 0;
  each_force_element(
      model, model.numbers(), z,
      [&](const ElementBodies& bodies, const auto& element, std::span<const double> own) {
        sum += element.dissipated_power(body_pair(model, bodies, kinematics), own);
      });
  return sum;
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

#define INSTANTIATE(S)                                                                           \
  template Status add_element_forces(const char*, const Model&, const BasicKinematics<S>&,       \
                                     std::span<const S>, std::vector<BasicElementForce<S>>&);    \
  template void element_state_rates(const Model&, const BasicKinematics<S>&, std::span<const S>, \
                                    std::span<S>);
INSTANTIATE(double)
INSTANTIATE(Duals)
#undef INSTANTIATE

}  // namespace trammel
