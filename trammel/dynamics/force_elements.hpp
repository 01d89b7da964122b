// Evaluation of the force elements of a model (trammel/force/) at a state: their forces, energies,
// and rates of their own states. For doubles, and for Dual numbers where derivatives are computed.
// Forces of loop joints along their own degrees of freedom have the same form.
#pragma once

#include <span>
#include <vector>

#include "trammel/dynamics/stages.hpp"
#include "trammel/model/build/parameters.hpp"

namespace trammel {

template <Scalar S> struct BasicElementForce {
  BodyId parent{}, child{};
  Force<S> F;        // on the child, at p, in world axes; its opposite acts on the parent
  Vec3<S> p;         // point of application, in the world
  int closure = -1;  // its loop joint, if it belongs to one
};
using ElementForce = BasicElementForce<double>;

// Motion of the bodies of an element.
template <Scalar S>
BodyPair<S> body_pair(const Model& model, const ElementBodies& bodies,
                      const BasicKinematics<S>& kinematics) {
  const auto parent = std::size_t(model[bodies.parent].tree_body),
             child = std::size_t(model[bodies.child].tree_body);
  return {kinematics.X_WB[parent], kinematics.X_WB[child], kinematics.V[parent],
          kinematics.V[child]};
}
// Calls visit(bodies, element, its states in z) for every force element of the model, in the order
// of force_element_lists().
template <Scalar P, class Z, class Visit>
void each_force_element(const Model& model, const ForceElementNumbers<P>& numbers, std::span<Z> z,
                        const Visit& visit) {
  each_force_element_kind(numbers, [&](auto kind, const auto& list) {
    for (std::size_t k = 0; k < list.size(); ++k) {
      const ElementBodies& bodies = model.force_elements(kind)[k];
      visit(bodies, list[k],
            model.nz() == 0 ? std::span<Z>()
                            : z.subspan(std::size_t(bodies.z_start), std::size_t(nz_of(list[k]))));
    }
  });
}

// Appends the forces of the model's force elements; z begins with their states. Fails where a force
// is not defined, as for a spring whose ends coincide. `context` begins the message.
template <Scalar S>
Status add_element_forces(const char* context, const Model& model,
                          const BasicKinematics<S>& kinematics, std::span<const S> z,
                          std::vector<BasicElementForce<S>>& out);
// Rates of the states of all elements, Model::nz() entries.
template <Scalar S>
void element_state_rates(const Model& model, const BasicKinematics<S>& kinematics,
                         std::span<const S> z, std::span<S> z_dot);
// Power dissipated by all elements [W].
double dissipated_power(const Model& model, const Kinematics& kinematics,
                        std::span<const double> z);

// State of a contact of a ball with its floor, and the contact force.
template <Scalar S>
BasicContactAt<S> evaluate_contact(const Model& model, int contact,
                                   const BasicKinematics<S>& kinematics) {
  const auto k = std::size_t(contact);
  return model.numbers().contacts[k].at(body_pair(model, model.contacts()[k], kinematics));
}

// Generalized forces of the elements: J^T F, added to tau.
void add_efforts(const Model& model, const Positions& positions,
                 std::span<const ElementForce> forces, std::span<double> tau);

}  // namespace trammel
