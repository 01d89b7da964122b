// Force elements between two bodies: springs and dampers between points, contacts, and the forces
// of loop joints along their own degrees of freedom. At a state an element is one wrench on a body
// and the opposite wrench on another. For doubles, and for Dual numbers where derivatives are
// computed.
#pragma once

#include <span>
#include <vector>

#include "trammel/dynamics/stages.hpp"

namespace trammel {

template <Scalar S> struct BasicElementForce {
  BodyId parent{}, child{};
  Force<S> F;        // on the child, at p, in world axes; its opposite acts on the parent
  Vec3<S> p;         // point of application, in the world
  int closure = -1;  // its loop joint, if it belongs to one
};
using ElementForce = BasicElementForce<double>;

// Appends the forces of the model's springs between points and of its contacts. Fails if the ends
// of a spring coincide, where its direction is undefined. `question` begins the message.
template <Scalar S>
Status add_element_forces(const char* context, const Model& model,
                          const BasicKinematics<S>& kinematics,
                          std::vector<BasicElementForce<S>>& out);

// State of a contact of a ball with its floor, and the contact force.
template <Scalar S> struct BasicContactAt {
  S depth = 0.0;                  // [m] penetration; negative: distance to the floor
  Vec3<S> point;                  // of the ball, nearest to the floor, in the world
  Vec3<S> force;                  // of the floor on the ball there, in world axes
  S normal = 0.0, sliding = 0.0;  // [N] normal force; [m/s] tangential speed
};
using ContactAt = BasicContactAt<double>;
template <Scalar S>
BasicContactAt<S> evaluate_contact(const Model& model, int contact,
                                   const BasicKinematics<S>& kinematics);
// Elastic energy of all compressed contacts.
double contact_energy(const Model& model, const Kinematics& kinematics);

// Generalized forces of the elements: J^T F, added to tau.
void add_efforts(const Model& model, const Positions& positions,
                 std::span<const ElementForce> forces, std::span<double> tau);

}  // namespace trammel
