// Derivatives of constrained forward dynamics in closed form, for this module and those built on
// it.
#pragma once

#include "trammel/constraint/system/constrained_derivatives.hpp"
#include "trammel/dynamics/eval_context.hpp"

namespace trammel {

// As constrained_derivatives, along the basis of `complement` (an orthonormal one if null). False
// where the closed form does not apply: trees, wheels, curves, loop joints whose wrenches depend on
// their coordinates, prescribed motions, forces between bodies, wrenches in world axes, components
// of more than 64 degrees of freedom, states near singular poses or with violated constraints. The
// context honors constraints unchecked and has forces acting.
[[nodiscard]] bool derivatives_in_closed_form(const EvalContext& context, Workspace& workspace,
                                              const OrthogonalComplement* complement,
                                              ConstrainedDerivatives& out);

// Whether the sizes of the model and of the components of its rows allow the closed form; other
// reasons against it depend on the state.
[[nodiscard]] bool has_closed_form_derivatives(const Model& model, Workspace& workspace);

}  // namespace trammel
