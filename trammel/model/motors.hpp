// Motors as parts of the mechanism: a rotor that has inertia is a body, and the gear a coupling.
#pragma once

#include "trammel/base/diagnostics.hpp"
#include "trammel/model/description.hpp"
#include "trammel/scalar/expr_evaluate.hpp"

namespace trammel {

void check_motor(const MotorDescription& motor, const Values<double>& value,
                 Diagnostics& diagnostics);

// Gives every motor with a rotor_inertia its rotor, a thin disk about the joint's axis on the
// joint's parent, that turns `gear` times as fast as the joint moves: a body, a joint and a
// coupling with the motor's name. So the moment that the gear puts on the parent, and what a fast
// rotor does when its base turns, are there. Reports motors of joints with more than one freedom.
void add_rotors(Description& description, Diagnostics& diagnostics);

}  // namespace trammel
