// What pulls and pushes between two bodies: springs and dampers between points, and what joints
// that close loops do along their own freedoms. At a state it is one wrench on a body and its
// opposite on another.
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

// What the model's springs between points do. Fails where the ends of one meet and its direction is
// lost. `question` begins the message.
Status add_spring_forces(const char* question, const Model& model, const Kinematics& kinematics,
                         std::vector<ElementForce>& out);

// Their efforts: the work each does on every freedom.
void add_efforts(const Model& model, const Positions& positions,
                 std::span<const ElementForce> forces, std::span<double> tau);

}  // namespace trammel
