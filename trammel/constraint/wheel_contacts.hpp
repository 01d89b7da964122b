#pragma once

#include <limits>
#include <optional>

#include "trammel/constraint/roads.hpp"
#include "trammel/dynamics/inputs.hpp"
#include "trammel/dynamics/workspace.hpp"

namespace trammel {

// Where a wheel touches its floor, and what the floor does to it.
struct WheelContact {
  std::string wheel;
  Vec3<double> point;  // in the world
  // One for each row of the wheel: up, then across and along the way it rolls; along the axis of
  // the roller; along the floor's x and y, of a ball. Directions in world axes.
  struct Push {
    const char* name;
    Vec3<double> direction;
    double force = 0;       // [N]
    bool is_unique = true;  // or one of many that the motion does not tell apart
  };
  std::vector<Push> pushes;
  bool touches = true;  // it carries: otherwise there is no force up
  double up() const { return touches ? pushes[0].force : 0; }
  // Of all that is not up: what friction has to hold.
  double sideways() const;
  // Whether the floor would have to pull it down.
  bool lifts() const { return touches && up() < 0; }
  // How large friction has to be, so that it does not slip; infinite where nothing presses.
  double friction_needed() const;
  // How large it is, as was said of the wheel; and whether that is too little.
  double friction = std::numeric_limits<double>::infinity();
  bool slips() const { return friction_needed() > friction; }
  // Of the roller that touches, about its axis [rad/s]: of omni wheels whose roller_radius was said
  // [seed 001, S-39].
  std::optional<double> roller_rate = {};
};

// What do the wheels carry under inputs.tau? Where wheels can press against each other in ways that
// nothing in the motion tells, the least of that is told (the sum of squares over all wheels) in
// which no floor pulls, if there is such a share; and marked.
[[nodiscard]] Status wheel_contacts(const Model& model, const State& state, const Inputs& inputs,
                                    Workspace& workspace, std::vector<WheelContact>& out);

}  // namespace trammel
