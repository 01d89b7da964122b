// Motors as parts of the mechanism: a rotor with inertia is a body, and its gear a coupling.
#pragma once

#include "trammel/base/diagnostics.hpp"
#include "trammel/model/description/description.hpp"
#include "trammel/scalar/expr_evaluate.hpp"

namespace trammel {

void check_motor(const MotorDescription& motor, const Values<double>& value,
                 Diagnostics& diagnostics);

// Adds the rotor of every motor with a rotor_inertia: a thin disk about the joint's axis on the
// joint's parent, that turns `gear` times as fast as the joint moves. The body, its joint and the
// coupling have the motor's name. So the reaction moment of the gear on the parent and the
// gyroscopic effects of a fast rotor are included. Reports motors of joints with more than one
// degree of freedom.
void add_rotors(Description& description, Diagnostics& diagnostics);

}  // namespace trammel
