#pragma once

#include <string>
#include <vector>

#include "trammel/dynamics/workspace.hpp"
#include "trammel/model/state.hpp"

namespace trammel {

// How the ball of a contact stands to its floor, and what the floor does to it.
struct ContactForce {
  std::string contact;
  BodyId body{};                  // that it belongs to
  Vec3<double> point;             // of the ball, nearest to the floor, in the world
  double depth = 0;               // [m] in the floor; below 0: how far from touching
  double sliding = 0;             // [m/s] along the floor, where it touches
  double press = 0;               // [N] across the floor, never below 0
  Vec3<double> normal, friction;  // [N] on the ball, across the floor and along it, in world axes
  bool touches() const { return depth > 0; }
  Vec3<double> force() const { return normal + friction; }
};

// What do floors do to what touches them? One answer for each contact, in the order of
// Model::contacts(); of one that is in the air, no force and how far it has to go. They follow from
// where the ball is and how it moves against the floor (docs/model-format.md), whatever drives it.
// Cost O(bodies).
[[nodiscard]] Status contact_forces(const Model& model, const State& state, Workspace& workspace,
                                    std::vector<ContactForce>& out);

}  // namespace trammel
