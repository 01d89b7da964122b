// What pulls and pushes between two bodies: springs and dampers between points, contacts, and what
// joints that close loops do along their own freedoms. At a state it is one wrench on a body and
// its opposite on another. For doubles, and for Dual numbers where slopes are asked.
#pragma once

#include <span>
#include <vector>

#include "trammel/dynamics/stages.hpp"

namespace trammel {

template <Scalar S> struct BasicElementForce {
  BodyId parent{}, child{};
  Force<S> F;        // on the child, at p, in world axes; its opposite acts on the parent
  Vec3<S> p;         // in the world
  int closure = -1;  // whose own it is, if of a joint that closes a loop
};
using ElementForce = BasicElementForce<double>;

// What the model's springs between points and its contacts do. Fails where the ends of a spring
// meet and its direction is lost. `question` begins the message.
template <Scalar S>
Status add_element_forces(const char* question, const Model& model,
                          const BasicKinematics<S>& kinematics,
                          std::vector<BasicElementForce<S>>& out);

// How a ball stands to its floor, and what that does to it.
template <Scalar S> struct BasicContactAt {
  S depth = 0.0;                  // [m] below 0: how far from touching
  Vec3<S> point;                  // of the ball, nearest to the floor, in the world
  Vec3<S> force;                  // of the floor on the ball there, in world axes
  S normal = 0.0, sliding = 0.0;  // [N] of the force across the floor; [m/s] along it
};
using ContactAt = BasicContactAt<double>;
template <Scalar S>
BasicContactAt<S> look_at_contact(const Model& model, int contact,
                                  const BasicKinematics<S>& kinematics);
// What the contacts hold, pressed in as they are.
double contact_energy(const Model& model, const Kinematics& kinematics);

// Their efforts: the work each does on every freedom.
void add_efforts(const Model& model, const Positions& positions,
                 std::span<const ElementForce> forces, std::span<double> tau);

}  // namespace trammel
