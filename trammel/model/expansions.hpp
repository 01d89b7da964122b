// What is said in short and built in parts: casters, and ground that moves.
#pragma once

#include "trammel/model/description.hpp"

namespace trammel {

// Gives every caster its fork, a body NAME_fork that turns about the z axis of the wheel's frame,
// and its wheel, a body NAME, both with joints of these names: what is left is a conventional
// wheel.
void add_casters(Description& description);

// Puts all that stands on ground on a body moving_ground instead, which joints driven by motion
// carry as [ground.motion] says.
void add_moving_ground(Description& description);

}  // namespace trammel
