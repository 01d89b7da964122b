// Expansion of shorthand items into bodies and joints: casters and moving ground.
#pragma once

#include "trammel/model/description/description.hpp"

namespace trammel {

// Replaces every caster by a fork, a body NAME_fork that turns about the z axis of the wheel's
// frame, and a wheel, a body NAME, with joints of the same names; the wheel item becomes a
// conventional wheel.
void add_casters(Description& description);

// Moves all items on ground to a body moving_ground, carried by joints driven by motion with the
// profiles of [ground.motion].
void add_moving_ground(Description& description);

}  // namespace trammel
