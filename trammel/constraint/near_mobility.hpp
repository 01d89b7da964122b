// Would the mechanism move in more ways if some of its lengths were a little different? For this
// room only.
//
// Rows that are nearly dependent (singular values small, not zero) tell of one of two things: a
// pose near a singular one, or lengths near those of an overconstrained mechanism. They are told
// apart by going there: along the motions that the rows hardly hinder the mechanism is closed as
// well as its strong rows close it, and at several poses, some of them far, the gap that is left is
// taken as a condition on the lengths. If a small change of them closes all poses, and the
// mechanism with these lengths really goes further, it is nearly overconstrained. Near a singular
// pose the gap grows with the square of the way, and no small change closes it.
#pragma once

#include "trammel/constraint/mobility.hpp"

namespace trammel {

// Mobility at these lengths: all but the verdict nearly_overconstrained.
[[nodiscard]] Status mobility_as_it_is(const Model& model, const State& state, Workspace& workspace,
                                       Mobility& out);

// Sets the verdict and what goes with it; leaves `found` alone if the mechanism is none of these.
// One on wheels, or with more than 60 freedoms, is not judged.
void judge_lengths(const Model& model, const State& state, Mobility& found);

}  // namespace trammel
