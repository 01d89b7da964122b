// For this module and those that build on it.
#pragma once

#include "trammel/dynamics/eval_context.hpp"

namespace trammel {

// Fails if inputs.a is nonzero for a joint that is not driven by motion: accelerations are the
// result there, and the entry would be ignored.
Status check_given_accelerations(const EvalContext& context);

}  // namespace trammel
