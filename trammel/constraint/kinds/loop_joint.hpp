// Constraint block of a loop joint, a weld or a point constraint: the constraint wrenches of the
// joint, at the coordinates fitted to its two frames (closure.hpp).
#pragma once

#include "trammel/constraint/kinds/constraint_block.hpp"

namespace trammel {

struct LoopJointBlock {
  int closure = 0;  // index in Model::closures()

  static std::vector<LoopJointBlock> all(const Model& model);
  std::string owner(const Model& model) const;
  std::vector<RowTraits> rows(const Model& model) const;
  std::vector<BodyId> bodies(const Model& model) const;
  template <Scalar S> void evaluate(const BlockInput<S>& input, EvaluatedRows<S>& out) const;
};

}  // namespace trammel
