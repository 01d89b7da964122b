// Loads of one computation, as external forces on the bodies of the tree: wrenches of the inputs,
// force elements, and forces of loop joints. For this module only.
#pragma once

#include "trammel/base/status.hpp"

namespace trammel {

class EvalContext;
class Workspace;

// Appends the loads at a checked state to the workspace: external_forces in the frames of the
// kernels, and with `elements_act` element_forces between bodies. Fails where a force is not
// defined. EvalContext calls it at the end of its construction: a context without its loads would
// be computed with, in silence.
[[nodiscard]] Status gather_loads(const EvalContext& context, bool elements_act,
                                  Workspace& workspace);

}  // namespace trammel
