// Can a joint be as it was said? Its axes, drive, springs and limits.
#pragma once

#include "trammel/base/diagnostics.hpp"
#include "trammel/model/builder.hpp"
#include "trammel/scalar/expr_evaluate.hpp"

namespace trammel {

// All its numbers are finite.
void check_joint(const JointDescription& joint, const Values<double>& value,
                 const BuildOptions& options, Diagnostics& diagnostics);

}  // namespace trammel
