// Validation of a joint: its axes, drive, springs and limits.
#pragma once

#include "trammel/base/diagnostics.hpp"
#include "trammel/model/builder.hpp"
#include "trammel/scalar/expr_evaluate.hpp"

namespace trammel {

// Precondition: all numbers of the joint are finite.
void check_joint(const JointDescription& joint, const Values<double>& value,
                 const BuildOptions& options, Diagnostics& diagnostics);

}  // namespace trammel
