// Vehicles on a level floor: a platform on wheels of every kind, one row a wheel [seed 001, 4.4].
//
// The platform slides on a planar joint `base` at the height of its centre of mass, so that no
// wheel has to carry it; or it is free, and stands on its wheels. Angles are seen from above, from
// the platform's x axis. A wheel that turns with a positive rate about its axle pushes the platform
// to the right of where the axle points: forward along y means negative rates where axles point
// along x.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "trammel/model/description.hpp"

namespace trammel {

struct PlatformWheel {
  enum class Kind {
    fixed,    // a conventional wheel
    steered,  // the same in a fork that turns about the vertical
    caster,   // the same, with its centre `trail` behind the fork's pivot
    omni      // with rollers at `roller_angle` from the axle: 90 deg omni wheels, 45 deg Mecanum
  };
  std::string name = {};  // wheel1, wheel2, ... if empty
  Kind kind = Kind::fixed;
  Expr x = 0.0, y = 0.0;  // of its centre, or of its fork's pivot, on the platform
  Expr axle = 0.0;  // direction of its axis [rad]; of a steered one, where the fork is straight
  Expr radius = 0.1;
  Expr roller_angle = 0.0;   // omni: from the axle to the axis of the roller that touches
  Expr roller_radius = 0.0;  // omni: then the rate of the roller is told, too; 0: not said
  Expr trail = 0.0;          // caster
  Expr mass = 0.0, axial = 0.0, across = 0.0;  // moments of inertia about the axle and across it
  bool is_driven = true, is_steering_driven = false;
  Expr effort = 0.0;  // limit of its drive; 0: none
  // Steered wheels, or driven ones, of the same group do the same, as if by a belt; 0: by itself.
  int steering_group = 0, driving_group = 0;
  // Of a platform that stands on its wheels: what the floor holds, of the force up; not said: any.
  std::optional<Expr> friction = {};
  Place place = {};  // where its row is
};
std::string to_string(PlatformWheel::Kind kind);

struct PlatformTable {
  std::string prefix = {};  // of all names
  Solid solid = {};         // of the platform, about its centre, which is its origin
  // Of the centre above the floor: makes no difference, unless the wheels carry.
  Expr height = 0.1;
  // On a free joint, every wheel pressing on the floor: normal forces, lift-off, friction.
  bool stands_on_wheels = false;
  std::vector<PlatformWheel> wheels = {};
};

// Adds the bodies `platform`, the wheels and their forks `wheel1_fork`, the joints `base`,
// `wheel1`, `wheel1_steering`, and the wheels `wheel1_rim`. Throws ModelError with everything that
// is wrong with the table.
void add_platform(Description& description, const PlatformTable& table);

}  // namespace trammel
