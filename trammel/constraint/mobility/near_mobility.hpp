// Nearly overconstrained mechanisms: whether a small change of lengths raises the finite mobility.
// Internal to constraint/.
//
// Nearly dependent rows (small, nonzero singular values) have one of two causes: a pose near a
// singular pose, or lengths near those of an overconstrained mechanism. To tell them apart, the
// mechanism is moved along the directions that the weak rows hardly resist, with only its strong
// rows satisfied. At several poses, some of them far, the remaining constraint violation is a
// condition on the lengths. If a small change of lengths satisfies all conditions, and the changed
// mechanism has a larger finite mobility, the mechanism is nearly overconstrained. Near a singular
// pose the violation grows with the square of the distance, and no small change removes it.
#pragma once

#include "trammel/constraint/mobility/mobility.hpp"

namespace trammel {

// Mobility with the lengths as given: every verdict but nearly_overconstrained.
[[nodiscard]] Status mobility_as_it_is(const Model& model, const State& state, Workspace& workspace,
                                       Mobility& out);

// Sets verdict, lengths and finite_nearby if the mechanism is nearly overconstrained; otherwise
// leaves `found` unchanged. Skips models with nonholonomic rows (wheels) or more than 60 dof.
void judge_lengths(const Model& model, const State& state, Mobility& found);

}  // namespace trammel
