// Accelerations and multipliers for those who ask at every step of a run. For this room only.
#pragma once

#include "trammel/constraint/constrained_dynamics.hpp"
#include "trammel/constraint/rows.hpp"

namespace trammel {

// As constrained_dynamics. Where the quick road answers, its rows are the plan and no rank is
// decided; a workspace in which a run holds on to its rank is asked with that rank. `rows`: as they
// are at this state with its velocities, with J if the plan leaves some of them out; the
// workspace's kinematics are those too. They stay until the workspace is asked again.
[[nodiscard]] Status quick_dynamics(const char* question, const Model& model, const State& state,
                                    const Inputs& inputs, Workspace& workspace,
                                    ConstrainedAnswer& out, const Rows*& rows);

}  // namespace trammel
