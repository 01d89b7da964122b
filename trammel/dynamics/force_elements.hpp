// What pulls and pushes between two bodies: springs and dampers between points, contacts, and what
// joints that close loops do along their own freedoms. At a state it is one wrench on a body and
// its opposite on another.
#pragma once

#include <span>
#include <vector>

#include "trammel/dynamics/stages.hpp"

namespace trammel {

struct ElementForce {
  BodyId parent{}, child{};
  Force<double> F;   // on the child, at p, in world axes; its opposite acts on the parent
  Vec3<double> p;    // in the world
  int closure = -1;  // whose own it is, if of a joint that closes a loop
};

// What the model's springs between points and its contacts do. Fails where the ends of a spring
// meet and its direction is lost. `question` begins the message.
Status add_element_forces(const char* question, const Model& model, const Kinematics& kinematics,
                          std::vector<ElementForce>& out);

// How a ball stands to its floor, and what that does to it.
struct ContactAt {
  double depth = 0;                // [m] below 0: how far from touching
  Vec3<double> point;              // of the ball, nearest to the floor, in the world
  Vec3<double> force;              // of the floor on the ball there, in world axes
  double normal = 0, sliding = 0;  // [N] of the force across the floor; [m/s] along it
};
ContactAt look_at_contact(const Model& model, int contact, const Kinematics& kinematics);
// What the contacts hold, pressed in as they are.
double contact_energy(const Model& model, const Kinematics& kinematics);

// Their efforts: the work each does on every freedom.
void add_efforts(const Model& model, const Positions& positions,
                 std::span<const ElementForce> forces, std::span<double> tau);

}  // namespace trammel
