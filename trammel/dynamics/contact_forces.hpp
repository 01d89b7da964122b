#pragma once

#include <string>
#include <vector>

#include "trammel/dynamics/workspace.hpp"
#include "trammel/model/state.hpp"

namespace trammel {

// State of one contact of a ball with a floor, and the force of the floor on the ball.
struct ContactForce {
  std::string contact;
  BodyId body{};                  // body of the ball
  Vec3<double> point;             // of the ball, nearest to the floor, in the world
  double depth = 0;               // [m] penetration; negative: distance to the floor
  double sliding = 0;             // [m/s] tangential speed, while in contact
  double press = 0;               // [N] normal force, never negative
  Vec3<double> normal, friction;  // [N] on the ball, normal and tangential, in world axes
  bool touches() const { return depth > 0; }
  Vec3<double> force() const { return normal + friction; }
};

// Contact forces, one entry per contact in the order of Model::contacts(); a contact in the air has
// no force and its distance as negative depth. They depend on the ball's position and velocity
// relative to the floor only (docs/model-format.md), not on efforts. Cost O(bodies).
[[nodiscard]] Status contact_forces(const Model& model, const State& state, Workspace& workspace,
                                    std::vector<ContactForce>& out);

}  // namespace trammel
