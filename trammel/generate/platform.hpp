// Wheeled platforms on a level floor, with wheels of every kind, one table row per wheel [Saha
// 1991, 4.4].
//
// The platform moves on a planar joint `base` at the height of its center of mass, so that no wheel
// has to carry it; or it is free, and stands on its wheels. Angles are measured from the platform's
// x axis, viewed from above. A wheel with a positive rate about its axle moves the platform to the
// right of the axle's direction: moving forward along y takes negative rates if the axles point
// along x.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "trammel/model/description/description.hpp"

namespace trammel {

struct PlatformWheel {
  enum class Kind {
    fixed,    // a conventional wheel
    steered,  // a conventional wheel in a fork that turns about the vertical
    caster,   // the same, with its center `trail` behind the fork's pivot
    omni      // with rollers at `roller_angle` from the axle: 90 deg omni wheels, 45 deg Mecanum
  };
  std::string name = {};  // wheel1, wheel2, ... if empty
  Kind kind = Kind::fixed;
  Expr x = 0.0, y = 0.0;  // of its center, or of its fork's pivot, on the platform
  Expr axle = 0.0;        // direction of its axis [rad]; of a steered one, at steering angle 0
  Expr radius = 0.1;
  Expr roller_angle = 0.0;   // omni: from the axle to the axis of the touching roller
  Expr roller_radius = 0.0;  // omni: if given, the roller's rate is computed; 0: not given
  Expr trail = 0.0;          // caster
  Expr mass = 0.0, axial = 0.0, across = 0.0;  // moments of inertia about the axle and a diameter
  bool is_driven = true, is_steering_driven = false;
  Expr effort = 0.0;  // limit of its drive; 0: none
  // Steered, or driven, wheels of the same group move alike, as if by a belt; 0: independent.
  int steering_group = 0, driving_group = 0;
  // Friction coefficient, for a platform that stands on its wheels; not given: no bound.
  std::optional<Expr> friction = {};
  Place place = {};  // of its table row
};
std::string to_string(PlatformWheel::Kind kind);

// Table of a wheeled platform: its mass properties, and a row per wheel.
struct PlatformTable {
  std::string prefix = {};  // of all names
  Solid solid = {};         // of the platform, about its center, which is its origin
  // Height of the center above the floor: no effect, unless the wheels carry the platform.
  Expr height = 0.1;
  // On a free joint, with every wheel in contact with the floor: normal forces, lift-off, friction.
  bool stands_on_wheels = false;
  std::vector<PlatformWheel> wheels = {};
};

// Adds the bodies `platform`, the wheels and their forks `wheel1_fork`, the joints `base`,
// `wheel1`, `wheel1_steering`, and the wheels `wheel1_rim`. Throws ModelError with all errors of
// the table.
void add_platform(Description& description, const PlatformTable& table);

}  // namespace trammel
