// Ordered list of the constraint kinds. The order of the alternatives is the order of the rows in
// the equations, in the elimination schedule and in the lists of names. To add a kind: its struct
// (concept ConstraintBlock) in a file of this folder, and one alternative here. Couplings and
// prescribed motions come last: no recursive solver can leave their rows out.
#pragma once

#include <variant>

#include "trammel/constraint/kinds/coupling.hpp"
#include "trammel/constraint/kinds/distance.hpp"
#include "trammel/constraint/kinds/loop_joint.hpp"
#include "trammel/constraint/kinds/point_on_curve.hpp"
#include "trammel/constraint/kinds/prescribed.hpp"
#include "trammel/constraint/kinds/rolling.hpp"

namespace trammel {

// clang-format off
using Block = std::variant<
    LoopJointBlock,     // also welds and point constraints
    DistanceBlock,
    PointOnCurveBlock,
    WheelBlock,         // also omni wheels, balls, knife edges
    CouplingBlock,
    PrescribedDofBlock,
    PrescribedLoopDofBlock>;
// clang-format on

// All constraints of a model, kind after kind.
std::vector<Block> constraint_blocks(const Model& model);

// Position of a kind in the list.
template <class B> constexpr std::size_t kind_index() {
  return []<class... Kinds>(std::type_identity<std::variant<Kinds...>>) {
    std::size_t k = 0;
    (void)((std::same_as<B, Kinds> || (++k, false)) || ...);
    return k;
  }(std::type_identity<Block>{});
}

}  // namespace trammel
