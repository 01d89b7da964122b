#pragma once

#include <limits>
#include <optional>

#include "trammel/constraint/solver/dense_solvers.hpp"
#include "trammel/dynamics/inputs.hpp"
#include "trammel/dynamics/workspace.hpp"

namespace trammel {

// Contact of a wheel with the ground: contact point, forces and required friction.
struct WheelContact {
  std::string wheel;
  Vec3<double> point;  // in world axes
  // One per row of the wheel: along the normal, then across and along the rolling direction; omni
  // wheel: along the roller's axis; ball: along the ground's x and y. Directions in world axes.
  struct RowForce {
    const char* name;
    Vec3<double> direction;
    double force = 0;       // [N]
    bool is_unique = true;  // false: statically indeterminate, one of many solutions
  };
  std::vector<RowForce> row_forces;
  bool touches = true;  // carries load; otherwise there is no normal force
  double up() const { return touches ? row_forces[0].force : 0; }
  // Magnitude of the tangential force, which friction must supply.
  double sideways() const;
  // Whether the ground would have to pull the wheel down.
  bool lifts() const { return touches && up() < 0; }
  // Friction coefficient needed to prevent slip; infinite without a positive normal force.
  double friction_needed() const;
  // Friction coefficient in the description of the wheel, and whether it is too small.
  double friction = std::numeric_limits<double>::infinity();
  bool slips() const { return friction_needed() > friction; }
  // Rate of the roller in contact about its axis [rad/s]: for omni wheels with a given
  // roller_radius [Saha 1991, S-39].
  std::optional<double> roller_rate = {};
};

// Contact forces of all wheels under inputs.tau. Statically indeterminate forces are marked and
// have the least sum of squares over all wheels, without tension at any contact if possible.
[[nodiscard]] Status wheel_contacts(const Model& model, const State& state, const Inputs& inputs,
                                    Workspace& workspace, std::vector<WheelContact>& out);

}  // namespace trammel
